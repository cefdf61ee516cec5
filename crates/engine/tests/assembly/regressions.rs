//! Cases that random histories found, as small as they shrank.

use crate::scene::{errors, talk, tokens};
use weftwork::AssembleError;
use weftwork::dialect::Dialect;
use weftwork::model::Part;

#[test]
fn a_question_that_was_not_read_is_looked_for() {
    let mut lines = String::from("u: do it\n");
    (0..50).for_each(|n| lines += &format!("a: call(t{n} x {{}})\na: result(t{n} {})\n", tokens(50)));
    let talk = talk(&lines).set(r#"{"contextLength":300}"#);
    assert_eq!(talk.said()[0], "user: do it");
}

#[test]
fn an_agent_that_speaks_first_does_not_hide_the_question_after_it() {
    let talk = talk(&format!("a: hello\nu: {}\nu: and?", tokens(50))).set(r#"{"contextLength":40}"#);
    assert!(matches!(talk.error(), AssembleError::DoesNotFit { .. }));
}

#[test]
fn a_larger_budget_never_keeps_less_because_of_the_opener() {
    let kept = |context: u32| {
        let json = format!(r#"{{"strategy":"dropOldest","unit":"message","contextLength":{context}}}"#);
        talk("u: 1234567890\na: 1\nu: 12345678\na: 12345678\nu: 12345678").to(Dialect::Anthropic).set(&json).kept().len()
    };
    let all: Vec<_> = (7..24).map(kept).collect();
    assert!(all.is_sorted(), "{all:?}");
}

#[test]
fn a_document_of_which_nothing_is_left_says_what_was_cut() {
    // The cut is played against a system text of at least 1,024 tokens: nothing can be kept.
    let settings = r#"{"form":"buffer","strategy":"stickyWindow","marker":true,"contextLength":20}"#;
    let talk = talk("u: gone").prompt("You are here.").input("ok").set(settings);
    let talk = talk.with(|talk| talk.file.space.buffer_mode_system_context = true);
    assert_eq!(talk.said(), ["user: [… 1 message omitted …]ok"]);
}

/// Under the manual policy every node is read; with every tool part chosen it must say the same.
#[test]
fn an_orphan_before_a_held_cut_does_not_take_the_first_turn_with_it() {
    let long = tokens(30);
    let first = format!("u: result(t1 x)\na: hi | call(t1 f {{}})\na: result(t1 {long})\nu: ok\na: good");
    let lines = format!("{first}\nu: more\na: result(t1 z)\nu: last");
    let kept = |policy: &str, length: u32| {
        let more = format!(r#""toolPolicy":"{policy}","contextLength":{length}"#);
        let mut talk = talk(&lines).set(&format!(r#"{{"strategy":"rollingWindow","lowWater":0.5,{more}}}"#));
        for node in 1..=8 {
            for part in &mut talk.node(&format!("n{node}")).parts {
                match part {
                    Part::ToolCall(call) => call.included = true,
                    Part::ToolResult(result) => result.included = true,
                    Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
                }
            }
        }
        talk.run().ok().map(|done| String::from_utf8_lossy(&done.request).into_owned())
    };
    for length in 4..80 {
        assert_eq!(kept("all-on", length), kept("manual", length), "{length}");
    }
}

#[test]
fn a_labelled_system_message_is_counted_with_its_label() {
    let budget = talk("u: 1234\nu system: 1234\nu: 1234").assemble().report.budget;
    assert_eq!(budget.history, 1 + 6 + 1);
}

#[test]
fn parts_that_are_written_as_one_string_are_counted_as_one() {
    let budget = talk("u: 1234 | 1234 | 1234").assemble().report.budget;
    assert_eq!(budget.history, 4);
    let apart = talk("u: 1234 | 1234 | 1234").to(Dialect::Anthropic).assemble().report.budget;
    assert_eq!(apart.history, 3);
}

#[test]
fn an_orphan_that_is_all_a_system_message_holds_is_no_message() {
    let talk = talk("u: 1\nu system: result(t9 x)\na: 2");
    assert_eq!(talk.said(), ["user: 1", "assistant: 2"]);
    assert_eq!(talk.repairs(), ["orphanResult"]);
}

#[test]
fn a_failed_result_with_a_picture_is_text_for_anthropic() {
    let mut talk = talk("u: 1\na: call(t1 x {})\na: failed(t1 x)").to(Dialect::Anthropic);
    if let Some(weftwork::model::Part::ToolResult(result)) = talk.node("n3").parts.first_mut() {
        result.content = weftwork::model::ResultContent::Parts(vec![weftwork::model::Part::Image(crate::scene::image(10, 10))]);
    }
    assert_eq!(errors(&talk.assemble(), Dialect::Anthropic), []);
}

#[test]
fn a_blank_buffer_is_nothing_to_send_where_blank_text_is_refused() {
    let talk = talk("u: blank").set(r#"{"form":"buffer"}"#);
    assert_eq!(talk.clone().to(Dialect::Anthropic).error(), AssembleError::NothingToSend);
    assert_eq!(talk.to(Dialect::Completions).body()["prompt"], "  \n");
}

#[test]
fn a_late_result_belongs_to_its_calls_turn() {
    let lines = format!("u: {0}\na: call(t1 x {{}})\nu: b\na: result(t1 done)\nu: c\na: d\nu: e", tokens(20));
    let talk = talk(&lines).set(r#"{"strategy":"rollingWindow","contextLength":12}"#);
    assert_eq!(talk.kept(), ["n3", "n5", "n6", "n7"], "n4 goes with its call, and n3 and n5 ask together");
}

#[test]
fn the_marker_stands_after_a_pin_that_stood_first() {
    let lines = format!("u pinned: pin\na: {0}\nu: {0}\na: {0}\nu: end", tokens(30));
    let said = talk(&lines).set(r#"{"strategy":"rollingWindow","marker":true,"contextLength":20}"#).said();
    assert_eq!(said, ["user: pin", "user: [… 3 messages omitted …]", "user: end"]);
}

#[test]
fn a_stored_input_is_not_counted_among_the_omitted() {
    let lines = format!("u: {0}\na: {0}\nu: asked\nu: {0}", tokens(30));
    let said = talk(&lines).input_node("n3").set(r#"{"strategy":"rollingWindow","marker":true,"contextLength":20}"#).said();
    assert_eq!(said, ["user: [… 3 messages omitted …]", "user: asked"]);
}

#[test]
fn a_cut_of_everything_but_the_input_is_held_too() {
    let lines = format!("u: {0}\na: {0}\nu: {0}\na: {0}", tokens(30));
    let kept = |strategy: &str| {
        talk(&lines).input(&tokens(75)).set(&format!(r#"{{"strategy":"{strategy}","contextLength":130}}"#)).kept().len()
    };
    assert_eq!((kept("rollingWindow"), kept("stickyWindow")), (0, 0));
}
