//! Taking back. Nothing that was said is lost by it: heads and flags go back to what they were.

use super::Chat;
use crate::error::GatewayError;
use std::sync::PoisonError;
use weftwork::model::{Kind, Node, NodeId};
use weftwork_store::Flag;

/// Something that was done and can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// The head moved from here.
    Head(Option<NodeId>),
    /// A flag changed.
    Flag { node: NodeId, flag: Flag, was: bool },
    /// A summary was made.
    Summary(NodeId),
}

/// What was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// The head is here again.
    Head(NodeId),
    /// A flag is as it was.
    Flag(NodeId, Flag),
    /// A summary no longer stands for what it covered: that is sent again.
    Summary(NodeId),
    /// The conversation no longer begins afresh at this node.
    Afresh(NodeId),
}

impl Chat {
    pub(super) fn remember(&self, act: Act) {
        self.acts.lock().unwrap_or_else(PoisonError::into_inner).push(act);
    }

    /// Takes back the last thing that was done since the chat was opened; before that, the summary or the fresh beginning
    /// that is nearest to the head.
    pub async fn undo(&self) -> Result<Undone, GatewayError> {
        let last = self.acts.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match last {
            Some(Act::Head(Some(before))) => self.move_head(&before).await.map(|()| Undone::Head(before)),
            Some(Act::Head(None)) => Err(GatewayError::NothingThere { what: "this was the first message: edit it instead" }),
            Some(Act::Flag { node, flag, was }) => self.set_flag(&node, flag, was).await.map(|_| Undone::Flag(node, flag)),
            Some(Act::Summary(node)) => self.set_flag(&node, Flag::Pruned, true).await.map(|_| Undone::Summary(node)),
            None => self.undo_checkpoint().await,
        }
    }

    async fn undo_checkpoint(&self) -> Result<Undone, GatewayError> {
        let Some(node) = self.checkpoint().await? else {
            return Err(GatewayError::NothingThere { what: "there is nothing to undo" });
        };
        if node.context_edge {
            self.set_flag(&node.id, Flag::ContextEdge, false).await?;
            Ok(Undone::Afresh(node.id))
        } else {
            self.set_flag(&node.id, Flag::Pruned, true).await?;
            Ok(Undone::Summary(node.id))
        }
    }

    /// The checkpoint that holds at the head.
    pub(super) async fn checkpoint(&self) -> Result<Option<Node>, GatewayError> {
        let Some(head) = self.head().await? else { return Ok(None) };
        let space = self.space.clone();
        let up = move |store: &weftwork_store::Store| {
            let mut next = Some(head);
            while let Some(id) = next {
                let node = store.node(&space, &id)?;
                let is_summary = node.kind == Kind::Summary && node.status == weftwork::model::Status::Sent && !node.pruned;
                if is_summary || node.context_edge {
                    return Ok(Some(node));
                }
                next = node.parent;
            }
            Ok(None)
        };
        self.gateway.stored(up).await
    }
}
