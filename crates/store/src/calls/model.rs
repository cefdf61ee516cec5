//! What is known of a call to a model: when it begins, when it ends, and ever after.

use serde::{Deserialize, Serialize};
use weftwork::catalogue::Prices;
use weftwork::model::{EntityId, Json, NodeId, Purpose, SpaceId, Timestamp, Usage};

/// The id of a call, unique in its space.
pub type CallId = String;

/// Tokens in one bucket of one call that are counted: no report of a provider can make a sum overflow.
const MOST_TOKENS: u64 = 1_000_000_000_000;

/// Money, in billionths of a US dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(i64);

impl Cost {
    /// A million dollars: no call costs more, and no sum of calls overflows.
    const MOST: i64 = 1_000_000_000_000_000;

    /// So many billionths.
    pub fn billionths(billionths: i64) -> Cost {
        Cost(billionths.clamp(0, Self::MOST))
    }

    /// So many dollars, to the nearest billionth.
    pub fn from_usd(usd: f64) -> Cost {
        // A number that is none becomes nothing, one that is too large the most.
        Cost::billionths((usd * 1e9).round() as i64)
    }

    /// In billionths of a dollar.
    pub fn as_billionths(self) -> i64 {
        self.0
    }

    /// In dollars.
    pub fn usd(self) -> f64 {
        self.0 as f64 / 1e9
    }

    pub(super) fn sum(billionths: i64) -> Cost {
        Cost(billionths)
    }
}

pub use weftwork::model::CallOutcome as Outcome;

/// Where counts come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measured {
    /// The provider reported them.
    #[default]
    Reported,
    /// They were counted here.
    Estimated,
}

/// A call that is about to be sent.
#[derive(Clone, Debug)]
pub struct CallStart {
    /// Its id, new in the space.
    pub id: CallId,
    /// What it is for.
    pub purpose: Purpose,
    /// The node it will lead to, if that is there already.
    pub node: Option<NodeId>,
    /// The agent that asks.
    pub agent: Option<EntityId>,
    /// The account that asked for it, where one did.
    pub account: Option<EntityId>,
    /// The run it belongs to.
    pub run: Option<String>,
    /// The model, as `provider/model`.
    pub model: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The prices of that day.
    pub prices: Option<Prices>,
    /// The whole ask, so that it can be assembled again: what [`Store::assemble_recorded`](crate::Store::assemble_recorded)
    /// gave beside the request.
    pub ask: Vec<u8>,
    /// The request, byte for byte.
    pub request: Vec<u8>,
    /// The report, as JSON. Kept only of a call in no space: of others it is told again from what was said there.
    pub report: Option<Vec<u8>>,
}

/// How a call ended and what it used.
#[derive(Clone, Debug)]
pub struct CallEnd {
    /// How it ended.
    pub outcome: Outcome,
    /// The node it led to, if that was not known before.
    pub node: Option<NodeId>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// What it used, in disjoint buckets.
    pub usage: Option<Usage>,
    /// Where that is known from.
    pub measured: Measured,
    /// The usage as the provider reported it.
    pub raw_usage: Option<Json>,
    /// What it cost.
    pub cost: Option<Cost>,
    /// The response, byte for byte, as far as it came.
    pub response: Option<Vec<u8>>,
}

/// A call as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRecord {
    /// Its space; none for those of a run that was in none.
    pub space: Option<SpaceId>,
    /// Its id.
    pub id: CallId,
    /// What it was for.
    pub purpose: Purpose,
    /// The node it led to.
    pub node: Option<NodeId>,
    /// The agent that asked.
    pub agent: Option<EntityId>,
    /// The account that asked for it.
    pub account: Option<EntityId>,
    /// The run it belonged to.
    pub run: Option<String>,
    /// The model asked.
    pub model: Option<String>,
    /// When it was sent.
    pub at: Option<Timestamp>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// How it ended; none while it runs, and of a file's that does not tell.
    pub outcome: Option<Outcome>,
    /// What it used.
    pub usage: Option<Usage>,
    /// Where that is known from.
    pub measured: Measured,
    /// The usage as the provider reported it.
    pub raw_usage: Option<Json>,
    /// What it cost.
    pub cost: Option<Cost>,
    /// The prices of that day.
    pub prices: Option<Prices>,
}

/// What went over the wire; none of what was never there, or was purged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// The whole ask.
    pub ask: Option<Vec<u8>>,
    /// The request.
    pub request: Option<Vec<u8>>,
    /// The response.
    pub response: Option<Vec<u8>>,
    /// The report, of a call in no space.
    pub report: Option<Vec<u8>>,
}

/// What only some calls have, as JSON in their row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct More {
    /// The time as it was written, where that is not its milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) raw_usage: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prices: Option<Prices>,
    /// The cost as the source stated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stated: Option<f64>,
}

/// The four buckets as columns.
pub(super) fn buckets(usage: Option<Usage>) -> [Option<i64>; 4] {
    let kept = |tokens: u64| tokens.min(MOST_TOKENS) as i64;
    match usage {
        Some(usage) => [usage.input, usage.output, usage.cache_read, usage.cache_write].map(|tokens| Some(kept(tokens))),
        None => [None; 4],
    }
}

pub(super) fn purpose_number(purpose: Purpose) -> i64 {
    match purpose {
        Purpose::Reply => 0,
        Purpose::Title => 1,
        Purpose::Summary => 2,
    }
}

pub(super) fn outcome_number(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Done => 0,
        Outcome::Failed => 1,
        Outcome::Canceled => 2,
    }
}
