//! A chat: one person and one agent in a space. Post, assemble, stream, store; stop, retry, edit, continue, branch, sum up.

mod acts;
mod branch;
mod call;
mod figures;
mod next;
mod open;
mod pieces;
mod preview;
mod reply;
mod round;
mod summary;
mod terms;
mod title;
mod undo;

pub(crate) use branch::voice;
pub(crate) use call::call_end;
pub use figures::Figures;
pub use next::MOST_ROUNDS;
pub(crate) use next::{Next, next};
pub use open::{Open, Sight};
pub use preview::{ChatPreview, Imagined, Wire};
pub use summary::Summarized;
pub(crate) use terms::{Terms, sent};
pub use undo::Undone;

use crate::error::GatewayError;
use crate::gateway::Gateway;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use undo::Act;
use weftwork::ask::Settings;
use weftwork::decode::Stop;
use weftwork::model::{EntityId, Node, NodeId, Part, Sampling, SpaceId, Tool};
use weftwork_store::runs::{Run, RunId};
use weftwork_store::{MoveHead, Parent};

/// A chat. Cheap to clone; clones share what can be undone.
#[derive(Clone)]
pub struct Chat {
    gateway: Gateway,
    space: SpaceId,
    person: EntityId,
    agent: EntityId,
    whose: Whose,
    acts: Arc<Mutex<Vec<Act>>>,
    /// Whether a title was tried.
    titled: Arc<AtomicBool>,
    /// The run in which it is asked, and which pays for it.
    run: Option<RunId>,
}

/// Which head a chat moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The default one: nobody else reads along.
    Everybodys,
    /// The person's own.
    Own,
}

/// How a reply is made; what is left open is the space's, then the agent's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct How {
    /// The model.
    pub model: Option<String>,
    /// Sampling settings.
    pub sampling: Option<Sampling>,
    /// Tokens the reply may have.
    pub max_tokens: Option<u64>,
    /// Other choices, stronger than the space's.
    pub settings: Settings,
    /// Tools that whoever asks runs: a call of one ends the turn, and waits for its result.
    pub tools: Vec<Tool>,
}

impl How {
    /// Its choices for an ask. What is said of the reply's tokens by itself is stronger.
    pub(crate) fn laid(&self) -> Settings {
        Settings { max_tokens: self.max_tokens.or(self.settings.max_tokens), ..self.settings.clone() }
    }
}

/// Something to say.
#[derive(Clone, Debug, Default)]
pub struct Say {
    /// What.
    pub parts: Vec<Part>,
    /// Whether the conversation begins afresh here: nothing before it is sent any more.
    pub afresh: bool,
    /// The sender's own name for this act: the same is never done twice.
    pub key: Option<String>,
}

impl Say {
    /// A text.
    pub fn text(text: impl Into<String>) -> Say {
        Say { parts: vec![Part::text(text)], ..Say::default() }
    }
}

/// What came of asking for a reply.
#[derive(Clone, Debug)]
pub struct Replied {
    /// The last node of the turn. Its status is `error` if it was stopped.
    pub node: Node,
    /// Why the last reply ended.
    pub stop: Stop,
}

impl Chat {
    /// An agent's own view of a space, for calls beside its runs.
    pub(crate) fn aside(gateway: &Gateway, space: SpaceId, run: &Run) -> Chat {
        let (person, agent, whose) = (run.agent.clone(), run.agent.clone(), Whose::Everybodys);
        Chat {
            gateway: gateway.clone(),
            space,
            person,
            agent,
            whose,
            acts: Arc::default(),
            titled: Arc::default(),
            run: Some(run.id.clone()),
        }
    }

    /// Its space.
    pub fn space(&self) -> &SpaceId {
        &self.space
    }

    /// The person.
    pub fn person(&self) -> &EntityId {
        &self.person
    }

    /// The agent.
    pub fn agent(&self) -> &EntityId {
        &self.agent
    }

    /// What it stands on.
    pub fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    /// The node that the conversation has come to; none while nothing was said.
    pub async fn head(&self) -> Result<Option<NodeId>, GatewayError> {
        let (space, viewer) = (self.space.clone(), self.viewer());
        self.gateway.stored(move |store| store.head(&space, viewer.as_ref())).await
    }

    async fn need_head(&self, what: &'static str) -> Result<NodeId, GatewayError> {
        self.head().await?.ok_or(GatewayError::NothingThere { what })
    }

    /// Whose head it moves; none for the default one.
    fn viewer(&self) -> Option<EntityId> {
        match self.whose {
            Whose::Everybodys => None,
            Whose::Own => Some(self.person.clone()),
        }
    }

    pub(crate) fn moves(&self) -> MoveHead {
        self.viewer().map_or(MoveHead::Default, MoveHead::Of)
    }

    pub(crate) fn at_head(&self) -> Parent {
        self.viewer().map_or(Parent::Head, Parent::HeadOf)
    }
}
