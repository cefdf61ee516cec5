//! Memory that stays flat: every kind of request for minutes, and what the server holds before and after.

use crate::client::{Kind, Place};
use crate::server::Server;
use std::time::{Duration, Instant};

const USUAL: u64 = 600;
/// The share of the time that is for warming up.
const WARM: f64 = 0.3;
/// How much more memory may be held at the end than after warming up.
const GROWTH: f64 = 1.10;
const CLIENTS: usize = 8;

pub(crate) async fn run() -> bool {
    let seconds = std::env::var("WEFT_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(USUAL);
    let span = Duration::from_secs(seconds);
    let server = Server::start(None).await;
    let place = Place::make(&server).await;
    let began = Instant::now();
    let asking: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let place = place.clone();
            tokio::spawn(async move {
                let (mut asked, mut failed) = (0usize, 0usize);
                while began.elapsed() < span {
                    let kind = Kind::ALL[(client + asked) % Kind::ALL.len()];
                    failed += usize::from(place.once(kind).await.is_none());
                    asked += 1;
                }
                (asked, failed)
            })
        })
        .collect();
    let (mut held, mut with_files) = (Vec::new(), 0.0);
    while began.elapsed() < span {
        tokio::time::sleep(Duration::from_secs(1)).await;
        held.push(server.own_megabytes());
        with_files = server.megabytes();
    }
    let (mut asked, mut failed) = (0, 0);
    for client in asking {
        let (more, not) = client.await.expect("a client");
        (asked, failed) = (asked + more, failed + not);
    }
    let warm = (held.len() as f64 * WARM) as usize;
    let tenth = (held.len() / 10).max(1);
    let before = middle(&held[warm..(warm + tenth).min(held.len())]);
    let after = middle(&held[held.len() - tenth..]);
    let kept = after <= before * GROWTH && failed == 0;
    println!("{asked} requests in {seconds} s, {failed} failed");
    println!("memory {before:.1} MB after warming up, {after:.1} MB at the end: {}", if kept { "flat" } else { "NOT FLAT" });
    println!("(of its own; with the pages of files that are mapped, the growing database among them, {with_files:.1} MB)");
    kept
}

fn middle(some: &[f64]) -> f64 {
    let mut sorted = some.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
