//! Moments in time, as RFC 3339 text.

use jiff::Timestamp as Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A moment. The text it was given with is kept, so that a file goes in and out unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Timestamp {
    text: Box<str>,
    instant: Instant,
}

/// The text is not an RFC 3339 time.
#[derive(Debug, thiserror::Error)]
#[error("{text:?} is not a time: write it like 2026-02-18T14:50:00Z")]
pub struct BadTimestamp {
    /// What was given.
    pub text: String,
}

impl Timestamp {
    /// Milliseconds since 1970, as several exports count.
    pub fn from_millis(millis: i64) -> Option<Self> {
        Instant::from_millisecond(millis).ok().map(Self::from_instant)
    }

    /// Whole milliseconds since 1970, for columns and clocks; what is finer is left out.
    pub fn millis(&self) -> i64 {
        self.instant.as_millisecond()
    }

    fn from_instant(instant: Instant) -> Self {
        Self { text: instant.to_string().into(), instant }
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The moment in UTC, with `Z`, whatever zone it was written in.
    pub fn utc(&self) -> String {
        self.instant.to_string()
    }

    /// Whole seconds from `self` to `later`; negative if `later` is earlier.
    pub fn seconds_until(&self, later: &Timestamp) -> i64 {
        later.instant.as_second() - self.instant.as_second()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = BadTimestamp;

    fn try_from(text: String) -> Result<Self, BadTimestamp> {
        match text.parse::<Instant>() {
            Ok(instant) => Ok(Self { text: text.into(), instant }),
            Err(_) => Err(BadTimestamp { text }),
        }
    }
}

impl std::str::FromStr for Timestamp {
    type Err = BadTimestamp;

    fn from_str(text: &str) -> Result<Self, BadTimestamp> {
        text.to_owned().try_into()
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> String {
        time.text.into()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
