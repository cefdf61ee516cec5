//! What was said: one immutable node of the tree, with the flags that may change beside it.

use super::{Accounting, EntityId, NodeId, Part, SpaceId, Timestamp, Usage, is_default, is_false};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One node of a space's tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Unique in its space.
    pub id: NodeId,
    /// The node it continues, or none for a root.
    #[serde(default)]
    pub parent: Option<NodeId>,
    /// Who said it.
    pub author: EntityId,
    /// What it is for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: Kind,
    /// Whether it was sent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub status: Status,
    /// Role of imported text whose author's role is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<ImportedRole>,
    /// When it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// What it says, in order.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// The model that wrote it, as `provider/model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens of the call that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why a node of status `error` failed; none when it was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Left out by a person's choice.
    #[serde(default, skip_serializing_if = "is_false")]
    pub excluded: bool,
    /// Softly deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pruned: bool,
    /// Its content was taken out for good; its hash is that of what it said.
    #[serde(default, skip_serializing_if = "is_false")]
    pub purged: bool,
    /// Never removed by fitting.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pinned: bool,
    /// Marked to be found again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bookmarked: bool,
    /// A cut without a summary: nothing before this node is sent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub context_edge: bool,
    /// How it hangs on its parent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub edge: Edge,
    /// Further sources of the edge into this node, beside its primary one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The node this one is an edit of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_from: Option<NodeId>,
    /// The message this one answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<NodeId>,
    /// Why an agent said this here, when it was asked elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The last node that a summary covers; all before the summary if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<NodeId>,
    /// On a reply: the nodes that carried cache marks in its request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache_marks: Vec<NodeId>,
    /// On an accounting node: the counts it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounting: Option<Accounting>,
    /// On a reply: SHA-256 of the raw response that it was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// SHA-256 that fixes content and ancestry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

impl Node {
    /// A sent message with nothing in it yet.
    pub fn new(id: impl Into<NodeId>, parent: Option<NodeId>, author: impl Into<EntityId>) -> Self {
        Self {
            id: id.into(),
            parent,
            author: author.into(),
            kind: Kind::Message,
            status: Status::Sent,
            role: None,
            created_at: None,
            parts: Vec::new(),
            model: None,
            usage: None,
            error: None,
            excluded: false,
            pruned: false,
            purged: false,
            pinned: false,
            bookmarked: false,
            context_edge: false,
            edge: Edge::Continuation,
            sources: Vec::new(),
            edited_from: None,
            reply_to: None,
            origin: None,
            covers: None,
            cache_marks: Vec::new(),
            accounting: None,
            response: None,
            hash: None,
        }
    }

    /// Adds a text part.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::text(text));
        self
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }
}

/// What a node is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Something said.
    #[default]
    Message,
    /// A checkpoint: stands for what it covers.
    Summary,
    /// The request that led to a summary.
    SummaryRequest,
    /// A title of the conversation.
    Title,
    /// The request that led to a title.
    TitleRequest,
    /// A line of token accounting.
    Accounting,
}

/// Whether a node was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// Said, and final.
    #[default]
    Sent,
    /// Being written.
    Pending,
    /// Broke off; what had arrived is kept.
    Error,
}

/// The role that imported text had in its old home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedRole {
    /// A system or developer message.
    System,
    /// Said to the model.
    User,
    /// Said by the model.
    Assistant,
}

/// How a node hangs on its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Edge {
    /// It goes on from there.
    #[default]
    Continuation,
    /// It remarks on it without continuing it.
    Annotation,
}

/// A further source of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// The node drawn on.
    pub node: NodeId,
    /// What it is drawn on for.
    pub role: SourceRole,
}

/// What a further source is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SourceRole {
    /// Reference put before the node's own content.
    Context,
    /// A directive that joins the system text.
    Instruction,
}

/// Where a message that crossed spaces came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The space it was asked for in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceId>,
    /// That space's name at the time.
    pub space_name: String,
    /// Who asked.
    pub sender_name: String,
    /// What was asked.
    pub message: String,
}
