//! The arguments of a call. They match the tool's schema.

use super::Refused;
use serde_json::{Map, Value};
use weftwork::model::LinkKind;

/// The arguments of a call.
pub(super) struct Arguments(pub(super) Map<String, Value>);

impl Arguments {
    /// A text; none if it is missing or blank.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// A text that must be there.
    pub(super) fn need(&self, name: &str, what: &'static str) -> Result<&str, Refused> {
        self.text(name).ok_or(Refused::Missing { what })
    }

    /// The name of a node.
    pub(super) fn node(&self) -> Option<&str> {
        self.text("node")
    }

    pub(super) fn number(&self, name: &str, default: u32) -> u32 {
        self.0.get(name).and_then(Value::as_u64).map_or(default, |number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn link_kind(&self) -> LinkKind {
        self.text("kind").and_then(LinkKind::from_word).unwrap_or(LinkKind::Relates)
    }
}
