//! Choices that may be left open, at app, space and ask level.

use super::{
    Cache, Counter, Errors, Form, HistoryPlacement, Layout, Preset, ReasoningPolicy, Strategy, SummaryPlacement, ToolPolicy, Unit,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Choices, each of which may be left to a weaker level.
///
/// Levels are laid over each other in the order app, space, ask; within a level its preset comes first and what the
/// level says itself wins over it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// A named set of choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// How the path is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// What to do when it does not fit.
    #[serde(skip_serializing_if = "Option::is_none", alias = "strategy")]
    pub truncation_strategy: Option<Strategy>,
    /// What `dropOldest` drops at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// How many newest nodes `truncateMiddle` keeps at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_recent_nodes: Option<u32>,
    /// To which share of the budget a cut goes down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_water: Option<Share>,
    /// Tokens kept free for the reply when `maxTokens` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_buffer: Option<u64>,
    /// Tokens the reply may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The window; the model's if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_length: Option<u64>,
    /// How many newest messages are looked at; 0 means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// How tokens are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<Counter>,
    /// What becomes of reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<ReasoningPolicy>,
    /// What becomes of failed nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Whether annotations are part of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<bool>,
    /// Which tools and tool parts are sent.
    #[serde(skip_serializing_if = "Option::is_none", alias = "toolInclusionMode")]
    pub tool_policy: Option<ToolPolicy>,
    /// Where a summary is put.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<SummaryPlacement>,
    /// Order of the timeline's sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Where the timeline's history is put.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryPlacement>,
    /// Where cache marks go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<Cache>,
    /// Whether a cut shows a marker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marker: Option<bool>,
    /// Whether neighbours of one role are always merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<bool>,
    /// System prompt of agents that have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_system_prompt: Option<String>,
    /// Above which share of the window a conversation is summed up by itself; never if none. For whoever holds the
    /// conversation: assembly looks at neither this nor `autoTitle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_summary: Option<Share>,
    /// Whether a conversation gets a title by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_title: Option<bool>,
    /// Whether repairs and unknown fields are errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// A share of a whole, more than nothing and at most all, kept in thousandths so that every platform rounds alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "f64", into = "f64")]
#[schemars(with = "f64")]
pub struct Share(u16);

/// The number is not a share.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{given} is not a share: use a number above 0 and up to 1")]
pub struct BadShare {
    /// What was given.
    pub given: f64,
}

impl Share {
    /// Everything.
    pub const WHOLE: Share = Share(1000);

    /// That many thousandths.
    pub const fn thousandths(n: u16) -> Share {
        assert!(n > 0 && n <= 1000);
        Share(n)
    }

    /// This share of `whole`, rounded down.
    pub fn of(self, whole: u64) -> u64 {
        (u128::from(whole) * u128::from(self.0) / 1000) as u64
    }
}

impl TryFrom<f64> for Share {
    type Error = BadShare;

    fn try_from(given: f64) -> Result<Share, BadShare> {
        let thousandths = (given * 1000.0).round();
        if given.is_finite() && (1.0..=1000.0).contains(&thousandths) {
            Ok(Share(thousandths as u16))
        } else {
            Err(BadShare { given })
        }
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> f64 {
        f64::from(share.0) / 1000.0
    }
}
