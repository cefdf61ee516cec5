//! What an agent is shown, before it is written.

use super::entry::Entry;
use crate::ask::{HistoryPlacement, Layout};
use crate::model::{Entity, EntityId, Goal, Memory, Plan, Run, Space, SpaceId, SpaceRef, Timestamp, Trigger};

/// Everything that one run of an agent is shown.
#[derive(Clone, Debug)]
pub struct View<'h> {
    /// The agent.
    pub viewer: &'h Entity,
    /// The ask's time.
    pub now: &'h Timestamp,
    /// System text, trusted and written as it is, a blank line between: the agent's prompt, the space's context,
    /// instruction sources. Empty ones are left out.
    pub prompt: Vec<&'h str>,
    /// Why it runs.
    pub trigger: Option<&'h Trigger>,
    /// Where it is; none until a run that a plan or a service started enters a space.
    pub here: Option<Here<'h>>,
    /// Where it is a member.
    pub spaces: &'h [SpaceRef],
    /// What it is after.
    pub goals: &'h [Goal],
    /// What it remembers.
    pub memories: &'h [Memory],
    /// What it will do.
    pub plans: &'h [Plan],
    /// What it is doing.
    pub runs: &'h [Run],
    /// Order of the sections.
    pub layout: Layout,
    /// Whether the history is in the system text.
    pub placement: HistoryPlacement,
    /// What INSTRUCTIONS say beyond the seed's lines.
    pub advice: Advice,
}

/// The active space.
#[derive(Clone, Debug)]
pub struct Here<'h> {
    /// The space.
    pub space: &'h Space,
    /// Its history, chosen and in order.
    pub entries: Vec<Entry<'h>>,
}

/// Finds the senders and members that a view names.
pub type FindEntity<'f, 'h> = &'f dyn Fn(&EntityId) -> Option<&'h Entity>;

/// What INSTRUCTIONS say beyond the seed's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Nothing.
    Seed,
    /// That a new task is a matter for a new run.
    NewRunForNewTask,
}

/// The view names something that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The trigger's sender.
    #[error("the trigger names the sender {id}, who is none of the entities")]
    UnknownSender {
        /// Who.
        id: EntityId,
    },
    /// A member of a space.
    #[error("the space {space} names the member {id}, who is none of the entities")]
    UnknownMember {
        /// Where.
        space: SpaceId,
        /// Who.
        id: EntityId,
    },
    /// The trigger's space.
    #[error("the trigger names the space {id}, which is neither the active space nor one of the agent's spaces")]
    UnknownSpace {
        /// Which.
        id: SpaceId,
    },
}

impl<'h> View<'h> {
    /// The name of a space that the view knows.
    pub(super) fn space_name(&self, id: &SpaceId) -> Option<&'h str> {
        let here = self.here.as_ref().map(|here| here.space).filter(|space| space.id == *id);
        here.map(|space| &*space.name).or_else(|| self.spaces.iter().find(|space| space.id == *id).map(|space| &*space.name))
    }
}
