//! What an owner writes about providers, as TOML.
//!
//! ```toml
//! [providers.local]
//! kind = "openai"
//! base_url = "http://127.0.0.1:8080/v1"
//! api_key_env = "LOCAL_API_KEY"
//! [providers.local.models.tiny]
//! context_length = 1024
//! max_output = 256
//! ```

use crate::Kind;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use weftwork::catalogue::{Model, Prices, VocabularyOf};

/// The part of a configuration file that is about providers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Config {
    /// Servers by the first word of their models' names.
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderConfig>,
}

/// One server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// Which API it speaks.
    pub kind: Kind,
    /// Where it stands; the service's own address if none.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The environment variable with its key. A server of the owner's own gets no key unless one is named here.
    #[serde(default)]
    pub api_key_env: Option<String>,
    /// Seconds without a byte after which a reply counts as stalled.
    #[serde(default)]
    pub stall_seconds: Option<NonZeroU64>,
    /// Seconds a whole reply may take.
    #[serde(default)]
    pub total_seconds: Option<NonZeroU64>,
    /// For kind `offline`, to test defences: whether the model follows directives in any text it is given.
    #[serde(default)]
    pub obedient: bool,
    /// What its models are, by the name the server knows them by.
    #[serde(default)]
    pub models: BTreeMap<String, ModelConfig>,
}

/// What an owner knows of a model. What is left out is taken from the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Tokens of its window.
    #[serde(default)]
    pub context_length: Option<u64>,
    /// Tokens it can write.
    #[serde(default)]
    pub max_output: Option<u64>,
    /// How its tokens are counted: `"o200k"`, `"cl100k"`, or `{ o200kTimes = 1180 }`.
    #[serde(default)]
    pub vocabulary: Option<VocabularyOf>,
    /// The shortest prefix its server caches.
    #[serde(default)]
    pub min_cacheable: Option<u64>,
    /// Whether it takes no system field.
    #[serde(default)]
    pub no_system: Option<bool>,
    /// US dollars for a million tokens.
    #[serde(default)]
    pub prices: Option<PricesConfig>,
}

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PricesConfig {
    /// Read afresh.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from a cache.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// Put into a cache.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

impl Config {
    /// Reads the `[providers]` tables of a file; its other tables are others' business.
    pub fn parse(text: &str) -> Result<Self, BadConfig> {
        toml::from_str(text).map_err(|error| BadConfig { what: error.to_string() })
    }
}

/// The text is not what a configuration may be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct BadConfig {
    /// What is wrong, with its place in the file.
    pub what: String,
}

impl ModelConfig {
    /// Writes what the owner knows over what was known.
    pub(crate) fn lay_over(&self, model: &mut Model) {
        model.context_length = self.context_length.or(model.context_length);
        model.max_output = self.max_output.or(model.max_output);
        model.vocabulary = self.vocabulary.unwrap_or(model.vocabulary);
        model.min_cacheable = self.min_cacheable.or(model.min_cacheable);
        model.no_system = self.no_system.unwrap_or(model.no_system);
        model.prices = self.prices.map(Prices::from).or(model.prices);
    }
}

impl From<PricesConfig> for Prices {
    fn from(prices: PricesConfig) -> Prices {
        let PricesConfig { input, output, cache_read, cache_write } = prices;
        Prices { input, output, cache_read, cache_write }
    }
}

impl ProviderConfig {
    /// A provider of which only the kind is said.
    pub fn of(kind: Kind) -> Self {
        Self {
            kind,
            base_url: None,
            api_key_env: None,
            stall_seconds: None,
            total_seconds: None,
            obedient: false,
            models: BTreeMap::new(),
        }
    }
}
