//! What wakes a run, in a line.

use crate::preview::{self, plain};
use crate::team::who::People;
use serde_json::Value;
use weftwork::model::{EntityId, Node, NodeId};
use weftwork_store::runs::{Run, Trigger, TriggerKind};
use weftwork_store::{Store, StoreError};

/// Who or what wakes a run.
pub(crate) enum Waker {
    /// Somebody; what they said, unless it was deleted.
    Said { author: EntityId, said: Option<Box<Node>> },
    /// A message of which no more is known.
    Elsewhere(Option<NodeId>),
    /// A plan that came due.
    Plan { name: String, instruction: String },
    /// A program elsewhere.
    Service { name: String },
}

impl Waker {
    /// What a trigger is, as a database has it.
    pub(super) fn of(store: &Store, run: &Run, trigger: &Trigger) -> Result<Waker, StoreError> {
        let body = || serde_json::from_str::<Value>(trigger.body.as_deref().unwrap_or_default()).unwrap_or_default();
        let word = |body: &Value, key: &str| body[key].as_str().unwrap_or_default().to_owned();
        Ok(match trigger.kind {
            TriggerKind::Message => match (&run.space, &trigger.message) {
                (Some(space), Some(id)) => match store.node(space, id) {
                    Ok(node) if node.pruned || node.purged => Waker::Said { author: node.author, said: None },
                    Ok(node) => Waker::Said { author: node.author.clone(), said: Some(Box::new(node)) },
                    // A reply that a run waited for in another space.
                    Err(StoreError::NoNode { .. }) => Waker::Elsewhere(Some(id.clone())),
                    Err(error) => return Err(error),
                },
                (_, id) => Waker::Elsewhere(id.clone()),
            },
            TriggerKind::Plan => {
                let body = body();
                Waker::Plan { name: word(&body, "name"), instruction: word(&body, "instruction") }
            }
            TriggerKind::Delivery => Waker::Service { name: word(&body(), "service") },
        })
    }

    /// In a line.
    pub(crate) fn words(&self, people: &People) -> String {
        match self {
            Waker::Said { author, said: Some(node) } => format!("{}: {}", people.name(author), preview::node(node)),
            Waker::Said { author, said: None } => format!("{}: [deleted]", people.name(author)),
            Waker::Elsewhere(Some(id)) => format!("message {id}"),
            Waker::Elsewhere(None) => "a message".to_owned(),
            Waker::Plan { name, instruction } => format!("plan {}: \"{}\"", plain(name), plain(instruction)),
            Waker::Service { name } => format!("service {}", plain(name)),
        }
    }
}
