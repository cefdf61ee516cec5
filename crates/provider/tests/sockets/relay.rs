//! Answers handed on byte for byte while they are decoded, keys for one order, and requests sent as they are.

use crate::scene::Scene;
use crate::server::{Act, Server, answer, fixture, head, ok, send};
use weftwork::decode::{Delta, Stop};
use weftwork::model::Usage;
use weftwork_provider::{Event, Form, Key, Order, Relay, Resend, SendError};

fn with(mut order: Order, change: impl FnOnce(&mut Order)) -> Order {
    change(&mut order);
    order
}

fn relayed(scene: &Scene) -> Order {
    with(scene.order(), |order| order.relay = Relay::Bytes)
}

fn verbatim(scene: &Scene, body: &str, form: Form) -> Order {
    let target = scene.providers.resolve("test/m").expect("a model");
    let dialect = target.dialect();
    with(Order::verbatim(target, dialect, body.as_bytes().to_vec(), form), |order| order.relay = Relay::Bytes)
}

/// The bytes that were handed on, put together.
fn bytes(events: &[Event]) -> Vec<u8> {
    let piece = |event: &Event| match event {
        Event::Raw(bytes) => Some(bytes.to_vec()),
        Event::Began(_) | Event::Delta(_) | Event::Again { .. } => None,
    };
    events.iter().filter_map(piece).flatten().collect()
}

fn begun(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Began(_))).count()
}

#[tokio::test]
async fn every_stream_is_handed_on_byte_for_byte_and_decoded_as_ever() {
    for (kind, stream) in [
        ("openai", "openai-tools.sse"),
        ("openai", "openai-keepalive.sse"),
        ("responses", "responses-tools.sse"),
        ("anthropic", "anthropic-thinking.sse"),
        ("gemini", "gemini-tools.sse"),
        ("ollama", "ollama-tools.ndjson"),
    ] {
        for size in [7, 4096] {
            let tail = b"\n\n".to_vec();
            let pieces = || vec![ok(), Act::Pieces(fixture(stream), size), Act::Send(tail.clone())];
            let server = Server::play(vec![pieces(), pieces()]).await;
            let scene = Scene::at(kind, &server);
            let plain = scene.reply().await;
            let (events, outcome) = scene.send(relayed(&scene)).await;
            let outcome = outcome.expect("a reply");
            assert_eq!((&outcome.reply, outcome.usage), (&plain.reply, plain.usage), "{stream}");
            assert_eq!((begun(&events), matches!(events[0], Event::Began(_))), (1, true), "{stream}");
            assert!(bytes(&events).starts_with(&fixture(stream)), "{stream}: no byte is missing or changed");
            assert_eq!(outcome.raw.bytes, bytes(&events), "{stream}: what is kept is what was handed on");
        }
    }
}

#[tokio::test]
async fn bytes_come_before_what_they_mean() {
    let server = Server::play(vec![vec![ok(), send(fixture("openai-plain.sse"))]]).await;
    let scene = Scene::at("openai", &server);
    let mut sending = scene.providers.send(relayed(&scene));
    assert!(matches!(sending.next().await, Some(Event::Began(_))));
    assert!(matches!(sending.next().await, Some(Event::Raw(_))));
    assert!(matches!(sending.next().await, Some(Event::Delta(Delta::Text(_)))));
}

