//! What is sent again, and how long is waited before.

use crate::scene::Scene;
use crate::server::{Act, Server, answer, fixture, ok, send};
use std::time::Duration;
use weftwork_provider::{Event, SendError};

fn good() -> Vec<Act> {
    vec![ok(), send(fixture("openai-plain.sse"))]
}

fn error(status: u16, kind: &str) -> String {
    format!(r#"{{"error":{{"message":"no","type":"{kind}","code":{status}}}}}"#)
}

#[tokio::test]
async fn a_rate_limit_is_waited_for_at_least_as_long_as_it_asks() {
    let server = Server::play(vec![answer(429, "Retry-After: 7\r\n", &error(429, "rate_limit_error")), good()]).await;
    let scene = Scene::at("openai", &server);
    let (events, outcome) = scene.send(scene.order()).await;
    assert_eq!(outcome.expect("a reply").attempts, 2);
    assert!(
        matches!(&events[0], Event::Again { error: SendError::RateLimit { .. }, after } if *after == Duration::from_millis(7250))
    );
    assert_eq!(scene.clock.waits()[0], Duration::from_millis(7250));
}

#[tokio::test]
async fn overload_is_tried_again_with_doubling_waits() {
    for status in [500, 502, 503, 529] {
        let bad = || answer(status, "", &error(status, "overloaded_error"));
        let server = Server::play(vec![bad(), bad(), bad(), good()]).await;
        let scene = Scene::at("openai", &server);
        assert_eq!(scene.reply().await.attempts, 4);
        assert_eq!(scene.clock.waits()[..3], [250, 500, 1000].map(Duration::from_millis), "{status}");
    }
}

#[tokio::test]
async fn after_five_more_attempts_the_caller_is_told() {
    let server = Server::play((0..7).map(|_| answer(529, "", &error(529, "overloaded_error"))).collect()).await;
    let failure = Scene::at("anthropic", &server).failure().await;
    assert!(matches!(failure.error, SendError::Overloaded { .. }));
    assert_eq!((failure.outcome.attempts, server.requests().len()), (6, 6));
}

#[tokio::test]
async fn what_the_same_bytes_cannot_change_is_sent_once() {
    for (status, body) in [
        (400, error(400, "invalid_request_error")),
        (401, error(401, "authentication_error")),
        (402, error(402, "billing_error")),
        (403, error(403, "permission_error")),
        (404, error(404, "not_found_error")),
        (413, error(413, "request_too_large")),
        (422, r#"{"detail":"no"}"#.to_owned()),
        (429, r#"{"error":{"message":"no","type":"insufficient_quota"}}"#.to_owned()),
        (429, r#"{"error":{"message":"no","code":"enforced_spend_limit_reached"}}"#.to_owned()),
        (400, r#"{"error":{"message":"You have reached your specified API usage limits: spend limit"}}"#.to_owned()),
    ] {
        let server = Server::play(vec![answer(status, "", &body), good()]).await;
        let failure = Scene::at("openai", &server).failure().await;
        assert_eq!((failure.outcome.attempts, server.requests().len()), (1, 1), "{status} {body}");
    }
}

#[tokio::test]
async fn a_connection_that_breaks_before_any_content_is_made_again() {
    let begun = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
    let interrupted = format!("{begun}data: [DONE]\n\n");
    for broken in [vec![Act::Reset], vec![], vec![ok(), Act::Reset], vec![ok(), send(begun)], vec![ok(), send(interrupted)]] {
        let server = Server::play(vec![broken, good()]).await;
        assert_eq!(Scene::at("openai", &server).reply().await.attempts, 2);
    }
}

#[tokio::test]
async fn every_attempt_sends_the_same_bytes() {
    let server = Server::play(vec![answer(503, "", ""), good()]).await;
    Scene::at("openai", &server).reply().await;
    let [first, second] = server.requests().try_into().expect("two requests");
    assert_eq!(first.body, second.body);
}
