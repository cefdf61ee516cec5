//! Which headers go through: of a request to a provider, and of its answer back. What is not on a list does not.
//!
//! Keys, cookies and what belongs to one connection are on no list.

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// Headers of one message that go through, at most.
const MOST: usize = 64;
const LONGEST_VALUE: usize = 8 << 10;

/// The beginning of an answer: its status, and those of its headers that may go on to whoever asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: StatusCode,
    /// The headers that may be handed on.
    pub headers: HeaderMap,
}

impl Head {
    pub(crate) fn of(status: StatusCode, headers: &HeaderMap) -> Self {
        Self { status, headers: through(headers, may_come_back) }
    }
}

/// What of a caller's headers goes to a provider.
pub(crate) fn outgoing(headers: &HeaderMap) -> HeaderMap {
    through(headers, may_go_out)
}

fn through(headers: &HeaderMap, may: fn(&str) -> bool) -> HeaderMap {
    let fits = |(name, value): &(&HeaderName, &HeaderValue)| may(name.as_str()) && value.len() <= LONGEST_VALUE;
    let mut kept = HeaderMap::new();
    for (name, value) in headers.iter().filter(fits).take(MOST) {
        kept.append(name.clone(), value.clone());
    }
    kept
}

fn may_go_out(name: &str) -> bool {
    const NAMES: &[&str] = &["accept", "content-type", "content-encoding", "idempotency-key", "range", "traceparent"];
    // Google's prefix has a key under it.
    NAMES.contains(&name) || is_of_service(name)
}

fn may_come_back(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "accept-ranges",
        "content-disposition",
        "content-encoding",
        "content-range",
        "content-type",
        "request-id",
        "retry-after",
        "retry-after-ms",
        "x-goog-request-id",
        "x-request-id",
        "x-should-retry",
    ];
    NAMES.contains(&name) || name.starts_with("x-ratelimit-") || is_of_service(name)
}

fn is_of_service(name: &str) -> bool {
    name.starts_with("anthropic-") || name.starts_with("openai-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(may: fn(&str) -> bool, passing: &[&str], staying: &[&str]) {
        let all = passing.iter().chain(staying);
        let headers = all.map(|name| (HeaderName::try_from(*name).expect("a name"), HeaderValue::from_static("x"))).collect();
        let kept = through(&headers, may);
        let mut names: Vec<_> = kept.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, passing);
    }

    #[test]
    fn no_key_no_cookie_and_nothing_of_one_connection_goes_through() {
        let never = ["authorization", "connection", "cookie", "host", "keep-alive", "proxy-authorization", "te", "trailer"];
        let never = [&never[..], &["transfer-encoding", "upgrade", "x-api-key", "x-forwarded-for", "x-goog-api-key"]].concat();
        check(
            may_go_out,
            &["accept", "anthropic-beta", "anthropic-version", "content-type", "openai-project", "traceparent"],
            &never,
        );
        let never = [&never[..], &["location", "server", "set-cookie", "strict-transport-security", "content-length"]].concat();
        check(
            may_come_back,
            &["content-type", "openai-version", "request-id", "retry-after", "x-ratelimit-limit-tokens"],
            &never,
        );
    }

    #[test]
    fn a_value_that_is_too_long_stays() {
        let value = HeaderValue::try_from("x".repeat(LONGEST_VALUE + 1)).expect("a value");
        assert!(outgoing(&HeaderMap::from_iter([(HeaderName::from_static("anthropic-beta"), value)])).is_empty());
    }
}
