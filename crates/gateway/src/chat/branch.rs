//! Walking a branch upwards.

use weftwork::model::{Edge, EntityId, Kind, Node, NodeId, SpaceId};
use weftwork_store::{Result, Store};

/// The message that a node answers, or is; none if an agent began the conversation.
pub(super) fn question(store: &Store, space: &SpaceId, agent: &EntityId, from: NodeId) -> Result<Option<NodeId>> {
    let mut next = Some(from);
    while let Some(id) = next {
        let node = store.node(space, &id)?;
        if is_question(store, space, agent, &node)? {
            return Ok(Some(id));
        }
        next = node.parent;
    }
    Ok(None)
}

/// Whether a node is something that somebody else said to the agent. What the agent said stays its own when edited.
pub(super) fn is_question(store: &Store, space: &SpaceId, agent: &EntityId, node: &Node) -> Result<bool> {
    if node.kind != Kind::Message || node.edge != Edge::Continuation {
        return Ok(false);
    }
    Ok(voice(node, |id| store.node(space, id).ok()).author != *agent)
}

/// Versions of a text that are looked back through: a file may name them in a circle.
const MOST_EDITS: usize = 64;

/// Whose words a node holds, as the node in which they were first said: what an agent said stays its own when edited.
pub(crate) fn voice(node: &Node, find: impl Fn(&NodeId) -> Option<Node>) -> Node {
    let mut said = node.clone();
    for _ in 0..MOST_EDITS {
        match said.edited_from.as_ref().and_then(&find) {
            Some(original) => said = original,
            None => break,
        }
    }
    said
}

/// Nodes from one upwards, `most` at most.
pub(super) fn upwards(store: &Store, space: &SpaceId, from: NodeId, most: usize) -> Result<Vec<Node>> {
    let mut nodes = Vec::new();
    let mut next = Some(from);
    while let Some(id) = next.filter(|_| nodes.len() < most) {
        let node = store.node(space, &id)?;
        next = node.parent.clone();
        nodes.push(node);
    }
    Ok(nodes)
}
