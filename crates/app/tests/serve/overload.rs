//! More than the house can do: refused before anything is done, in words that a client understands, and over when it is over.

use crate::dropin::Upstream;
use crate::house::{House, text};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

#[tokio::test]
async fn what_there_is_no_room_for_is_refused_whole_and_the_house_recovers() {
    let house = House::with("[server]\nrequests_at_once = 4\nrequests_per_second = 1000000.0\n", &[]);
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    // Answers that do not end keep their place.
    let slow = json!({"model": "offline", "messages": [{"role": "user", "content": "!stall 30\n!say late"}]});
    let place = || {
        let request = house.ask(&owner, Method::POST, "/v1/chat/completions").json(&slow);
        // Until it has its place: others may be in it for a moment.
        tokio::spawn(async move { while request.try_clone().unwrap().send().await.is_ok_and(|answer| answer.status() == 503) {} })
    };
    let going: Vec<_> = (0..4).map(|_| place()).collect();
    let refused = loop {
        let answer = house.ask(&owner, Method::GET, "/api/session").send().await.unwrap();
        if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
            break answer;
        }
    };
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(refused.json::<Value>().await.unwrap()["code"], "busy");
    // Each of the imitated APIs says it in its own way.
    let hello = json!([{"role": "user", "content": "hello"}]);
    for (path, body, status, code) in [
        ("/v1/chat/completions", json!({"model": "offline", "messages": hello}), 503, "/error/code"),
        ("/v1/responses", json!({"model": "offline", "input": "hello"}), 503, "/error/code"),
        ("/v1/messages", json!({"model": "offline", "max_tokens": 9, "messages": hello}), 529, "/error/type"),
        ("/v1/models", Value::Null, 503, "/error/code"),
    ] {
        let method = if body.is_null() { Method::GET } else { Method::POST };
        let answer = house.ask(&owner, method, path).json(&body).send().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.headers().contains_key("retry-after")), (status, true), "{path}");
        let told: Value = answer.json().await.unwrap();
        let word = told.pointer(code).and_then(Value::as_str).unwrap_or_else(|| panic!("{path}: {told}"));
        assert!(word.contains("overloaded"), "{path}: {told}");
    }
    // Nothing of what was refused was done, also not under its key.
    let post = |key: &str| {
        let request = house.ask(&owner, Method::POST, &format!("/api/spaces/{space}/messages"));
        request.header("idempotency-key", key.to_owned()).json(&json!({"text": "!say heard"}))
    };
    assert_eq!(post("k").send().await.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
    // Health answers whatever happens.
    assert_eq!(house.nobody(Method::GET, "/healthz").send().await.unwrap().status(), StatusCode::OK);
    going.into_iter().for_each(|request| request.abort());
    let answer = loop {
        let answer = post("k").send().await.unwrap();
        if answer.status() != StatusCode::SERVICE_UNAVAILABLE {
            break answer;
        }
    };
    assert_eq!(answer.status(), StatusCode::CREATED);
    let page = house.get(&owner, &format!("/api/spaces/{space}/messages")).await;
    let said = page["messages"].as_array().unwrap().iter().filter(|said| said.to_string().contains("!say heard")).count();
    assert_eq!(said, 1, "{page}");
}

/// Whoever shows nothing at the door takes no place from those who do, and neither does whoever waits for work.
#[tokio::test]
async fn neither_strangers_nor_programs_that_wait_take_the_room_of_others() {
    let house = House::with("[server]\nrequests_at_once = 8\n", &[]);
    let owner = house.owner().await;
    let agent = house.post(&owner, "/api/agents", &json!({"name": "Robo", "external": true})).await;
    let body = json!({"name": "its program", "entity": text(&agent["id"])});
    let token = text(&house.post(&owner, "/api/tokens", &body).await["secret"]);
    let waiting: Vec<_> =
        (0..20).map(|_| tokio::spawn(house.nobody(Method::POST, "/api/runs/take?wait=20").bearer_auth(&token).send())).collect();
    // Bodies that never come to their end.
    let mut bodies = Vec::new();
    for _ in 0..20 {
        let mut stream = tokio::net::TcpStream::connect(house.url.trim_start_matches("http://")).await.unwrap();
        let head = format!(
            "POST /api/services/build HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer made-up\r\nContent-Length: 100\r\n\r\n{{",
            house.url.trim_start_matches("http://")
        );
        tokio::io::AsyncWriteExt::write_all(&mut stream, head.as_bytes()).await.unwrap();
        bodies.push(stream);
    }
    for _ in 0..20 {
        assert_eq!(house.ask(&owner, Method::GET, "/api/session").send().await.unwrap().status(), StatusCode::OK);
    }
    waiting.into_iter().for_each(|request| request.abort());
}

