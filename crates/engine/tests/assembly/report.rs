//! The report: every reason, the cut, the hash, the JSON.

use crate::scene::{Talk, talk, tokens};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use weftwork::dialect::Dialect;
use weftwork::model::{SpaceMessageTrigger, Trigger};
use weftwork::report::Reason;

fn dialogue() -> Vec<Talk> {
    let cut = format!("u: {0}\na: {0}\nu: {0}\na: {0}\nu pinned: x\na: {0}\nu: {0}\na: {0}\nu: now", tokens(10));
    vec![
        talk(
            "u system: S.\nu: 1\na title: t\nu pruned: p\nu excluded: e\nu annotation: n\na pending: w\na error: f\na: blank\na: result(t9 x)\nu: 2\na: 3\na summary covers=n1: s\nu: 5\na: 6\nu: 7",
        ),
        talk("u: 1\nu edge: 2\na: call(t1 x {})\nu: 3").set(r#"{"toolPolicy":"all-off"}"#),
        talk("u: 1\na: 2\nu: 3\nu: 4").set(r#"{"window":2}"#).input_node("n4"),
        talk(&cut).set(r#"{"contextLength":60,"minimumRecentNodes":2}"#),
        talk(&cut).set(r#"{"contextLength":60,"strategy":"rollingWindow"}"#),
        talk(&cut).set(r#"{"contextLength":75,"strategy":"dropOldest","unit":"message","minimumRecentNodes":1}"#).input("x"),
    ]
}

fn timeline() -> Talk {
    let mut talk = talk("u at=14:50:00: 1\na at=14:51:00: 2\nb at=14:52:00: 3").set(r#"{"form":"timeline"}"#);
    talk.file.viewer = Some("a".into());
    talk.ask.now = Some("2026-02-18T15:00:00Z".parse().expect("a time"));
    talk.file.trigger = Some(Trigger::SpaceMessage(SpaceMessageTrigger {
        space: "space-1".into(),
        sender: "u".into(),
        message: "1".into(),
        message_id: "n1".into(),
        timestamp: None,
        sender_expects_reply: false,
        chain_depth: 0,
        also_triggering: Vec::new(),
        waited_on: Some("n2".into()),
        resumed_by: Some("n3".into()),
        no_reply: Default::default(),
    }));
    talk
}

#[test]
fn every_reason_there_is_is_given_somewhere() {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for talk in dialogue().into_iter().chain([timeline(), talk("u: 1\na: 2\na summary: s\nu: 3")]) {
        found.extend(talk.fates().iter().filter_map(|fate| fate.split(' ').nth(2).map(str::to_owned)));
    }
    let missing: Vec<_> = Reason::ALL.iter().map(|reason| reason.word()).filter(|word| !found.contains(*word)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_run_of_nodes_with_one_decision_and_reason_is_one_item() {
    let lines = format!("{}u: end", "u: 12345678\na: 12345678\n".repeat(20));
    let report = talk(&lines).set(r#"{"contextLength":31,"minimumRecentNodes":2}"#).assemble().report;
    let items = serde_json::to_value(&report.items).expect("JSON");
    assert_eq!(
        items[1],
        json!({"from": "n3", "to": "n31", "nodes": 29, "decision": "dropped", "reason": "middleCut", "tokens": 58})
    );
    let cut = report.cut.expect("a cut");
    assert_eq!((cut.nodes, cut.tokens), (29, 58));
}

#[test]
fn an_item_names_its_message() {
    let talk = talk("u: 1\nu: 2\na: 3").to(Dialect::Anthropic);
    let history = talk.history();
    let items = weftwork::assemble(&history, &talk.ask).expect("assembles").each_node(&history);
    assert_eq!(items.iter().map(|item| item.message).collect::<Vec<_>>(), [Some(1), Some(1), Some(2)]);
}

#[test]
fn tokens_of_items_add_up_to_the_history() {
    let report = talk("u: 12345\na: 123456789\nu: 1").assemble().report;
    assert_eq!(report.items.iter().map(|item| item.tokens).sum::<u64>(), report.budget.history);
}

#[test]
fn the_hash_is_that_of_the_requests_bytes() {
    let assembly = talk("u: hi").assemble();
    let hex: String = Sha256::digest(&assembly.request).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(assembly.report.hash, format!("sha256:{hex}"));
}

#[test]
fn a_repaired_node_is_kept_and_one_of_nothing_but_orphans_is_dropped() {
    let talk = talk("u: 1\na: call(t1 x {})\na: Done. | result(t9 x)\na: result(t8 x)\nu: 2");
    assert_eq!(talk.fate("n2"), "repaired firstTurn");
    assert_eq!(talk.fate("n3"), "repaired firstTurn");
    assert_eq!(talk.fate("n4"), "dropped orphanResult");
}

#[test]
fn the_json_has_the_names_of_the_contract() {
    let report = serde_json::to_value(talk("u: 1\na: 2").assemble().report).expect("JSON");
    for key in ["form", "dialect", "strategy", "truncated", "counter", "budget", "items", "repairs", "cache", "warnings", "hash"]
    {
        assert!(report.get(key).is_some(), "{key}");
    }
    assert_eq!(report["budget"]["contextLength"], 100_000);
    assert_eq!(report["items"][0]["decision"], "included");
    assert_eq!(report["counter"], json!({"name": "chars4", "kind": "estimated"}));
}
