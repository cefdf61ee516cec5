//! Who decides whether a tool runs, and about which description.

use crate::bench::{ANY, Bench, Kind, call, lines, new_file, on_every_server, text};
use serde_json::json;
use weftwork_gateway::tools::{Approval, ApproveError, Decision, Outcome, Pins, Refusal, Standing};

on_every_server!(a_tool_that_changes_is_not_run_until_it_is_approved);

async fn a_tool_that_changes_is_not_run_until_it_is_approved(kind: Kind) {
    let bench = Bench::new(kind);
    let before = bench.tool("echo").await;
    assert_eq!(before.standing, Standing::Ready { approval: Approval::Always });
    let mut changes = bench.toolbox.changes();
    assert_eq!(text(&bench.call("change", json!({})).await), "changed");
    changes.changed().await.unwrap();

    let refused = bench.call("echo", json!({"text": "x"})).await;
    assert!(matches!(refused.outcome, Outcome::Refused(Refusal::Changed { .. })), "{refused:?}");
    let after = bench.tool("echo").await;
    let Standing::Changed { was, now, difference } = &after.standing else { panic!("{after:?}") };
    assert_eq!((*was, *now), (before.fingerprint, after.fingerprint));
    assert!(difference.contains("and tells it to others"), "{difference}");
    assert_eq!(text(&bench.call("fail", json!({})).await), "it broke", "other tools are not touched");

    let stale = bench.toolbox.approve("s", "echo", before.fingerprint).await;
    assert!(matches!(stale, Err(ApproveError::Again { .. })), "only what was seen is approved: {stale:?}");
    bench.toolbox.approve("s", "echo", after.fingerprint).await.unwrap();
    assert_eq!(text(&bench.call("echo", json!({"text": "x"})).await), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pinned_tool_of_another_life_is_compared() {
    let bench = Bench::new(ANY);
    let echo = bench.tool("echo").await;
    let mut pin = bench.pins.pin("s", "echo").unwrap().unwrap();
    pin.fingerprint = [7; 32].into();
    bench.pins.put("s", "echo", pin).unwrap();
    let ran = bench.call("echo", json!({"text": "x"})).await;
    assert!(matches!(ran.outcome, Outcome::Refused(Refusal::Changed { .. })), "{ran:?}");
    bench.toolbox.approve("s", "echo", echo.fingerprint).await.unwrap();
    assert_eq!(text(&bench.call("echo", json!({"text": "x"})).await), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_asked_and_their_answer_is_kept() {
    let mut bench = Bench::with(ANY, "");
    bench.gate.by_tool =
        [("counter", Decision::Refuse), ("echo", Decision::Always), ("fail", Decision::Never), ("structured", Decision::Once)]
            .into();
    let file = new_file();
    let round = [
        call("a", "counter", json!({"file": file})),
        call("b", "echo", json!({"text": "b"})),
        call("c", "echo", json!({"text": "c"})),
        call("d", "fail", json!({})),
        call("e", "fail", json!({})),
        call("f", "structured", json!({})),
        call("g", "structured", json!({})),
    ];
    let ran = bench.run(&round).await;
    let ids: Vec<&str> = ran.iter().map(|ran| ran.result.id.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e", "f", "g"]);
    assert!(matches!(ran[0].outcome, Outcome::Refused(Refusal::ByPerson)), "{:?}", ran[0]);
    assert_eq!((text(&ran[1]), text(&ran[2])), ("b", "c"));
    assert!(matches!(ran[3].outcome, Outcome::Refused(Refusal::ByPerson)), "{:?}", ran[3]);
    assert!(matches!(ran[4].outcome, Outcome::Refused(Refusal::Never { .. })), "{:?}", ran[4]);
    assert!(matches!(ran[6].outcome, Outcome::Done), "{:?}", ran[6]);
    assert_eq!(lines(&file), 0);
    let mut asked = bench.gate.asked.lock().unwrap().clone();
    asked.sort();
    assert_eq!(asked, ["a", "b", "d", "f", "g"], "an answer for always or never is asked for once");
    assert_eq!(bench.tool("fail").await.standing, Standing::Never);
    bench.toolbox.decide("s", "fail", None).await.unwrap();
    assert_eq!(bench.tool("fail").await.standing, Standing::Ready { approval: Approval::Ask });
}
