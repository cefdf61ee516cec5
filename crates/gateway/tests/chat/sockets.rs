//! Hand-written streams of each provider, played over real sockets: the right nodes, the right usage, never an orphan.

use crate::scene::{Scene, shown};
use crate::server::{Act, Server, answer, fixture, ok, send};
use weftwork::decode::Stop;
use weftwork::model::{NodeId, Part, Usage};
use weftwork_gateway::{Event, GatewayError, Notice};
use weftwork_provider::SendError;
use weftwork_store::Outcome;

/// Kind, the stream of a tool call, the stream of a plain reply, the usage of both.
const PROVIDERS: &[(&str, &str, &str, [u64; 4])] = &[
    ("openai", "openai-tools.sse", "openai-plain.sse", [256, 1024, 0, 39]),
    ("responses", "responses-tools.sse", "responses-plain.sse", [64, 1536, 200, 80]),
    ("anthropic", "anthropic-tools.sse", "anthropic-plain.sse", [50, 4000, 200, 104]),
    ("gemini", "gemini-tools.sse", "gemini-plain.sse", [200, 800, 0, 140]),
    ("ollama", "ollama-tools.ndjson", "ollama-plain.ndjson", [52, 0, 0, 564]),
];

/// Ids of calls that no result follows, and of results that no call precedes.
fn orphans(scene: &Scene) -> Vec<String> {
    let mut open: Vec<(NodeId, String)> = Vec::new();
    let mut orphans = Vec::new();
    for node in scene.export().nodes {
        for part in &node.parts {
            match part {
                Part::ToolCall(call) => open.push((node.id.clone(), call.id.clone())),
                Part::ToolResult(result) => {
                    let parent = node.parent.clone().expect("a reply before it");
                    match open.iter().position(|(by, id)| *by == parent && *id == result.id) {
                        Some(at) => drop(open.remove(at)),
                        None => orphans.push(result.id.clone()),
                    }
                }
                Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
            }
        }
    }
    orphans.extend(open.into_iter().map(|(_, id)| id));
    orphans
}

#[tokio::test]
async fn every_provider_calls_tools_gets_results_and_answers() {
    for &(kind, calls, plain, [input, cache_read, cache_write, output]) in PROVIDERS {
        for size in [1, 64] {
            let scripts = [calls, plain].map(|stream| vec![ok(), Act::Pieces(fixture(stream), size)]);
            let server = Server::play(scripts.into()).await;
            let scene = Scene::at(kind, &server).await;
            scene.say("What is the weather?").await;
            let path = scene.path().await;
            assert_eq!(path.len(), 4, "{kind}: {path:#?}");
            assert!(path[1].contains("calls get_weather") && path[1].contains("calls now {}"), "{kind}: {}", path[1]);
            assert!(path[2].contains("failed:"), "{kind}: nobody has these tools: {}", path[2]);
            assert_eq!(orphans(&scene), [] as [String; 0], "{kind}");
            assert_eq!(scene.used(), Usage { input, cache_read, cache_write, output }, "{kind}");
            let requests: Vec<String> = server.requests().into_iter().map(|request| request.body).collect();
            let sent: Vec<Vec<u8>> = scene.calls().iter().map(|call| scene.request(call)).collect();
            assert_eq!((requests.len(), sent.len()), (2, 2), "{kind}");
            let responses = scene.calls().into_iter().map(|call| {
                scene.store().exchange(scene.chat.space(), &call.id).expect("an exchange").response.expect("a response")
            });
            assert_eq!(responses.collect::<Vec<_>>(), [fixture(calls), fixture(plain)], "{kind}: kept byte for byte");
        }
    }
}

