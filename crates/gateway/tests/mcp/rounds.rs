//! The calls of one reply.

use crate::bench::{ANY, Bench, Kind, call, lines, new_file, on_every_server, text};
use serde_json::json;
use std::time::Duration;
use weftwork_gateway::tools::{Event, Loss, Outcome, Refusal};

on_every_server!(
    calls_run_at_once_and_their_results_keep_their_order,
    what_takes_too_long_is_given_up,
    a_stop_reaches_what_runs_and_what_waits,
);

/// The server answers none of them before it has all: they cannot have run one after the other.
async fn calls_run_at_once_and_their_results_keep_their_order(kind: Kind) {
    let mut bench = Bench::new(kind);
    bench.limits.calls = 30;
    // Different delays, so that answers come back in another order than the calls went out.
    let delays: Vec<f64> = (0..30).map(|n| f64::from(n * 7919 % 30) / 100.0 + 0.001).collect();
    let calls: Vec<_> = delays
        .iter()
        .enumerate()
        .map(|(n, delay)| call(&format!("call_{n}"), "meet", json!({"parties": 30, "after": delay})))
        .collect();
    let ran = bench.run(&calls).await;
    let finished: Vec<String> = bench.events.lock().unwrap().iter().filter_map(finished).collect();
    assert_ne!(finished, calls.iter().map(|call| call.id.clone()).collect::<Vec<_>>(), "they finished in another order");
    for (n, ran) in ran.iter().enumerate() {
        assert_eq!((ran.result.id.as_str(), text(ran)), (format!("call_{n}").as_str(), delays[n].to_string().as_str()));
    }
}

fn finished(event: &Event) -> Option<String> {
    if let Event::Finished { id, .. } = event { Some(id.clone()) } else { None }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_beyond_the_limit_are_answered_and_not_run() {
    let bench = Bench::new(ANY);
    let file = new_file();
    let calls: Vec<_> = (0..18).map(|n| call(&format!("call_{n}"), "counter", json!({"file": file}))).collect();
    let ran = bench.run(&calls).await;
    assert_eq!((ran.len(), lines(&file)), (18, 15));
    for ran in &ran[15..] {
        assert!(matches!(ran.outcome, Outcome::Refused(Refusal::TooMany { limit: 15 })), "{ran:?}");
        assert!(text(ran).contains("at most 15"), "{}", text(ran));
    }
}

async fn what_takes_too_long_is_given_up(kind: Kind) {
    let bench = Bench::with(kind, "approval = \"always\"\ntimeout_seconds = 1");
    bench.tool("slow").await;
    let ran = bench.call("slow", json!({"seconds": 600})).await;
    let Outcome::Unknown(Loss::Timeout { after }) = ran.outcome else { panic!("{ran:?}") };
    assert_eq!(after, Duration::from_secs(1));
    assert!(text(&ran).contains("Whether it took effect is unknown"), "{}", text(&ran));
    assert_eq!(text(&bench.call("echo", json!({"text": "still here"})).await), "still here");
}

async fn a_stop_reaches_what_runs_and_what_waits(kind: Kind) {
    let bench = Bench::new(kind);
    let events = |event| {
        if let Event::Progress { .. } = event {
            bench.cancel.cancel();
        }
    };
    let ran = bench.run_with(&[call("c", "slow", json!({"seconds": 600}))], &[], &events).await;
    assert!(matches!(ran[0].outcome, Outcome::Unknown(Loss::Stopped)), "{ran:?}");
    let file = new_file();
    let ran = bench.call("counter", json!({"file": file})).await;
    assert!(matches!(ran.outcome, Outcome::Refused(Refusal::Stopped)), "{ran:?}");
    assert_eq!(lines(&file), 0);
}
