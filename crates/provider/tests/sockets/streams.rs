//! Hand-written streams of each provider, cut into pieces of every awkward size.

use crate::scene::Scene;
use crate::server::{Act, Server, fixture, head, ok, send};
use weftwork::catalogue::Catalogue;
use weftwork::count::Kind;
use weftwork::decode::{CallState, Delta, Stop};
use weftwork::dialect::Dialect;
use weftwork::model::{Part, Usage};
use weftwork_provider::{Config, Event, Order, Outcome, Providers};

/// A reply on one line: reasoning, text, calls with their state, how it ended, usage.
fn shown(outcome: &Outcome) -> String {
    let reply = &outcome.reply;
    let part = |part: &Part| match part {
        Part::Text(text) => format!("{:?}", text.text),
        Part::Reasoning(reasoning) => format!("thinks {:?}", reasoning.text),
        Part::ToolCall(call) => format!("calls {} {}", call.name, call.args.text()),
        Part::ToolResult(_) | Part::Image(_) | Part::File(_) => "other".to_owned(),
    };
    let parts: Vec<String> = reply.parts.iter().map(part).collect();
    let states: Vec<CallState> = reply.calls().map(|(_, state)| state).collect();
    let Usage { input, output, cache_read, cache_write } = outcome.usage.expect("usage").usage;
    format!("{} {:?} {states:?} {input}+{cache_read}+{cache_write}>{output}", parts.join(" "), reply.stop)
}

#[track_caller]
fn check(outcome: &Outcome, stream: &str, expected: &str) {
    assert_eq!(shown(outcome), expected, "{stream}");
    assert_eq!(outcome.raw.bytes, fixture(stream), "{stream}: the raw response is kept byte for byte");
    assert_eq!(outcome.usage.expect("usage").kind, Kind::Reported, "{stream}");
    assert_eq!(outcome.attempts, 1, "{stream}");
}

