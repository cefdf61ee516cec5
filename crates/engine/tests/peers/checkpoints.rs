//! E. Summaries and checkpoints.

use crate::scene::{talk, tokens};

#[test]
fn peers_52_summaries_replace_each_other_and_never_nest() {
    let nested = talk("u: a\na summary: one\nu: b\na summary: two\nu: c\na summary: three\nu: d");
    assert_eq!(nested.sent(), ["system: Previous Conversation Summary:\nthree", "user: d"]);
}

#[test]
fn peers_58_an_empty_or_failed_summary_is_no_checkpoint() {
    for summary in ["a summary: blank", "a summary:", "a summary error=overflow: The conversation"] {
        assert_eq!(talk(&format!("u: a\n{summary}\nu: b")).sent(), ["user: a", "user: b"], "{summary}");
    }
}

#[test]
fn peers_59_before_a_checkpoint_the_originals_apply() {
    let rewound = talk("u: a\na: b\na summary: ab\nu: c").with(|talk| talk.ask.head = Some("n2".into()));
    assert_eq!(rewound.sent(), ["user: a", "assistant: b"]);
}

#[test]
fn peers_60_and_61_standing_instructions_survive_every_cut_once() {
    let lines = format!(
        "u system: Always answer in rhyme.\nu: {}\na: ok\na summary: They talked.\nu: {}\na: ok\nu: go",
        tokens(50),
        tokens(50)
    );
    for context in [30, 60, 1000] {
        let talk = talk(&lines).prompt("Be brief.").set(&format!(r#"{{"contextLength":{context}}}"#));
        let system = talk.system();
        assert!(system.starts_with("Be brief.\n\nAlways answer in rhyme."), "{context}: {system}");
        assert_eq!(system.matches("rhyme").count(), 1);
        assert_eq!(talk.fate("n1"), "included system");
    }
}

#[test]
fn peers_62_a_summary_as_a_message_is_labelled_as_one() {
    let talk = talk("u: a\na summary: Do the dishes.\nu: b").set(r#"{"summary":"message"}"#);
    assert_eq!(talk.said(), ["user: [Summary of the conversation so far]\nDo the dishes.", "user: b"]);
    assert_eq!(talk.system(), "");
}

#[test]
fn peers_65_a_checkpoint_is_anchored_by_id() {
    let talk = talk("u: a\na excluded: x\na: b\nu: c\na summary covers=n3: ab\nu: d");
    assert_eq!(talk.said(), ["user: c", "user: d"]);
}

#[test]
fn peers_66_what_people_wrote_is_never_shortened() {
    let lines = format!(
        "u: {}\na: call(t1 one {{}})\na: result(t1 {})\na: call(t2 one {{}})\na: result(t2 ok)",
        tokens(400),
        tokens(800)
    );
    let cut = talk(&lines).set(r#"{"contextLength":800}"#);
    assert_eq!(cut.fate("n1"), "included openExchange");
    assert_eq!(cut.fate("n2"), "shortened openExchange");
    assert!(cut.said()[0].len() > 1590);
}
