//! What is known of models: windows, vocabularies, prices, cache rules. Data, not code, and open to extension.

use crate::model::is_false;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known of one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// `provider/model`.
    pub name: String,
    /// Tokens of its window.
    pub context_length: u64,
    /// Tokens it can write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// How its tokens are counted.
    pub vocabulary: VocabularyOf,
    /// The shortest prefix its provider caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_cacheable: Option<u64>,
    /// Whether it takes no system field, so that the system text must be its first user message.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_system: bool,
    /// US dollars for a million tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

/// How a model's tokens are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum VocabularyOf {
    /// Exactly, with o200k.
    O200k,
    /// Exactly, with cl100k.
    Cl100k,
    /// As an estimate: o200k times so many thousandths.
    #[serde(rename = "o200kTimes")]
    Estimated(u32),
}

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// Read afresh.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    /// Put into a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

impl Model {
    /// The part of the name before the first slash, if there is one.
    pub fn provider(&self) -> Option<&str> {
        self.name.split_once('/').map(|(provider, _)| provider)
    }

    /// The name its own API knows it by.
    pub fn bare_name(&self) -> &str {
        self.name.split_once('/').map_or(&self.name, |(_, bare)| bare)
    }
}
