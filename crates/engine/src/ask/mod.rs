//! What a caller asks for: which head, for whom, in which form and dialect, within which budget.
//!
//! Everything a step of the line needs comes in here. Nothing is read from a clock, an environment or a global.

mod policy;
mod preset;
mod settings;

pub(crate) use policy::choice;
pub use policy::{
    Cache, Check, Counter, Errors, Form, HistoryPlacement, Layout, Policy, ReasoningPolicy, Strategy, SummaryPlacement,
    SummarySide, ToolPolicy, Unit,
};
pub use preset::Preset;
pub use settings::{BadShare, Settings, Share};

use crate::catalogue::Model;
use crate::count::Recall;
use crate::dialect::Dialect;
use crate::model::{EntityId, NodeId, Part, Purpose, Sampling, Timestamp, Tool, is_default};
use serde::{Deserialize, Serialize};

/// One request to the engine.
///
/// Written as JSON it is the same ask when it is read again, but for `previous` and `recall`, which change no byte of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Ask {
    /// The node to end on; the viewer's or the file's head if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<NodeId>,
    /// The agent to assemble for; the file's, else the only agent, else none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<EntityId>,
    /// What the model is asked next.
    #[serde(skip_serializing_if = "is_default")]
    pub input: Input,
    /// What the agent has done since its run began: sent after everything else, and never left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
    /// Uncommitted text of a buffer, after the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<String>,
    /// Tools the model may call; the file's if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Sampling settings; what they leave open is the space's, then the agent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
    /// The model: its name, window, vocabulary and cache rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// What the request is for.
    #[serde(skip_serializing_if = "is_default")]
    pub purpose: Purpose,
    /// The bytes of the previous request, to tell what changed.
    #[serde(skip)]
    pub previous: Option<Vec<u8>>,
    /// What was counted for earlier requests: with it numbers are known sooner.
    #[serde(skip)]
    pub recall: Recall,
    /// The time it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<Timestamp>,
    /// Wire format of the request; neutral messages if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Choices of the app: weaker than the space's.
    #[serde(skip_serializing_if = "is_default")]
    pub app: Settings,
    /// Choices of this ask: stronger than the space's.
    #[serde(skip_serializing_if = "is_default")]
    pub settings: Settings,
}

/// A reply that is in no history: what an agent said to itself and called in a run, and what the tools answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Round {
    /// The reply.
    pub parts: Vec<Part>,
    /// What its calls were answered. A call without an answer is told to have been interrupted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Part>,
    /// The model that wrote it, as `provider/model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// What the model is asked next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Input {
    /// Nothing new: go on from the head.
    #[default]
    None,
    /// New parts that are not stored yet.
    New(Vec<Part>),
    /// A stored node, taken out of the history by its id.
    Node(NodeId),
}
