//! Conversations of existing clients that a space holds.

use crate::house::{House, Person, text};
use crate::live::Events;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use weftwork::decode::{Stop, StreamDecoder, decode};
use weftwork::encode::Api;
use weftwork::model::Part;

const APIS: [(Api, &str); 3] =
    [(Api::Chat, "/v1/chat/completions"), (Api::Responses, "/v1/responses"), (Api::Messages, "/v1/messages")];

/// A client that sends all it knows each time, as the official ones do.
struct Client<'h> {
    house: &'h House,
    who: &'h Person,
    space: String,
    api: Api,
    path: &'static str,
    stream: bool,
    messages: Vec<Value>,
    tools: Value,
}

/// What a client got.
struct Got {
    text: String,
    stop: Stop,
    calls: Vec<(String, String)>,
    report: String,
}

impl Client<'_> {
    fn body(&self) -> Value {
        let list = if self.api == Api::Responses { "input" } else { "messages" };
        let mut body = json!({"model": "whatever", "stream": self.stream, list: self.messages});
        if self.api == Api::Messages {
            body["max_tokens"] = json!(500);
        }
        if !self.tools.is_null() {
            body["tools"] = self.tools.clone();
        }
        body
    }

    fn request(&self) -> RequestBuilder {
        self.house.ask(self.who, Method::POST, self.path).header("weft-space", &self.space).json(&self.body())
    }

    /// Asks, and keeps what is answered as its API has it.
    async fn ask(&mut self, said: &str) -> Got {
        self.messages.push(json!({"role": "user", "content": said}));
        self.got().await
    }

    async fn got(&mut self) -> Got {
        let response = self.request().send().await.unwrap();
        let report = response.headers().get("weft-report").map_or("", |report| report.to_str().unwrap()).to_owned();
        let (status, bytes) = (response.status(), response.bytes().await.unwrap());
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!(status, StatusCode::OK, "{} {shown}", self.path);
        let reply = if self.stream {
            let mut decoder = StreamDecoder::new(self.api.dialect());
            decoder.push(&bytes).unwrap();
            decoder.finish().unwrap()
        } else {
            decode(&bytes, self.api.dialect()).unwrap()
        };
        assert!(reply.usage.is_some() || (self.api == Api::Chat && self.stream), "{shown}");
        let calls: Vec<_> = reply.calls().map(|(call, _)| (call.id.clone(), call.name.clone())).collect();
        self.keep(&reply.parts);
        Got { text: reply.text(), stop: reply.stop, calls, report }
    }

    fn keep(&mut self, parts: &[Part]) {
        let mut said = String::new();
        let mut calls = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => said.push_str(&text.text),
                Part::ToolCall(call) => calls.push((&call.id, &call.name, call.args.text())),
                _ => {}
            }
        }
        match self.api {
            Api::Chat => {
                let mut message = json!({"role": "assistant", "content": said});
                if !calls.is_empty() {
                    let call =
                        |(id, name, args)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": args}});
                    message["tool_calls"] = calls.into_iter().map(call).collect();
                }
                self.messages.push(message);
            }
            Api::Responses => {
                if !said.is_empty() {
                    let content = json!([{"type": "output_text", "text": said, "annotations": []}]);
                    self.messages.push(json!({"type": "message", "role": "assistant", "content": content}));
                }
                let call = |(id, name, args)| json!({"type": "function_call", "call_id": id, "name": name, "arguments": args});
                self.messages.extend(calls.into_iter().map(call));
            }
            Api::Messages => {
                let mut content = vec![json!({"type": "text", "text": said})];
                let call = |(id, name, args): (_, _, &str)| {
                    let input: Value = serde_json::from_str(args).unwrap();
                    json!({"type": "tool_use", "id": id, "name": name, "input": input})
                };
                content.extend(calls.into_iter().map(call));
                self.messages.push(json!({"role": "assistant", "content": content}));
            }
        }
    }

    fn answer(&mut self, call: &str, result: &str) {
        self.messages.push(match self.api {
            Api::Chat => json!({"role": "tool", "tool_call_id": call, "content": result}),
            Api::Responses => json!({"type": "function_call_output", "call_id": call, "output": result}),
            Api::Messages => {
                json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": result}]})
            }
        });
    }
}

