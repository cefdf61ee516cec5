//! Live events: nothing is missed, nothing is told to those it is not for.

use crate::house::{House, Person, text};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// A stream of events, read one by one.
pub(crate) struct Events {
    response: Response,
    rest: Vec<u8>,
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Events {
    pub(crate) async fn open(house: &House, who: &Person, space: &str, after: Option<&str>) -> Events {
        let mut request = house.ask(who, Method::GET, &format!("/api/spaces/{space}/events"));
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        Events { response, rest: Vec::new() }
    }

    /// What concerns one account.
    pub(crate) async fn account(house: &House, who: &Person) -> Events {
        let response = house.ask(who, Method::GET, "/api/events").send().await.unwrap();
        assert_eq!(response.status(), 200);
        Events { response, rest: Vec::new() }
    }

    /// The next event; none when the stream has ended or broke.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|two| two == b"\n\n") {
                let block: Vec<u8> = self.rest.drain(..end + 2).collect();
                if let Some(event) = parse(&String::from_utf8(block).unwrap()) {
                    return Some(event);
                }
                continue;
            }
            let bytes = tokio::time::timeout(Duration::from_secs(30), self.response.chunk()).await.expect("something comes");
            self.rest.extend_from_slice(&bytes.ok()??);
        }
    }

    /// The next event with this name. Signs of life do not count: what never comes fails.
    pub(crate) async fn named(&mut self, name: &str) -> Event {
        let found = async {
            loop {
                let event = self.next().await.unwrap_or_else(|| panic!("the stream ended before {name}"));
                if event.name == name {
                    return event;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), found).await.unwrap_or_else(|_| panic!("no {name} came"))
    }
}

fn parse(block: &str) -> Option<Event> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned));
    let name = field("event")?;
    Some(Event { id: field("id"), name, data: serde_json::from_str(&field("data")?).ok()? })
}

#[tokio::test]
async fn what_is_said_comes_at_once_and_in_order() {
    let house = House::new();
    let owner = house.owner().await;
    let other = house.person(&owner, "Otto").await;
    let space = house.space(&owner, "here", &[&other]).await;
    let mut events = Events::open(&house, &other, &space, None).await;
    events.named("runs").await;
    for number in 1..=3 {
        house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": format!("number {number}")})).await;
    }
    for number in 1..=3 {
        let event = events.named("node").await;
        assert_eq!(event.data["node"]["parts"][0]["text"], json!(format!("number {number}")));
    }
    let node = text(&house.get(&owner, &format!("/api/spaces/{space}/messages")).await["messages"][0]["node"]["id"]);
    let flag = house.ask(&owner, Method::PATCH, &format!("/api/spaces/{space}/nodes/{node}"));
    assert_eq!(flag.json(&json!({"pinned": true})).send().await.unwrap().status(), 200);
    assert_eq!(events.named("node").await.data["node"]["pinned"], true);
    let read = house.ask(&owner, Method::PUT, &format!("/api/spaces/{space}/read")).json(&json!({"node": node}));
    assert_eq!(read.send().await.unwrap().status(), 200);
    assert_eq!(events.named("read").await.data["entity"], json!(owner.id));
}

#[tokio::test]
async fn a_reply_comes_as_it_is_written_and_can_be_stopped() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut events = Events::open(&house, &owner, &space, None).await;
    let words = "!stream 20\n!say a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t u v w x y z";
    let posted = house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": words})).await;
    let reply = text(&posted["reply"]);
    let first = events.named("delta").await;
    assert_eq!((&first.data["node"], &first.data["at"]), (&json!(reply), &json!(0)));
    // Whoever comes later is told what was written so far.
    let mut late = Events::open(&house, &owner, &space, None).await;
    assert!(!text(&late.named("draft").await.data["text"]).is_empty());
    house.post(&owner, &format!("/api/spaces/{space}/nodes/{reply}/stop"), &json!({})).await;
    let ended = crate::messages::ended(&house, &owner, &space, &reply).await;
    let said = text(&ended["node"]["parts"][0]["text"]);
    assert!(said.starts_with('a') && said.len() < 80, "{said}");
}

