//! Replies: what a model answered, from a whole body or from a stream cut anywhere.

use crate::model::{Json, Part, Usage};

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Content in order: reasoning, text, tool calls.
    pub parts: Vec<Part>,
    /// Why it ended.
    pub stop: Stop,
    /// Disjoint buckets, normalised.
    pub usage: Option<Usage>,
    /// The usage as reported.
    pub raw_usage: Option<Json>,
    /// The model that says it answered.
    pub model: Option<String>,
    /// The provider's id of the response.
    pub id: Option<String>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// The provider never said: the stream was cut.
    #[default]
    Cut,
    /// The model was done.
    End,
    /// It ran into the limit of tokens. Tool calls of such a reply are never executed.
    MaxTokens,
    /// It wants tools to be run.
    ToolCalls,
    /// It wrote a stop text.
    StopText,
    /// It refused, or a filter did.
    Refused,
}
