//! The branches of a chat, as far as a screen holds them: the path to the head, and beside it what else was said.

mod draw;

pub(crate) use draw::draw;

use super::nodes::beginning_with;
use anyhow::{Result, anyhow};
use weftwork::model::{Edge, Node, NodeId, SpaceId};
use weftwork_store::{Store, StoreError};

/// Nodes of the path that are looked at.
const PATH: usize = 40;
/// Nodes of one branch beside it.
const BRANCH: usize = 8;
/// Rows in all.
const ROWS: usize = 120;

/// Where nodes are read.
pub(crate) trait Source {
    /// A node; none if it is not there.
    fn look(&self, id: &NodeId) -> Result<Option<Node>>;
    /// What goes on from a node, in the order it was said; where the space begins if none is named.
    fn children(&self, parent: Option<&NodeId>) -> Result<Vec<Node>>;
    /// The nodes whose ids begin so.
    fn beginning_with(&self, start: &str) -> Result<Vec<NodeId>>;

    /// A node that is there.
    fn node(&self, id: &NodeId) -> Result<Node> {
        self.look(id)?.ok_or_else(|| anyhow!("there is no node {id}"))
    }
}

/// One space of a store.
pub(crate) struct InStore<'s> {
    pub(crate) store: &'s Store,
    pub(crate) space: &'s SpaceId,
}

impl Source for InStore<'_> {
    fn look(&self, id: &NodeId) -> Result<Option<Node>> {
        match self.store.node(self.space, id) {
            Ok(node) => Ok(Some(node)),
            Err(StoreError::NoNode { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn beginning_with(&self, start: &str) -> Result<Vec<NodeId>> {
        beginning_with(self.store, self.space, start)
    }

    fn children(&self, parent: Option<&NodeId>) -> Result<Vec<Node>> {
        let mut children = self.store.children(self.space, parent)?;
        children.retain(|node| node.edge == Edge::Continuation);
        Ok(children)
    }
}

/// What is seen of a tree.
pub(crate) struct Tree {
    pub(crate) rows: Vec<Row>,
    /// Whether the path began earlier.
    pub(crate) earlier: bool,
    /// Whether there was no room for all branches.
    pub(crate) more: bool,
}

/// A node in it.
pub(crate) struct Row {
    pub(crate) node: Node,
    /// How far it is from the path.
    pub(crate) depth: usize,
    /// Which of how many siblings, from 1.
    pub(crate) sibling: (usize, usize),
    pub(crate) place: Place,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the end of the path.
    Head,
    /// On the path.
    Path,
    /// Beside it.
    Beside,
}

/// The nodes from a node upwards, at most so many, the oldest first.
pub(crate) fn path(source: &dyn Source, head: Option<&NodeId>, most: usize) -> Result<Vec<Node>> {
    let mut path: Vec<Node> = Vec::new();
    let mut next = head.cloned();
    while let Some(id) = next.filter(|_| path.len() < most) {
        let node = source.node(&id)?;
        next = node.parent.clone();
        path.push(node);
    }
    path.reverse();
    Ok(path)
}

impl Tree {
    /// What is seen from a head.
    pub(crate) fn gather(source: &dyn Source, head: Option<&NodeId>) -> Result<Tree> {
        let path = path(source, head, PATH)?;
        let earlier = path.first().is_some_and(|node| node.parent.is_some());
        let mut tree = Tree { rows: Vec::new(), earlier, more: false };
        for node in &path {
            let siblings = source.children(node.parent.as_ref())?;
            tree.fork(source, &siblings, Some(node), head)?;
        }
        let after = source.children(head)?;
        if path.is_empty() || !after.is_empty() {
            tree.fork(source, &after, None, head)?;
        }
        Ok(tree)
    }

    /// Nodes that hang where one hangs: first those beside the path, then the one on it.
    fn fork(&mut self, source: &dyn Source, all: &[Node], on: Option<&Node>, head: Option<&NodeId>) -> Result<()> {
        let count = all.len();
        for (at, node) in all.iter().enumerate().filter(|(_, node)| on.is_none_or(|on| on.id != node.id)) {
            self.branch(source, node, 1, (at + 1, count))?;
        }
        if let Some(node) = on {
            let at = all.iter().position(|one| one.id == node.id).unwrap_or(0);
            let place = if head == Some(&node.id) { Place::Head } else { Place::Path };
            self.rows.push(Row { node: node.clone(), depth: 0, sibling: (at + 1, count), place });
        }
        Ok(())
    }

    /// A branch beside the path, as far as there is room.
    fn branch(&mut self, source: &dyn Source, first: &Node, depth: usize, sibling: (usize, usize)) -> Result<()> {
        let (mut node, mut sibling) = (first.clone(), sibling);
        for _ in 0..BRANCH {
            if self.rows.len() >= ROWS {
                self.more = true;
                return Ok(());
            }
            let children = source.children(Some(&node.id))?;
            self.rows.push(Row { node, depth, sibling, place: Place::Beside });
            let Some((last, others)) = children.split_last() else { return Ok(()) };
            for (at, other) in others.iter().enumerate() {
                self.branch(source, other, depth + 1, (at + 1, children.len()))?;
            }
            (node, sibling) = (last.clone(), (children.len(), children.len()));
        }
        self.more = true;
        Ok(())
    }
}
