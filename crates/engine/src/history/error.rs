//! What can be wrong between the nodes of a file.

use crate::model::{EntityId, NodeId};

/// The nodes do not make a tree. Nothing was taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// Two nodes have one id.
    #[error("two nodes have the id {node:?}: give each node an id of its own")]
    DuplicateNode {
        /// The id.
        node: NodeId,
    },
    /// Two entities have one id.
    #[error("two entities have the id {entity:?}: give each entity an id of its own")]
    DuplicateEntity {
        /// The id.
        entity: EntityId,
    },
    /// A node continues one that is not there.
    #[error("node {node:?} continues {parent:?}, which is not in the file: add that node, or set \"parent\" to null")]
    MissingParent {
        /// The node.
        node: NodeId,
        /// What it names.
        parent: NodeId,
    },
    /// Following parents never ends.
    #[error("node {node:?} is its own ancestor: its chain of parents runs in a circle")]
    Cycle {
        /// A node on the circle.
        node: NodeId,
    },
    /// A node's author is not an entity of the file.
    #[error("node {node:?} is by {author:?}, who is not in \"entities\": add that entity")]
    UnknownAuthor {
        /// The node.
        node: NodeId,
        /// What it names.
        author: EntityId,
    },
    /// A field names a node that is not there.
    #[error("{field} of node {node:?} names {named:?}, which is not in the file")]
    MissingNode {
        /// The node.
        node: NodeId,
        /// The field.
        field: &'static str,
        /// What it names.
        named: NodeId,
    },
    /// The file's head is not there.
    #[error("the head {head:?} is not in the file: name one of its nodes")]
    MissingHead {
        /// The head.
        head: NodeId,
    },
    /// More nodes than an index can name.
    #[error("{nodes} nodes are more than one space can hold ({limit})", limit = u32::MAX - 1)]
    TooManyNodes {
        /// How many.
        nodes: usize,
    },
}
