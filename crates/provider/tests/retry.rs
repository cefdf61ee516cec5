//! The decision to send again, as a table.

use std::time::Duration;
use weftwork::decode::provider_error;
use weftwork_provider::{Attempt, Forwarded, Resend, Retry, SendError, Step, classify};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn answered(status: u16, kind: &str) -> SendError {
    classify(provider_error(status, format!(r#"{{"error":{{"type":"{kind}","message":"no"}}}}"#).as_bytes()), None)
}

fn rate_limit(retry_after: u64) -> SendError {
    classify(provider_error(429, b"{}"), Some(MS(retry_after)))
}

fn cut() -> SendError {
    SendError::Cut { bytes: 1, why: String::new() }
}

#[test]
fn each_failure_has_its_remedy() {
    let again = |ms| Step::Again { after: MS(ms) };
    for (error, forwarded, resend, expected) in [
        (answered(429, "rate_limit_error"), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (rate_limit(7_000), Forwarded::Nothing, Resend::BeforeContent, again(7_250)),
        (rate_limit(61_000), Forwarded::Nothing, Resend::BeforeContent, Step::GiveUp),
        (answered(529, "overloaded_error"), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (answered(503, "x"), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (answered(502, "x"), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (answered(500, "api_error"), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (answered(504, "x"), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (answered(501, "x"), Forwarded::Nothing, Resend::BeforeContent, Step::GiveUp),
        (answered(400, "invalid_request_error"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(401, "x"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(402, "x"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(403, "x"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(404, "x"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(413, "x"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(429, "insufficient_quota"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (answered(429, "enforced_spend_limit_reached"), Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (SendError::Overflow { error: None }, Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (SendError::Canceled, Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (SendError::TooSlow { allowed: MS(1) }, Forwarded::Nothing, Resend::Anytime, Step::GiveUp),
        (SendError::Stalled { silent: MS(1) }, Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (SendError::Unreachable { host: "h".into(), why: "w".into() }, Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (cut(), Forwarded::Nothing, Resend::BeforeContent, again(250)),
        (cut(), Forwarded::Content, Resend::BeforeContent, Step::GiveUp),
        (cut(), Forwarded::Content, Resend::Anytime, again(250)),
        (answered(529, "overloaded_error"), Forwarded::Content, Resend::BeforeContent, Step::GiveUp),
    ] {
        let mut attempt = Attempt::first(Retry::DEFAULT, resend);
        assert_eq!(attempt.failed(&error, forwarded, 0.5), expected, "{error:?} {forwarded:?} {resend:?}");
    }
}

#[test]
fn waits_double_up_to_a_cap_with_full_jitter_and_end() {
    let waits = |dice: f64| {
        let mut attempt = Attempt::first(Retry { cap: MS(4_000), ..Retry::DEFAULT }, Resend::BeforeContent);
        let steps = std::iter::from_fn(|| match attempt.failed(&cut(), Forwarded::Nothing, dice) {
            Step::Again { after } => Some(after.as_millis()),
            Step::GiveUp => None,
        });
        steps.collect::<Vec<_>>()
    };
    assert_eq!(waits(0.0), [0, 0, 0, 0, 0]);
    assert_eq!(waits(0.5), [250, 500, 1_000, 2_000, 2_000]);
    assert_eq!(waits(1.0), [500, 1_000, 2_000, 4_000, 4_000]);
}

#[test]
fn one_attempt_means_one() {
    let mut attempt = Attempt::first(Retry::NEVER, Resend::Anytime);
    assert_eq!(attempt.failed(&cut(), Forwarded::Nothing, 0.5), Step::GiveUp);
}
