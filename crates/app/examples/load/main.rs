//! How the server does under load: the real binary, asked over HTTP.
//!
//! `load` measures requests a second and latency of posting, listing, assembling and streaming, on a file and (with
//! `WEFT_TEST_POSTGRES`) on PostgreSQL; memory at rest before and after the first exact count; and the time from start to
//! the first answer. What is promised of the last two is held to. `load soak` asks for `WEFT_SOAK` seconds (600) and fails if
//! memory grows after warming up. `WEFT_BIN` is the binary (target/quick/weft).

mod client;
mod server;
mod soak;

use client::{Kind, Place, measure};
use server::Server;
use std::process::ExitCode;
use std::time::Duration;

/// What is promised: megabytes at rest before and after the first exact count, milliseconds to the first answer.
const MOST_IDLE: f64 = 40.0;
const MOST_COUNTED: f64 = 90.0;
const MOST_START: Duration = Duration::from_millis(200);

/// How long each kind of request is made, and by how many at once.
const SPAN: Duration = Duration::from_secs(5);
const CLIENTS: usize = 16;

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let kept = runtime.block_on(async {
        match std::env::args().nth(1).as_deref() {
            Some("soak") => soak::run().await,
            Some(_) | None => load().await,
        }
    });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn load() -> bool {
    let mut kept = at_rest().await;
    println!("\n{:<12}{:<10}{:>8}{:>12}{:>10}{:>10}", "database", "what", "clients", "requests/s", "p50 ms", "p99 ms");
    kept &= on("file", None).await;
    match std::env::var("WEFT_TEST_POSTGRES") {
        Ok(address) => kept &= on("PostgreSQL", Some(address)).await,
        Err(_) => println!("(PostgreSQL was not given: WEFT_TEST_POSTGRES)"),
    }
    kept
}

/// Start and memory, on a file of its own.
async fn at_rest() -> bool {
    let mut starts = Vec::new();
    for _ in 0..5 {
        starts.push(Server::start(None).await.started);
    }
    starts.sort();
    // What is said is counted when it is said: at rest is before that.
    let server = Server::start(None).await;
    let idle = server.megabytes();
    Place::make(&server).await.assemble().await;
    let counted = server.megabytes();
    println!("start to first answer   {:>7.0} ms (middle of 5; promised {})", millis(starts[2]), MOST_START.as_millis());
    println!("memory at rest          {idle:>7.1} MB (promised {MOST_IDLE})");
    println!("after an exact count    {counted:>7.1} MB (promised {MOST_COUNTED})");
    let kept = starts[2] < MOST_START && idle < MOST_IDLE && counted < MOST_COUNTED;
    if !kept {
        println!("NOT KEPT");
    }
    kept
}

async fn on(name: &str, database: Option<String>) -> bool {
    let server = Server::start(database).await;
    let place = Place::make(&server).await;
    let mut kept = true;
    for kind in [Kind::Post, Kind::List, Kind::Assemble, Kind::Stream] {
        let measured = measure(&place, kind, CLIENTS, SPAN).await;
        println!(
            "{name:<12}{:<10}{CLIENTS:>8}{:>12.0}{:>10.1}{:>10.1}{}",
            kind.word(),
            measured.per_second(),
            millis(measured.at(0.5)),
            millis(measured.at(0.99)),
            if measured.failed > 0 { format!("   {} failed", measured.failed) } else { String::new() },
        );
        kept &= measured.failed == 0;
    }
    println!("{name:<12}memory afterwards {:.1} MB", server.megabytes());
    kept
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
