//! Streams and answers that fail: each as its own error, with what had come, and no tool call that could be run.

use crate::scene::Scene;
use crate::server::{Act, Server, answer, fixture, head, ok, send};
use std::time::Duration;
use weftwork::count::Kind;
use weftwork::decode::{CallState, Limits, Stop};
use weftwork_provider::{Event, Failure, Order, Resend, Retry, SendError};

async fn failure(kind: &str, script: Vec<Act>) -> Failure {
    let server = Server::play(vec![script]).await;
    Scene::at(kind, &server).failure().await
}

#[tokio::test]
async fn an_error_after_200_is_typed_and_what_came_is_kept() {
    type Check = fn(&SendError) -> bool;
    let cases: &[(&str, &str, &str, Check)] = &[
        ("openai", "openai-error.sse", "So far", |error| matches!(error, SendError::Server { .. })),
        ("anthropic", "anthropic-error.sse", "Half a", |error| matches!(error, SendError::Overloaded { .. })),
        ("ollama", "ollama-error.ndjson", "Par", |error| matches!(error, SendError::Server { .. })),
        ("gemini", "gemini-error.sse", "Par", |error| matches!(error, SendError::Overloaded { .. })),
        ("responses", "responses-failed.sse", "", |error| matches!(error, SendError::Server { .. })),
        ("responses", "responses-error.sse", "", |error| error.is_overflow()),
    ];
    for (kind, stream, text, check) in cases {
        let server = Server::play(vec![vec![ok(), send(fixture(stream)), Act::Hold]]).await;
        let scene = Scene::at(kind, &server);
        let mut order = scene.order();
        order.retry = if text.is_empty() { Retry::NEVER } else { Retry::DEFAULT };
        let failure = scene.send(order).await.1.expect_err("a failure");
        assert!(check(&failure.error), "{stream}: {:?}", failure.error);
        assert_eq!((failure.outcome.reply.text().as_str(), failure.outcome.reply.stop), (*text, Stop::Cut), "{stream}");
        assert_eq!(failure.outcome.attempts, 1, "{stream}: content was handed on, so nothing is sent again");
        assert_eq!(failure.outcome.usage.map(|usage| usage.kind), Some(Kind::Estimated), "{stream}");
    }
}

#[tokio::test]
async fn vllms_error_object_is_an_error() {
    let stream = "data: {\"object\":\"error\",\"message\":\"out of memory\",\"type\":\"InternalServerError\",\"code\":500}\n\ndata: [DONE]\n\n";
    let server = Server::play(vec![vec![ok(), send(stream)], vec![ok(), send(fixture("openai-plain.sse"))]]).await;
    let outcome = Scene::at("openai", &server).reply().await;
    assert_eq!(outcome.attempts, 2, "nothing was handed on, so it was sent again");
}

#[tokio::test]
async fn a_cut_stream_leaves_no_call_that_could_be_run() {
    for (kind, stream) in [
        ("openai", "openai-cut.sse"),
        ("responses", "responses-cut.sse"),
        ("anthropic", "anthropic-cut.sse"),
        ("gemini", "gemini-cut.sse"),
        ("ollama", "ollama-cut.ndjson"),
    ] {
        for end in [vec![], vec![Act::Reset]] {
            let script = [vec![ok(), send(fixture(stream))], end].concat();
            let failure = failure(kind, script).await;
            assert!(matches!(failure.error, SendError::Cut { .. }), "{stream}: {:?}", failure.error);
            assert_eq!(failure.outcome.reply.stop, Stop::Cut);
            assert!(failure.outcome.reply.calls().all(|(_, state)| state == CallState::Unfinished), "{stream}");
        }
    }
}

#[tokio::test]
async fn a_chunked_body_without_its_last_chunk_is_cut_even_between_two_events() {
    let text = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n";
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    let failure = failure("openai", vec![head(200, "Transfer-Encoding: chunked\r\n"), send(chunk)]).await;
    assert!(matches!(failure.error, SendError::Cut { .. }), "{:?}", failure.error);
    assert_eq!(failure.outcome.reply.text(), "Hel");
}

#[tokio::test]
async fn a_caller_that_can_begin_anew_gets_the_reply_after_a_cut() {
    let server =
        Server::play(vec![vec![ok(), send(fixture("openai-cut.sse"))], vec![ok(), send(fixture("openai-plain.sse"))]]).await;
    let scene = Scene::at("openai", &server);
    let mut order = scene.order();
    order.resend = Resend::Anytime;
    let (_, outcome) = scene.send(order).await;
    let outcome = outcome.expect("a reply");
    assert_eq!((outcome.attempts, outcome.reply.stop), (2, Stop::End));
}

