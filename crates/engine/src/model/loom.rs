//! What is made of a tree beside what is said in it: how far an agent may act there, links between nodes, named bookmarks.

use super::{EntityId, NodeId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a loom-aware agent may act in the tree it stands in. Each step allows what those before it allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LoomAccess {
    /// It looks around, and keeps a memory of its own.
    Read,
    /// It also adds, links, marks and prunes.
    #[default]
    Write,
    /// It also lets its model write continuations, which costs money.
    Generate,
}

impl LoomAccess {
    /// The word shown to agents.
    pub fn word(self) -> &'static str {
        match self {
            LoomAccess::Read => "read",
            LoomAccess::Write => "write",
            LoomAccess::Generate => "generate",
        }
    }
}

/// A link between two nodes of a tree, wherever they stand in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The node that says something about the other.
    pub from: NodeId,
    /// The other.
    pub to: NodeId,
    /// What it says.
    pub kind: LinkKind,
    /// Why whoever linked them thinks so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Who linked them.
    pub author: EntityId,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

/// What a link says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LinkKind {
    /// They have to do with each other.
    Relates,
    /// The first speaks for the second.
    Supports,
    /// The first speaks against the second.
    Contradicts,
    /// The first answers what the second asks.
    Answers,
    /// The first says the second better.
    Refines,
    /// The first says the second again.
    Repeats,
}

impl LinkKind {
    /// All of them.
    pub const ALL: [LinkKind; 6] =
        [LinkKind::Relates, LinkKind::Supports, LinkKind::Contradicts, LinkKind::Answers, LinkKind::Refines, LinkKind::Repeats];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            LinkKind::Relates => "relates",
            LinkKind::Supports => "supports",
            LinkKind::Contradicts => "contradicts",
            LinkKind::Answers => "answers",
            LinkKind::Refines => "refines",
            LinkKind::Repeats => "repeats",
        }
    }

    /// The kind that this is the word for.
    pub fn from_word(word: &str) -> Option<LinkKind> {
        LinkKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The name of a bookmark. That a node is bookmarked is a flag of the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bookmark {
    /// The node.
    pub node: NodeId,
    /// What it is called.
    pub name: String,
}
