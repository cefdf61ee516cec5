//! What is tried against a server: forged origins and hosts, oversized and deep bodies, text that would be a script, keys that
//! would be found in logs.

use crate::house::{House, cookie, good, text};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

#[tokio::test]
async fn a_page_elsewhere_changes_nothing_with_somebodys_session() {
    let house = House::new();
    let joined = house.nobody(Method::POST, "/api/session").json(&json!({"invitation": house.invitation(), "name": "Olga"}));
    let cookie = cookie(&joined.send().await.unwrap());
    let own = house.url.clone();
    let cases = [
        (Some(own.as_str()), 201),
        (None, 403),
        (Some("null"), 403),
        (Some("https://evil.example"), 403),
        (Some("http://127.0.0.1:1"), 403),
        (Some("http://localhost.evil.example"), 403),
    ];
    for (origin, status) in cases {
        let mut request = house.nobody(Method::POST, "/api/spaces").header("cookie", &cookie).json(&json!({"name": "x"}));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        assert_eq!(request.send().await.unwrap().status().as_u16(), status, "{origin:?}");
    }
    // A form of another page cannot send JSON; what it can send is not taken.
    let form = house.nobody(Method::POST, "/api/spaces").header("cookie", &cookie).header("origin", &own);
    let form = form.header("content-type", "text/plain").body(r#"{"name":"x"}"#).send().await.unwrap();
    assert_eq!(form.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    // A session is nobody at the drop-in endpoints.
    let drop_in = house.nobody(Method::GET, "/v1/models").header("cookie", &cookie).send().await.unwrap();
    assert_eq!(drop_in.status(), StatusCode::UNAUTHORIZED);
}

/// What a server answers to these very bytes.
fn raw(house: &House, request: &str) -> String {
    let mut stream = TcpStream::connect(house.url.trim_start_matches("http://")).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_name_that_is_not_ours_reaches_nothing() {
    let house = House::with("", &["--demo"]);
    let port = house.url.rsplit(':').next().unwrap();
    let cases = [
        (format!("Host: 127.0.0.1:{port}\r\n"), "200"),
        (format!("Host: localhost:{port}\r\n"), "200"),
        ("Host: evil.example\r\n".to_owned(), "421"),
        (format!("Host: evil.example:{port}\r\n"), "421"),
        ("Host: 169.254.169.254\r\n".to_owned(), "421"),
        (format!("Host: localhost:{port}\r\nHost: evil.example\r\n"), "421"),
        (String::new(), "421"),
    ];
    for (host, status) in cases {
        let first = raw(&house, &format!("GET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n"));
        assert!(first.contains(status) || (status == "421" && first.contains("400")), "{host:?}: {first}");
    }
    // The same with an address in the first line.
    let first = raw(&house, "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(first.contains("421"), "{first}");
}

#[tokio::test]
async fn too_large_and_too_deep_is_refused_before_it_is_parsed() {
    let house = House::new();
    let owner = house.owner().await;
    let send = async |body: String| {
        // A server that has heard enough closes the connection: the next request needs a new one.
        let fresh = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
        let request = fresh
            .post(format!("{}/api/spaces", house.url))
            .bearer_auth(&owner.token)
            .header("content-type", "application/json")
            .body(body);
        request.send().await.map(|answer| answer.status().as_u16())
    };
    assert_eq!(send(format!(r#"{{"name":"{}"}}"#, "a".repeat(2 << 20))).await.ok(), Some(413));
    assert_eq!(send("[".repeat(100_000)).await.ok(), Some(400));
    assert_eq!(send(format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000))).await.ok(), Some(400));
    let long = house.space(&owner, "here", &[]).await;
    let message = json!({"text": "a".repeat(70_000)});
    let asked = house.ask(&owner, Method::POST, &format!("/api/spaces/{long}/messages")).json(&message).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::PAYLOAD_TOO_LARGE);
    for id in ["%00", "a%0ab", &"x".repeat(300), "..%2f..%2fetc", "%ff"] {
        let asked = house.ask(&owner, Method::GET, &format!("/api/spaces/{id}")).send().await.unwrap();
        assert!(matches!(asked.status().as_u16(), 400 | 404), "{id}: {}", asked.status());
    }
}

#[tokio::test]
async fn text_that_would_be_a_script_stays_text() {
    let house = House::new();
    let owner = house.owner().await;
    let script = "<script>alert(1)</script><img src=x onerror=alert(1)>\" onmouseover=alert(1) javascript:alert(1)";
    let made = house.post(&owner, "/api/spaces", &json!({"name": script})).await;
    let space = text(&made["space"]["id"]);
    house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": script})).await;
    let invitation = house.post(&owner, "/api/invitations", &json!({"space": space})).await;
    let link = text(&invitation["secret"]);
    let page = house.http.get(&link).header("accept", "text/html").send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
    let html = page.text().await.unwrap();
    assert!(html.contains("<title>Weft") && !html.contains("alert(1)"), "the page holds nothing of anybody: {html}");
    for path in [format!("/api/spaces/{space}/messages"), "/api/spaces".into(), format!("/api/spaces/{space}")] {
        let answer = house.ask(&owner, Method::GET, &path).send().await.unwrap();
        assert_eq!(answer.headers()["content-type"], "application/json", "{path}");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff", "{path}");
    }
}

#[tokio::test]
async fn secrets_are_in_no_log_no_list_and_no_file() {
    let mut house = House::with("", &["--log", "json"]);
    let owner = house.owner().await;
    let invitation = text(&house.post(&owner, "/api/invitations", &json!({})).await["secret"]);
    let token = text(&house.post(&owner, "/api/tokens", &json!({"name": "t"})).await["secret"]);
    let again = house.ask(&owner, Method::POST, "/api/tokens").header("idempotency-key", "t").json(&json!({"name": "u"}));
    let kept = text(&good(again.try_clone().unwrap()).await["secret"]);
    assert_eq!(good(again).await.get("secret"), None, "a secret is shown once");
    let canary = "sk-canary-0123456789";
    let _ =
        house.nobody(Method::POST, "/v1/chat/completions").bearer_auth(canary).json(&json!({"model": "gpt-4o", "messages": []}));
    let _ = house.nobody(Method::GET, "/api/spaces").bearer_auth(canary).send().await;
    house.stop();
    let mut places = vec![("the log".to_owned(), house.log().into_bytes())];
    for entry in std::fs::read_dir(house.folder.path().join("weft")).unwrap() {
        let path = entry.unwrap().path();
        places.push((path.display().to_string(), std::fs::read(&path).unwrap()));
    }
    let secrets = [&owner.token, &token, &kept, &canary.to_owned(), &invitation.rsplit('/').next().unwrap().to_owned()];
    for (place, bytes) in &places {
        // The first link is printed, once, for whoever starts the server; nothing else is.
        for secret in secrets {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} is in {place}");
        }
    }
}

#[tokio::test]
async fn an_account_that_asks_too_often_waits_and_others_do_not() {
    let house = House::with("[server]\nrequests_per_second = 5.0\n", &[]);
    let owner = house.owner().await;
    let other = house.person(&owner, "Otto").await;
    let mut refused = None;
    for _ in 0..60 {
        let answer = house.ask(&owner, Method::GET, "/api/session").send().await.unwrap();
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("a limit");
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refused.json::<Value>().await.unwrap()["code"], "too_many");
    assert_eq!(house.ask(&other, Method::GET, "/api/session").send().await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn whoever_was_taken_out_does_not_come_back_by_their_own_invitation() {
    let house = House::new();
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let space = house.space(&owner, "here", &[&member]).await;
    let made = house.post(&member, "/api/invitations", &json!({"space": space})).await;
    let out = house.ask(&owner, Method::DELETE, &format!("/api/spaces/{space}/members/{}", member.id)).send().await.unwrap();
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    let secret = text(&made["secret"]).rsplit('/').next().unwrap().to_owned();
    let body = json!({"invitation": secret, "name": "Nobody you know"});
    let tried = house.nobody(Method::POST, "/api/session").json(&body).send().await.unwrap();
    assert_eq!(tried.status(), StatusCode::GONE);
}

#[tokio::test]
async fn a_member_takes_out_nobody_but_themselves() {
    let house = House::new();
    let owner = house.owner().await;
    let (member, other) = (house.person(&owner, "Mina").await, house.person(&owner, "Otto").await);
    let space = house.space(&owner, "here", &[&member, &other]).await;
    let out = async |whom: &str| {
        let path = format!("/api/spaces/{space}/members/{whom}");
        house.ask(&member, Method::DELETE, &path).send().await.unwrap().status().as_u16()
    };
    assert_eq!([out(&other.id).await, out(&owner.id).await, out(&member.id).await], [403, 403, 204]);
}

#[tokio::test]
async fn a_program_of_an_agent_acts_in_its_runs_and_nowhere_else() {
    let house = House::new();
    let owner = house.owner().await;
    let agent = house.post(&owner, "/api/agents", &json!({"name": "Robo", "external": true})).await;
    let id = text(&agent["id"]);
    let space = house.space(&owner, "here", &[]).await;
    let joined = house.ask(&owner, Method::PUT, &format!("/api/spaces/{space}/members/{id}")).send().await.unwrap();
    assert_eq!(joined.status(), StatusCode::OK);
    let token = text(&house.post(&owner, "/api/tokens", &json!({"name": "robo", "entity": id})).await["secret"]);
    let status = async |method: Method, path: &str, body: Value| {
        house.nobody(method, path).bearer_auth(&token).json(&body).send().await.unwrap().status().as_u16()
    };
    let messages = format!("/api/spaces/{space}/messages");
    assert_eq!(status(Method::POST, &messages, json!({"text": "out of turn"})).await, 403);
    assert_eq!(status(Method::PATCH, &format!("/api/spaces/{space}"), json!({"confidential": false})).await, 403);
    assert_eq!(status(Method::POST, "/api/invitations", json!({"space": space})).await, 403);
    assert_eq!(status(Method::GET, &messages, json!({})).await, 200);
    assert_eq!(status(Method::POST, "/api/runs/take", json!({})).await, 200);
}

#[tokio::test]
async fn what_an_agent_is_told_is_for_whoever_manages_it() {
    let house = House::new();
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let body = json!({"members": [member.id], "agent": {"model": "offline", "systemPrompt": "CANARY-PROMPT"}});
    let space = text(&house.post(&owner, "/api/spaces", &body).await["space"]["id"]);
    let posted =
        house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": "!say a", "answer": "reply"})).await;
    crate::messages::ended(&house, &owner, &space, &text(&posted["reply"])).await;
    let calls = house.get(&owner, &format!("/api/spaces/{space}/calls")).await;
    let call = text(&calls["calls"][0]["id"]);
    let seen = async |who, method: Method, path: String| {
        let request = house.ask(who, method.clone(), &path);
        let request = if method == Method::POST { request.json(&json!({"answer": "reply"})) } else { request };
        request.send().await.unwrap().text().await.unwrap().contains("CANARY-PROMPT")
    };
    for (method, path) in [
        (Method::GET, format!("/api/spaces/{space}/export")),
        (Method::POST, format!("/api/spaces/{space}/assemble")),
        (Method::GET, format!("/api/spaces/{space}/calls/{call}/request")),
    ] {
        assert!(seen(&owner, method.clone(), path.clone()).await, "{path}: an owner sees it");
        assert!(!seen(&member, method, path.clone()).await, "{path}: a member does not");
    }
}

#[tokio::test]
async fn the_query_is_part_of_what_a_key_stands_for() {
    let house = House::new();
    let owner = house.owner().await;
    let file = r#"{"messages":[{"role":"user","content":"Hello"}]}"#;
    let take = async |path: &str| {
        let request = house.ask(&owner, Method::POST, path).header("idempotency-key", "i").body(file);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(take("/api/import?dryRun=true").await, 200);
    assert_eq!(take("/api/import?dryRun=true").await, 200);
    assert_eq!(take("/api/import").await, 409);
}

#[tokio::test]
async fn a_revoked_token_ends_the_streams_that_it_opened() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.space(&owner, "here", &[]).await;
    let made = house.post(&owner, "/api/tokens", &json!({"name": "watcher"})).await;
    let watcher = crate::house::Person { id: owner.id.clone(), token: text(&made["secret"]) };
    let mut events = crate::live::Events::open(&house, &watcher, &space, None).await;
    let gone = house.ask(&owner, Method::DELETE, &format!("/api/tokens/{}", text(&made["id"]))).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    while events.next().await.is_some() {}
}