fn client<'h>(house: &'h House, who: &'h Person, space: &str, (api, path): (Api, &'static str), stream: bool) -> Client<'h> {
    let schema = json!({"type": "object", "properties": {}});
    let tools = match api {
        Api::Chat => json!([{"type": "function", "function": {"name": "tide", "parameters": schema}}]),
        Api::Responses => json!([{"type": "function", "name": "tide", "parameters": schema, "strict": false}]),
        Api::Messages => json!([{"name": "tide", "input_schema": schema}]),
    };
    Client { house, who, space: space.to_owned(), api, path, stream, messages: Vec::new(), tools }
}

/// What was said in a space, a line each.
async fn said(house: &House, who: &Person, space: &str) -> Vec<String> {
    let page = house.get(who, &format!("/api/spaces/{space}/path?limit=100")).await;
    let nodes = page["nodes"].as_array().unwrap_or_else(|| panic!("{page}"));
    let part = |part: &Value| match part["type"].as_str().unwrap() {
        "text" => text(&part["text"]),
        "toolCall" => format!("calls {}", text(&part["name"])),
        "toolResult" => format!("got {}", text(&part["content"]).chars().take(12).collect::<String>()),
        other => other.to_owned(),
    };
    let line = |node: &Value| node["parts"].as_array().unwrap().iter().map(part).collect::<Vec<_>>().join(" + ");
    nodes.iter().map(|node| line(&node["node"])).collect()
}

#[tokio::test]
async fn each_api_goes_on_in_a_space_whole_and_streamed() {
    let house = House::new();
    let owner = house.owner().await;
    for api in APIS {
        for stream in [false, true] {
            let space = house.chat(&owner).await;
            let mut client = client(&house, &owner, &space, api, stream);
            let first = client.ask("!say One.").await;
            assert_eq!((first.text.as_str(), first.stop), ("One.", Stop::End), "{api:?} {stream}");
            let report = house.get(&owner, &first.report).await;
            assert_eq!((text(&report["space"]), report["purpose"].as_str()), (space.clone(), Some("reply")), "{report}");
            let called = client.ask("!say Let me look.\n!call tide {}\n!say High at noon.").await;
            assert_eq!((called.text.as_str(), called.stop, called.calls.len()), ("Let me look.", Stop::ToolCalls, 1));
            client.answer(&called.calls[0].0, "high");
            let last = client.got().await;
            assert_eq!((last.text.as_str(), last.stop), ("High at noon.", Stop::End), "{api:?} {stream}");
            // Nothing but what is new does as well.
            client.messages.clear();
            assert_eq!(client.ask("!say Two.").await.text, "Two.");
            let all = said(&house, &owner, &space).await;
            let expected = [
                "!say One.",
                "One.",
                "!say Let me look.\n!call tide {}\n!say High at noon.",
                "Let me look. + calls tide",
                "got high",
                "High at noon.",
                "!say Two.",
                "Two.",
            ];
            assert_eq!(all, expected, "{api:?} {stream}");
        }
    }
}

/// A chat whose agent has tools of its own: those of the loom.
async fn with_tools(house: &House, owner: &Person, name: &str) -> String {
    let body = json!({"name": name, "model": "offline", "loomAware": true, "loomAccess": "read"});
    let agent = text(&house.post(owner, "/api/agents", &body).await["id"]);
    let space = house.post(owner, "/api/spaces", &json!({"name": "a loom", "members": [agent]})).await;
    text(&space["space"]["id"])
}

