//! What somebody may do with an agent: the one place where that is decided.
//!
//! Whoever shares a space with an agent sees it. Its prompt, goals, memories and plans are for whoever manages it: an owner,
//! or a person who is the only one in every space it belongs to.

use super::house::House;
use super::web::Problem;
use super::who::Who;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashSet;
use weftwork::model::{Entity, EntityId, EntityKind, SpaceId};
use weftwork_store::runs::{Among, Belonging};
use weftwork_store::{Store, StoreError};

/// What somebody may do with an agent. Each allows what the one before it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Reach {
    /// Sees that it is there.
    See,
    /// Changes it, and looks into its mind.
    Manage,
}

/// Who asks, as far as agents care.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub(super) entity: EntityId,
    pub(super) is_owner: bool,
}

impl From<&Who> for Asker {
    fn from(who: &Who) -> Asker {
        Asker { entity: who.entity().clone(), is_owner: who.is_owner() }
    }
}

/// An agent that somebody may see.
pub(super) struct Known {
    pub(super) agent: Entity,
    pub(super) reach: Reach,
    pub(super) belonging: Belonging,
}

impl Asker {
    /// What the asker may do with an agent that belongs there; none if it does not exist for them.
    fn reach(&self, belonging: &Belonging) -> Option<Reach> {
        if self.is_owner {
            return Some(Reach::Manage);
        }
        let people: HashSet<&EntityId> =
            belonging.entities.iter().filter(|entity| entity.kind == EntityKind::Human).map(|entity| &entity.id).collect();
        let mut spaces = belonging.spaces.iter();
        if !spaces.clone().any(|space| space.members.contains(&self.entity)) {
            return None;
        }
        let alone = spaces.all(|space| space.members.iter().filter(|member| people.contains(member)).eq([&self.entity]));
        Some(if alone { Reach::Manage } else { Reach::See })
    }

    /// The runs that the asker may see; none for all. What an agent does by a plan or a delivery happens in no space: that is
    /// for whoever manages it.
    pub(super) fn among(&self, store: &Store) -> Result<Option<Among>, StoreError> {
        if self.is_owner {
            return Ok(None);
        }
        let spaces = self.spaces(store)?.into_iter().collect();
        let managed = self.all(store)?.into_iter().filter(|known| known.reach == Reach::Manage);
        Ok(Some(Among { spaces, agents: managed.map(|known| known.agent.id).collect(), waiting_in: Vec::new() }))
    }

    /// The agent, if the asker may see it.
    pub(super) fn known(&self, store: &Store, agent: &EntityId) -> Result<Option<Known>, StoreError> {
        let agent = match store.entity(agent) {
            Ok(entity) if entity.kind == EntityKind::Agent => entity,
            Ok(_) | Err(StoreError::NoEntity { .. } | StoreError::BadId { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let belonging = store.belonging(&agent.id)?;
        Ok(self.reach(&belonging).map(|reach| Known { agent, reach, belonging }))
    }

    /// All agents that the asker may see.
    pub(super) fn all(&self, store: &Store) -> Result<Vec<Known>, StoreError> {
        let entities = if self.is_owner { store.entities(EntityKind::Agent)? } else { store.belonging(&self.entity)?.entities };
        let agents = entities.into_iter().filter(|entity| entity.kind == EntityKind::Agent);
        agents.filter_map(|agent| self.known(store, &agent.id).transpose()).collect()
    }

    /// The spaces that the asker belongs to.
    pub(super) fn spaces(&self, store: &Store) -> Result<HashSet<SpaceId>, StoreError> {
        Ok(store.belonging(&self.entity)?.spaces.into_iter().map(|space| space.id).collect())
    }
}

impl Known {
    /// Whether somebody belongs to every space that the agent belongs to: then nothing it is shown is new to them.
    pub(super) fn is_all_known_to(&self, who: &EntityId) -> bool {
        self.belonging.spaces.iter().all(|space| space.members.contains(who))
    }
}

impl House {
    /// An agent that somebody may see.
    pub(super) async fn agent(&self, who: &Who, agent: &EntityId) -> Result<Known, Problem> {
        let (asker, agent) = (Asker::from(who), agent.clone());
        self.stored(move |store| asker.known(store, &agent)).await?.ok_or_else(Problem::not_found)
    }

    /// An agent that somebody manages.
    pub(super) async fn managed(&self, who: &Who, agent: &EntityId) -> Result<Known, Problem> {
        let known = self.agent(who, agent).await?;
        if known.reach == Reach::Manage { Ok(known) } else { Err(Problem::not_found()) }
    }

    /// Whoever asks, if they are a person.
    pub(super) async fn person(&self, who: &Who) -> Result<Option<Entity>, Problem> {
        let entity = who.entity().clone();
        let found = self.stored(move |store| store.entity(&entity)).await?;
        Ok(Some(found).filter(|entity| entity.kind == EntityKind::Human))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weftwork::model::SpaceRef;

    /// Spaces by their members: capital letters are people, small ones agents.
    fn belonging(spaces: &[&str]) -> Belonging {
        let kind = |c: char| if c.is_uppercase() { EntityKind::Human } else { EntityKind::Agent };
        let id = |c: char| EntityId::from(c.to_string().as_str());
        let space = |(at, members): (usize, &&str)| SpaceRef {
            id: SpaceId::from(at.to_string().as_str()),
            name: String::new(),
            members: members.chars().map(id).collect(),
        };
        let entities = spaces.concat().chars().map(|c| Entity::new(id(c), c.to_string(), kind(c))).collect();
        Belonging { spaces: spaces.iter().enumerate().map(space).collect(), entities, ..Belonging::default() }
    }

    #[test]
    fn an_agent_is_managed_by_owners_and_by_its_only_person() {
        let cases: [(&str, &[&str], Option<Reach>); 9] = [
            ("A", &["aA"], Some(Reach::Manage)),
            ("A", &["aAb"], Some(Reach::Manage)),
            ("A", &["aA", "Aa"], Some(Reach::Manage)),
            ("A", &["aAB"], Some(Reach::See)),
            ("A", &["aA", "aB"], Some(Reach::See)),
            ("A", &["aA", "ab"], Some(Reach::See)),
            ("A", &["aB"], None),
            ("A", &[], None),
            ("b", &["ab"], Some(Reach::See)),
        ];
        for (who, spaces, expected) in cases {
            let ask = |is_owner| Asker { entity: EntityId::from(who), is_owner }.reach(&belonging(spaces));
            assert_eq!(ask(false), expected, "{who} in {spaces:?}");
            assert_eq!(ask(true), Some(Reach::Manage));
        }
    }
}