#[tokio::test]
async fn an_empty_success_is_an_overflow_and_the_same_bytes_are_not_sent_again() {
    for kind in ["openai", "ollama", "completions", "anthropic"] {
        let server = Server::play(vec![vec![ok()], vec![ok()]]).await;
        let failure = Scene::at(kind, &server).failure().await;
        assert_eq!(failure.error, SendError::Overflow { error: None }, "{kind}");
        assert_eq!(server.requests().len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn overflow_in_words_is_told_from_every_other_refusal() {
    let overflow = r#"{"error":{"message":"This model's maximum context length is 1024 tokens","type":"invalid_request_error","code":"context_length_exceeded"}}"#;
    let failure = failure("openai", answer(400, "", overflow)).await;
    assert!(failure.error.is_overflow());
    assert_eq!((failure.outcome.attempts, failure.outcome.usage), (1, None));
    assert_eq!(failure.outcome.raw.bytes, overflow.as_bytes());
}

#[tokio::test]
async fn a_stall_is_an_error_with_what_came_and_the_connection_is_closed() {
    let stream = fixture("openai-plain.sse");
    let begun = &stream[..stream.len() / 2];
    let server = Server::play(vec![vec![ok(), send(begun), Act::Hold]]).await;
    let scene = Scene::at("openai", &server);
    let mut sending = scene.providers.send(scene.order());
    assert!(matches!(sending.next().await, Some(Event::Delta(_))));
    let passing = async {
        loop {
            scene.clock.pass(Duration::from_secs(20));
            tokio::task::yield_now().await;
        }
    };
    let failure = tokio::select! {
        ended = sending.finish() => ended.expect_err("a failure"),
        () = passing => unreachable!("time passes for ever"),
    };
    assert_eq!(failure.error, SendError::Stalled { silent: Duration::from_secs(60) });
    server.closed.notified().await;
}

#[tokio::test]
async fn a_server_on_this_machine_may_read_a_prompt_for_minutes_but_not_for_ever() {
    for (minutes, expected) in [(9, None), (10, Some(SendError::TooSlow { allowed: Duration::from_secs(600) }))] {
        let server = Server::play(vec![vec![ok(), Act::Hold]]).await;
        let scene = Scene::at("openai", &server);
        let mut sending = scene.providers.send(scene.order());
        tokio::select! {
            _ = sending.next() => unreachable!("nothing comes"),
            () = server.holding.notified() => {}
        }
        scene.clock.pass(Duration::from_secs(60 * minutes));
        let ended = tokio::select! {
            biased;
            ended = sending.finish() => ended.err().map(|failure| failure.error),
            () = std::future::ready(()) => None,
        };
        assert_eq!(ended, expected);
    }
}

#[tokio::test]
async fn a_reply_larger_than_allowed_is_refused() {
    let server = Server::play(vec![vec![ok(), send(fixture("openai-plain.sse")), Act::Hold]]).await;
    let scene = Scene::at("openai", &server);
    let mut order = scene.order();
    order.limits = Limits { event: 1 << 20, body: 300 };
    let failure = scene.send(order).await.1.expect_err("a failure");
    assert_eq!(failure.error, SendError::TooLarge { limit: 300 });
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_no_key_goes_there() {
    let elsewhere = Server::play(vec![answer(200, "", "{}")]).await;
    let location = format!("Location: {}\r\n", elsewhere.address("/v1/chat/completions?token=x"));
    let failure = failure("openai", answer(307, &location, "")).await;
    let to = elsewhere.address("/v1/chat/completions");
    assert_eq!(failure.error, SendError::Redirected { status: 307, to });
    assert_eq!(elsewhere.requests(), []);
}

#[tokio::test]
async fn a_web_page_is_no_reply() {
    let script = vec![head(200, "Content-Type: text/html; charset=utf-8\r\n"), send("<html>Log in</html>")];
    assert!(matches!(failure("openai", script).await.error, SendError::Malformed { .. }));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let port = Server::play(vec![]).await.address("/v1");
    let scene = Scene::new("openai", &port);
    let failure = scene.failure().await;
    assert!(matches!(&failure.error, SendError::Unreachable { host, .. } if *host == port), "{:?}", failure.error);
    assert_eq!((failure.outcome.attempts, scene.clock.waits().len()), (6, 5));
}

#[tokio::test]
async fn a_request_in_another_dialect_is_not_sent() {
    let server = Server::play(vec![vec![ok()]]).await;
    let scene = Scene::at("anthropic", &server);
    let target = scene.providers.resolve("test/m").expect("a model");
    let order = Order::new(target, weftwork::dialect::Dialect::OpenAi, b"{}".to_vec());
    let failure = scene.send(order).await.1.expect_err("a failure");
    assert!(matches!(failure.error, SendError::WrongDialect { .. }));
    assert_eq!(server.requests(), []);
}
