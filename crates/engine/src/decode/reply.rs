//! The reply itself, and the pieces it arrives in.

use crate::model::{Json, Part, Reasoning, ToolCall, Usage};

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Content in the provider's order: reasoning, text, tool calls.
    pub parts: Vec<Part>,
    /// Why it ended.
    pub stop: Stop,
    /// Why it ended, in the provider's word.
    pub stop_reason: Option<String>,
    /// Disjoint buckets, normalised.
    pub usage: Option<Usage>,
    /// The usage as reported.
    pub raw_usage: Option<Json>,
    /// The model that says it answered.
    pub model: Option<String>,
    /// The provider's id of the response.
    pub id: Option<String>,
    /// Types of content that no [`Part`] can hold and that were left out, each once, in order.
    pub ignored: Vec<String>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The provider never said: the stream was cut.
    #[default]
    Cut,
    /// The model was done.
    End,
    /// It ran into a limit of tokens, the ask's or the window's. Tool calls of such a reply are never executed.
    MaxTokens,
    /// It wants tools to be run.
    ToolCalls,
    /// It wrote a stop text.
    StopText,
    /// It refused, or a filter did.
    Refused,
    /// The provider paused a long turn of its own tools: send the reply back and it goes on.
    Paused,
    /// A reason of the provider's that is none of these; `stop_reason` has it. Tool calls are never executed.
    Other,
}

impl Stop {
    /// Whether the model came to an end it chose, so that what it wrote is whole.
    pub fn is_whole(self) -> bool {
        match self {
            Stop::End | Stop::ToolCalls | Stop::StopText | Stop::Paused => true,
            Stop::Cut | Stop::MaxTokens | Stop::Refused | Stop::Other => false,
        }
    }
}

/// Whether a tool call of a reply may be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallState {
    /// Whole: a name, an object of arguments, in a reply that came to its end.
    Complete,
    /// Cut off, or never an object. Must not be run.
    Unfinished,
    /// The provider runs it itself.
    Provider,
}

impl Reply {
    /// The text parts, joined as they stand.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None }).collect()
    }

    /// The tool calls in order, each with whether it may be run.
    pub fn calls(&self) -> impl Iterator<Item = (&ToolCall, CallState)> {
        self.parts.iter().filter_map(|part| if let Part::ToolCall(call) = part { Some((call, self.state(call))) } else { None })
    }

    /// Whether no tool call is left unfinished.
    pub fn calls_complete(&self) -> bool {
        self.calls().all(|(_, state)| state != CallState::Unfinished)
    }

    fn state(&self, call: &ToolCall) -> CallState {
        if call.native.is_some() {
            CallState::Provider
        } else if self.stop.is_whole() && !call.name.is_empty() && call.args.is_object() {
            CallState::Complete
        } else {
            CallState::Unfinished
        }
    }
}

/// One step of a reply that is still arriving.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More thinking.
    Reasoning(String),
    /// The thinking that was begun last is whole: all of it, with what its provider signed it by.
    ReasoningEnd(Reasoning),
    /// A tool call begins that is to be answered.
    CallStart {
        /// Which call of the reply, from 0.
        index: usize,
        /// Joins the call to its result.
        id: String,
        /// The tool.
        name: String,
    },
    /// More argument text of a tool call.
    CallArgs {
        /// Which call of the reply, from 0.
        index: usize,
        /// The piece.
        text: String,
    },
    /// A part that arrived whole: a picture, the call or result of a tool the provider ran itself.
    Part(Part),
    /// The usage so far; replaces what was said before.
    Usage(Usage),
}
