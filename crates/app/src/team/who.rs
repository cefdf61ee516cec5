//! Who somebody means: by an id, or by a name that only one has. And who the person at this machine is.

use crate::keep::near;
use crate::preview::plain;
use anyhow::{Result, anyhow, bail};
use weftwork::model::{Entity, EntityId, EntityKind, SpaceId};
use weftwork_gateway::new_name;
use weftwork_store::Store;

/// What the person at this machine is called where the system does not say.
const NOBODY: &str = "Owner";

/// Everybody there is.
#[derive(Default)]
pub(crate) struct People(Vec<Entity>);

impl From<Vec<Entity>> for People {
    fn from(all: Vec<Entity>) -> People {
        People(all)
    }
}

impl People {
    /// All entities of a store.
    pub(crate) fn of(store: &Store) -> Result<People> {
        let mut all = Vec::new();
        for kind in [EntityKind::Human, EntityKind::Agent, EntityKind::Service] {
            all.extend(store.entities(kind)?);
        }
        Ok(People(all))
    }

    /// All of a kind.
    pub(crate) fn all(&self, kind: EntityKind) -> impl Iterator<Item = &Entity> {
        self.0.iter().filter(move |entity| entity.kind == kind)
    }

    /// What somebody is called, safe to show.
    pub(crate) fn name(&self, id: &EntityId) -> String {
        self.0.iter().find(|entity| entity.id == *id).map_or_else(|| plain(id.as_str()), |entity| plain(&entity.name))
    }

    /// Whether a program elsewhere does the runs of an agent.
    pub(crate) fn is_external(&self, id: &EntityId) -> bool {
        self.0.iter().any(|entity| entity.id == *id && entity.external)
    }

    /// Whoever is meant.
    pub(crate) fn find(&self, wanted: &str) -> Result<&Entity> {
        let all: Vec<&Entity> = self.0.iter().collect();
        find(&all, wanted, "nobody is called")
    }

    /// The agent that is meant.
    pub(crate) fn agent(&self, wanted: &str) -> Result<&Entity> {
        let agents: Vec<&Entity> = self.all(EntityKind::Agent).collect();
        if agents.is_empty() {
            bail!("there is no agent {wanted:?}, nor any other: make one with weft agents add NAME");
        }
        find(&agents, wanted, "there is no agent")
    }

    /// The name that somebody new gets, or that `this` gets instead of its own.
    pub(crate) fn new_name(&self, name: &str, this: Option<&EntityId>) -> Result<String> {
        Ok(new_name(name, self.0.iter().filter(|entity| Some(&entity.id) != this))?)
    }

    /// An id made of a name, that nobody has.
    pub(crate) fn new_id(&self, name: &str) -> EntityId {
        fresh(name, "entity", |id| self.0.iter().any(|entity| entity.id.as_str() == id)).as_str().into()
    }

    /// The person of this name, made if there is none.
    pub(crate) fn person(&self, store: &Store, name: &str) -> Result<Entity> {
        let mut people = self.all(EntityKind::Human);
        if let Some(known) = people.find(|entity| entity.name == name || entity.id.as_str() == name) {
            return Ok(known.clone());
        }
        let name = self.new_name(name, None)?;
        let person = Entity::new(self.new_id(&name), name, EntityKind::Human);
        store.put_entity(&person)?;
        Ok(person)
    }
}

/// An id made of a name: its plain letters and digits. A number is put behind one that is taken.
pub(crate) fn fresh(name: &str, otherwise: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let words: Vec<String> = name
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let base = if words.is_empty() { otherwise.to_owned() } else { words.join("-") };
    let numbered = |number: u32| if number == 1 { base.clone() } else { format!("{base}-{number}") };
    (1..).map(numbered).find(|id| !is_taken(id)).unwrap_or_default()
}

fn find<'e>(all: &[&'e Entity], wanted: &str, nobody: &str) -> Result<&'e Entity> {
    if let Some(entity) = all.iter().find(|entity| entity.id.as_str() == wanted) {
        return Ok(entity);
    }
    let named: Vec<&&Entity> = all.iter().filter(|entity| entity.name == wanted).collect();
    match named.as_slice() {
        [one] => Ok(one),
        [] => {
            let names = all.iter().flat_map(|entity| [entity.id.as_str(), entity.name.as_str()]);
            let near: Vec<String> = near(wanted, names).into_iter().map(|name| format!("{:?}", plain(name))).collect();
            match near.as_slice() {
                [] => bail!("{nobody} {wanted:?}: weft agents lists the agents, weft spaces show SPACE the members of a space"),
                near => bail!("{nobody} {wanted:?}: did you mean {}?", near.join(", ")),
            }
        }
        several => {
            let ids: Vec<&str> = several.iter().take(20).map(|entity| entity.id.as_str()).collect();
            bail!("{} are called {wanted:?}: use the id, one of {}", several.len(), ids.join(", "))
        }
    }
}

/// What the system calls the person at this machine.
pub(crate) fn own_name() -> String {
    let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    user.and_then(|name| new_name(&name, []).ok()).unwrap_or_else(|| NOBODY.to_owned())
}

/// The member of a space that somebody speaks or reads as: the one they name, else the only person, else the person at this
/// machine.
pub(crate) fn member(store: &Store, space: &SpaceId, wanted: Option<&str>) -> Result<Entity> {
    let members = store.members(space)?;
    if let Some(wanted) = wanted {
        return member_of(&members, space, wanted);
    }
    let people: Vec<&Entity> = members.iter().filter(|member| member.kind == EntityKind::Human).collect();
    let own = own_name();
    let me = people.iter().find(|person| person.name == own || person.id.as_str() == "me");
    match (people.as_slice(), me) {
        ([one], _) => Ok((*one).clone()),
        (_, Some(me)) => Ok((*me).clone()),
        ([], None) => Err(anyhow!("no person belongs to {space}: let one join with weft spaces join {space} --person NAME")),
        (several, None) => {
            let names: Vec<String> = several.iter().map(|person| plain(&person.name)).collect();
            Err(anyhow!("several people belong to {space}: say who you are with --as, one of {}", names.join(", ")))
        }
    }
}

/// The one of the members of a space who is meant.
pub(crate) fn member_of(members: &[Entity], space: &SpaceId, wanted: &str) -> Result<Entity> {
    let all: Vec<&Entity> = members.iter().collect();
    find(&all, wanted, &format!("nobody in {space} is called")).cloned()
}

#[cfg(test)]
mod tests {
    use super::fresh;

    #[test]
    fn an_id_is_made_of_the_name() {
        for (name, id) in [("Data Analyst", "data-analyst-2"), ("Ann  Lee!", "ann-lee"), ("山田", "entity"), ("J. R.", "j-r")] {
            assert_eq!(fresh(name, "entity", |id| id == "data-analyst"), id);
        }
    }
}
