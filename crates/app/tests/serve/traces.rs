//! Spans for a collector: named as OpenTelemetry names them, without a word of what was said.

use crate::house::{House, text};
use axum::Router;
use axum::routing::post;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A collector, and what it was sent.
async fn collector() -> (String, Arc<Mutex<Vec<Value>>>) {
    let got: Arc<Mutex<Vec<Value>>> = Arc::default();
    let kept = got.clone();
    let take = move |body: axum::body::Bytes| async move {
        kept.lock().unwrap().push(serde_json::from_slice(&body).expect("OTLP in JSON"));
        axum::Json(json!({}))
    };
    let router = Router::new().route("/v1/traces", post(take));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, got)
}

/// The spans of all that was sent, with their attributes by name.
fn spans(got: &[Value]) -> Vec<(String, BTreeMap<String, String>, Value)> {
    let each = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let resources = got.iter().flat_map(|sent| each(sent, "resourceSpans"));
    let scopes = resources.flat_map(|resource| each(&resource, "scopeSpans"));
    let spans = scopes.flat_map(|scope| each(&scope, "spans"));
    let named = |span: Value| {
        let attribute = |one: &Value| {
            let value = one["value"].as_object().and_then(|value| value.values().next().cloned()).unwrap_or_default();
            (text(&one["key"]), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let attributes = each(&span, "attributes").iter().map(attribute).collect();
        (text(&span["name"]), attributes, span)
    };
    spans.map(named).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_call_and_its_request_are_spans_without_contents() {
    let (url, got) = collector().await;
    let mut house =
        House::with_env("", &["--log", "json"], &[("OTEL_EXPORTER_OTLP_ENDPOINT", &url), ("OTEL_BSP_SCHEDULE_DELAY", "100")]);
    let owner = house.owner().await;
    let body = json!({"model": "offline", "messages": [{"role": "user", "content": "!say a very secret word"}]});
    let theirs = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let asked = house.ask(&owner, Method::POST, "/v1/chat/completions").header("traceparent", theirs).json(&body);
    let answer = asked.send().await.unwrap();
    assert!(answer.text().await.unwrap().contains("secret word"));
    let fails = json!({"model": "offline", "messages": [{"role": "user", "content": "!fail 418"}]});
    house.ask(&owner, Method::POST, "/v1/chat/completions").json(&fails).send().await.unwrap();
    assert!(house.stop().0);
    let got = got.lock().unwrap().clone();
    let spans = spans(&got);
    let models: Vec<_> = spans.iter().filter(|(name, ..)| name == "chat offline").collect();
    let [(_, call, span), (_, failed, _)] = models.as_slice() else { panic!("{spans:#?}") };
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "offline"),
        ("gen_ai.system", "offline"),
        ("gen_ai.request.model", "offline"),
        ("gen_ai.response.finish_reasons", "stop"),
    ] {
        assert_eq!(call.get(name).map(String::as_str), Some(value), "{name} of {call:?}");
    }
    for name in ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"] {
        assert!(call.get(name).is_some_and(|tokens| tokens.parse::<u64>().is_ok_and(|tokens| tokens > 0)), "{name} of {call:?}");
    }
    assert_eq!(failed.get("error.type").map(String::as_str), Some("refused"), "{failed:?}");
    // It hangs in the request that led to it.
    let (_, request, parent) =
        spans.iter().find(|(name, ..)| name == "POST /v1/chat/completions").unwrap_or_else(|| panic!("{spans:#?}"));
    assert_eq!(span["parentSpanId"], parent["spanId"]);
    // And that in what its client was doing.
    assert_eq!((parent["traceId"].as_str(), parent["parentSpanId"].as_str()), (theirs.get(3..35), theirs.get(36..52)));
    assert_eq!((request["http.route"].as_str(), request["http.response.status_code"].as_str()), ("/v1/chat/completions", "200"));
    let all = serde_json::to_string(&got).unwrap();
    for secret in ["secret word", owner.token.as_str(), "!say", "!fail"] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert!(all.contains(r#""stringValue":"weft""#), "the service has a name");
    // The log is still a JSON object a line, without spans in it.
    let log = house.log();
    let closing = log.lines().find(|line| line.contains("closing")).unwrap_or_else(|| panic!("{log}"));
    let line: Value = serde_json::from_str(closing).unwrap();
    assert_eq!(line["level"], "INFO");
    assert!(!log.contains("gen_ai"), "{log}");
}
