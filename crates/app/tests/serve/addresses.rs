//! Addresses that are not the owner's machine's business: whatever way they are written, nothing private is connected to.

use crate::house::{House, Person, text};
use reqwest::{Method, StatusCode};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A door that counts who comes, and answers each with the same.
async fn door(address: &str, answer: String) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(address).await.unwrap();
    let (port, came) = (listener.local_addr().unwrap().port(), Arc::<AtomicUsize>::default());
    let count = came.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (port, came)
}

async fn set(house: &House, who: &Person, agent: &str, url: &str) -> StatusCode {
    let request = house.ask(who, Method::PUT, &format!("/api/agents/{agent}/push"));
    request.json(&json!({"url": url})).send().await.unwrap().status()
}

async fn external(house: &House, owner: &Person, name: &str) -> String {
    text(&house.post(owner, "/api/agents", &json!({"name": name, "external": true})).await["id"])
}

#[tokio::test]
async fn an_address_that_is_private_in_any_spelling_is_not_taken() {
    let house = House::new();
    let owner = house.owner().await;
    let agent = external(&house, &owner, "Robo").await;
    for url in [
        "http://127.0.0.1:9999/",
        "http://127.1:9999/",
        "http://2130706433:9999/",
        "http://0x7f000001:9999/",
        "http://0x7f.0.0.1:9999/",
        "http://0177.0.0.1:9999/",
        "http://0:9999/",
        "http://localhost:9999/",
        "http://localhost.:9999/",
        "http://sub.localhost:9999/",
        "http://[::1]:9999/",
        "http://[::]:9999/",
        "http://[::ffff:127.0.0.1]:9999/",
        "http://[::ffff:7f00:1]:9999/",
        "http://[64:ff9b::7f00:1]:9999/",
        "http://[2002:7f00:1::]:9999/",
        "http://[fe80::1]:9999/",
        "http://[fd00::1]:9999/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://0xa9fea9fe/",
        "http://①②⑦.⓪.⓪.①:9999/",
        "http://user:pass@example.org/",
        "http://example.org:22/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "not an address",
    ] {
        assert_eq!(set(&house, &owner, &agent, url).await, StatusCode::BAD_REQUEST, "{url}");
    }
    assert_eq!(set(&house, &owner, &agent, "https://example.org/hook").await, StatusCode::OK);
}

/// What a name leads to is known only when it is connected to, and where an answer points only when it came.
#[tokio::test]
async fn a_name_or_a_redirect_that_leads_to_a_private_address_is_not_followed() {
    let (secret_port, came) = door("127.0.0.2:0", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".into()).await;
    let moved = format!(
        "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.2:{secret_port}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let (open_port, told) = door("127.0.0.1:0", moved).await;
    let house = House::with("[server]\nopen_addresses = [\"127.0.0.1\"]\n", &[]);
    let owner = house.owner().await;
    // A name of this machine that its own table resolves.
    let names = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    let name = names.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        line.split_whitespace().nth(1).filter(|name| !name.contains("localhost") && !name.contains(':')).map(str::to_owned)
    });
    for (who, address) in [
        ("Ada", format!("http://127.0.0.1:{open_port}/")),
        ("Bo", format!("http://{}:{secret_port}/", name.as_deref().unwrap_or("example.org"))),
    ] {
        let agent = external(&house, &owner, who).await;
        assert_eq!(set(&house, &owner, &agent, &address).await, StatusCode::OK, "{address}");
        let space = house.post(&owner, "/api/spaces", &json!({"name": who, "members": [agent]})).await;
        let space = text(&space["space"]["id"]);
        house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": "look", "answer": "wake"})).await;
    }
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while told.load(Ordering::SeqCst) == 0 {
        assert!(std::time::Instant::now() < patience, "the open address was never told");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    // Both are told in one go: whoever is not here by now was not connected to.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(came.load(Ordering::SeqCst), 0);
}
