//! A turn that is too large by itself.

use crate::scene::{Talk, talk, tokens};
use weftwork::AssembleError;

/// One question and so many calls, each answered with so many tokens.
fn steps(calls: usize, size: usize) -> Talk {
    let step = |n: usize| format!("a: call(t{n} step {{}})\na: result(t{n} {})\n", tokens(size));
    talk(&format!("u: old\na: old\nu: do it\n{}", (0..calls).map(step).collect::<String>()))
}

#[test]
fn everything_before_it_goes_then_its_older_results_are_shortened_oldest_first() {
    // Each step costs 2 + 400; a shortened result keeps 600 and 300 characters and a line, 234 tokens.
    let talk = steps(3, 400).set(r#"{"contextLength":1100}"#);
    assert_eq!(
        talk.fates(),
        [
            "n1 dropped middleCut",
            "n2 dropped middleCut",
            "n3 included openExchange",
            "n4 shortened openExchange",
            "n5 shortened openExchange",
            "n6 included openExchange",
            "n7 included openExchange",
            "n8 included openExchange",
            "n9 included openExchange"
        ]
    );
    let said = talk.said();
    assert!(said[3].contains("characters omitted") && said[3].len() < 1000, "{}", said[3]);
    assert!(talk.assemble().report.truncated);
    assert!(talk.warnings().contains(&"openTurnCut"));
}

#[test]
fn then_its_older_atoms_are_removed_and_question_and_newest_stay() {
    let talk = steps(20, 400).set(r#"{"contextLength":1500}"#);
    let kept = talk.kept();
    assert_eq!(kept.first().map(String::as_str), Some("n3"));
    assert_eq!(kept[kept.len() - 2..], ["n42", "n43"]);
    assert!(kept.len() > 5 && kept.len() < 15, "{kept:?}");
    assert_eq!(talk.fate("n43"), "included openExchange");
}

#[test]
fn three_hundred_calls_fit_into_any_window_that_holds_question_and_newest() {
    for context in [420, 500, 1000, 8000, 60_000] {
        for strategy in ["truncateMiddle", "rollingWindow", "dropOldest", "stickyWindow"] {
            let talk = steps(300, 400).set(&format!(r#"{{"contextLength":{context},"strategy":"{strategy}"}}"#));
            let budget = talk.assemble().report.budget;
            assert!(budget.history <= budget.available, "{strategy} {context}");
            assert_eq!(talk.fate("n3"), "included openExchange", "{strategy} {context}");
            assert_eq!(talk.fate("n603"), "included openExchange", "{strategy} {context}");
        }
    }
}

#[test]
fn if_question_and_newest_do_not_fit_an_error_says_so() {
    assert!(matches!(steps(5, 400).set(r#"{"contextLength":400}"#).error(), AssembleError::DoesNotFit { .. }));
}

#[test]
fn with_a_new_input_the_old_loop_is_no_open_turn() {
    let talk = steps(5, 400).input("next").set(r#"{"contextLength":900,"strategy":"rollingWindow"}"#);
    assert_eq!(talk.said(), ["user: next"]);
}

#[test]
fn the_question_may_be_several_messages_of_several_people() {
    let lines = format!(
        "u: old\na: old\nu: do\nv: this\na: call(t1 x {{}})\na: result(t1 {})\na: call(t2 x {{}})\na: result(t2 ok)",
        tokens(100)
    );
    let talk = talk(&lines).set(r#"{"contextLength":20}"#);
    assert_eq!(talk.kept(), ["n3", "n4", "n7", "n8"]);
}