/// Weft's own calls are run and stored within the turn; the client's are handed out, also where they come together.
#[tokio::test]
async fn the_spaces_own_tools_are_run_here_and_the_clients_there() {
    let house = House::new();
    let owner = house.owner().await;
    let cases = [("Ada", 0, false), ("Bo", 0, true), ("Cleo", 1, true), ("Dora", 2, false), ("Emil", 2, true)];
    for (name, api, stream) in cases {
        let (space, api) = (with_tools(&house, &owner, name).await, APIS[api]);
        let mut client = client(&house, &owner, &space, api, stream);
        let own = client.ask("!say First.\n!call loom_list {\"what\": \"bookmarks\"}\n!say Then.").await;
        assert_eq!((own.text.as_str(), own.stop, own.calls.len()), ("First.\n\nThen.", Stop::End, 0), "{api:?} {stream}");
        let mixed = client.ask("!say Both.\n!call loom_list {\"what\": \"bookmarks\"}\n!call tide {}\n!say Done.").await;
        let names: Vec<_> = mixed.calls.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!((mixed.text.as_str(), mixed.stop, names), ("Both.", Stop::ToolCalls, vec!["tide"]), "{api:?} {stream}");
        client.answer(&mixed.calls[0].0, "low");
        assert_eq!(client.got().await.text, "Done.", "{api:?} {stream}");
        assert_eq!(client.ask("!say On.").await.text, "On.", "{api:?} {stream}");
        let all = said(&house, &owner, &space).await;
        assert_eq!(&all[5..8], ["Both. + calls loom_list + calls tide", "got Nothing is b", "got low"], "{api:?} {stream}");
        // A name that the space has is refused before anything is done.
        client.tools = serde_json::from_str(&client.tools.to_string().replace("tide", "loom_list")).unwrap();
        client.messages = vec![json!({"role": "user", "content": "!say No."})];
        let refused = client.request().send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{api:?}");
        assert_eq!(said(&house, &owner, &space).await.len(), all.len());
    }
}

#[tokio::test]
async fn what_is_not_stored_is_a_conflict_that_names_the_message() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut client = client(&house, &owner, &space, APIS[0], false);
    client.ask("!say One.").await;
    client.ask("!say Two.").await;
    let known = client.messages.clone();
    let user = |text: &str| json!({"role": "user", "content": text});
    let reply = |text: &str| json!({"role": "assistant", "content": text});
    let orphan = json!({"role": "tool", "tool_call_id": "nobody", "content": "x"});
    let system = json!({"role": "system", "content": "Be somebody else."});
    let cases: [(Vec<Value>, u16, &str); 7] = [
        (vec![user("!say One."), reply("Ten."), user("!say Three.")], 409, "message 2 of those sent (assistant: \"Ten.\")"),
        (vec![user("!say One."), reply("One."), user("!say Three.")], 409, "message 3"),
        (vec![system.clone(), user("!say 1."), reply("One."), user("!say Three.")], 409, "message 2"),
        (known.clone(), 400, "the last message must be a new one of yours"),
        (vec![orphan], 409, "no call with the id \\\"nobody\\\""),
        (vec![json!({"role": "user", "content": " "})], 400, "the last message must be a new one of yours"),
        ([vec![system], known.clone(), vec![user("!say Three.")]].concat(), 200, "Three."),
    ];
    let before = said(&house, &owner, &space).await;
    for (messages, status, says) in cases {
        if status == 200 {
            assert_eq!(said(&house, &owner, &space).await, before, "what is refused leaves nothing behind");
        }
        client.messages = messages;
        let answer = client.request().send().await.unwrap();
        let (given, retry) = (answer.status().as_u16(), answer.headers().get("x-should-retry").cloned());
        let told = answer.text().await.unwrap();
        assert_eq!(given, status, "{told}");
        assert!(told.contains(says) || told.replace("\\\"", "\"").contains(says), "{told}");
        assert_eq!(retry.is_some_and(|retry| retry == "false"), given == 409, "{told}");
    }
    // In another API, in its own shape.
    let other = house.ask(&owner, Method::POST, "/v1/messages").header("weft-space", &space);
    let messages = [user("!say One."), reply("Ten."), user("!say 3.")];
    let told: Value =
        other.json(&json!({"model": "m", "max_tokens": 9, "messages": messages})).send().await.unwrap().json().await.unwrap();
    assert_eq!((&told["type"], &told["error"]["type"]), (&json!("error"), &json!("invalid_request_error")), "{told}");
}

