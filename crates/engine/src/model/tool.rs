//! Tools a model may call, and how it should sample.

use super::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// What calls name.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// JSON Schema of its arguments.
    #[serde(default = "any_object")]
    pub input_schema: Json,
}

fn any_object() -> Json {
    Json::parse(r#"{"type":"object"}"#).expect("valid JSON")
}

/// Sampling settings: passed through to the provider, never interpreted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sampling {
    /// Randomness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Top-k sampling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u64>,
    /// Texts that end the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// For repeatable sampling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
}

impl Sampling {
    /// These settings, and where they leave something open, those of a weaker level.
    #[must_use]
    pub fn over(&self, weaker: &Sampling) -> Sampling {
        Sampling {
            temperature: self.temperature.or(weaker.temperature),
            top_p: self.top_p.or(weaker.top_p),
            top_k: self.top_k.or(weaker.top_k),
            stop: if self.stop.is_empty() { weaker.stop.clone() } else { self.stop.clone() },
            seed: self.seed.or(weaker.seed),
        }
    }
}
