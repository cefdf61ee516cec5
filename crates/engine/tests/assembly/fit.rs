//! Budgets and strategies on histories small enough to count by hand.

use crate::scene::{Talk, talk, tokens, tool};
use weftwork::AssembleError;
use weftwork::dialect::Dialect;

/// A node a line, each of so many tokens: `u5 a5 u10`.
fn sizes(nodes: &str) -> Talk {
    let line = |word: &str| {
        let (author, size) = word.split_at(1);
        let (size, flags) = size.split_once('!').map_or((size, ""), |(size, flags)| (size, flags));
        format!("{author} {flags}: {}", tokens(size.parse().expect("a number")))
    };
    talk(&nodes.split(' ').map(line).collect::<Vec<_>>().join("\n"))
}

fn kept(nodes: &str, json: &str) -> String {
    sizes(nodes).set(json).kept().join(" ")
}

fn with(strategy: &str, context: u32, rest: &str) -> String {
    format!(r#"{{"strategy":"{strategy}","contextLength":{context}{rest}}}"#)
}

#[test]
fn available_is_what_is_left_of_the_window() {
    let talk = talk("u: 12345678").prompt("123456789").input("12345").set(r#"{"contextLength":1000,"maxTokens":100}"#);
    let budget = talk.with(|talk| talk.file.tools = vec![tool("name", "1234")]).assemble().report.budget;
    assert_eq!((budget.system, budget.tools, budget.input, budget.reserve, budget.markers), (3, 1 + 1 + 5, 2, 100, 0));
    assert_eq!((budget.available, budget.history), (1000 - 3 - 7 - 2 - 100, 2));
}

#[test]
fn the_markers_tokens_are_taken_off_what_is_available() {
    let report =
        sizes("u10 a10 u10 a10 u10 a10").set(&with("truncateMiddle", 50, r#","minimumRecentNodes":1"#)).assemble().report;
    assert_eq!((report.budget.markers, report.budget.available, report.budget.history), (6, 44, 40));
}

#[test]
fn the_reserve_is_max_tokens_else_the_token_buffer_and_at_most_half_the_window() {
    for (json, reserve, warned) in [
        (r#"{"contextLength":1000,"tokenBuffer":200}"#, 200, false),
        (r#"{"contextLength":1000,"tokenBuffer":200,"maxTokens":300}"#, 300, false),
        (r#"{"contextLength":1000,"maxTokens":600}"#, 500, true),
        (r#"{"contextLength":1000,"tokenBuffer":501}"#, 500, true),
    ] {
        let talk = talk("u: 1").set(json);
        assert_eq!(
            (talk.assemble().report.budget.reserve, talk.warnings().contains(&"reserveCapped")),
            (reserve, warned),
            "{json}"
        );
    }
}

#[test]
fn an_unknown_window_is_128000_with_a_warning() {
    let mut talk = talk("u: 1");
    talk.ask.app = crate::scene::settings("{}");
    assert_eq!(talk.assemble().report.budget.context_length, 128_000);
    assert_eq!(talk.warnings(), ["unknownWindow"]);
}

#[test]
fn truncate_middle_keeps_the_first_turn_and_the_newest() {
    // The marker costs 6.
    let json = |context| with("truncateMiddle", context, r#","minimumRecentNodes":2"#);
    for (context, expected) in [
        (60, "n1 n2 n3 n4 n5 n6"),
        (59, "n1 n2 n4 n5 n6"),
        (57, "n1 n2 n4 n5 n6"),
        (56, "n1 n2 n4 n5 n6"),
        (55, "n1 n2 n5 n6"),
        (46, "n1 n2 n5 n6"),
        (45, "n4 n5 n6"),
        (35, "n5 n6"),
    ] {
        assert_eq!(kept("u10 a10 u10 a10 u10 a10", &json(context)), expected, "{context}");
    }
}

#[test]
fn what_stands_before_the_first_question_belongs_to_the_first_turn() {
    assert_eq!(kept("a5 u5 a5 u50 a5 u5", &with("truncateMiddle", 40, r#","minimumRecentNodes":1"#)), "n1 n2 n3 n5 n6");
}

#[test]
fn two_questions_in_a_row_are_one_turn() {
    assert_eq!(kept("u5 u5 a5 u50 u5 a5 u5", &with("truncateMiddle", 45, r#","minimumRecentNodes":1"#)), "n1 n2 n3 n5 n6 n7");
    assert_eq!(kept("u5 a5 u5 u5 a5 u5", &with("rollingWindow", 26, "")), "n3 n4 n5 n6");
}

#[test]
fn rolling_window_begins_on_a_user_side_message() {
    for (context, expected) in [(30, "n1 n2 n3 n4 n5 n6"), (29, "n3 n4 n5 n6"), (20, "n3 n4 n5 n6"), (19, "n5 n6"), (10, "n5 n6")]
    {
        assert_eq!(kept("u5 a5 u5 a5 u5 a5", &with("rollingWindow", context, "")), expected, "{context}");
    }
}

#[test]
fn drop_oldest_drops_turns_or_atoms() {
    assert_eq!(kept("u5 a5 u5 a5 u5", &with("dropOldest", 24, "")), "n3 n4 n5");
    assert_eq!(kept("u5 a5 u5 a5 u5", &with("dropOldest", 24, r#","unit":"message""#)), "n2 n3 n4 n5");
}

#[test]
fn sticky_window_is_a_rolling_window_with_low_water() {
    assert_eq!(kept("u10 a10 u10 a10 u10 a10 u10 a10 u10", &with("stickyWindow", 80, "")), "n7 n8 n9");
    assert_eq!(
        kept("u10 a10 u10 a10 u10 a10 u10 a10 u10", &with("stickyWindow", 80, r#","lowWater":1"#)),
        "n3 n4 n5 n6 n7 n8 n9"
    );
}

#[test]
fn pins_hold_inside_the_cut() {
    for strategy in ["truncateMiddle", "rollingWindow", "dropOldest"] {
        let talk = sizes("u5 a5 u5!pinned a5 u5 a5 u5").set(&with(strategy, 22, r#","minimumRecentNodes":1"#));
        assert!(talk.kept().contains(&"n3".into()), "{strategy}");
        assert_eq!(talk.fate("n3"), "included pinned", "{strategy}");
    }
}

#[test]
fn pins_do_not_hold_against_selection() {
    for flags in ["pinned excluded", "pinned pruned", "pinned pending", "pinned annotation"] {
        assert!(talk(&format!("u: 1\nu {flags}: 2\nu: 3")).fate("n2").starts_with("dropped"), "{flags}");
    }
    assert_eq!(talk("u pinned: 1\nu edge: 2").fate("n1"), "dropped contextEdge");
    assert_eq!(talk("u pinned: 1\nu: 2\nu: 3").set(r#"{"window":1}"#).fate("n1"), "dropped outsideWindow");
}

#[test]
fn one_marker_stands_where_the_first_was_removed() {
    let said = sizes("u5 a5 u5 a5 u5!pinned a5 u5 a5 u5").set(&with("truncateMiddle", 32, r#","minimumRecentNodes":1"#)).said();
    let markers: Vec<_> = said.iter().enumerate().filter(|(_, line)| line.contains("omitted")).collect();
    assert_eq!(markers, [(2, &"user: [… 4 messages omitted …]".to_owned())]);
}

#[test]
fn a_marker_can_be_asked_for_and_left_out() {
    let shown = |json: &str| sizes("u5 a5 u5 a5 u5").set(json).said().iter().any(|line| line.contains("omitted"));
    assert!(shown(&with("truncateMiddle", 24, "")));
    assert!(!shown(&with("truncateMiddle", 24, r#","marker":false"#)));
    assert!(!shown(&with("rollingWindow", 24, "")));
    assert!(shown(&with("rollingWindow", 24, r#","marker":true"#)));
}

#[test]
fn errors_carry_the_breakdown_and_the_largest() {
    match sizes("u5 a5 u50").prompt(&tokens(10)).set(&with("truncateMiddle", 40, "")).error() {
        AssembleError::DoesNotFit { needed, budget, largest } => {
            assert_eq!((needed, budget.system, budget.available), (50, 10, 30));
            assert_eq!((largest[0].what.as_str(), largest[0].tokens), ("n3", 50));
        }
        other => panic!("{other}"),
    }
    match talk("u: 1").prompt(&tokens(10)).input(&tokens(50)).set(&with("truncateMiddle", 40, "")).error() {
        AssembleError::DoesNotFit { needed, budget, largest } => {
            assert_eq!((needed, budget.input, budget.available), (50, 50, 30));
            assert_eq!(largest[0].what, "input");
        }
        other => panic!("{other}"),
    }
    let tools = talk("u: 1").with(|talk| talk.file.tools = vec![tool("x", &tokens(60))]).set(&with("truncateMiddle", 40, ""));
    match tools.error() {
        AssembleError::SystemTooLarge { needed, limit, largest, .. } => {
            assert_eq!((needed, limit, largest[0].what.as_str()), (66, 40, "tools"));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_said_to_be_needed_is_more_than_what_is_available() {
    // The newest alone fits, but not with the marker that the cut needs.
    match sizes("u5 a5 u10").set(&with("truncateMiddle", 12, "")).error() {
        AssembleError::DoesNotFit { needed, budget, .. } => assert!(needed > budget.available, "{needed} {}", budget.available),
        other => panic!("{other}"),
    }
}

#[test]
fn counters_have_their_overhead_and_say_what_their_numbers_rest_on() {
    for (counter, kind, overhead) in
        [("chars4", "Estimated", 0), ("tokenx", "Estimated", 0), ("o200k", "Counted", 4), ("cl100k", "Counted", 4)]
    {
        let report = |lines: &str| talk(lines).set(&format!(r#"{{"counter":"{counter}"}}"#)).assemble().report;
        let (one, two) = (report("u: hi").budget.history, report("u: hi\na: hi").budget.history);
        assert_eq!(two, 2 * one);
        assert_eq!(one, 1 + overhead, "{counter}");
        assert_eq!(format!("{:?}", report("u: hi").counter.kind), kind);
    }
}

#[test]
fn fitting_works_on_nodes_before_they_are_merged() {
    let talk = sizes("u5 u5 u5 a5 u5").to(Dialect::Anthropic).set(&with("dropOldest", 20, r#","unit":"message""#));
    assert_eq!(talk.kept(), ["n3", "n4", "n5"]);
}
