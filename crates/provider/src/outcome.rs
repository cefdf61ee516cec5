//! What a send gave.

use crate::head::Head;
use reqwest::header::HeaderMap;
use std::time::Duration;
use weftwork::{count, decode::Reply, model::Usage};

/// All that is known after a send.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The reply; of a failed send, what had come.
    pub reply: Reply,
    /// How the last attempt's answer began; none if none came. With `raw` it is what a caller who speaks the provider's own
    /// API passes on, also of an answer without success.
    pub head: Option<Head>,
    /// What the last attempt answered, byte for byte.
    pub raw: Raw,
    /// What it used. None if the provider never began to answer.
    pub usage: Option<Measured>,
    /// Headers worth keeping.
    pub headers: Kept,
    /// How long it took.
    pub timing: Timing,
    /// How many attempts were made.
    pub attempts: u32,
}

/// The bytes of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// The bytes from its beginning.
    pub bytes: Vec<u8>,
    /// How many more came than were kept.
    pub left_out: u64,
}

impl Raw {
    pub(crate) fn add(&mut self, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..room]);
        self.left_out += (bytes.len() - room) as u64;
    }

    /// How many bytes came.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64 + self.left_out
    }

    /// Whether nothing came.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Usage, and whether the provider said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// In disjoint buckets.
    pub usage: Usage,
    /// Reported, or estimated where the provider did not say, or not all.
    pub kind: count::Kind,
}

/// Headers worth keeping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The provider's id of the request, to be named to its support.
    pub request_id: Option<String>,
    /// What is left of the account's rate, name and value.
    pub limits: Vec<(String, String)>,
}

const REQUEST_IDS: [&str; 3] = ["request-id", "x-request-id", "x-goog-request-id"];
const MOST_LIMITS: usize = 32;
const LONGEST_VALUE: usize = 200;

impl Kept {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = |value: &reqwest::header::HeaderValue| {
            value.to_str().ok().filter(|text| text.len() <= LONGEST_VALUE).map(str::to_owned)
        };
        let request_id = REQUEST_IDS.iter().find_map(|name| headers.get(*name).and_then(text));
        let limits = headers.iter().filter(|(name, _)| is_limit(name.as_str()));
        let limits = limits.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?)));
        Self { request_id, limits: limits.take(MOST_LIMITS).collect() }
    }
}

fn is_limit(name: &str) -> bool {
    name.starts_with("x-ratelimit-") || name.starts_with("anthropic-ratelimit-") || name == "retry-after"
}

/// How long it took, from the beginning of the last attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// To the first byte of the answer's body.
    pub first_byte: Option<Duration>,
    /// To the end.
    pub total: Duration,
    /// Spent before it, on attempts that failed and waits between them.
    pub before: Duration,
}
