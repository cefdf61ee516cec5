//! A scripted provider behind the gateway.

use crate::scene::Scene;
use crate::server::{Act, Server, answer, fixture, ok, send};
use crate::{body, relay};
use weftwork::decode::{DecodeError, ErrorKind, StreamDecoder, decode};
use weftwork::encode::{Api, Heading, whole};
use weftwork_gateway::dropin::Handling;
use weftwork_store::Outcome;

/// Providers, what they stream, and the API of clients that they speak themselves.
const KINDS: &[(&str, &str, Option<Api>)] = &[
    ("openai", "openai-tools.sse", Some(Api::Chat)),
    ("responses", "responses-tools.sse", Some(Api::Responses)),
    ("anthropic", "anthropic-tools.sse", Some(Api::Messages)),
    ("gemini", "gemini-tools.sse", None),
    ("ollama", "ollama-tools.ndjson", None),
];

/// What a provider answers that is asked in its own API, and not for a stream.
fn in_whole(api: Api, stream: &str) -> Vec<Act> {
    let mut decoder = StreamDecoder::new(api.dialect());
    let reply = decoder.push(&fixture(stream)).and_then(|_| decoder.finish()).expect("a recorded reply");
    let heading = Heading { id: "r".into(), model: "m".into(), created: 1, include_usage: false };
    answer(200, "", &String::from_utf8(whole(api, &heading, &reply)).expect("JSON"))
}

#[tokio::test]
async fn any_provider_answers_any_api() {
    for &(kind, stream, own) in KINDS {
        for &api in Api::ALL {
            for more in ["", r#","stream":true"#] {
                let script = match more {
                    "" if own == Some(api) => in_whole(api, stream),
                    _ => vec![ok(), Act::Pieces(fixture(stream), 61)],
                };
                let server = Server::play(vec![script]).await;
                let scene = Scene::at(kind, &server).await;
                let bytes =
                    relay(&scene, api, body(api, "test/m", "What is the weather?", more)).await.expect("an answer").rest().await;
                let reply = match more {
                    "" => decode(&bytes, api.dialect()),
                    _ => {
                        let mut decoder = StreamDecoder::new(api.dialect());
                        decoder.push(&bytes).and_then(|_| decoder.finish())
                    }
                };
                let reply = reply.unwrap_or_else(|error| panic!("{kind} as {api}: {error}"));
                let names: Vec<_> = reply.calls().map(|(call, _)| call.name.clone()).collect();
                assert_eq!(names[..2], ["get_weather", "now"], "{kind} as {api}");
            }
        }
    }
}

