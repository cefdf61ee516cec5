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
use crate::dialect::Dialect;
use crate::model::{EntityId, NodeId, Part, Purpose, Sampling, Timestamp, Tool};

/// One request to the engine.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// The node to end on; the viewer's or the file's head if none.
    pub head: Option<NodeId>,
    /// The agent to assemble for; the file's, else the only agent, else none.
    pub viewer: Option<EntityId>,
    /// What the model is asked next.
    pub input: Input,
    /// Uncommitted text of a buffer, after the nodes.
    pub buffer: Option<String>,
    /// Tools the model may call; the file's if none.
    pub tools: Option<Vec<Tool>>,
    /// Sampling settings; the file's if none.
    pub sampling: Option<Sampling>,
    /// The model: its name, window, vocabulary and cache rules.
    pub model: Option<Model>,
    /// What the request is for.
    pub purpose: Purpose,
    /// The bytes of the previous request, to tell what changed.
    pub previous: Option<Vec<u8>>,
    /// The time it is.
    pub now: Option<Timestamp>,
    /// Wire format of the request; neutral messages if none.
    pub dialect: Option<Dialect>,
    /// Choices of the app: weaker than the space's.
    pub app: Settings,
    /// Choices of this ask: stronger than the space's.
    pub settings: Settings,
}

/// What the model is asked next.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Input {
    /// Nothing new: go on from the head.
    #[default]
    None,
    /// New parts that are not stored yet.
    New(Vec<Part>),
    /// A stored node, taken out of the history by its id.
    Node(NodeId),
}