#[tokio::test]
async fn a_space_is_its_members_and_needs_a_token_that_may_write() {
    let house = House::new();
    let owner = house.owner().await;
    let other = house.person(&owner, "Otto").await;
    let space = house.chat(&owner).await;
    let ask = |who: &Person, space: &str| {
        let body = json!({"model": "offline", "messages": [{"role": "user", "content": "!say hello"}]});
        house.ask(who, Method::POST, "/v1/chat/completions").header("weft-space", space).json(&body)
    };
    let (stranger, nowhere) = (ask(&other, &space).send().await.unwrap(), ask(&other, "nowhere").send().await.unwrap());
    assert_eq!((stranger.status(), nowhere.status()), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND));
    assert_eq!(stranger.bytes().await.unwrap(), nowhere.bytes().await.unwrap());
    let key = Person { id: String::new(), token: "sk-own".into() };
    assert_eq!(ask(&key, &space).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    let made = house.post(&owner, "/api/tokens", &json!({"name": "models", "scopes": ["models", "read"]})).await;
    let models = Person { id: owner.id.clone(), token: text(&made["secret"]) };
    assert_eq!(ask(&models, &space).send().await.unwrap().status(), StatusCode::FORBIDDEN);
    assert!(said(&house, &owner, &space).await.is_empty());
}

/// What is asked again is done once: under a key, by the official clients' count of retries, and after a failure.
#[tokio::test]
async fn what_a_client_sends_again_is_said_once() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    for (number, stream) in [(1, false), (2, true)] {
        let mut client = client(&house, &owner, &space, APIS[number - 1], stream);
        client.messages = vec![json!({"role": "user", "content": format!("!say Number {number}.")})];
        let keyed = |key: &str| client.request().header("idempotency-key", key.to_owned());
        let key = format!("key-{number}");
        let first = keyed(&key).send().await.unwrap().text().await.unwrap();
        let second = keyed(&key).send().await.unwrap();
        assert_eq!(second.status(), StatusCode::OK);
        let second = second.text().await.unwrap();
        assert!(first.contains("Number") && second.contains("Number"), "{first} {second}");
        let retried = client.request().header("x-stainless-retry-count", "1").send().await.unwrap();
        assert_eq!(retried.status(), StatusCode::OK);
        assert_eq!(said(&house, &owner, &space).await.len(), 2 * number, "said once");
        client.messages = vec![json!({"role": "user", "content": "something else"})];
        let other = client.request().header("idempotency-key", key).send().await.unwrap();
        assert_eq!(other.status(), StatusCode::CONFLICT);
    }
    // What failed is answered when it is asked again, and not said twice.
    let space = house.chat(&owner).await;
    let mut client = client(&house, &owner, &space, APIS[0], false);
    client.messages = vec![json!({"role": "user", "content": "!fail 418"})];
    for _ in 0..2 {
        assert_eq!(client.request().send().await.unwrap().status().as_u16(), 418);
        let nodes = house.get(&owner, &format!("/api/spaces/{space}/nodes")).await;
        let mine = nodes.to_string().matches("!fail 418\"").count();
        assert_eq!(mine, 1, "{nodes}");
    }
}

/// While an answer is written there is no second; a client that goes away stops it, and goes on from what it saw.
#[tokio::test]
async fn one_answer_at_a_time_and_what_a_client_leaves_is_stopped() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut events = Events::open(&house, &owner, &space, None).await;
    let mut client = client(&house, &owner, &space, APIS[0], true);
    client.messages = vec![json!({"role": "user", "content": format!("!stream 20\n!say {}", "word ".repeat(400))})];
    let mut going = client.request().send().await.unwrap();
    going.chunk().await.unwrap();
    assert!(events.named("delta").await.data.to_string().contains("word"), "whoever watches the space sees it");
    let second = client.request().send().await.unwrap();
    assert_eq!((second.status(), second.headers()["x-should-retry"].to_str().unwrap()), (StatusCode::CONFLICT, "true"));
    drop(going);
    loop {
        let node = events.named("node").await.data["node"].clone();
        if node["status"] == "error" {
            break;
        }
    }
    client.messages.push(json!({"role": "assistant", "content": "word"}));
    client.stream = false;
    assert_eq!(client.ask("!say On we go.").await.text, "On we go.");
}

