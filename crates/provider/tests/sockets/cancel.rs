//! Stopping: by a token, with what had come; by dropping, without a word.

use crate::scene::Scene;
use crate::server::{Act, Server, answer, fixture, ok, send};
use weftwork::count::Kind;
use weftwork::decode::Stop;
use weftwork_provider::{Event, SendError};

/// A stream up to its first error, which is left out.
fn half() -> Vec<u8> {
    let stream = String::from_utf8(fixture("anthropic-error.sse")).expect("text");
    stream.split("event: error").next().expect("a beginning").into()
}

#[tokio::test]
async fn a_canceled_send_closes_its_socket_and_keeps_what_came() {
    let server = Server::play(vec![vec![ok(), send(half()), Act::Hold]]).await;
    let scene = Scene::at("anthropic", &server);
    let order = scene.order();
    let cancel = order.cancel.clone();
    let mut sending = scene.providers.send(order);
    while !matches!(sending.next().await.expect("an event"), Event::Delta(weftwork::decode::Delta::Text(_))) {}
    cancel.cancel();
    let failure = sending.finish().await.expect_err("a failure");
    assert_eq!((&failure.error, failure.outcome.reply.stop), (&SendError::Canceled, Stop::Cut));
    assert!(!failure.outcome.reply.text().is_empty());
    let usage = failure.outcome.usage.expect("usage");
    assert!(usage.kind == Kind::Estimated && usage.usage.output > 0, "{usage:?}");
    server.closed.notified().await;
}

#[tokio::test]
async fn a_dropped_send_closes_its_socket() {
    let server = Server::play(vec![vec![ok(), send(half()), Act::Hold]]).await;
    let scene = Scene::at("anthropic", &server);
    let mut sending = scene.providers.send(scene.order());
    sending.next().await;
    drop(sending);
    server.closed.notified().await;
}

#[tokio::test]
async fn a_send_can_be_canceled_before_the_answer_begins() {
    let server = Server::play(vec![vec![Act::Hold]]).await;
    let scene = Scene::at("openai", &server);
    let order = scene.order();
    let cancel = order.cancel.clone();
    let canceling = async {
        server.holding.notified().await;
        cancel.cancel();
        std::future::pending::<()>().await;
    };
    let ended = tokio::select! {
        (_, ended) = scene.send(order) => ended,
        () = canceling => unreachable!("never ends"),
    };
    let failure = ended.expect_err("a failure");
    assert_eq!((failure.error, failure.outcome.usage), (SendError::Canceled, None));
    server.closed.notified().await;
}

#[tokio::test]
async fn a_wait_between_two_attempts_can_be_canceled() {
    let body = r#"{"error":{"message":"slow down","type":"rate_limit_error"}}"#;
    let server = Server::play(vec![answer(429, "Retry-After: 60\r\n", body)]).await;
    let scene = Scene::at("openai", &server);
    let order = scene.order();
    let cancel = order.cancel.clone();
    let mut sending = scene.providers.send(order);
    assert!(matches!(sending.next().await, Some(Event::Again { .. })));
    cancel.cancel();
    assert_eq!(sending.finish().await.expect_err("a failure").error, SendError::Canceled);
}
