//! A small world to look around in: a team with agents who wait, resume, plan, write across spaces and are woken by a service, a chat with branches
//! and a summary, a loom. All of it is said and run as people and agents would, with the model on board; no row is written
//! by hand.

mod chat;
mod loom;
mod script;
mod team;

use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::runs::{DriveError, PostError};
use crate::services::NotReceived;
use weftwork::model::{Entity, EntityId, EntityKind, SpaceId};
use weftwork_provider::OFFLINE;

/// The demo's spaces, in the order they are made.
const TEAM: &str = "demo-team";
const REPORTS: &str = "demo-reports";
const CHAT: &str = "demo-chat";
const LOOM: &str = "demo-loom";

/// The demo, as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// Where a team talks.
    pub team: SpaceId,
    /// Where it reports.
    pub reports: SpaceId,
    /// A conversation with branches and a summary.
    pub chat: SpaceId,
    /// A text with several ways on.
    pub loom: SpaceId,
    /// Somebody to be while looking around.
    pub person: EntityId,
    /// When it was made.
    pub made: Made,
}

/// When the demo was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Just now.
    Now,
    /// Before; nothing was changed.
    Before,
}

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// It was begun and never came to its end.
    #[error("the demo is there in part only: {missing} is missing. It was interrupted: make it anew")]
    Half {
        /// The first space that is not there.
        missing: SpaceId,
    },
    /// Something did not happen that should have.
    #[error("the demo went another way than it should: {what}")]
    Astray {
        /// What.
        what: &'static str,
    },
    /// A message was not accepted.
    #[error(transparent)]
    Post(#[from] PostError),
    /// A run was left.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// A delivery was not taken.
    #[error(transparent)]
    Delivery(#[from] NotReceived),
    /// It was not done.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

impl Gateway {
    /// Makes the demo, if it is not there. What others have in the store is left alone.
    pub async fn make_demo(&self) -> Result<Demo, DemoError> {
        let there = self.stored(|store| Ok(store.spaces()?.into_iter().map(|space| space.id).collect::<Vec<_>>())).await?;
        let all = [TEAM, REPORTS, CHAT, LOOM].map(SpaceId::from);
        let missing = all.iter().find(|space| !there.contains(space));
        let made = match missing {
            None => Made::Before,
            Some(missing) if all.iter().any(|space| there.contains(space)) => {
                return Err(DemoError::Half { missing: missing.clone() });
            }
            Some(_) => {
                team::play(self).await?;
                chat::play(self).await?;
                loom::play(self).await?;
                Made::Now
            }
        };
        let [team, reports, chat, loom] = all;
        Ok(Demo { team, reports, chat, loom, person: team::MIRA.into(), made })
    }
}

fn person(id: &str, name: &str) -> Entity {
    Entity::new(id, name, EntityKind::Human)
}

/// An agent that thinks with the model on board, whatever else is set up: a demo costs nothing.
fn agent(id: &str, name: &str, prompt: &str) -> Entity {
    Entity { model: Some(OFFLINE.to_owned()), system_prompt: Some(prompt.to_owned()), ..Entity::new(id, name, EntityKind::Agent) }
}
