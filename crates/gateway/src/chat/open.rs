//! Opening a chat: a space that is there, or a new one.

use super::{Chat, Whose};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use std::sync::Arc;
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, LoomAccess, Mode, Sampling, Space, SpaceId};
use weftwork_store::StoreError;

/// The person at this machine, in every chat that is begun here.
const ME: &str = "me";
const NAME_OF_ME: &str = "You";
const NAME_OF_AGENT: &str = "Assistant";

/// Which chat.
#[derive(Clone, Debug, Default)]
pub struct Open {
    /// The space; a new one if none.
    pub space: Option<SpaceId>,
    /// What the agent is told from now on.
    pub system_prompt: Option<String>,
    /// The agent's model from now on.
    pub model: Option<String>,
    /// What the person is called in a new space.
    pub person: Option<String>,
    /// How a new space is read: messages, or one text that is continued.
    pub mode: Mode,
    /// Whether the agent is shown the tree it stands in from now on, and what it may do there.
    pub loom: Option<Sight>,
}

/// Whether an agent is shown the tree it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It reads its path and no more.
    Path,
    /// It sees the tree, and may do so much there.
    Tree(LoomAccess),
}

impl Chat {
    /// Opens a chat that is there, or makes one.
    pub async fn open(gateway: &Gateway, open: Open) -> Result<Chat, GatewayError> {
        if let Some(model) = &open.model {
            gateway.providers.resolve(model)?;
        }
        let header = match &open.space {
            Some(space) => {
                let space = space.clone();
                gateway.stored(move |store| store.header(&space)).await?
            }
            None => new_space(gateway, &open).await?,
        };
        let chat = join(gateway, &header).await?;
        if open.system_prompt.is_some() || open.model.is_some() || open.loom.is_some() {
            chat.change_agent(|agent| {
                agent.system_prompt = open.system_prompt.or(agent.system_prompt.take());
                agent.model = open.model.or(agent.model.take());
                match open.loom {
                    Some(Sight::Tree(access)) => (agent.loom_aware, agent.loom_access) = (true, access),
                    Some(Sight::Path) => agent.loom_aware = false,
                    None => {}
                }
            })
            .await?;
        }
        Ok(chat)
    }

    /// A chat of one who belongs to a space with an agent who does: the named one, that of the space, or the only one.
    pub async fn of(
        gateway: &Gateway,
        space: &SpaceId,
        person: &EntityId,
        agent: Option<&EntityId>,
    ) -> Result<Chat, GatewayError> {
        let (place, one) = (space.clone(), person.clone());
        let (viewer, members) = gateway
            .stored(move |store| {
                let members = store.members(&place)?;
                if !members.iter().any(|member| member.id == one) {
                    return Err(StoreError::NoMember { space: place, entity: one });
                }
                Ok((store.header(&place)?.viewer, members))
            })
            .await?;
        let of = |kind: EntityKind| members.iter().filter(move |member| member.kind == kind);
        let named = agent.or(viewer.as_ref());
        let mut agents = of(EntityKind::Agent).filter(|one| named.is_none_or(|named| *named == one.id));
        let found = agents.next().ok_or(GatewayError::NothingThere { what: "no such agent belongs to this space" })?;
        if agents.next().is_some() {
            return Err(GatewayError::NothingThere { what: "several agents belong to this space: say which one is to reply" });
        }
        let whose = if of(EntityKind::Human).count() > 1 { Whose::Own } else { Whose::Everybodys };
        let (gateway, space, person, agent) = (gateway.clone(), space.clone(), person.clone(), found.id.clone());
        Ok(Chat { gateway, space, person, agent, whose, acts: Arc::default(), titled: Arc::default(), run: None })
    }

    /// What an agent does in a space by itself: nobody undoes it.
    pub(crate) fn as_agent(gateway: &Gateway, space: &SpaceId, agent: &EntityId) -> Chat {
        let (gateway, space, person, agent) = (gateway.clone(), space.clone(), agent.clone(), agent.clone());
        Chat { gateway, space, person, agent, whose: Whose::Own, acts: Arc::default(), titled: Arc::default(), run: None }
    }