#[tokio::test]
async fn headers_that_may_go_on_are_told_and_others_are_not() {
    let more = "Content-Type: text/event-stream\r\nx-request-id: r1\r\nSet-Cookie: a=b\r\nServer: x\r\n\
                x-ratelimit-remaining-tokens: 7\r\nopenai-processing-ms: 3\r\n";
    let server = Server::play(vec![vec![head(200, more), send(fixture("openai-plain.sse"))]]).await;
    let scene = Scene::at("openai", &server);
    let (events, _) = scene.send(relayed(&scene)).await;
    let Event::Began(head) = &events[0] else { panic!("{events:?}") };
    let mut names: Vec<_> = head.headers.keys().map(|name| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(head.status.as_u16(), 200);
    assert_eq!(names, ["content-type", "openai-processing-ms", "x-ratelimit-remaining-tokens", "x-request-id"]);
}

#[tokio::test]
async fn until_the_first_byte_it_is_sent_again_and_never_after() {
    let good = || vec![ok(), send(fixture("openai-plain.sse"))];
    let error = "data: {\"error\":{\"message\":\"busy\",\"type\":\"overloaded_error\"}}\n\n";
    let role = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
    for (first, attempts) in [
        (vec![Act::Reset], 2),
        (vec![ok(), Act::Reset], 2),
        (answer(503, "", "{}"), 2),
        (vec![ok(), send(error)], 2),
        (vec![ok(), send(role), Act::Reset], 1),
        (vec![ok(), send(": hello\n\n"), Act::Reset], 1),
    ] {
        let server = Server::play(vec![first, good()]).await;
        let scene = Scene::at("openai", &server);
        let (events, ended) = scene.send(with(relayed(&scene), |order| order.resend = Resend::Anytime)).await;
        let made = ended.map_or_else(|failure| failure.outcome.attempts, |outcome| outcome.attempts);
        assert_eq!((made, begun(&events)), (attempts, 1), "{events:?}");
    }
}

#[tokio::test]
async fn an_error_inside_a_stream_reaches_the_caller_as_it_was() {
    let server = Server::play(vec![vec![ok(), send(fixture("anthropic-error.sse")), Act::Hold]]).await;
    let scene = Scene::at("anthropic", &server);
    let (events, ended) = scene.send(relayed(&scene)).await;
    assert!(matches!(ended.expect_err("a failure").error, SendError::Overloaded { .. }));
    assert_eq!(bytes(&events), fixture("anthropic-error.sse"));
}

#[tokio::test]
async fn what_cannot_be_decoded_goes_on_all_the_same() {
    let stream = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\ndata: {oh\n\n";
    let rest = "data: more\n\n";
    let server = Server::play(vec![vec![ok(), send(stream), Act::Pieces(rest.into(), 5)]]).await;
    let scene = Scene::at("openai", &server);
    let (events, ended) = scene.send(relayed(&scene)).await;
    let failure = ended.expect_err("a failure");
    assert!(matches!(failure.error, SendError::Malformed { .. }));
    assert_eq!((bytes(&events), failure.outcome.reply.text()), (format!("{stream}{rest}").into_bytes(), "Hel".to_owned()));
}

#[tokio::test]
async fn an_answer_without_success_can_be_passed_on_unchanged() {
    let body = r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages: too few"}}"#;
    let server = Server::play(vec![answer(400, "request-id: req_1\r\nSet-Cookie: a=b\r\n", body)]).await;
    let scene = Scene::at("anthropic", &server);
    let (events, ended) = scene.send(relayed(&scene)).await;
    let failure = ended.expect_err("a failure");
    let head = failure.outcome.head.expect("an answer");
    assert_eq!((events, head.status.as_u16(), failure.outcome.raw.bytes), (vec![], 400, body.as_bytes().to_vec()));
    assert_eq!((head.headers["request-id"].as_bytes(), head.headers.get("set-cookie")), (&b"req_1"[..], None));
}

#[tokio::test]
async fn a_whole_answer_is_asked_for_as_the_request_says_and_handed_on_whole() {
    let body = r#"{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#;
    let server = Server::play(vec![answer(500, "", "{}"), answer(200, "", body)]).await;
    let scene = Scene::at("openai", &server);
    let request = r#"{ "model":"m", "messages":[] }"#;
    let (events, outcome) = scene.send(verbatim(&scene, request, Form::Whole)).await;
    let outcome = outcome.expect("a reply");
    assert_eq!((outcome.reply.text().as_str(), outcome.reply.stop, outcome.attempts), ("Hi", Stop::End, 2));
    assert_eq!(outcome.usage.expect("usage").usage, Usage { input: 5, output: 2, ..Usage::default() });
    assert_eq!((begun(&events), bytes(&events)), (1, body.as_bytes().to_vec()));
    assert_eq!(server.requests()[1].body, request, "sent as it is: nothing is added");
    assert_eq!(server.requests()[1].header("accept"), Some("application/json"));
}

#[tokio::test]
async fn a_whole_answer_that_is_too_large_is_refused() {
    let server = Server::play(vec![answer(200, "", &format!("{{\"a\":\"{}\"}}", "x".repeat(600)))]).await;
    let scene = Scene::at("openai", &server);
    let order = with(verbatim(&scene, "{}", Form::Whole), |order| order.largest_raw = 500);
    let (events, ended) = scene.send(order).await;
    assert_eq!((events, ended.expect_err("a failure").error), (vec![], SendError::TooLarge { limit: 500 }));
}

#[tokio::test]
async fn a_key_for_one_order_replaces_the_providers_own_and_is_not_kept() {
    for (kind, name, before) in
        [("openai", "authorization", "Bearer "), ("anthropic", "x-api-key", ""), ("gemini", "x-goog-api-key", "")]
    {
        let refused = || answer(401, "", "{}");
        let server = Server::play(vec![refused(), refused()]).await;
        let scene = Scene::at(kind, &server);
        let order = with(scene.order(), |order| order.key = Key::new("sk-caller").ok());
        assert!(!format!("{order:?}").contains("sk-caller"));
        let _ = scene.send(order).await;
        let _ = scene.send(scene.order()).await;
        let sent: Vec<_> = server.requests().iter().map(|request| request.header(name).map(str::to_owned)).collect();
        assert_eq!(sent, [Some(format!("{before}sk-caller")), Some(format!("{before}sk-test"))], "{kind}");
        assert!(!server.requests()[0].head.contains("sk-test"), "{kind}");
    }
}

#[tokio::test]
async fn a_callers_wishes_reach_the_provider_and_its_credentials_do_not() {
    let server = Server::play(vec![vec![ok(), send(fixture("anthropic-plain.sse"))]]).await;
    let scene = Scene::at("anthropic", &server);
    let headers = [
        ("anthropic-beta", "x-2026"),
        ("anthropic-version", "2099-01-01"),
        ("authorization", "Bearer weft"),
        ("x-api-key", "weft"),
        ("cookie", "session=weft"),
        ("content-encoding", "gzip"),
    ];
    let headers = headers.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect();
    let _ = scene.send(scene.order().with_headers(&headers)).await;
    let request = &server.requests()[0];
    let sent = ["anthropic-beta", "anthropic-version", "x-api-key", "authorization", "cookie", "content-encoding"];
    let sent = sent.map(|name| request.header(name));
    assert_eq!(sent, [Some("x-2026"), Some("2099-01-01"), Some("sk-test"), None, None, None]);
}