#[tokio::test]
async fn reasoning_comes_back_to_the_model_that_signed_it() {
    let scripts = ["anthropic-thinking.sse", "anthropic-plain.sse"].map(|stream| vec![ok(), send(fixture(stream))]);
    let server = Server::play(scripts.into()).await;
    let scene = Scene::at("anthropic", &server).await;
    scene.say("27 * 453?").await;
    scene.say("Sure?").await;
    let second = &server.requests()[1].body;
    assert!(second.contains(r#""type":"thinking""#) && second.contains(r#""signature":"#), "{second}");
}

#[tokio::test]
async fn half_a_tool_call_is_never_run() {
    for (kind, stream) in [
        ("openai", "openai-max-tokens-in-call.sse"),
        ("responses", "responses-max-tokens-in-call.sse"),
        ("anthropic", "anthropic-max-tokens-in-call.sse"),
    ] {
        let server = Server::play(vec![vec![ok(), send(fixture(stream))]]).await;
        let scene = Scene::at(kind, &server).await;
        let (replied, events) = scene.watch("Write a file").await;
        assert_eq!(replied.expect("a reply").stop, Stop::MaxTokens, "{kind}");
        assert!(events.iter().any(|event| matches!(event, Event::Notice(Notice::HalfCall))), "{kind}");
        assert!(!events.iter().any(|event| matches!(event, Event::ToolStarted { .. })), "{kind}");
        assert_eq!(scene.path().await.len(), 2, "{kind}: no result is made up");
    }
}

#[tokio::test]
async fn a_history_with_half_a_call_is_still_accepted() {
    let scripts = ["anthropic-max-tokens-in-call.sse", "anthropic-plain.sse"].map(|stream| vec![ok(), send(fixture(stream))]);
    let server = Server::play(scripts.into()).await;
    let scene = Scene::at("anthropic", &server).await;
    scene.say("Write a file").await;
    scene.say("Go on").await;
    let body = &server.requests()[1].body;
    let findings = weftwork::lint::lint(&serde_json::from_str(body).expect("JSON"), weftwork::dialect::Dialect::Anthropic);
    assert!(findings.iter().all(|finding| finding.severity != weftwork::lint::Severity::Error), "{findings:?}");
}

#[tokio::test]
async fn a_stream_that_breaks_off_leaves_an_error_with_what_came() {
    let stream = fixture("anthropic-tools.sse");
    let cut = stream.windows(7).position(|bytes| bytes == b"partial").expect("arguments") + 200;
    let broken: &[(&str, Vec<Act>)] = &[
        ("cut", vec![ok(), send(&stream[..cut])]),
        ("reset", vec![ok(), send(&stream[..cut]), Act::Reset]),
        (
            "error after 200",
            vec![
                ok(),
                send(&stream[..cut]),
                send(
                    "\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
                ),
            ],
        ),
    ];
    for (name, script) in broken {
        let server = Server::play(vec![script.clone(); 1]).await;
        let scene = Scene::at("anthropic", &server).await;
        let error = scene.try_say("Weather?").await.expect_err(name);
        assert!(matches!(error, GatewayError::Send { node: Some(_), .. }), "{name}: {error}");
        let path = scene.path().await;
        assert!(path[1].starts_with("agent failed(") && path[1].contains("I'll look."), "{name}: {path:?}");
        assert_eq!(path.len(), 2, "{name}: nothing was run");
        let [call] = scene.calls().try_into().expect("one call");
        assert_eq!(call.outcome, Some(Outcome::Failed), "{name}");
        assert!(call.usage.is_some_and(|usage| usage.input > 0), "{name}: what was sent counts");
    }
}

#[tokio::test]
async fn a_refused_key_says_so_and_is_not_tried_again() {
    let body = r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    let server = Server::play(vec![answer(401, "", body)]).await;
    let scene = Scene::at("openai", &server).await;
    let error = scene.try_say("Hi").await.expect_err("refused");
    assert!(matches!(error, GatewayError::Send { error: SendError::Auth { .. }, .. }), "{error}");
    assert_eq!(scene.path().await[1], format!("agent failed({error}): "));
    assert_eq!(scene.used(), Usage::default());
}

#[tokio::test]
async fn a_rate_limit_is_waited_for_and_told() {
    let limited = answer(429, "Retry-After: 0\r\n", r#"{"error":{"message":"slow down","type":"rate_limit_error"}}"#);
    let server = Server::play(vec![limited, vec![ok(), send(fixture("openai-plain.sse"))]]).await;
    let scene = Scene::at("openai", &server).await;
    let (replied, events) = scene.watch("Hi").await;
    assert!(shown(&replied.expect("a reply").node).contains("Line two."));
    assert!(events.iter().any(|event| matches!(event, Event::Again { error: SendError::RateLimit { .. }, .. })));
    assert_eq!(scene.calls().len(), 1);
}

const OVERFLOW: &str = r#"{"error":{"message":"This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#;

#[tokio::test]
async fn what_does_not_fit_after_all_is_answered_by_one_smaller_request() {
    let plain = || vec![ok(), send(fixture("openai-plain.sse"))];
    let server = Server::play(vec![plain(), plain(), plain(), answer(400, "", OVERFLOW), plain()]).await;
    let scene = Scene::at("openai", &server).await;
    for text in ["one ", "two ", "three "] {
        scene.say(&text.repeat(300)).await;
    }
    let (replied, events) = scene.watch("four").await;
    replied.expect("a reply");
    assert!(events.iter().any(|event| matches!(event, Event::Smaller { .. })));
    let bodies: Vec<String> = server.requests().into_iter().map(|request| request.body).collect();
    assert!(bodies[4].len() < bodies[3].len() && bodies[4].contains("four"));
    let outcomes: Vec<_> = scene.calls().iter().map(|call| call.outcome.expect("an end")).collect();
    assert_eq!(outcomes[3..], [Outcome::Failed, Outcome::Done]);
    assert_eq!(scene.calls()[3].node, scene.calls()[4].node);
}

#[tokio::test]
async fn what_overflows_twice_is_an_error_that_says_so() {
    let plain = || vec![ok(), send(fixture("openai-plain.sse"))];
    let scripts = vec![plain(), plain(), answer(400, "", OVERFLOW), answer(400, "", OVERFLOW)];
    let server = Server::play(scripts).await;
    let scene = Scene::at("openai", &server).await;
    for text in ["one ", "two "] {
        scene.say(&text.repeat(300)).await;
    }
    let error = scene.try_say("three").await.expect_err("an error");
    assert!(matches!(error, GatewayError::OverflowsAgain { .. }), "{error}");
    assert!(scene.path().await.last().expect("a node").starts_with("agent failed("));
    assert!(scene.calls().iter().all(|call| call.outcome.is_some()), "no call stays open");
}

#[tokio::test]
async fn what_cannot_be_made_smaller_is_never_sent_twice() {
    let server = Server::play(vec![answer(400, "", OVERFLOW)]).await;
    let scene = Scene::at("openai", &server).await;
    let error = scene.try_say("one").await.expect_err("an error");
    assert!(matches!(error, GatewayError::NothingToLeaveOut), "{error}");
    assert_eq!(server.requests().len(), 1);
    assert!(scene.path().await[1].starts_with("agent failed("));
}

#[tokio::test]
async fn a_stall_ends_the_reply_with_what_came() {
    let stream = fixture("openai-plain.sse");
    let half = stream.windows(2).position(|pair| pair == b"\n\n").expect("an event") * 3;
    let server = Server::play(vec![vec![ok(), send(&stream[..half]), Act::Hold]]).await;
    let config = format!("[providers.test]\nkind = \"openai\"\nbase_url = \"{}\"\nstall_seconds = 1", server.address("/v1"));
    let scene = Scene::configured(&config, "test/m").await;
    let error = scene.try_say("Hi").await.expect_err("a stall");
    assert!(matches!(error, GatewayError::Send { error: SendError::Stalled { .. }, .. }), "{error}");
    assert!(scene.path().await[1].contains(": Grüße"), "{:?}", scene.path().await);
}