#[tokio::test]
async fn whoever_leaves_is_told_so_and_nothing_more() {
    let house = House::new();
    let owner = house.owner().await;
    let other = house.person(&owner, "Otto").await;
    let space = house.space(&owner, "here", &[&other]).await;
    let mut events = Events::open(&house, &other, &space, None).await;
    events.named("runs").await;
    let out = house.ask(&owner, Method::DELETE, &format!("/api/spaces/{space}/members/{}", other.id)).send().await.unwrap();
    assert_eq!(out.status(), 204);
    house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": "now we are alone"})).await;
    events.named("gone").await;
    assert_eq!(events.next().await, None);
    let back = house.ask(&other, Method::GET, &format!("/api/spaces/{space}/events")).send().await.unwrap();
    assert_eq!(back.status(), 404);
}

/// Clients that come back with the number of the last event they saw, until they have seen everything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_reader_ends_with_the_whole_sequence_through_stalls_and_a_crash() {
    let clients: usize = std::env::var("WEFT_SSE_CLIENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let stalled = clients / 20;
    let mut house = House::with("[server]\nrequests_per_second = 100000.0\n", &[]);
    let owner = house.owner().await;
    let space = house.space(&owner, "here", &[]).await;
    let messages = 300usize;
    let read_all = |number: usize, url: String| {
        let (token, space) = (owner.token.clone(), space.clone());
        async move {
            let http = reqwest::Client::new();
            let (mut seen, mut last): (BTreeSet<i64>, Option<String>) = (BTreeSet::new(), Some("0.0".into()));
            while seen.len() < messages {
                let request = http.get(format!("{url}/api/spaces/{space}/events")).bearer_auth(&token);
                let request = request.header("last-event-id", last.clone().unwrap_or_default());
                let Ok(response) = request.send().await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                if response.status() != 200 {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                let mut events = Events { response, rest: Vec::new() };
                if number < stalled {
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
                while seen.len() < messages {
                    let Some(event) = events.next().await else { break };
                    if event.name == "node" {
                        seen.insert(event.data["seq"].as_i64().unwrap());
                    }
                    last = event.id.or(last);
                }
            }
            seen
        }
    };
    let readers: Vec<_> = (0..clients).map(|number| tokio::spawn(read_all(number, house.url.clone()))).collect();
    let post = async |house: &House, number: usize| {
        let path = format!("/api/spaces/{space}/messages");
        let request = house.ask(&owner, Method::POST, &path).header("idempotency-key", format!("m{number}"));
        request.json(&json!({"text": format!("number {number}")})).send().await.is_ok_and(|answer| answer.status() == 201)
    };
    for number in 0..messages {
        if number == messages / 2 {
            house.restart();
        }
        while !post(&house, number).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    for reader in readers {
        let seen = reader.await.unwrap();
        assert!(seen.into_iter().eq(1..=messages as i64));
    }
}

#[tokio::test]
async fn an_account_is_told_of_its_spaces_as_they_change() {
    let house = House::new();
    let owner = house.owner().await;
    let other = house.person(&owner, "Otto").await;
    let response = house.ask(&other, Method::GET, "/api/events").send().await.unwrap();
    let mut events = Events { response, rest: Vec::new() };
    let space = house.space(&owner, "here", &[&other]).await;
    assert_eq!(events.named("space").await.data["id"], json!(space));
    house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": "hello"})).await;
    let mut event = events.named("space").await;
    while event.data["unread"] != 1 {
        event = events.named("space").await;
    }
    let out = house.ask(&owner, Method::DELETE, &format!("/api/spaces/{space}/members/{}", other.id)).send().await.unwrap();
    assert_eq!(out.status(), 204);
    assert_eq!(events.named("left").await.data["space"], json!(space));
}
