//! Existing clients' requests: fitted, repaired, sent on, and answered byte for byte where the provider speaks their API.

use crate::house::{House, good};
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// What a provider was sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    path: String,
    headers: http::HeaderMap,
    body: Value,
}

/// A provider that keeps what it is sent and answers what it was told to.
pub(crate) struct Upstream {
    pub(crate) url: String,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Upstream {
    pub(crate) async fn new(status: u16, kind: &'static str, answer: &'static str) -> Upstream {
        let sent: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let answering = move |State(sent): State<Arc<Mutex<Vec<Sent>>>>, request: axum::extract::Request| async move {
            let (parts, body) = request.into_parts();
            let bytes = axum::body::to_bytes(body, 64 << 20).await.unwrap();
            let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
            sent.lock().unwrap().push(Sent { path: parts.uri.path().to_owned(), headers: parts.headers, body });
            let headers = [("content-type", kind), ("x-request-id", "up-1"), ("set-cookie", "a=b"), ("retry-after", "7")];
            (http::StatusCode::from_u16(status).unwrap(), headers, answer).into_response() as Response
        };
        let router = Router::new().route("/{*path}", any(answering)).with_state(sent.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Upstream { url, sent }
    }

    fn last(&self) -> Sent {
        self.sent.lock().unwrap().last().expect("something was sent").clone()
    }

    /// How often it was asked.
    pub(crate) fn count(&self) -> usize {
        self.sent.lock().unwrap().len()
    }

    pub(crate) fn config(&self, kind: &str) -> String {
        let url = &self.url;
        format!(
            "[providers.up]\nkind = \"{kind}\"\nbase_url = \"{url}/v1\"\napi_key_env = \"NOBODY_HAS_THIS\"\n\
             [providers.up.models.big]\ncontext_length = 8000\nmax_output = 1000\n"
        )
    }
}

const CHAT: &str = r#"{"id":"c1","object":"chat.completion","created":1,"model":"big","choices":[{"index":0,"message":{"role":"assistant","content":"hi","unheard_of":1},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}"#;

#[tokio::test]
async fn on_this_machine_a_clients_own_key_goes_to_its_provider_and_nowhere_else() {
    let up = Upstream::new(200, "application/json", CHAT).await;
    let house = House::with(&up.config("openai"), &[]);
    let body =
        json!({"model": "up/big", "messages": [{"role": "user", "content": "Hello"}], "logit_bias": {"1": 2}, "user": "u"});
    let request = house.nobody(Method::POST, "/v1/chat/completions").bearer_auth("sk-own").json(&body);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["x-request-id"], "up-1");
    assert!(!response.headers().contains_key("set-cookie"));
    assert_eq!(response.text().await.unwrap(), CHAT, "byte for byte");
    let sent = up.last();
    assert_eq!((sent.path.as_str(), &sent.headers["authorization"]), ("/v1/chat/completions", &"Bearer sk-own".parse().unwrap()));
    assert_eq!(
        (&sent.body["model"], &sent.body["logit_bias"], &sent.body["user"]),
        (&json!("big"), &json!({"1": 2}), &json!("u"))
    );
    // A token of ours that nobody has is never sent to anybody.
    let before = up.sent.lock().unwrap().len();
    let forged = house.nobody(Method::POST, "/v1/chat/completions").bearer_auth("wft_forged").json(&body).send().await.unwrap();
    assert_eq!(forged.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(up.sent.lock().unwrap().len(), before);
}

#[tokio::test]
async fn where_the_world_can_connect_an_unknown_key_is_nobodys() {
    let up = Upstream::new(200, "application/json", CHAT).await;
    let house = House::with(&up.config("openai"), &["--public-url", "https://weft.example.org"]);
    let body = json!({"model": "up/big", "messages": [{"role": "user", "content": "Hello"}]});
    let asked = house.nobody(Method::POST, "/v1/chat/completions").bearer_auth("sk-own").json(&body).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::UNAUTHORIZED);
    assert!(up.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_providers_error_comes_through_as_it_is() {
    let said = r#"{"error":{"message":"slow down","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#;
    let up = Upstream::new(429, "application/json", said).await;
    let house = House::with(&up.config("openai"), &[]);
    let body = json!({"model": "up/big", "messages": [{"role": "user", "content": "Hello"}]});
    let asked = house.nobody(Method::POST, "/v1/chat/completions").bearer_auth("sk").json(&body).send().await.unwrap();
    assert_eq!((asked.status(), asked.headers()["retry-after"].to_str().unwrap()), (StatusCode::TOO_MANY_REQUESTS, "7"));
    assert_eq!(asked.text().await.unwrap(), said);
    // In another API, the same in its own words.
    let body = json!({"model": "up/big", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]});
    let asked = house.nobody(Method::POST, "/v1/messages").header("x-api-key", "sk").json(&body).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::TOO_MANY_REQUESTS);
    let told: Value = asked.json().await.unwrap();
    assert_eq!((&told["type"], &told["error"]["type"]), (&json!("error"), &json!("rate_limit_error")));
}

/// A long history with broken pairs of tools: what goes upstream is valid there, and inside the window.
#[tokio::test]
async fn three_thousand_messages_with_broken_pairs_are_valid_upstream() {
    let up = Upstream::new(200, "application/json", CHAT).await;
    let house = House::with(&up.config("openai"), &[]);
    let mut messages = vec![json!({"role": "system", "content": "Be brief."})];
    for number in 0..1000 {
        messages.push(json!({"role": "user", "content": format!("question {number}")}));
        let call = json!({"id": format!("c{number}"), "type": "function", "function": {"name": "look", "arguments": "{}"}});
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
        // Every third call has no result, every fifth result answers nothing.
        if number % 3 != 0 {
            let id = if number % 5 == 0 { "nobody".to_owned() } else { format!("c{number}") };
            messages.push(json!({"role": "tool", "tool_call_id": id, "content": "found"}));
        }
    }
    messages.push(json!({"role": "user", "content": "and now?"}));
    let tools = json!([{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]);
    let body = json!({"model": "up/big", "messages": messages, "tools": tools});
    let answer = good(house.nobody(Method::POST, "/v1/chat/completions").bearer_auth("sk").json(&body)).await;
    assert_eq!(answer["choices"][0]["message"]["content"], "hi");
    let sent = up.last().body;
    let found = weftwork::lint::lint(&sent, weftwork::dialect::Dialect::OpenAi);
    assert!(found.iter().all(|finding| finding.severity != weftwork::lint::Severity::Error), "{found:?}");
    let list = sent["messages"].as_array().unwrap();
    assert!(list.len() < 1500 && list[0]["content"] == "Be brief.", "{}", list.len());
    assert_eq!(list.last().unwrap()["content"], "and now?");
}

#[tokio::test]
async fn other_paths_and_passthrough_are_handed_on_untouched() {
    let up = Upstream::new(200, "application/json", r#"{"object":"list"}"#).await;
    let house = House::with(&up.config("openai"), &[]);
    let body = json!({"model": "up/big", "input": "text"});
    let answer = good(house.nobody(Method::POST, "/v1/embeddings").bearer_auth("sk").json(&body)).await;
    assert_eq!(answer, json!({"object": "list"}));
    assert_eq!(up.last().path, "/v1/embeddings");
    let broken = json!({"model": "up/big", "messages": [{"role": "tool", "tool_call_id": "x", "content": "orphan"}]});
    let request = house.nobody(Method::POST, "/v1/chat/completions").bearer_auth("sk").header("weft-policy", "passthrough");
    good(request.json(&broken)).await;
    assert_eq!(up.last().body["messages"], broken["messages"]);
    for path in ["/v1/../admin", "/v1/%2e%2e/admin", "/v1//evil.example/x"] {
        let before = up.sent.lock().unwrap().len();
        let request = house.nobody(Method::GET, path).bearer_auth("sk").header("weft-provider", "up").send().await.unwrap();
        assert!(request.status().is_client_error(), "{path}: {}", request.status());
        assert_eq!(up.sent.lock().unwrap().len(), before, "{path}");
    }
}

#[tokio::test]
async fn a_call_of_an_account_is_kept_with_its_report() {
    let house = House::new();
    let owner = house.owner().await;
    let body = json!({"model": "offline", "messages": [{"role": "user", "content": "!say hello"}]});
    let response = house.ask(&owner, Method::POST, "/v1/chat/completions").json(&body).send().await.unwrap();
    let link = response.headers()["weft-report"].to_str().unwrap().to_owned();
    let kept = house.get(&owner, &link).await;
    assert_eq!(kept["model"], "offline/offline", "{kept}");
    let other = house.person(&owner, "Otto").await;
    assert_eq!(house.ask(&other, Method::GET, &link).send().await.unwrap().status(), StatusCode::NOT_FOUND);
}

/// What is passed through is in the books like everything else, with the bytes of both sides where a model replied.
#[tokio::test]
async fn what_is_passed_through_is_kept_and_counted() {
    let up = Upstream::new(200, "application/json", CHAT).await;
    let house = House::with_env(&up.config("openai"), &[], &[("NOBODY_HAS_THIS", "sk-house")]);
    let owner = house.owner().await;
    let orphan = json!({"model": "up/big", "messages": [{"role": "tool", "tool_call_id": "x", "content": "orphan"}]});
    let request = house.ask(&owner, Method::POST, "/v1/chat/completions").header("weft-policy", "passthrough");
    let response = request.json(&orphan).send().await.unwrap();
    let link = response.headers()["weft-report"].to_str().unwrap().to_owned();
    assert_eq!(response.text().await.unwrap(), CHAT, "byte for byte");
    // Written down when the answer has ended, which the client may see first.
    let kept = loop {
        let kept = house.get(&owner, &link).await;
        if !kept["outcome"].is_null() {
            break kept;
        }
    };
    assert_eq!(
        (&kept["model"], &kept["outcome"], &kept["handledAs"]),
        (&json!("up/big"), &json!("done"), &json!("passedThrough"))
    );
    assert_eq!((&kept["usage"]["input"], &kept["usage"]["output"]), (&json!(3), &json!(1)), "{kept}");
    assert_eq!(house.get(&owner, &format!("{link}/request")).await, orphan);
    // Another path that names a model: its usage, and no answer.
    let input = json!({"model": "up/big", "input": "text"});
    let response = house.ask(&owner, Method::POST, "/v1/embeddings").json(&input).send().await.unwrap();
    let link = response.headers()["weft-report"].to_str().unwrap().to_owned();
    response.bytes().await.unwrap();
    while house.get(&owner, &link).await["outcome"].is_null() {}
    assert_eq!(house.ask(&owner, Method::GET, &format!("{link}/response")).send().await.unwrap().status(), StatusCode::NOT_FOUND);
    // One that names none is counted, and that is all.
    let files = house.ask(&owner, Method::GET, "/v1/files").header("weft-provider", "up").send().await.unwrap();
    assert!(files.status().is_success() && !files.headers().contains_key("weft-report"));
    let used = house.get(&owner, "/api/usage").await;
    assert_eq!((&used["total"]["calls"], &used["total"]["usage"]["input"]), (&json!(2), &json!(6)), "{used}");
    let numbers = house.ask(&owner, Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert!(numbers.contains("weft_passed_total{provider=\"up\",status=\"200\"} 3"), "{numbers}");
}

/// A key that is kept or forgotten while the server runs holds from the next request.
#[tokio::test]
async fn a_kept_key_holds_at_once() {
    let up = Upstream::new(200, "application/json", CHAT).await;
    let house = House::with(&up.config("openai"), &[]);
    let owner = house.owner().await;
    let body = json!({"model": "up/big", "messages": [{"role": "user", "content": "Hello"}]});
    let asked = async || house.ask(&owner, Method::POST, "/v1/chat/completions").json(&body).send().await.unwrap().status();
    assert_eq!(asked().await, StatusCode::UNAUTHORIZED, "it has none yet");
    for key in ["sk-first", "sk-second"] {
        good(house.ask(&owner, Method::PUT, "/api/providers/up/key").json(&json!({"key": key}))).await;
        assert_eq!(asked().await, StatusCode::OK);
        assert_eq!(up.last().headers["authorization"], format!("Bearer {key}"));
    }
    good(house.ask(&owner, Method::DELETE, "/api/providers/up/key")).await;
    assert_eq!((asked().await, up.count()), (StatusCode::UNAUTHORIZED, 2));
}
