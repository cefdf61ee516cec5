//! One request to a model, and what it used.

use super::{EntityId, Json, NodeId, Timestamp, is_false};
use crate::catalogue::Prices;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Add, AddAssign};

/// Tokens in four disjoint buckets: no token is in two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Read afresh, neither from nor into a cache.
    #[serde(default)]
    pub input: u64,
    /// Written by the model, reasoning included.
    #[serde(default)]
    pub output: u64,
    /// Read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Read and put into the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
}

impl Usage {
    /// All four buckets: the size of the conversation after the call.
    pub fn total(self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// The three input buckets: the size of the request.
    pub fn prompt(self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }
}

impl Add for Usage {
    type Output = Usage;

    fn add(self, other: Usage) -> Usage {
        Usage {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        *self = *self + other;
    }
}

/// What a request to a model was for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To go on with the conversation.
    #[default]
    Reply,
    /// To name it.
    Title,
    /// To sum it up.
    Summary,
}

/// One request to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// Unique id; the ledger counts each id once.
    pub id: String,
    /// What it was for.
    #[serde(default)]
    pub purpose: Purpose,
    /// The node it led to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// The agent that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<EntityId>,
    /// The model asked, as `provider/model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// What it cost in US dollars, where the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// What it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The usage as the provider reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_usage: Option<Json>,
    /// Whether the usage was counted here because the provider told of none.
    #[serde(default, skip_serializing_if = "is_false")]
    pub estimated: bool,
    /// The prices of that day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// How it ended; none if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<CallOutcome>,
    /// The run it belonged to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The whole ask, from which the request can be assembled again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Bytes>,
    /// The request, byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Bytes>,
    /// The response, byte for byte, as far as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Bytes>,
}

impl Call {
    /// A call of which nothing is known but its id.
    pub fn new(id: impl Into<String>) -> Call {
        Call {
            id: id.into(),
            purpose: Purpose::Reply,
            node: None,
            agent: None,
            model: None,
            created_at: None,
            duration_ms: None,
            cost_usd: None,
            usage: None,
            raw_usage: None,
            estimated: false,
            prices: None,
            outcome: None,
            run: None,
            ask: None,
            request: None,
            response: None,
        }
    }
}

/// How a call came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CallOutcome {
    /// The model answered.
    Done,
    /// It did not, or not to the end.
    Failed,
    /// It was stopped.
    Canceled,
}

/// Bytes in a file: as text where they are text, else `{"base64":"…"}`.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(with = "BytesInFile")]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum BytesInFile {
    Text(String),
    Other { base64: String },
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => BytesInFile::Other { base64: BASE64_STANDARD.encode(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match BytesInFile::deserialize(deserializer)? {
            BytesInFile::Text(text) => Ok(Bytes(text.into_bytes())),
            BytesInFile::Other { base64 } => BASE64_STANDARD.decode(base64).map(Bytes).map_err(D::Error::custom),
        }
    }
}

/// A line of token accounting, as seed files hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Accounting {
    /// The counts.
    pub cumulative_tokens: CumulativeTokens,
    /// What the counts mean.
    #[serde(default)]
    pub reading: AccountingReading,
    /// Why the line was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many messages were left behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarded_messages: Option<u64>,
}

/// Counts of an accounting line, under the names such files use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CumulativeTokens {
    /// See [`Usage::input`].
    #[serde(default)]
    pub input_tokens: u64,
    /// See [`Usage::output`].
    #[serde(default)]
    pub output_tokens: u64,
    /// See [`Usage::cache_read`].
    #[serde(default)]
    pub cache_read_tokens: u64,
    /// See [`Usage::cache_write`].
    #[serde(default)]
    pub cache_creation_tokens: u64,
}

impl From<CumulativeTokens> for Usage {
    fn from(tokens: CumulativeTokens) -> Usage {
        Usage {
            input: tokens.input_tokens,
            output: tokens.output_tokens,
            cache_read: tokens.cache_read_tokens,
            cache_write: tokens.cache_creation_tokens,
        }
    }
}

/// The two readings of accounting nodes found in the wild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AccountingReading {
    /// The node holds the total so far: start from the last one, add what follows.
    #[default]
    Cumulative,
    /// The node holds only what was discarded: add up all nodes and all messages.
    Delta,
}
