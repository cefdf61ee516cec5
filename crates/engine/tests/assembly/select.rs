//! Which nodes may be sent at all, and the first reason that applies.

use crate::scene::talk;
use weftwork::AssembleError;

/// Every flag at once: reasons in the order in which they are looked at.
#[test]
fn a_node_is_dropped_for_the_first_reason_that_applies() {
    let all = ["title", "pruned", "excluded", "annotation", "pending"];
    let reasons = ["notConversation", "pruned", "excluded", "annotation", "notSent"];
    for (at, reason) in reasons.iter().enumerate() {
        let lines = format!("u: one\nu {}: x\nu edge: two", all[at..].join(" "));
        assert_eq!(talk(&lines).fate("n2"), format!("dropped {reason}"));
    }
    assert_eq!(talk("u: one\na error: x\nu edge: two").fate("n2"), "dropped failed");
    assert_eq!(talk("u: one\na: x\nu edge: two").set(r#"{"window":1}"#).fate("n2"), "dropped contextEdge");
    assert_eq!(talk("u: one\na: x\na summary: s\nu: two").set(r#"{"window":1}"#).fate("n2"), "dropped beforeCheckpoint");
    assert_eq!(
        talk("u: one\na: call(t1 x {})\nu: two").set(r#"{"window":1,"toolPolicy":"all-off"}"#).fate("n2"),
        "dropped outsideWindow"
    );
    assert_eq!(talk("u: one\na: call(t1 x {})\nu: two").set(r#"{"toolPolicy":"all-off"}"#).fate("n2"), "dropped toolPolicy");
    assert_eq!(talk("u: one\na: blank\nu: two").set(r#"{"toolPolicy":"all-off"}"#).fate("n2"), "dropped empty");
}

/// `s` is a summary, `e` a context edge; the nodes that are sent as messages.
#[test]
fn whichever_of_summary_and_context_edge_stands_later_wins() {
    for (lines, kept, summary) in [
        ("u: 1\na summary: s\nu: 3", "3", true),
        ("u: 1\nu edge: 2\nu: 3", "2 3", false),
        ("u: 1\na summary: s\nu edge: 3\nu: 4", "3 4", false),
        ("u: 1\nu edge: 2\na summary: s\nu: 4", "4", true),
        ("u: 1\na summary: s\nu: 3\na summary: t\nu: 5", "5", true),
        ("u edge: 1\nu: 2\nu edge: 3\nu: 4", "3 4", false),
        ("u: 1\nu: 2\nu: 3\na summary covers=n1: s\nu: 5", "2 3 5", true),
        ("u: 1\nu: 2\nu edge: 3\na summary covers=n1: s\nu: 5", "2 3 5", true),
        ("u: 1\na summary: s\nu: 3\nu: 4\na summary covers=n3: t\nu: 6", "4 6", true),
        ("u: 1\nu: 2\na summary edge covers=n1: s\nu: 4", "4", true),
    ] {
        let talk = talk(lines);
        let said: Vec<_> = talk.said().iter().map(|line| line.trim_start_matches("user: ").to_owned()).collect();
        assert_eq!(said.join(" "), kept, "{lines}");
        assert_eq!(talk.system().contains("Previous Conversation Summary:"), summary, "{lines}");
    }
}

#[test]
fn the_flagged_node_of_a_context_edge_is_the_first_one_kept() {
    let talk = talk("u: 1\na: 2\nu edge: 3\na: 4\nu: 5");
    let fates = talk.fates();
    assert_eq!(fates[..3], ["n1 dropped contextEdge", "n2 dropped contextEdge", "n3 included firstTurn"]);
}

#[test]
fn a_summary_that_covers_what_is_not_before_it_covers_everything_and_a_warning_says_so() {
    for covers in ["n4", "n5"] {
        let stray = talk(&format!("u: 1\nu: 2\na summary covers={covers}: s\nu: 4\nu on=n1: elsewhere"))
            .with(|talk| talk.ask.head = Some("n4".into()));
        assert_eq!(stray.said(), ["user: 4"], "{covers}");
        assert_eq!(stray.warnings(), ["straySummary"], "{covers}");
    }
}

#[test]
fn what_lies_between_the_covered_node_and_the_summary_follows_the_summary() {
    let tail = talk("u: 1\na: 2\nu: 3\nu summaryRequest: sum up\na summary covers=n2: s\na: 6").set(r#"{"summary":"message"}"#);
    assert_eq!(tail.said(), ["user: [Summary of the conversation so far]\ns", "user: 3", "assistant: 6"]);
}

#[test]
fn the_count_window_looks_at_the_newest_of_the_conversation() {
    let talk = talk("u: 1\na: 2\nu excluded: 3\nu: 4\na: 5").set(r#"{"window":2}"#);
    assert_eq!(talk.said(), ["user: 4", "assistant: 5"]);
    assert_eq!(talk.clone().set(r#"{"window":3}"#).said().len(), 3);
    assert_eq!(talk.clone().set(r#"{"window":0}"#).said().len(), 4);
    assert_eq!(talk.clone().set(r#"{"window":2}"#).input_node("n5").said(), ["assistant: 2", "user: 4", "assistant: 5"]);
    assert_eq!(talk.set(r#"{"window":2}"#).input("6").said(), ["user: 4", "assistant: 5", "user: 6"]);
}

#[test]
fn instructions_come_from_what_was_selected_only() {
    let lines = "u: In French.\nu on=n1 ins=n1: one\na: two\nu: three";
    assert_eq!(talk(lines).system(), "In French.");
    assert_eq!(talk(lines).set(r#"{"window":2}"#).system(), "");
    assert_eq!(talk(&lines.replace("ins=n1", "excluded ins=n1")).system(), "");
    assert_eq!(talk(&lines.replace("u: three", "u edge: three")).system(), "");
}

#[test]
fn an_input_is_named_by_id_and_taken_out_of_the_history() {
    let talk = talk("u: 1\na: 2\nu: 3\nu: 4").input_node("n3");
    assert_eq!(talk.said(), ["user: 1", "assistant: 2", "user: 4", "user: 3"]);
    assert_eq!(talk.fate("n3"), "included input");
    assert!(matches!(talk.input_node("n9").error(), AssembleError::UnknownNode { what: "the input", .. }));
}

#[test]
fn an_input_that_says_nothing_is_no_input() {
    let blank = talk("u: 1\na: 2").input("  \n");
    assert_eq!(blank.said(), ["user: 1", "assistant: 2"]);
    assert_eq!(blank.assemble().report.budget.input, 0);
    let answer = talk("u: 1\na: call(t1 x {})\na: result(t1 done)").input_node("n3");
    assert_eq!(answer.said()[2], "user: result(t1 done)");
    assert_eq!(talk("").input(" ").error(), AssembleError::NothingToSend);
}

#[test]
fn a_summary_that_is_the_input_is_no_checkpoint() {
    let talk = talk("u: 1\na summary: s").input_node("n2");
    assert_eq!(talk.said(), ["user: 1", "assistant: s"]);
}

#[test]
fn the_head_is_the_asks_else_the_viewers_else_the_files_else_the_last_node() {
    let mut tree = talk("u: 1\na: 2\na on=n1: 3\na on=n1: 4\na on=n1: 5");
    assert_eq!(tree.said(), ["user: 1", "assistant: 5"]);
    tree.file.head = Some("n4".into());
    assert_eq!(tree.said()[1], "assistant: 4");
    tree.file.heads = [("a".into(), "n3".into())].into();
    assert_eq!(tree.said()[1], "assistant: 3");
    tree.ask.head = Some("n2".into());
    assert_eq!(tree.said()[1], "assistant: 2");
}
