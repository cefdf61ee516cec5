//! JSON kept as the text it came in.
//!
//! Tool arguments and provider payloads are sent back byte for byte: parsing them into numbers and maps would change
//! `1.10` and large integers, and with them the provider's cache.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One JSON value, verbatim.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// Takes text that must be one valid JSON value.
    pub fn parse(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.into()).map(Self)
    }

    /// A JSON string holding `text`.
    pub fn string(text: &str) -> Self {
        Self::of(&text)
    }

    /// An empty object.
    pub fn empty_object() -> Self {
        Self::of(&serde_json::Map::new())
    }

    /// Any value that serialises to JSON without failing (no maps with keys other than strings).
    pub fn of<T: Serialize>(value: &T) -> Self {
        Self(serde_json::value::to_raw_value(value).expect("plain data serialises"))
    }

    /// The text, exactly as it came in.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The value, parsed; none if it is valid text that cannot be held (too deep, a number out of range).
    pub fn value(&self) -> Option<serde_json::Value> {
        serde_json::from_str(self.text()).ok()
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        self.text().starts_with('{')
    }

    /// The text inside, if this is a JSON string.
    pub fn as_string(&self) -> Option<String> {
        self.text().starts_with('"').then(|| serde_json::from_str(self.text()).ok()).flatten()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl JsonSchema for Json {
    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "Any JSON value, kept byte for byte."})
    }
}
