//! Going down and coming back: nothing that was acknowledged is lost.

use crate::house::{House, text};
use crate::live::Events;
use crate::messages::ended;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn it_stops_within_ten_seconds_and_keeps_what_came() {
    let mut house = House::new();
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut events = Events::open(&house, &owner, &space, None).await;
    let slow = format!("!stream 5\n!say {}", "word ".repeat(400));
    let posted = house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": slow})).await;
    events.named("delta").await;
    let (good, took) = house.stop();
    assert!(good && took < Duration::from_secs(10), "{took:?}");
    // The stream has ended by then, and the reply has what came.
    while events.next().await.is_some() {}
    house.restart();
    let reply = ended(&house, &owner, &space, &text(&posted["reply"])).await;
    assert_eq!(reply["node"]["status"], "error");
    assert!(text(&reply["node"]["parts"][0]["text"]).starts_with("word"), "{reply}");
}

#[tokio::test]
async fn health_tells_nobody_anything_else() {
    let house = House::new();
    for (path, status) in [("/healthz", 200), ("/readyz", 200), ("/api/spaces", 401), ("/v1/models", 401), ("/api/events", 401)] {
        let answer = house.nobody(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{path}");
    }
}

#[tokio::test]
async fn a_crash_loses_nothing_that_was_acknowledged() {
    let mut house = House::new();
    let owner = house.owner().await;
    let space = house.space(&owner, "here", &[]).await;
    let path = format!("/api/spaces/{space}/messages");
    let mut said = Vec::new();
    for round in 0..3 {
        for number in 0..10 {
            let text = format!("{round}.{number}");
            house.post(&owner, &path, &json!({"text": text})).await;
            said.push(text);
        }
        house.restart();
    }
    let all = house.get(&owner, &format!("{path}?limit=100")).await;
    let kept: Vec<_> = all["messages"].as_array().unwrap().iter().map(|one| text(&one["node"]["parts"][0]["text"])).collect();
    assert_eq!(kept, said);
}

/// What the allocator may hold on to is settled before the server begins, in the same process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_allocator_is_told_to_give_back() {
    let variable = |house: &House| {
        let all = String::from_utf8_lossy(&house.environment()).into_owned();
        all.split('\0').find_map(|pair| pair.strip_prefix("MALLOC_ARENA_MAX=").map(str::to_owned))
    };
    assert_eq!(variable(&House::new()).as_deref(), Some("4"));
    // Whoever chose something else keeps it.
    assert_eq!(variable(&House::with_env("", &[], &[("MALLOC_ARENA_MAX", "1")])).as_deref(), Some("1"));
}
