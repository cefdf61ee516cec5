//! Two processes on one PostgreSQL behind a simple proxy: either may die at any moment. Nothing that was acknowledged is lost,
//! nothing is said twice, and clients recover by trying again.

use crate::house::{House, text};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

/// A database of its own on the server of the tests.
fn database() -> String {
    let server = std::env::var("WEFT_TEST_POSTGRES").expect("run by scripts/with-postgres.sh");
    let name = format!("weft_serve_{}", std::process::id());
    let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("PostgreSQL runs");
    client.batch_execute(&format!("CREATE DATABASE {name}")).expect("a database");
    server.rsplit_once('/').map(|(before, _)| format!("{before}/{name}")).expect("an address")
}

/// Hands connections to whichever of the backends takes them, in turn.
async fn proxy(backends: Arc<Mutex<Vec<String>>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let turn = AtomicUsize::new(0);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let list = backends.lock().unwrap().clone();
            let first = turn.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(async move {
                for number in 0..list.len() {
                    let at = &list[(first + number) % list.len()];
                    if let Ok(mut server) = TcpStream::connect(at).await {
                        let _ = copy_bidirectional(&mut client, &mut server).await;
                        return;
                    }
                }
            });
        }
    });
    url
}

#[test]
fn either_of_two_processes_may_die_under_load() {
    let db = database();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let config = "[server]\nrequests_per_second = 100000.0\n";
        let mut houses = [House::with(config, &["--db", &db]), House::with(config, &["--db", &db])];
        // Each of them printed a link; the later one is good.
        let owner = houses[1].owner().await;
        let space = houses[0].space(&owner, "here", &[]).await;
        let addresses: Vec<String> = houses.iter().map(|house| house.url.trim_start_matches("http://").to_owned()).collect();
        let backends = Arc::new(Mutex::new(addresses));
        let url = proxy(backends).await;
        let (rounds, each) = (4usize, 25usize);
        let post = async |key: String| {
            loop {
                // A new connection each time: the proxy may choose anew.
                let http = Client::builder().pool_max_idle_per_host(0).timeout(Duration::from_secs(10)).build().unwrap();
                let request = http.request(Method::POST, format!("{url}/api/spaces/{space}/messages")).bearer_auth(&owner.token);
                let sent = request.header("idempotency-key", &key).json(&json!({"text": key})).send().await;
                if sent.is_ok_and(|answer| answer.status() == 201) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        };
        for round in 0..rounds {
            let load = async {
                for number in 0..each {
                    futures_util::future::join_all((0..2).map(|lane| post(format!("{round}-{number}-{lane}")))).await;
                }
            };
            let killing = async {
                tokio::time::sleep(Duration::from_millis(150)).await;
                let victim = round % houses.len();
                tokio::task::block_in_place(|| houses[victim].restart());
            };
            tokio::join!(load, killing);
        }
        let mut said: Vec<String> = Vec::new();
        let mut after = 0;
        loop {
            let page: Value = houses[0].get(&owner, &format!("/api/spaces/{space}/nodes?after={after}&limit=500")).await;
            said.extend(page["nodes"].as_array().unwrap().iter().map(|one| text(&one["node"]["parts"][0]["text"])));
            match page["next"].as_i64() {
                Some(next) => after = next,
                None => break,
            }
        }
        let once: BTreeSet<&String> = said.iter().collect();
        assert_eq!((said.len(), once.len()), (rounds * each * 2, rounds * each * 2));
    });
}