#[tokio::test]
async fn the_same_api_is_sent_what_the_client_wrote() {
    let server = Server::play(vec![vec![ok(), send(fixture("anthropic-plain.sse"))]]).await;
    let scene = Scene::at("anthropic", &server).await;
    let more = r#","thinking":{"type":"enabled","budget_tokens":100},"novelty":1.10,"stream":true"#;
    relay(&scene, Api::Messages, body(Api::Messages, "test/m", "Hi", more)).await.expect("an answer").rest().await;
    let sent = &server.requests()[0].body;
    assert!(sent.starts_with(r#"{"model":"m","messages":["#), "{sent}");
    assert!(
        sent.ends_with(r#""max_tokens":500,"thinking":{"type":"enabled","budget_tokens":100},"novelty":1.10,"stream":true}"#),
        "{sent}"
    );
}

#[tokio::test]
async fn what_cannot_be_carried_is_handed_on_untouched() {
    let server = Server::play(vec![vec![ok(), send(fixture("openai-plain.sse"))]]).await;
    let scene = Scene::at("openai", &server).await;
    let asked =
        br#"{"model":"test/m","stream":true,"n":2,"messages":[{"role":"user","content":[{"type":"hologram"}]}]}"#.to_vec();
    let answered = relay(&scene, Api::Chat, asked).await.expect("an answer");
    let Handling::Untouched(lost) = &answered.handling else { panic!("{:?}", answered.handling) };
    assert_eq!(lost.iter().map(|lost| lost.place.as_str()).collect::<Vec<_>>(), ["n", "messages[0]"]);
    assert!(server.requests()[0].body.contains(r#""n":2,"messages":[{"role":"user","content":[{"type":"hologram"}]}]"#));
}

#[tokio::test]
async fn what_another_api_has_nothing_for_is_named() {
    let server = Server::play(vec![vec![ok(), send(fixture("anthropic-plain.sse"))]]).await;
    let scene = Scene::at("anthropic", &server).await;
    let answered = relay(&scene, Api::Chat, body(Api::Chat, "test/m", "Hi", r#","logit_bias":{"1":1},"user":"u""#))
        .await
        .expect("an answer");
    assert_eq!(answered.left_out, ["logit_bias"]);
    assert!(server.requests()[0].body.contains(r#""metadata":{"user_id":"u"}"#));
}

#[tokio::test]
async fn a_provider_s_error_keeps_its_status_and_its_wait() {
    let limited = r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#;
    let server = Server::play(vec![answer(429, "Retry-After: 7\r\n", limited)]).await;
    let scene = Scene::at("anthropic", &server).await;
    let error = relay(&scene, Api::Chat, body(Api::Chat, "test/m", "Hi", r#","stream":true"#)).await.expect_err("limited");
    let (status, told) = error.answer(Api::Chat);
    assert_eq!((status, error.retry_after().map(|wait| wait.as_secs())), (429, Some(7)));
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("slow down") && told.contains(r#""type":"rate_limit_error""#), "{told}");
}

#[tokio::test]
async fn an_error_after_the_beginning_is_told_inside_the_stream() {
    let server = Server::play(vec![vec![ok(), send(fixture("anthropic-error.sse"))]]).await;
    let scene = Scene::at("anthropic", &server).await;
    let bytes = relay(&scene, Api::Responses, body(Api::Responses, "test/m", "Hi", r#","stream":true"#))
        .await
        .expect("a beginning")
        .rest()
        .await;
    let mut decoder = StreamDecoder::new(Api::Responses.dialect());
    let ended = decoder.push(&bytes).and_then(|_| decoder.finish());
    assert!(matches!(&ended, Err(DecodeError::Provider(error)) if error.kind == ErrorKind::Overloaded), "{ended:?}");
}

#[tokio::test]
async fn what_the_provider_finds_too_large_is_sent_smaller_once() {
    let full = r#"{"error":{"message":"maximum context length is 4096 tokens","type":"invalid_request_error","code":"context_length_exceeded"}}"#;
    let plain = vec![ok(), send(fixture("openai-plain.sse"))];
    let server = Server::play(vec![answer(400, "", full), plain, answer(400, "", full)]).await;
    let scene = Scene::at("openai", &server).await;
    let turn = format!(r#"{{"role":"user","content":"{}"}},{{"role":"assistant","content":"Yes."}},"#, "word ".repeat(200));
    let asked = format!(r#"{{"model":"test/m","stream":true,"messages":[{}{{"role":"user","content":"So?"}}]}}"#, turn.repeat(8))
        .into_bytes();
    relay(&scene, Api::Chat, asked).await.expect("an answer").rest().await;
    let sizes: Vec<usize> = server.requests().iter().map(|request| request.body.len()).collect();
    assert!(sizes.len() == 2 && sizes[1] < sizes[0], "{sizes:?}");
    let error = relay(&scene, Api::Chat, body(Api::Chat, "test/m", "Hi", "")).await.expect_err("nothing to leave out");
    assert_eq!(error.answer(Api::Chat).0, 400, "{error}");
}

#[tokio::test]
async fn dropping_an_answer_closes_the_connection_and_ends_the_call() {
    let plain = fixture("openai-plain.sse");
    let server = Server::play(vec![vec![ok(), send(plain[..plain.len() / 2].to_vec()), Act::Hold]]).await;
    let scene = Scene::at("openai", &server).await;
    let mut answered = relay(&scene, Api::Chat, body(Api::Chat, "test/m", "Hi", r#","stream":true"#)).await.expect("a beginning");
    let call = answered.call.clone();
    assert!(answered.next().await.is_some());
    drop(answered);
    server.closed.notified().await;
    for _ in 0..1000 {
        if let Ok(record) = ended(&scene, &call) {
            assert_eq!(record, Outcome::Canceled);
            return;
        }
        tokio::task::yield_now().await;
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    panic!("the call was never ended");
}

/// How a call ended, once it has.
fn ended(scene: &Scene, call: &str) -> Result<Outcome, ()> {
    let folder = &scene.folder.0;
    let db = rusqlite::Connection::open(folder.join("weft.db")).map_err(drop)?;
    let number: Option<i64> = db.query_row("SELECT outcome FROM calls WHERE id = ?1", [call], |row| row.get(0)).map_err(drop)?;
    match number {
        Some(2) => Ok(Outcome::Canceled),
        Some(1) => Ok(Outcome::Failed),
        Some(_) => Ok(Outcome::Done),
        None => Err(()),
    }
}