    /// The model that replies.
    pub async fn model(&self) -> Result<String, GatewayError> {
        let header = self.header().await?;
        Ok(self.agent_of(&header)?.model.clone().unwrap_or_else(|| self.gateway.model.to_string()))
    }

    /// Changes the model that replies, if there is such a model.
    pub async fn set_model(&self, name: &str) -> Result<(), GatewayError> {
        let model = self.gateway.providers.resolve(name)?.model.name;
        self.change_agent(|agent| agent.model = Some(model)).await
    }

    /// Changes what the agent is told.
    pub async fn set_system_prompt(&self, text: Option<String>) -> Result<(), GatewayError> {
        self.change_agent(|agent| agent.system_prompt = text).await
    }

    /// Changes how the agent's model samples.
    pub async fn set_sampling(&self, sampling: Option<Sampling>) -> Result<(), GatewayError> {
        self.change_agent(|agent| agent.sampling = sampling).await
    }

    async fn change_agent(&self, change: impl FnOnce(&mut Entity)) -> Result<(), GatewayError> {
        let header = self.header().await?;
        let mut agent = self.agent_of(&header)?.clone();
        change(&mut agent);
        self.gateway.stored(move |store| store.put_entity(&agent)).await
    }

    /// Changes the space: its name, its settings.
    pub async fn change_space(&self, change: impl FnOnce(&mut Conversation)) -> Result<(), GatewayError> {
        let mut header = self.header().await?;
        change(&mut header);
        self.gateway.stored(move |store| store.put_header(&header)).await
    }
}

async fn new_space(gateway: &Gateway, open: &Open) -> Result<Conversation, GatewayError> {
    let mut space = Space::new(format!("chat-{:016x}", fastrand::u64(..)), "");
    space.mode = open.mode;
    let mut header = Conversation::new(space);
    let name = open.person.as_deref().unwrap_or(NAME_OF_ME);
    header.entities = vec![Entity::new(ME, name, EntityKind::Human), agent_of(&header.space.id)];
    let (made, now) = (header.clone(), gateway.now());
    gateway.stored(move |store| store.create_space(&made, now)).await?;
    Ok(header)
}

/// A chat in a space, as its person with its agent. A space that lacks one of them gets one.
async fn join(gateway: &Gateway, header: &Conversation) -> Result<Chat, GatewayError> {
    let of = |kind: EntityKind| header.entities.iter().filter(move |entity| entity.kind == kind);
    let agents: Vec<_> = of(EntityKind::Agent).collect();
    let agent = header.viewer.as_ref().and_then(|viewer| agents.iter().find(|agent| agent.id == *viewer)).or(agents.first());
    let agent = agent.map_or_else(|| agent_of(&header.space.id), |agent| (*agent).clone());
    let me = of(EntityKind::Human).find(|person| person.id.as_str() == ME).or_else(|| of(EntityKind::Human).next());
    let person = me.cloned().unwrap_or_else(|| Entity::new(ME, NAME_OF_ME, EntityKind::Human));
    let whose = if of(EntityKind::Human).count() > 1 { Whose::Own } else { Whose::Everybodys };
    for missing in [&person, &agent].into_iter().filter(|entity| !header.entities.iter().any(|known| known.id == entity.id)) {
        let (space, entity) = (header.space.id.clone(), missing.clone());
        let joined = move |store: &weftwork_store::Store| {
            store.put_entity(&entity)?;
            store.join(&space, &entity.id, None)
        };
        gateway.stored(joined).await?;
    }
    let (space, person, agent) = (header.space.id.clone(), person.id, agent.id);
    Ok(Chat { gateway: gateway.clone(), space, person, agent, whose, acts: Arc::default(), titled: Arc::default(), run: None })
}

/// The agent of one chat. Each has its own, so that a change of its model or prompt changes no other chat.
fn agent_of(space: &SpaceId) -> Entity {
    Entity::new(format!("{space}-agent").as_str(), NAME_OF_AGENT, EntityKind::Agent)
}
