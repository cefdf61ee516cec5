//! How long a server asks to wait.
//!
//! In seconds, in milliseconds, as a date (measured against the answer's own `Date`, so that no clock of ours takes part),
//! or, as Gemini does, in the error's body.

use jiff::{Timestamp, fmt::rfc2822};
use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

/// Reads headers and body of an answer that was no success.
pub(crate) fn retry_after(headers: &HeaderMap, body: &[u8]) -> Option<Duration> {
    let text = |name: &HeaderName| headers.get(name)?.to_str().ok();
    let millis = text(&HeaderName::from_static("retry-after-ms")).and_then(seconds).map(|wait| wait / 1000);
    let after = || text(&RETRY_AFTER).and_then(|text| seconds(text).or_else(|| until(text, headers.get(DATE)?.to_str().ok()?)));
    millis.or_else(after).or_else(|| in_body(body))
}

fn seconds(text: &str) -> Option<Duration> {
    text.trim().parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn until(date: &str, now: &str) -> Option<Duration> {
    let parse = |text: &str| rfc2822::parse(text).ok().map(|time| time.timestamp());
    let (date, now): (Timestamp, Timestamp) = (parse(date)?, parse(now)?);
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

/// `{"error":{"details":[{"@type":"…RetryInfo","retryDelay":"17s"}]}}`, in an array or not.
fn in_body(body: &[u8]) -> Option<Duration> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let error = value.get(0).unwrap_or(&value).get("error")?;
    let delays = error.get("details")?.as_array()?.iter().filter_map(|detail| detail.get("retryDelay")?.as_str());
    delays.filter_map(|delay| seconds(delay.strip_suffix('s')?)).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    #[track_caller]
    fn check(headers: &[(&'static str, &'static str)], body: &str, expected: Option<u64>) {
        let pair =
            |&(name, value): &(&'static str, &'static str)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        let headers: HeaderMap = headers.iter().map(pair).collect();
        assert_eq!(retry_after(&headers, body.as_bytes()), expected.map(Duration::from_millis));
    }

    #[test]
    fn each_way_to_ask_for_a_wait_is_read() {
        check(&[("retry-after", "7")], "", Some(7_000));
        check(&[("retry-after", "0.25")], "", Some(250));
        check(&[("retry-after", "7"), ("retry-after-ms", "1500")], "", Some(1_500));
        let now = ("date", "Sun, 15 Nov 2026 06:00:00 GMT");
        check(&[("retry-after", "Sun, 15 Nov 2026 06:00:20 GMT"), now], "", Some(20_000));
        check(&[("retry-after", "Sun, 15 Nov 2026 05:00:00 GMT"), now], "", Some(0));
        check(&[("retry-after", "Sun, 15 Nov 2026 06:00:20 GMT")], "", None);
        check(&[("retry-after", "soon")], "", None);
        check(&[("retry-after", "-3")], "", None);
        let body = r#"[{"error":{"code":429,"details":[{"@type":"x"},{"@type":"y","retryDelay":"17s"}]}}]"#;
        check(&[], body, Some(17_000));
        check(&[], "busy", None);
    }
}