const STREAMS: &[(&str, &str, &str)] = &[
    ("openai", "openai-plain.sse", r#""Grüße, 世界 🌍!\nLine two." End [] 176+1024+0>9"#),
    (
        "openai",
        "openai-tools.sse",
        r#"calls get_weather {"city": "Paris", "days": 1.10} calls now {} ToolCalls [Complete, Complete] 80+0+0>30"#,
    ),
    ("openai", "openai-reasoning.sse", r#"thinks "Two plus two." "4" End [] 4+16+0>8"#),
    ("openai", "openai-llama-server.sse", r#""ok" MaxTokens [] 1+39+0>1"#),
    (
        "openai",
        "openai-max-tokens-in-call.sse",
        r#"calls write_file "{\"path\":\"a.txt\",\"text\":\"once upo" MaxTokens [Unfinished] 50+0+0>16"#,
    ),
    ("responses", "responses-plain.sse", r#""Hello there." End [] 32+768+100>40"#),
    (
        "responses",
        "responses-tools.sse",
        r#"thinks "**Plan**\nLook it up.\n\nThen answer." calls get_weather {"city":"Paris"} calls now {} ToolCalls [Complete, Complete] 32+768+100>40"#,
    ),
    (
        "responses",
        "responses-max-tokens-in-call.sse",
        r#"calls get_weather "{\"city\":\"Pa" MaxTokens [Unfinished] 32+768+100>40"#,
    ),
    ("anthropic", "anthropic-plain.sse", r#""Hello, 世界!" End [] 25+2000+100>15"#),
    (
        "anthropic",
        "anthropic-tools.sse",
        r#""I'll look." calls get_weather {"city": "San Francisco"} calls now {} ToolCalls [Complete, Complete] 25+2000+100>89"#,
    ),
    ("anthropic", "anthropic-thinking.sse", r#"thinks "27 * 453: 12231" thinks "" thinks "" "12231" End [] 25+2000+100>60"#),
    (
        "anthropic",
        "anthropic-max-tokens-in-call.sse",
        r#"calls ready {} calls write_file "{\"path\":\"a\",\"te" MaxTokens [Unfinished, Unfinished] 25+2000+100>64"#,
    ),
    ("gemini", "gemini-plain.sse", r#""Hello, 世界." End [] 100+400+0>70"#),
    (
        "gemini",
        "gemini-tools.sse",
        r#"thinks "Let me think. Two calls." calls get_weather {"city":"Paris","days":1.10} calls now {} calls bare {} ToolCalls [Complete, Complete, Complete] 100+400+0>70"#,
    ),
    ("gemini", "gemini-array.json", r#""Hello, 世界." End [] 100+400+0>70"#),
    ("ollama", "ollama-plain.ndjson", r#""The sky ist blau – 空" End [] 26+0+0>282"#),
    (
        "ollama",
        "ollama-tools.ndjson",
        r#"calls get_weather {"city":"Paris","n":10000000000000000000001} calls now {} ToolCalls [Complete, Complete] 26+0+0>282"#,
    ),
    ("ollama", "ollama-thinking.ndjson", r#"thinks "Hmm, ok." "Yes." MaxTokens [] 26+0+0>282"#),
    ("completions", "completions-plain.sse", r#"" upon a time" MaxTokens [] 1+0+0>3"#),
];

#[tokio::test]
async fn every_provider_gives_the_same_reply_wherever_its_bytes_are_cut() {
    for &(kind, stream, expected) in STREAMS {
        for size in [1, 7, 4096] {
            let server = Server::play(vec![vec![ok(), Act::Pieces(fixture(stream), size)]]).await;
            check(&Scene::at(kind, &server).reply().await, stream, expected);
        }
    }
}

#[tokio::test]
async fn each_kind_asks_at_its_address_with_its_key_in_its_header() {
    let openai = ("authorization", "Bearer sk-test");
    for (kind, stream, line, header) in [
        ("openai", "openai-plain.sse", "POST /v1/chat/completions", openai),
        ("responses", "responses-plain.sse", "POST /v1/responses", openai),
        ("completions", "completions-plain.sse", "POST /completions", openai),
        ("ollama", "ollama-plain.ndjson", "POST /api/chat", openai),
        ("anthropic", "anthropic-plain.sse", "POST /v1/messages", ("x-api-key", "sk-test")),
        ("gemini", "gemini-plain.sse", "POST /models/m:streamGenerateContent?alt=sse", ("x-goog-api-key", "sk-test")),
    ] {
        let server = Server::play(vec![vec![ok(), send(fixture(stream))]]).await;
        Scene::at(kind, &server).reply().await;
        let [request] = server.requests().try_into().expect("one request");
        assert_eq!(request.line(), line);
        assert_eq!(request.header(header.0), Some(header.1), "{kind}");
        assert_eq!(request.header("anthropic-version").is_some(), kind == "anthropic");
        let asks_to_stream = request.body.contains(r#""stream":true"#);
        assert_eq!(asks_to_stream, !matches!(kind, "gemini" | "ollama"), "{kind}");
    }
}

#[tokio::test]
async fn a_services_own_key_goes_to_no_other_server() {
    let server = Server::play(vec![vec![ok(), send(fixture("openai-plain.sse"))]]).await;
    let text = format!("[providers.other]\nkind = \"openai\"\nbase_url = \"{}\"", server.address("/v1"));
    let env = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-secret".to_owned());
    let providers =
        Providers::new(&Config::parse(&text).expect("a configuration"), Catalogue::built_in(), env).expect("providers");
    let target = providers.resolve("other/m").expect("asked without a key");
    providers.send(Order::new(target, Dialect::OpenAi, b"{}".to_vec())).finish().await.expect("a reply");
    assert!(!server.requests()[0].head.contains("sk-secret"));
}

#[tokio::test]
async fn deltas_are_handed_on_while_the_stream_is_open() {
    let stream = fixture("openai-plain.sse");
    let half = stream.windows(2).position(|pair| pair == b"\n\n").expect("an event") * 3;
    let server = Server::play(vec![vec![ok(), send(&stream[..half]), Act::Hold]]).await;
    let scene = Scene::at("openai", &server);
    let mut sending = scene.providers.send(scene.order());
    assert_eq!(sending.next().await, Some(Event::Delta(Delta::Text("Grüße".into()))));
}

#[tokio::test]
async fn usage_that_is_not_reported_is_counted_and_called_an_estimate() {
    let stream = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello there\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = Server::play(vec![vec![ok(), send(stream)], vec![ok(), send(stream)]]).await;
    let scene = Scene::at("openai", &server);
    let counted = scene.reply().await.usage.expect("usage");
    assert_eq!((counted.kind, counted.usage.output), (Kind::Estimated, 2));
    assert!((4..20).contains(&counted.usage.input), "{counted:?}");

    let mut order = scene.order();
    order.input_tokens = Some(77);
    let told = scene.send(order).await.1.expect("a reply").usage.expect("usage");
    assert_eq!((told.kind, told.usage.input), (Kind::Estimated, 77));
}

#[tokio::test]
async fn headers_worth_keeping_are_kept() {
    let headers =
        "Content-Type: text/event-stream\r\nx-request-id: req_1\r\nx-ratelimit-remaining-tokens: 99\r\nSet-Cookie: secret\r\n";
    let server = Server::play(vec![vec![head(200, headers), send(fixture("openai-plain.sse"))]]).await;
    let kept = Scene::at("openai", &server).reply().await.headers;
    assert_eq!(kept.request_id.as_deref(), Some("req_1"));
    assert_eq!(kept.limits, [("x-ratelimit-remaining-tokens".to_owned(), "99".to_owned())]);
}

#[tokio::test]
async fn a_server_that_stays_open_after_its_end_mark_is_not_waited_for() {
    let server = Server::play(vec![vec![ok(), send(fixture("openai-plain.sse")), Act::Hold]]).await;
    assert_eq!(Scene::at("openai", &server).reply().await.reply.stop, Stop::End);
}

#[tokio::test]
async fn a_raw_response_is_kept_only_up_to_its_limit() {
    let stream = fixture("openai-plain.sse");
    let server = Server::play(vec![vec![ok(), send(stream.clone())]]).await;
    let scene = Scene::at("openai", &server);
    let mut order = scene.order();
    order.largest_raw = 100;
    let raw = scene.send(order).await.1.expect("a reply").raw;
    assert_eq!((raw.bytes.as_slice(), raw.len()), (&stream[..100], stream.len() as u64));
}
