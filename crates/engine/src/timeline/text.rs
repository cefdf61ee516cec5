//! The writer of timelines.
//!
//! Invariant: it holds nothing but literals of this crate and encoded values. There is no way to add a plain string.

use super::encode::Encoded;

/// Text of a timeline, as it is written.
#[derive(Debug, Default)]
pub(super) struct Text(String);

impl Text {
    /// Begins with a literal.
    pub(super) fn begin(literal: &'static str) -> Self {
        Self(literal.to_owned())
    }

    /// Adds a literal.
    pub(super) fn word(&mut self, literal: &'static str) -> &mut Self {
        self.0.push_str(literal);
        self
    }

    /// Adds a value.
    pub(super) fn value(&mut self, value: Encoded<'_>) -> &mut Self {
        value.push_to(&mut self.0);
        self
    }

    /// What was written.
    pub(super) fn into_string(self) -> String {
        self.0
    }
}
