//! The life of a server: what it sees, how it is lost, how it ends.

use crate::bench::{Bench, HttpServer, Kind, Sdk, Way, lines, new_file, on_every_server, text};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use weftwork_gateway::tools::{Loss, Outcome, ServerState};

on_every_server!(a_call_that_was_lost_is_not_run_again);

async fn a_call_that_was_lost_is_not_run_again(kind: Kind) {
    let mut bench = Bench::new(kind);
    let file = new_file();
    let ran = bench.call("crash", json!({"file": file})).await;
    let Outcome::Unknown(Loss::Server { last_words, .. }) = &ran.outcome else { panic!("{ran:?}") };
    assert!(text(&ran).contains("Whether it took effect is unknown"), "{}", text(&ran));
    if kind.way == Way::Stdio {
        assert_eq!(last_words.0, "about to crash");
    }
    if let Some(mut server) = bench.http.take() {
        server.wait();
        let port = server.port;
        bench.http = Some(HttpServer::start(kind.sdk, port));
    }
    assert_eq!(text(&bench.call("echo", json!({"text": "back"})).await), "back");
    assert_eq!(lines(&file), 1);
}

/// A server that was started anew does not know us. It is greeted again, and nothing ran twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_session_is_made_anew() {
    for sdk in [Sdk::Python, Sdk::Node] {
        let mut bench = Bench::new(Kind { sdk, way: Way::Http, protocol: "2025-11-25" });
        assert_eq!(text(&bench.call("echo", json!({"text": "a"})).await), "a");
        let port = bench.http.take().unwrap().port;
        bench.http = Some(HttpServer::start(sdk, port));
        let file = new_file();
        let first = bench.call("counter", json!({"file": file})).await;
        let ran = usize::from(matches!(first.outcome, Outcome::Done));
        assert_eq!(lines(&file), ran, "{first:?}");
        assert_eq!(text(&bench.call("counter", json!({"file": file})).await), "counted");
        assert_eq!(lines(&file), ran + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_does_not_see_our_keys() {
    for sdk in [Sdk::Python, Sdk::Node] {
        let bench = Bench::new(Kind { sdk, way: Way::Stdio, protocol: "2025-11-25" });
        let seen = bench.call("env", json!({})).await;
        let seen: Vec<String> = serde_json::from_str(text(&seen)).unwrap();
        let harmless = ["HOME", "LANG", "LANGUAGE", "LOGNAME", "MCP_PACKAGES", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
        let surprising =
            |name: &&String| !harmless.contains(&name.as_str()) && !name.starts_with("LC_") && !name.starts_with("XDG_");
        assert_eq!(seen.iter().find(surprising), None, "{seen:?}");
        assert!(seen.iter().any(|name| name == "PATH") && seen.iter().any(|name| name == "MCP_PACKAGES"), "{seen:?}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_started_ends_with_the_toolbox() {
    for (sdk, closed) in [(Sdk::Python, false), (Sdk::Python, true), (Sdk::Node, false), (Sdk::Node, true)] {
        let bench = Bench::new(Kind { sdk, way: Way::Stdio, protocol: "2025-11-25" });
        let started = text(&bench.call("spawn", json!({})).await).to_owned();
        assert!(lives(&started), "{started}");
        if closed {
            bench.toolbox.close().await;
        } else {
            drop(bench);
        }
        let mut tick = tokio::time::interval(Duration::from_millis(10));
        let gone = async {
            while lives(&started) {
                tick.tick().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), gone)
            .await
            .unwrap_or_else(|_| panic!("{sdk:?} {closed}: {started} lives on"));
    }
}

/// Whether a process runs; one that has ended and is not yet taken note of does not.
#[cfg(target_os = "linux")]
fn lives(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Headers hold keys. A server that sends us elsewhere does not get them carried there.
#[tokio::test(flavor = "multi_thread")]
async fn headers_are_for_the_server_they_were_written_for() {
    let (here, elsewhere) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let url = |listener: &TcpListener| format!("http://{}/mcp", listener.local_addr().unwrap());
    let bench = Bench::of(&format!("[mcp.s]\nurl = {:?}\nheaders = {{ X-Key = \"k $OPENAI_API_KEY\" }}", url(&here)));
    let redirect = format!("HTTP/1.1 307 Go\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", url(&elsewhere));
    let server = async {
        let (mut stream, _) = here.accept().await.unwrap();
        let mut head = [0; 4096];
        let count = stream.read(&mut head).await.unwrap();
        stream.write_all(redirect.as_bytes()).await.unwrap();
        String::from_utf8_lossy(&head[..count]).to_lowercase()
    };
    tokio::select! {
        _ = elsewhere.accept() => panic!("the redirect was followed"),
        (head, offered) = async { tokio::join!(server, bench.toolbox.offered()) } => {
            assert!(head.contains("x-key: k secret\r\n"), "{head}");
            assert!(offered.unwrap().is_empty());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_started_before_it_is_needed() {
    let bench = Bench::new(crate::bench::ANY);
    let state = bench.toolbox.servers().remove(0).state;
    assert!(matches!(state, ServerState::Idle), "{state:?}");
}
