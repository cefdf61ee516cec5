//! The branches of a conversation that has not been checked: missing parents and cycles end a branch, never a program.

use crate::model::{Conversation, Edge, Node};
use std::collections::HashMap;

/// The tree over the nodes that are kept. Nodes are named by their place in the file.
pub(super) struct Branches<'c> {
    nodes: &'c [Node],
    by_id: HashMap<&'c str, usize>,
    /// The nearest kept ancestor.
    parent: Vec<Option<usize>>,
    is_leaf: Vec<bool>,
}

impl<'c> Branches<'c> {
    /// The tree over the nodes that `keep` keeps. Annotations hang on a node without continuing it, and are not in it.
    pub(super) fn new(conversation: &'c Conversation, keep: impl Fn(&Node) -> bool) -> Self {
        let nodes = conversation.nodes.as_slice();
        let by_id: HashMap<&str, usize> = nodes.iter().enumerate().map(|(n, node)| (node.id.as_str(), n)).collect();
        let kept: Vec<bool> = nodes.iter().map(|node| keep(node) && node.edge == Edge::Continuation).collect();
        let above: Vec<Option<usize>> =
            nodes.iter().map(|node| node.parent.as_ref().and_then(|id| by_id.get(id.as_str()).copied())).collect();
        let parent = nearest(&above, &kept);
        let mut is_leaf = kept;
        for (n, up) in parent.iter().enumerate() {
            // Only a kept node continues its ancestor.
            if let (true, Some(up)) = (nodes[n].edge == Edge::Continuation && keep(&nodes[n]), up) {
                is_leaf[*up] = false;
            }
        }
        Branches { nodes, by_id, parent, is_leaf }
    }

    /// The last kept nodes of all branches, in file order.
    pub(super) fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&n| self.is_leaf[n])
    }

    /// The kept nodes from the root to `end`.
    pub(super) fn path(&self, end: usize) -> Vec<usize> {
        let up = |&n: &usize| self.parent.get(n).copied().flatten();
        // A cycle is cut off by the number of nodes.
        let mut path: Vec<usize> = std::iter::successors(Some(end), up).take(self.nodes.len()).collect();
        path.reverse();
        path
    }

    /// The place of a node.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }
}

/// For each node the nearest kept node above it. Each link is followed once.
fn nearest(above: &[Option<usize>], kept: &[bool]) -> Vec<Option<usize>> {
    let mut nearest: Vec<Option<Option<usize>>> = vec![None; above.len()];
    for start in 0..above.len() {
        let (mut walked, mut at) = (Vec::new(), start);
        let found = loop {
            if let Some(known) = nearest[at] {
                break known;
            }
            walked.push(at);
            // Taken as known while on the way, so that a cycle of left out nodes ends.
            nearest[at] = Some(None);
            match above[at] {
                None => break None,
                Some(up) if kept[up] => break Some(up),
                Some(up) => at = up,
            }
        };
        for n in walked {
            nearest[n] = Some(found);
        }
    }
    nearest.into_iter().map(Option::flatten).collect()
}
