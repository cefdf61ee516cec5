//! What is stored on a path, as a client sees it.

use super::compare::Reach;
use super::turns::{Entry, Ran, Turn, Voice, turns};
use crate::chat::{Chat, voice};
use crate::error::GatewayError;
use weftwork::model::{Edge, Kind, Node, NodeId, Part, Status};
use weftwork_store::Store;

/// Nodes that are read at once.
const PAGE: u32 = 200;

/// The newest nodes of a path.
pub(super) struct Stored {
    nodes: Vec<Kept>,
    pub(super) reach: Reach,
}

/// A node, and whether the agent speaks in it.
struct Kept {
    node: Node,
    voice: Voice,
}

impl Stored {
    /// The path to a node, or to the head: at least the newest `most` turns of it and two more.
    pub(super) async fn read(chat: &Chat, to: Option<NodeId>, most: usize) -> Result<Stored, GatewayError> {
        let to = match to {
            Some(to) => Some(to),
            None => chat.head().await?,
        };
        let Some(to) = to else { return Ok(Stored { nodes: Vec::new(), reach: Reach::Whole }) };
        let mut path = Stored { nodes: Vec::new(), reach: Reach::Newest };
        loop {
            let (space, person, agent) = (chat.space().clone(), chat.person().clone(), chat.agent().clone());
            let (head, before) = (to.clone(), path.nodes.first().map(|kept| kept.node.id.clone()));
            let page = move |store: &Store| {
                let stretch = store.stretch(&space, Some(&head), &person, before.as_ref(), PAGE)?;
                let stretch = stretch.ok_or(weftwork_store::StoreError::NoSpace { space: space.clone() })?;
                let kept = stretch.nodes.into_iter().map(|placed| {
                    let author = voice(&placed.node, |id| store.node(&space, id).ok()).author;
                    let voice = if author == agent { Voice::Agent } else { Voice::Client };
                    Kept { node: placed.node, voice }
                });
                Ok((kept.collect::<Vec<_>>(), stretch.earlier))
            };
            let (mut page, earlier) = chat.gateway().stored(page).await?;
            page.append(&mut path.nodes);
            path.nodes = page;
            if !earlier {
                path.reach = Reach::Whole;
            }
            if !earlier || path.unbroken().len() >= most + 2 {
                return Ok(path);
            }
        }
    }

    /// Whether an answer is being written.
    pub(super) fn is_pending(&self) -> bool {
        self.nodes.iter().any(|kept| kept.node.status == Status::Pending)
    }

    /// All of it.
    pub(super) fn turns(&self) -> Vec<Turn> {
        of(self.said())
    }

    /// Without answers that broke off.
    pub(super) fn unbroken(&self) -> Vec<Turn> {
        of(self.whole().into_iter())
    }

    /// What was said, without answers that broke off. An answer of several replies with tools between them breaks off as one.
    fn whole(&self) -> Vec<&Kept> {
        let said: Vec<&Kept> = self.said().collect();
        let runs = said.chunk_by(|one, other| one.voice == other.voice);
        let kept = runs.filter(|run| run[0].voice == Voice::Client || !broke_off(run));
        kept.flatten().copied().filter(|kept| kept.node.status != Status::Error).collect()
    }

    fn said(&self) -> impl DoubleEndedIterator<Item = &Kept> {
        let said = |node: &Node| node.kind == Kind::Message && node.edge == Edge::Continuation && !node.pruned;
        self.nodes.iter().filter(move |kept| said(&kept.node))
    }

    /// The node that asks last.
    pub(super) fn asked(&self) -> Option<NodeId> {
        self.said().rev().find(|kept| kept.voice == Voice::Client).map(|kept| kept.node.id.clone())
    }

    /// The nodes of the last answer.
    pub(super) fn answer(&self) -> Vec<&Node> {
        let whole = self.whole();
        let newest = whole.iter().rev().take_while(|kept| kept.voice == Voice::Agent).count();
        whole[whole.len() - newest..].iter().map(|kept| &kept.node).collect()
    }
}

/// Whether an answer did not come to its end: its last reply failed, or was never made after the last round of tools.
fn broke_off(answer: &[&Kept]) -> bool {
    let Some(last) = answer.last() else { return false };
    let parts = || answer.iter().flat_map(|kept| &kept.node.parts);
    let ran = |id: &str| parts().any(|part| matches!(part, Part::ToolResult(result) if result.id == id));
    let open = || parts().any(|part| matches!(part, Part::ToolCall(call) if call.native.is_none() && !ran(&call.id)));
    let results = last.node.parts.iter().any(|part| matches!(part, Part::ToolResult(_)));
    last.node.status == Status::Error || (results && !open())
}

fn of<'k>(said: impl Iterator<Item = &'k Kept>) -> Vec<Turn> {
    turns(said.enumerate().map(|(at, kept)| Entry {
        voice: kept.voice,
        results: match kept.voice {
            Voice::Agent => Ran::Here,
            Voice::Client => Ran::There,
        },
        parts: &kept.node.parts,
        broke_off: kept.node.status == Status::Error,
        at: at + 1,
    }))
}