/// The rate of an account is told in the words of the API, too, and nothing is sent to the provider.
#[tokio::test]
async fn an_account_that_asks_too_often_is_told_so_by_the_imitated_api() {
    let up = Upstream::new(200, "application/json", "{}").await;
    let config = format!("[server]\nrequests_per_second = 0.5\n{}", up.config("openai"));
    let house = House::with(&config, &[]);
    let token = house.owner().await;
    let body = json!({"model": "up/big", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]});
    let refused = loop {
        let before = up.count();
        let answer = house.ask(&token, Method::POST, "/v1/messages").json(&body).send().await.unwrap();
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(up.count(), before);
            break answer;
        }
    };
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refused.json::<Value>().await.unwrap()["error"]["type"], "rate_limit_error");
}

/// Files that come slowly hold what they sent, and nobody up.
#[tokio::test]
async fn slow_imports_leave_room_for_others() {
    use std::io::Write;
    let house = House::new();
    let owner = house.owner().await;
    let at = house.url.trim_start_matches("http://");
    let slow: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(at).unwrap();
            let token = &owner.token;
            write!(
                stream,
                "POST /api/import HTTP/1.1\r\nhost: {at}\r\nauthorization: Bearer {token}\r\ncontent-length: 99999\r\n\r\nx"
            )
            .unwrap();
            stream
        })
        .collect();
    // Until they are under way.
    until(&house, &owner, "weft_under_way", |under_way| under_way >= 4.0).await;
    let file = json!({"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]});
    let came = house.ask(&owner, Method::POST, "/api/import").json(&file).send().await.unwrap();
    assert_eq!(came.status(), StatusCode::CREATED, "{}", came.text().await.unwrap());
    drop(slow);
}

/// Whenever a client leaves, its key is free or has its answer soon after.
#[tokio::test]
async fn no_key_stays_taken_by_somebody_who_left() {
    let house = House::with("[server]\nrequests_per_second = 1000000.0\n", &[]);
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let post = |key: usize| {
        let body = json!({"model": "offline", "messages": [{"role": "user", "content": "!say hello"}]});
        let request = house.ask(&owner, Method::POST, "/v1/chat/completions").header("weft-space", &space);
        request.header("idempotency-key", format!("left-{key}")).json(&body)
    };
    for key in 0..40 {
        let leaving = tokio::time::timeout(std::time::Duration::from_micros(250 * key as u64), post(key).send());
        let _ = leaving.await;
        let began = std::time::Instant::now();
        while post(key).send().await.unwrap().status() == StatusCode::CONFLICT {
            assert!(began.elapsed().as_secs() < 20, "{key} is still taken");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
    let page = house.get(&owner, &format!("/api/spaces/{space}/path?limit=200")).await;
    assert_eq!(page["nodes"].as_array().map(Vec::len), Some(80), "each was said and answered once");
}

/// A request that announces `size` bytes, sends `part` of them, and goes no further.
fn dawdling(house: &House, token: &str, path: &str, size: usize, part: usize) -> std::net::TcpStream {
    use std::io::Write;
    let at = house.url.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(at).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {at}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {size}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&vec![b' '; part])).unwrap();
    stream
}

/// What `/metrics` says of a name.
async fn number(house: &House, owner: &crate::house::Person, name: &str) -> f64 {
    let numbers = house.ask(owner, Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    let line = numbers.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    line.unwrap_or_else(|| panic!("no {name} in {numbers}"))
}

/// Waits until a number is as it is wanted; what never comes fails.
async fn until(house: &House, owner: &crate::house::Person, name: &str, wanted: impl Fn(f64) -> bool) {
    let began = std::time::Instant::now();
    loop {
        let now = number(house, owner, name).await;
        if wanted(now) {
            return;
        }
        assert!(began.elapsed().as_secs() < 60, "{name} stays at {now}");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

const IN_HAND: &str = "weft_body_bytes{load=\"usual\"}";

/// Large requests are bounded in their sum, one account leaves room for others, and small ones always have it.
#[tokio::test]
async fn large_requests_have_room_together_and_small_ones_always() {
    const MEBI: usize = 1 << 20;
    let house = House::with("[server]\nbody_mebibytes = 8\nrequests_per_second = 1000000.0\n", &[]);
    let owner = house.owner().await;
    let (ann, bob) = (house.person(&owner, "Ann").await, house.person(&owner, "Bob").await);
    let ask = |who: &crate::house::Person, path: &str, size: usize| {
        let text = format!("!say short{}", " ".repeat(size));
        let body = json!({"model": "offline", "max_tokens": 9, "messages": [{"role": "user", "content": text}]});
        house.ask(who, Method::POST, path).json(&body).send()
    };
    // Ann's fill her half. Each holds what it sent, less what is small.
    let mut slow: Vec<_> =
        (0..3).map(|_| dawdling(&house, &ann.token, "/v1/chat/completions", 2 * MEBI, MEBI + (128 << 10))).collect();
    until(&house, &owner, IN_HAND, |bytes| bytes >= 3.0 * MEBI as f64).await;
    let refused = ask(&ann, "/v1/chat/completions", 2 * MEBI).await.unwrap();
    assert_eq!((refused.status(), refused.headers()["retry-after"].to_str().unwrap()), (StatusCode::TOO_MANY_REQUESTS, "5"));
    assert_eq!(refused.json::<Value>().await.unwrap()["error"]["type"], "rate_limit_error");
    // Others have room, until all of it is taken: by bodies of the API, too.
    assert_eq!(ask(&bob, "/v1/messages", 2 * MEBI).await.unwrap().status(), StatusCode::OK);
    slow.extend((0..4).map(|_| dawdling(&house, &owner.token, "/api/spaces", MEBI, MEBI - 1)));
    slow.push(dawdling(&house, &ann.token, "/v1/embeddings", MEBI, MEBI - 1));
    until(&house, &owner, IN_HAND, |bytes| bytes >= 7.0 * MEBI as f64).await;
    for (path, status) in [("/v1/chat/completions", 503), ("/v1/messages", 529), ("/v1/messages/count_tokens", 529)] {
        let refused = ask(&bob, path, 2 * MEBI).await.unwrap();
        assert_eq!((refused.status().as_u16(), refused.headers().contains_key("retry-after")), (status, true), "{path}");
    }
    let large = json!({"name": "x".repeat(MEBI - 99)});
    let refused = house.ask(&bob, Method::POST, "/api/spaces").json(&large).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    // What is small is never refused for it.
    let small: Vec<_> = (0..100).map(|_| tokio::spawn(ask(&ann, "/v1/chat/completions", 100 << 10))).collect();
    for small in small {
        assert_eq!(small.await.unwrap().unwrap().status(), StatusCode::OK);
    }
    // What could never have room is too large.
    assert_eq!(ask(&bob, "/v1/chat/completions", 5 * MEBI).await.unwrap().status(), StatusCode::PAYLOAD_TOO_LARGE);
    drop(slow);
    until(&house, &owner, IN_HAND, |bytes| bytes == 0.0).await;
    assert_eq!(ask(&ann, "/v1/chat/completions", 2 * MEBI).await.unwrap().status(), StatusCode::OK);
    assert_eq!(number(&house, &owner, IN_HAND).await, 0.0, "an answer that ended leaves nothing in hand");
}
