//! Saying, reading, branching: each thing once, whatever is repeated.

use crate::house::{House, good, text};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn a_message_is_said_once_however_often_it_is_sent() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.space(&owner, "here", &[]).await;
    let path = format!("/api/spaces/{space}/messages");
    let send = async |text: &str| {
        let request = house.ask(&owner, Method::POST, &path).header("idempotency-key", "k-1").json(&json!({"text": text}));
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let first = send("hello").await;
    assert_eq!(first.0, 201, "{}", first.1);
    assert_eq!(send("hello").await, first);
    assert_eq!(send("other").await.0, 409);
    let all = house.get(&owner, &path).await;
    assert_eq!(all["messages"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_space_is_made_once_under_its_key() {
    let house = House::new();
    let owner = house.owner().await;
    let make = async || {
        let request = house.ask(&owner, Method::POST, "/api/spaces").header("idempotency-key", "s").json(&json!({"name": "n"}));
        text(&good(request).await["space"]["id"])
    };
    assert_eq!(make().await, make().await);
    assert_eq!(house.get(&owner, "/api/spaces").await["spaces"].as_array().map(Vec::len), Some(1));
}

/// Waits until a node has come to its end.
pub(crate) async fn ended(house: &House, who: &crate::house::Person, space: &str, node: &str) -> Value {
    for _ in 0..400 {
        let found = house.get(who, &format!("/api/spaces/{space}/nodes/{node}")).await;
        if found["node"]["status"] != "pending" {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{node} never came to its end");
}

#[tokio::test]
async fn a_chat_replies_is_edited_retried_and_walked() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let posted = house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": "!say one"})).await;
    let (message, reply) = (text(&posted["message"]["node"]["id"]), text(&posted["reply"]));
    assert_eq!(ended(&house, &owner, &space, &reply).await["node"]["parts"][0]["text"], "one");
    let again = house.post(&owner, &format!("/api/spaces/{space}/nodes/{reply}/retry"), &json!({})).await;
    let second = text(&again["nodes"].as_array().unwrap().last().unwrap()["id"]);
    ended(&house, &owner, &space, &second).await;
    let path = house.get(&owner, &format!("/api/spaces/{space}/path")).await;
    let last = path["nodes"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["place"], &last["siblings"], &last["node"]["id"]), (&json!(2), &json!(2), &json!(second)));
    let edited = house.post(&owner, &format!("/api/spaces/{space}/nodes/{message}/edit"), &json!({"text": "!say two"})).await;
    let third = text(&edited["nodes"].as_array().unwrap().last().unwrap()["id"]);
    assert_eq!(ended(&house, &owner, &space, &third).await["node"]["parts"][0]["text"], "two");
    let tree = house.get(&owner, &format!("/api/spaces/{space}/tree")).await;
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(5));
    let head = house.ask(&owner, Method::GET, &format!("/api/spaces/{space}/head")).send().await.unwrap();
    let tag = head.headers()["etag"].to_str().unwrap().to_owned();
    let to = async |node: &str, tag: &str| {
        let request = house.ask(&owner, Method::PUT, &format!("/api/spaces/{space}/head")).header("if-match", tag);
        request.json(&json!({"node": node, "default": true})).send().await.unwrap().status()
    };
    assert_eq!(to(&reply, &tag).await, StatusCode::OK);
    assert_eq!(to(&second, &tag).await, StatusCode::PRECONDITION_FAILED);
}

#[tokio::test]
async fn what_is_wrong_is_named_with_its_place() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.space(&owner, "here", &[]).await;
    let messages = format!("/api/spaces/{space}/messages");
    let cases = [
        (Method::POST, messages.as_str(), r#"{"text":1}"#, 400, "text"),
        (Method::POST, messages.as_str(), r#"{"txt":"a"}"#, 400, "txt"),
        (Method::POST, messages.as_str(), r#"{"text":"#, 400, "EOF"),
        (Method::POST, messages.as_str(), r#"{"text":"   "}"#, 400, "empty"),
        (Method::POST, "/api/spaces", r#"{"agent":{"model":"nope/x"}}"#, 400, "agent.model"),
        (Method::POST, "/api/tokens", r#"{"name":"a","scopes":["root"]}"#, 400, "root"),
        (Method::GET, "/api/spaces?limit=0", "", 400, "limit"),
        (Method::GET, "/api/spaces?limt=1", "", 400, "limt"),
        (Method::GET, "/api/spaces?after=x", "", 400, "after"),
        (Method::GET, "/api/nothing", "", 404, "nothing here"),
    ];
    for (method, path, body, status, word) in cases {
        let request = house.ask(&owner, method, path).header("content-type", "application/json").body(body);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "application/problem+json", "{path} {body}");
        let (got, problem) = (response.status().as_u16(), response.text().await.unwrap());
        assert!(got == status && problem.contains(word), "{path} {body}: {got} {problem}");
    }
}
