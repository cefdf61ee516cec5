//! A person says something in a space.

use super::mention::whom;
use crate::error::GatewayError;
use crate::gateway::Gateway;
use weftwork::model::{EntityId, Node, NodeId, Part, SpaceId};
use weftwork_store::runs::{Post, Posted};
use weftwork_store::{Draft, MoveHead, Parent, StoreError};

/// Bytes of one message.
pub const LONGEST_MESSAGE: usize = 64 << 10;

/// Something that a person says in a space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// What.
    pub text: String,
    /// The message it replies to.
    pub reply_to: Option<NodeId>,
    /// Where it hangs; on the default head if none, or on the branch of what it replies to.
    pub parent: Option<NodeId>,
    /// Whether the sender waits for a reply.
    pub expects_reply: bool,
    /// The sender's own name for this act: the same is never done twice.
    pub key: Option<String>,
}

impl Message {
    /// A text.
    pub fn text(text: impl Into<String>) -> Message {
        Message { text: text.into(), ..Message::default() }
    }
}

/// Why a message was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// There is nothing in it.
    #[error("the message is empty")]
    Empty,
    /// There is too much in it.
    #[error("the message has {bytes} bytes, and {LONGEST_MESSAGE} are allowed: send it in parts")]
    TooLong {
        /// How much.
        bytes: usize,
    },
    /// There is no such space, as far as the sender may know.
    #[error("there is no space {space:?} that {sender:?} belongs to")]
    NoSpace {
        /// The space.
        space: SpaceId,
        /// The sender.
        sender: EntityId,
    },
    /// It was not done.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

impl Gateway {
    /// Accepts a message of a person: into the space, to those who wait for it, to those it wakes.
    pub async fn post(&self, space: &SpaceId, sender: &EntityId, message: Message) -> Result<Posted, PostError> {
        if message.text.trim().is_empty() {
            return Err(PostError::Empty);
        }
        if message.text.len() > LONGEST_MESSAGE {
            return Err(PostError::TooLong { bytes: message.text.len() });
        }
        let mut node = Node::new("", None, sender.clone());
        node.parts = vec![Part::text(message.text.clone())];
        node.created_at = self.timestamp();
        node.reply_to = message.reply_to.clone();
        let parent = match (message.parent, message.reply_to) {
            (Some(parent), _) => Parent::Node(parent),
            (None, Some(reply)) => Parent::Branch(reply),
            (None, None) => Parent::Head,
        };
        let draft = Draft { node, parent, head: MoveHead::Same, key: message.key };
        let (to, caps, now) = (space.clone(), self.caps.clone(), self.now());
        let (text, expects_reply) = (message.text, message.expects_reply);
        let posted = self
            .stored(move |store| {
                let rule = store.header(&to)?.space.wake;
                let wake = whom(rule, &text, &store.members(&to)?);
                store.post(&Post { space: to.clone(), draft: draft.clone(), wake, expects_reply }, &caps, now)
            })
            .await;
        match posted {
            Ok(posted) => {
                self.hint();
                Ok(posted)
            }
            Err(GatewayError::Store(StoreError::NoSpace { .. } | StoreError::NoMember { .. } | StoreError::NoEntity { .. })) => {
                Err(PostError::NoSpace { space: space.clone(), sender: sender.clone() })
            }
            Err(error) => Err(error.into()),
        }
    }
}
