//! Seed 004: what happens when the path is too long.

use crate::scene::{Talk, talk, tokens};
use weftwork::AssembleError;
use weftwork::model::Mode;

/// Five turns; each node costs 10.
fn five(json: &str) -> Talk {
    let ten = "ten tokens are in this line, forty chars";
    assert_eq!(ten.len(), 40);
    let turn = format!("u: {ten}\na: {ten}\n");
    talk(&turn.repeat(5)).set(json)
}

#[test]
fn seed_004_truncate_middle_is_the_default_and_keeps_beginning_and_end() {
    // 100 tokens into 75: the marker costs 7, the first turn 20, and four of eight later nodes fit.
    let cut = five(r#"{"contextLength":75}"#);
    assert_eq!(cut.kept(), ["n1", "n2", "n7", "n8", "n9", "n10"]);
    assert_eq!(cut.fate("n3"), "dropped middleCut");
    assert_eq!(cut.fate("n1"), "included firstTurn");
    assert_eq!(cut.fate("n7"), "included recent");
}

#[test]
fn seed_004_truncate_middle_removes_one_atom_after_the_other_until_it_fits() {
    for (context, kept) in [(100, 10), (99, 9), (97, 9), (96, 8), (86, 7), (76, 6), (66, 5), (56, 4)] {
        assert_eq!(five(&format!(r#"{{"contextLength":{context}}}"#)).kept().len(), kept, "{context}");
    }
}

#[test]
fn seed_004_a_marker_stands_where_content_was_removed() {
    let cut = five(r#"{"contextLength":75}"#).said();
    assert_eq!(cut[2], "user: [… 4 messages omitted …]");
    let one = five(r#"{"contextLength":98}"#).said();
    assert_eq!(one[2], "user: [… 1 message omitted …]");
}

#[test]
fn seed_004_the_four_newest_nodes_are_kept_before_the_first_turn_is() {
    let tight = five(r#"{"contextLength":50}"#);
    assert_eq!(tight.kept(), ["n7", "n8", "n9", "n10"]);
    assert_eq!(tight.warnings(), ["firstTurnDropped"]);
    let two = five(r#"{"contextLength":50,"minimumRecentNodes":2}"#);
    assert_eq!(two.kept(), ["n1", "n2", "n9", "n10"]);
    assert_eq!(two.warnings(), [""; 0]);
    let tighter = five(r#"{"contextLength":45}"#);
    assert_eq!(tighter.kept(), ["n8", "n9", "n10"]);
    assert_eq!(tighter.warnings(), ["firstTurnDropped", "fewerRecent"]);
}

#[test]
fn seed_004_rolling_window_keeps_only_the_newest_that_fits() {
    let cut = five(r#"{"truncationStrategy":"rollingWindow","contextLength":75}"#);
    assert_eq!(cut.kept(), ["n5", "n6", "n7", "n8", "n9", "n10"]);
    assert_eq!(cut.fate("n4"), "dropped overBudget");
    assert_eq!(cut.said().len(), 6);
}

#[test]
fn seed_004_stop_at_limit_refuses_and_says_by_how_much() {
    assert_eq!(five(r#"{"truncationStrategy":"stopAtLimit","contextLength":100}"#).kept().len(), 10);
    match five(r#"{"truncationStrategy":"stopAtLimit","contextLength":80}"#).error() {
        AssembleError::OverLimit { excess, largest, budget } => {
            assert_eq!((excess, budget.history, budget.available), (20, 100, 80));
            assert_eq!(largest.len(), 5);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn seed_004_system_context_is_never_truncated_and_an_error_if_it_alone_exceeds_the_limit() {
    for strategy in ["truncateMiddle", "rollingWindow", "stopAtLimit", "dropOldest", "stickyWindow"] {
        let json = format!(r#"{{"truncationStrategy":"{strategy}","contextLength":130}}"#);
        let fits = five(&json).prompt(&tokens(100));
        match (strategy, fits.run()) {
            ("stopAtLimit", Err(AssembleError::OverLimit { .. })) => {}
            (_, Ok(assembly)) => assert_eq!(assembly.report.budget.system, 100, "{strategy}"),
            (_, Err(error)) => panic!("{strategy}: {error}"),
        }
        match five(&json).prompt(&tokens(131)).error() {
            AssembleError::SystemTooLarge { needed, limit, .. } => assert_eq!((needed, limit), (131, 130), "{strategy}"),
            other => panic!("{strategy}: {other}"),
        }
    }
}

#[test]
fn seed_004_at_least_one_message_is_always_included() {
    for strategy in ["truncateMiddle", "rollingWindow", "dropOldest", "stickyWindow"] {
        for context in [10, 17, 20, 25, 33] {
            let cut = five(&format!(r#"{{"truncationStrategy":"{strategy}","contextLength":{context}}}"#));
            match cut.run() {
                Ok(_) => assert!(cut.kept().contains(&"n10".into()), "{strategy} {context}"),
                Err(AssembleError::DoesNotFit { .. }) => {}
                Err(other) => panic!("{strategy} {context}: {other}"),
            }
        }
    }
}

#[test]
fn seed_004_truncation_is_transparent_via_output_flags() {
    assert!(!five(r#"{"contextLength":100}"#).assemble().report.truncated);
    let report = five(r#"{"contextLength":75}"#).assemble().report;
    let cut = report.cut.expect("a cut");
    assert!(report.truncated);
    assert_eq!((cut.after, cut.before, cut.nodes, cut.tokens), (Some("n2".into()), Some("n7".into()), 4, 40));
}

#[test]
fn seed_004_four_characters_are_a_token_and_1024_are_kept_for_the_response() {
    let talk = talk("u: 12345").set(r#"{"preset":"aspen","tokenBuffer":1024}"#);
    let report = talk.assemble().report;
    assert_eq!((report.budget.history, report.budget.reserve), (2, 1024));
    assert_eq!(report.counter.name, "chars4");
}

#[test]
fn seed_004_preferences_have_their_defaults_and_the_tree_overrides_the_app() {
    let mut talk = five("{}");
    talk.ask.app = crate::scene::settings(r#"{"counter":"chars4","contextLength":2024}"#);
    assert_eq!(talk.assemble().report.budget.reserve, 1012, "1024 capped at half the window");
    talk.ask.app =
        crate::scene::settings(r#"{"counter":"chars4","contextLength":75,"tokenBuffer":0,"truncationStrategy":"rollingWindow"}"#);
    assert_eq!(talk.kept().len(), 6);
    talk.file.space.settings = crate::scene::settings(r#"{"truncationStrategy":"truncateMiddle","minimumRecentNodes":2}"#);
    assert_eq!(talk.kept(), ["n1", "n2", "n7", "n8", "n9", "n10"]);
    talk.ask.settings = crate::scene::settings(r#"{"strategy":"stopAtLimit"}"#);
    assert!(matches!(talk.error(), AssembleError::OverLimit { .. }));
}

// Buffer mode: the same on nodes, then the oldest kept node is cut at a character.

fn document(json: &str) -> Talk {
    let lines = "u: aaaaaaaaaaaaaaaa\nu: bbbbbbbbbbbbbbbb\nu: cccccccccccccccc";
    talk(lines).with(|talk| talk.file.space.mode = Mode::Buffer).set(json)
}

#[test]
fn seed_004_a_buffer_rolls_over_characters() {
    let cut = document(r#"{"truncationStrategy":"rollingWindow","contextLength":10}"#);
    assert_eq!(cut.said(), ["user: aaaaaaaabbbbbbbbbbbbbbbbcccccccccccccccc"]);
    assert_eq!(cut.fate("n1"), "shortened window");
}

#[test]
fn seed_004_a_buffer_shows_no_marker_unless_asked() {
    let cut = document(r#"{"contextLength":9,"minimumRecentNodes":1}"#);
    assert_eq!(cut.said(), ["user: aaaaaaaaaaaaaaaacccccccccccccccc"]);
    let longer = |talk: Talk| talk.with(|talk| talk.node("n2").parts = vec![weftwork::model::Part::text(tokens(20))]);
    let shown = longer(document(r#"{"contextLength":16,"minimumRecentNodes":1,"marker":true}"#));
    assert_eq!(shown.said(), ["user: aaaaaaaaaaaaaaaa[… 1 message omitted …]cccccccccccccccc"]);
}