/// Whoever leaves under a key finds the answer when they come back, whenever they left.
#[tokio::test]
async fn what_is_asked_under_a_key_is_answered_whoever_left() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    for (number, stream) in [(1, false), (2, true)] {
        let mut client = client(&house, &owner, &space, APIS[0], stream);
        client.messages = vec![json!({"role": "user", "content": format!("!stream 20\n!say {}", "word ".repeat(20))})];
        let keyed = || client.request().header("idempotency-key", format!("leaves-{number}"));
        let mut events = Events::open(&house, &owner, &space, None).await;
        let going = tokio::spawn(keyed().send());
        // The answer has begun, and its client goes.
        events.named("delta").await;
        going.abort();
        drop(going.await);
        let told = loop {
            let answer = keyed().send().await.unwrap();
            if answer.status() == StatusCode::OK {
                break answer.text().await.unwrap();
            }
            assert_eq!(answer.status(), StatusCode::CONFLICT, "being worked on");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        };
        assert_eq!(told.matches("word").count(), 20, "{told}");
        assert_eq!(said(&house, &owner, &space).await.len(), 2 * number, "asked once");
        let nodes = house.get(&owner, &format!("/api/spaces/{space}/nodes")).await.to_string();
        assert_eq!((nodes.matches("word word").count() > 0, nodes.contains("\"error\"")), (true, false), "not stopped: {nodes}");
    }
}

/// What failed under a key is tried when it is sent again, and takes nobody back who has gone on since.
#[tokio::test]
async fn what_is_tried_again_late_moves_no_head() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut client = client(&house, &owner, &space, APIS[0], false);
    let head = async || text(&house.get(&owner, &format!("/api/spaces/{space}/head")).await["node"]);
    let failing = vec![json!({"role": "user", "content": "!fail 418"})];
    let mut heads = Vec::new();
    for (said, key) in [("!fail 418", "once"), ("!fail 418", "once"), ("!say Two.", "other"), ("!fail 418", "once")] {
        client.messages = vec![json!({"role": "user", "content": said})];
        let answer = client.request().header("idempotency-key", key).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), if client.messages == failing { 418 } else { 200 });
        heads.push(head().await);
    }
    assert_ne!(heads[0], heads[1], "it stands where it failed, and goes along");
    assert_eq!(heads[2], heads[3], "it has gone on");
    let nodes = house.get(&owner, &format!("/api/spaces/{space}/nodes")).await;
    assert_eq!(nodes["nodes"].as_array().map(Vec::len), Some(6), "said once and tried three times: {nodes}");
}

/// Words that are said twice are said twice, unless something shows that they are sent again.
#[tokio::test]
async fn without_history_the_same_words_are_new() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut client = client(&house, &owner, &space, APIS[0], false);
    client.ask("!say One.").await;
    let mine = async || house.get(&owner, &format!("/api/spaces/{space}/nodes")).await.to_string().matches("!fail 418\"").count();
    client.messages = vec![json!({"role": "user", "content": "!fail 418"})];
    for (key, times) in [(None, 1), (None, 2), (Some("k"), 3), (Some("k"), 3)] {
        let request = client.request();
        let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
        assert_eq!(request.send().await.unwrap().status().as_u16(), 418);
        assert_eq!(mine().await, times, "{key:?}");
    }
    let long = "x".repeat((64 << 10) + 1);
    client.messages = vec![json!({"role": "user", "content": long})];
    let refused = client.request().send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert!(refused.text().await.unwrap().contains("65536 are allowed"));
}
