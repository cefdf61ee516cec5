//! A tree at a server, read at once: every node at a glance.

use crate::chat::tree::Source;
use crate::remote::Server;
use anyhow::Result;
use std::collections::HashMap;
use weftwork::model::{Edge, Node, NodeId, SpaceId};

/// The nodes of a space, with the first words of each.
pub(super) struct Outline {
    nodes: Vec<Node>,
    at: HashMap<NodeId, usize>,
    below: HashMap<Option<NodeId>, Vec<usize>>,
}

impl Outline {
    pub(super) fn of(server: &Server, space: &SpaceId) -> Result<Outline> {
        Ok(Outline::new(server.outline(space)?))
    }

    fn new(nodes: Vec<Node>) -> Outline {
        let at = nodes.iter().enumerate().map(|(at, node)| (node.id.clone(), at)).collect();
        let mut below: HashMap<Option<NodeId>, Vec<usize>> = HashMap::new();
        for (at, node) in nodes.iter().enumerate().filter(|(_, node)| node.edge == Edge::Continuation) {
            below.entry(node.parent.clone()).or_default().push(at);
        }
        Outline { nodes, at, below }
    }
}

impl Source for Outline {
    fn look(&self, id: &NodeId) -> Result<Option<Node>> {
        Ok(self.at.get(id).map(|at| self.nodes[*at].clone()))
    }

    fn children(&self, parent: Option<&NodeId>) -> Result<Vec<Node>> {
        let below = self.below.get(&parent.cloned()).into_iter().flatten();
        Ok(below.map(|at| self.nodes[*at].clone()).collect())
    }

    fn beginning_with(&self, start: &str) -> Result<Vec<NodeId>> {
        let ids = self.nodes.iter().map(|node| &node.id);
        Ok(ids.filter(|id| id.as_str().starts_with(start)).cloned().collect())
    }
}
