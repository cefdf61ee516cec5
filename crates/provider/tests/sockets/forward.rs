//! Requests passed on as they are: bytes untouched, keys replaced, paths below the address, bodies bounded.

use crate::scene::Scene;
use crate::server::{Act, Server, answer, head, send};
use bytes::Bytes;
use futures_core::Stream;
use reqwest::Method;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use weftwork_provider::{BadPath, BrokenBody, ForwardError, Key, Load, Passage, Passed, Payer, SendError};

/// Pieces that are there.
struct Given(VecDeque<Result<Bytes, BrokenBody>>);

impl Stream for Given {
    type Item = Result<Bytes, BrokenBody>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front())
    }
}

fn pieces(texts: &[&'static str], length: Option<u64>) -> Load {
    let pieces = texts.iter().map(|text| if *text == "!" { Err("gone".into()) } else { Ok(Bytes::from_static(text.as_bytes())) });
    Load::Stream { pieces: Box::pin(Given(pieces.collect())), length }
}

fn passage(scene: &Scene, path: &str) -> Passage {
    Passage::new(scene.providers.provider("test", Payer::Owner).expect("a provider"), Method::POST, path)
}

async fn read(mut passed: Passed) -> Result<Vec<u8>, SendError> {
    let mut all = Vec::new();
    while let Some(bytes) = passed.body.next().await {
        all.extend_from_slice(&bytes?);
    }
    Ok(all)
}

#[tokio::test]
async fn bytes_go_through_untouched_and_only_headers_that_may() {
    let body = "{ \"data\" : [0.10, 1E5]}\n";
    let server = Server::play(vec![answer(418, "x-request-id: r\r\nSet-Cookie: a=b\r\nKeep-Alive: 5\r\n", body)]).await;
    let scene = Scene::at("openai", &server);
    let headers = [
        ("content-type", "audio/x-odd"),
        ("authorization", "Bearer weft"),
        ("x-api-key", "weft"),
        ("cookie", "session=weft"),
        ("connection", "x-hop"),
        ("x-hop", "1"),
        ("host", "evil.example"),
        ("openai-beta", "b"),
    ];
    let headers = headers.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect();
    let load = pieces(&["{ \"in", "put\": 1.10 }"], Some(17));
    let passed = scene.providers.forward(Passage { headers, load, ..passage(&scene, "/v1/embeddings?a=%20b") }).await;
    let passed = passed.expect("an answer");
    let names: Vec<_> = passed.head.headers.keys().map(|name| name.as_str().to_owned()).collect();
    assert_eq!((passed.head.status.as_u16(), names.join(" ")), (418, "content-type x-request-id".to_owned()));
    assert_eq!(read(passed).await, Ok(body.as_bytes().to_vec()));
    let request = &server.requests()[0];
    assert_eq!((request.line(), request.body.as_str()), ("POST /v1/embeddings?a=%20b", "{ \"input\": 1.10 }"));
    let sent = ["content-type", "authorization", "openai-beta", "x-api-key", "cookie", "connection", "x-hop", "content-length"];
    let sent = sent.map(|name| request.header(name));
    assert_eq!(sent, [Some("audio/x-odd"), Some("Bearer sk-test"), Some("b"), None, None, None, None, Some("17")]);
    assert!(!request.head.contains("evil.example"));
}

#[tokio::test]
async fn a_key_that_was_brought_goes_where_the_providers_own_would() {
    let server = Server::play(vec![answer(200, "", "{}")]).await;
    let scene = Scene::at("anthropic", &server);
    let key = Key::new("sk-caller").ok();
    let passed = scene.providers.forward(Passage { key, method: Method::GET, ..passage(&scene, "/v1/files") }).await;
    assert_eq!(read(passed.expect("an answer")).await, Ok(b"{}".to_vec()));
    let request = &server.requests()[0];
    assert_eq!((request.line(), request.header("x-api-key")), ("GET /v1/files", Some("sk-caller")));
    assert!(!request.head.contains("sk-test"));
}

#[tokio::test]
async fn what_is_not_passed_on_reaches_nobody() {
    let server = Server::play(vec![]).await;
    let scene = Scene::at("openai", &server);
    let refused = async |passage| scene.providers.forward(passage).await.expect_err("refused");
    assert_eq!(refused(passage(&scene, "/v1/../admin")).await, ForwardError::Path(BadPath::Dots));
    assert_eq!(refused(passage(&scene, "//evil.example/")).await, ForwardError::Path(BadPath::Empty));
    let method = Method::CONNECT;
    assert!(matches!(refused(Passage { method, ..passage(&scene, "/v1/x") }).await, ForwardError::Method { .. }));
    let large = || Load::Bytes(Bytes::from_static(b"0123456789"));
    for load in [large(), pieces(&["01"], Some(10))] {
        let passage = Passage { load, largest_request: 9, ..passage(&scene, "/v1/x") };
        assert_eq!(refused(passage).await, ForwardError::TooLarge { limit: 9 });
    }
    let offline = scene.providers.provider("offline", Payer::Owner).expect("on board");
    assert!(matches!(refused(Passage::new(offline, Method::GET, "/v1/x")).await, ForwardError::NoAddress { .. }));
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn a_body_that_grows_too_large_or_breaks_off_is_the_callers_fault() {
    for (texts, expected) in
        [(["0123", "4567", "89"], ForwardError::TooLarge { limit: 9 }), (["0123", "!", ""], ForwardError::Broken)]
    {
        let server = Server::play(vec![vec![Act::Hold]]).await;
        let scene = Scene::at("openai", &server);
        let passage = Passage { load: pieces(&texts, None), largest_request: 9, ..passage(&scene, "/v1/x") };
        assert_eq!(scene.providers.forward(passage).await.expect_err("refused"), expected);
    }
}

#[tokio::test]
async fn an_answer_is_bounded_and_a_redirect_is_not_followed() {
    let elsewhere = Server::play(vec![answer(200, "", "{}")]).await;
    let location = format!("Location: {}\r\n", elsewhere.address("/x"));
    let server = Server::play(vec![answer(200, "", "0123456789"), answer(302, &location, "")]).await;
    let scene = Scene::at("openai", &server);
    let passed = scene.providers.forward(Passage { largest_answer: 9, ..passage(&scene, "/v1/x") }).await;
    assert_eq!(read(passed.expect("an answer")).await, Err(SendError::TooLarge { limit: 9 }));
    let redirected = scene.providers.forward(passage(&scene, "/v1/x")).await.expect_err("not followed");
    assert!(matches!(redirected, ForwardError::Unanswered(SendError::Redirected { status: 302, .. })));
    assert_eq!(elsewhere.requests(), []);
}

#[tokio::test]
async fn an_answer_that_stalls_is_given_up_by_the_providers_patience() {
    let server = Server::play(vec![vec![head(200, "Content-Length: 9\r\n"), send("012"), Act::Hold]]).await;
    let scene = Scene::at("openai", &server);
    let mut passed = scene.providers.forward(passage(&scene, "/v1/x")).await.expect("an answer");
    assert_eq!(passed.body.next().await, Some(Ok(Bytes::from_static(b"012"))));
    tokio::select! {
        biased;
        _ = passed.body.next() => unreachable!("nothing comes"),
        () = server.holding.notified() => {}
    }
    scene.clock.pass(Duration::from_secs(60));
    assert_eq!(passed.body.next().await, Some(Err(SendError::Stalled { silent: Duration::from_secs(60) })));
    assert_eq!(passed.body.next().await, None);
    drop(passed);
    server.closed.notified().await;
}
