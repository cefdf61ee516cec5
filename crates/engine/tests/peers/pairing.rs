//! A. Tool pairing.

use crate::scene::{Talk, errors, talk, tokens, wire_dialects};
use serde_json::{Value, json};
use weftwork::ask::Strategy;
use weftwork::dialect::Dialect;
use weftwork::model::{Json, Part};

const STRATEGIES: [Strategy; 4] =
    [Strategy::TruncateMiddle, Strategy::RollingWindow, Strategy::DropOldest, Strategy::StickyWindow];

/// Two turns with tool loops; every window from nothing to everything, with every strategy.
fn every_cut(lines: &str, check: impl Fn(&Talk, &str)) {
    for strategy in STRATEGIES {
        for unit in ["turn", "message"] {
            for context in 1..120 {
                let json =
                    format!(r#"{{"strategy":"{strategy}","unit":"{unit}","contextLength":{context},"minimumRecentNodes":1}}"#);
                let talk = talk(lines).set(&json);
                if talk.run().is_ok() {
                    check(&talk, &format!("{strategy} {unit} {context}"));
                }
            }
        }
    }
}

/// Every call is answered in the next message, and nothing else is.
fn paired(talk: &Talk, case: &str) {
    let said = talk.said();
    let ids = |line: &str, word: &str| -> Vec<String> {
        let starts = line.match_indices(word).map(|(at, _)| &line[at + word.len()..]);
        starts.filter_map(|rest| rest.split([' ', ')']).next().map(str::to_owned)).collect()
    };
    let mut open: Vec<String> = Vec::new();
    for line in &said {
        assert_eq!(ids(line, "result("), open, "{case}: {said:#?}");
        open = ids(line, "call(");
    }
    assert_eq!(open, [""; 0], "{case}: {said:#?}");
}

const LOOPS: &str = "
    u: please look for the first thing
    a: call(t1 search {\"q\":1}) | call(t2 search {\"q\":2})
    a: result(t1 found the first)
    a: result(t2 found the second)
    a: Here is what I found for you.
    u: and now for the second thing
    a: call(t3 search {\"q\":3})
    a: result(t3 nothing)
    a: Nothing there.";

#[test]
fn peers_01_trim_never_starts_with_an_orphan_result() {
    every_cut(LOOPS, paired);
}

#[test]
fn peers_02_of_mixed_results_each_needs_its_own_call() {
    let mixed = talk(
        "
        u excluded: go
        a excluded: call(t1 one {})
        a: call(t2 two {})
        a: result(t1 first) | result(t2 second)
        u: next",
    );
    assert_eq!(mixed.said(), ["assistant: call(t2 two {})", "user: result(t2 second)", "user: next"]);
    assert_eq!(mixed.repairs(), ["orphanResult"]);
}

#[test]
fn peers_03_a_checkpoint_between_call_and_result_leaves_neither() {
    let summarised = talk(
        "
        u: go
        a: call(t1 one {})
        a summary: Went.
        a: result(t1 late)
        u: next",
    );
    assert_eq!(summarised.said(), ["user: next"]);
    assert_eq!(summarised.fate("n4"), "dropped orphanResult");
}

#[test]
fn peers_04_results_are_paired_by_id_whoever_wrote_them() {
    for author in ["u", "s", "a"] {
        let lines = format!("u: go\na: call(t1 one {{}})\n{author}: result(t1 done)\nu: next");
        let talk = talk(&lines);
        paired(&talk, author);
        assert_eq!(talk.repairs(), [""; 0], "{author}");
    }
}

#[test]
fn peers_05_under_budget_nothing_changes() {
    let exact = talk(LOOPS).assemble();
    let history = exact.report.budget.history;
    for strategy in STRATEGIES {
        let json = format!(r#"{{"strategy":"{strategy}","contextLength":{history},"lowWater":1}}"#);
        let fitted = talk(LOOPS).set(&json).assemble();
        assert_eq!(fitted.request, exact.request, "{strategy}");
        assert!(!fitted.report.truncated);
    }
}

#[test]
fn peers_06_a_history_that_starts_with_a_result_loses_it() {
    let late = talk(
        "
        a: result(t0 from before)
        u: hello
        a: result(t9 nowhere)",
    );
    assert_eq!(late.said(), ["user: hello"]);
    assert_eq!(late.fate("n1"), "dropped orphanResult");
    assert_eq!(late.fate("n3"), "dropped orphanResult");
}

#[test]
fn peers_07_the_open_exchange_keeps_its_call() {
    let lines = format!("u: {}\na: {}\nu: go\na: call(t1 one {{}})\na: result(t1 done)", tokens(30), tokens(30));
    for context in [6, 8, 10, 20, 40] {
        let talk = talk(&lines).set(&format!(r#"{{"strategy":"rollingWindow","contextLength":{context}}}"#));
        assert_eq!(talk.said(), ["user: go", "assistant: call(t1 one {})", "user: result(t1 done)"], "{context}");
    }
}

#[test]
fn peers_08_a_repair_is_a_view_and_is_never_stored() {
    let talk = talk("u: go\na: call(t1 one {})\nu: next");
    let history = talk.history();
    let once = weftwork::assemble(&history, &talk.ask).expect("assembles");
    let twice = weftwork::assemble(&history, &talk.ask).expect("assembles");
    assert_eq!(once.request, twice.request);
    assert_eq!(history.into_conversation().nodes, talk.file.nodes);
}

#[test]
fn peers_09_no_marker_and_no_checkpoint_stands_inside_an_exchange() {
    let covered = talk(
        "
        u: go
        a: call(t1 one {})
        a summary covers=n1: Went.
        a: result(t1 done)
        u: next",
    );
    assert_eq!(covered.said(), ["assistant: call(t1 one {})", "user: result(t1 done)", "user: next"]);
    every_cut(LOOPS, |talk, case| {
        let said = talk.said();
        for pair in said.windows(2) {
            assert!(!(pair[0].contains("call(") && pair[1].contains("omitted")), "{case}: {said:#?}");
        }
    });
}

#[test]
fn peers_10_a_message_between_call_and_result_comes_after_the_result() {
    let steered = talk(
        "
        u: go
        a: call(t1 one {})
        u: wait, also this
        a: result(t1 done)",
    );
    assert_eq!(steered.said(), ["user: go", "assistant: call(t1 one {})", "user: result(t1 done)", "user: wait, also this"]);
    for dialect in wire_dialects() {
        assert_eq!(errors(&steered.clone().to(dialect).assemble(), dialect), [], "{dialect}");
    }
}

#[test]
fn peers_12_one_dead_call_does_not_keep_the_history_from_being_cut() {
    let lines = format!("u: go\na: call(t1 dead {{}})\nu: {}\na: {}\nu: next", tokens(50), tokens(50));
    let cut = talk(&lines).set(r#"{"strategy":"rollingWindow","contextLength":60}"#);
    assert_eq!(cut.said(), ["user: next"]);
}

#[test]
fn peers_15_a_crash_during_a_call_does_not_brick_the_chat() {
    let crashed = talk(
        "
        u: go
        a: call(t1 one {}) | call(t2 two {})
        a: result(t2 done)
        u: are you there?",
    );
    for dialect in wire_dialects() {
        assert_eq!(errors(&crashed.clone().to(dialect).assemble(), dialect), [], "{dialect}");
    }
    paired(&crashed, "both calls are answered");
    assert_eq!(crashed.repairs(), ["interruptedCall"]);
}

#[test]
fn peers_16_an_interrupted_call_is_kept_and_its_effects_are_said_to_be_unknown() {
    let destroyed = talk("u: clean up\na: call(t1 rm {\"path\":\"/data\"})\nu: well?");
    let said = destroyed.said();
    assert_eq!(said[1], "assistant: call(t1 rm {\"path\":\"/data\"})");
    assert_eq!(said[2], "user: result(t1 [interrupted: no result was recorded; its effects are unknown])");
}

#[test]
fn peers_17_another_provider_gets_the_same_repair() {
    let killed = talk("u: go\na: call(t1 one {})");
    for dialect in wire_dialects() {
        let assembly = killed.clone().to(dialect).assemble();
        assert!(String::from_utf8_lossy(&assembly.request).contains("interrupted: no result was recorded"), "{dialect}");
    }
}

const PARALLEL: &str = "
    u: go
    a: call(t1 one {}) | call(t2 two {}) | call(t3 three {})
    a: result(t3 third)
    a: result(t1 first)
    u: next";

#[test]
fn peers_18_every_call_of_a_turn_has_one_response_in_the_next_turn_in_order() {
    let body = talk(PARALLEL).to(Dialect::Gemini).body();
    let names = |turn: &Value, kind: &str| -> Vec<String> {
        let parts = turn["parts"].as_array().into_iter().flatten();
        parts.filter_map(|part| part[kind]["name"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(names(&body["contents"][1], "functionCall"), ["one", "two", "three"]);
    assert_eq!(names(&body["contents"][2], "functionResponse"), ["one", "two", "three"]);
}

#[test]
fn peers_19_parallel_results_come_in_call_order_however_they_arrived() {
    let said = talk(PARALLEL).said();
    assert!(said[2].starts_with("user: result(t1 first) | result(t2 [interrupted"), "{}", said[2]);
    assert!(said[2].ends_with("| result(t3 third)"), "{}", said[2]);
    assert!(talk(PARALLEL).repairs().contains(&"reordered"));
}

#[test]
fn peers_20_the_first_message_is_a_user_turn_without_orphans() {
    let lines = "
        a: call(t1 one {})
        a: result(t1 done)
        a: Hello.
        u: hi";
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        let talk = talk(lines).to(dialect);
        assert_eq!(errors(&talk.assemble(), dialect), [], "{dialect}");
        assert!(talk.repairs().contains(&"opener"), "{dialect}");
        assert!(String::from_utf8_lossy(&talk.assemble().request).contains("(conversation begins)"));
    }
}

#[test]
fn peers_21_a_tool_that_the_provider_ran_stays_in_one_message() {
    let native = |text: &str| Some(Json::parse(text).expect("JSON"));
    let served = |result: bool| {
        talk("u: search\na: call(srvtoolu_1 web_search {\"query\":\"x\"}) | result(srvtoolu_1 found) | Here.").with(|talk| {
            for part in &mut talk.node("n2").parts {
                match part {
                    Part::ToolCall(call) => {
                        call.native =
                            native(r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}"#);
                    }
                    Part::ToolResult(part) => {
                        part.native = native(r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#);
                    }
                    _ => {}
                }
            }
            if !result {
                talk.node("n2").parts.remove(1);
            }
        })
    };
    let body = served(true).input("more").to(Dialect::Anthropic).body();
    let types: Vec<_> =
        body["messages"][1]["content"].as_array().into_iter().flatten().map(|block| block["type"].clone()).collect();
    assert_eq!(types, [json!("server_tool_use"), json!("web_search_tool_result"), json!("text")]);
    for (whole, dialect) in
        [(true, Dialect::Anthropic), (false, Dialect::Anthropic), (true, Dialect::OpenAi), (false, Dialect::Gemini)]
    {
        let talk = served(whole).input("more").to(dialect);
        assert_eq!(errors(&talk.assemble(), dialect), [], "{dialect} {whole}");
    }
    assert_eq!(served(false).to(Dialect::Anthropic).input("more").repairs(), ["foreignTool", "interruptedCall"]);
}

#[test]
fn peers_22_what_was_said_after_a_call_begins_a_new_message() {
    let aborted = talk("u: go\na: call(t1 one {}) | Never mind.\na: result(t1 done)\nu: next");
    assert_eq!(
        aborted.said(),
        ["user: go", "assistant: call(t1 one {})", "user: result(t1 done)", "assistant: Never mind.", "user: next"]
    );
}

#[test]
fn peers_23_results_come_first_and_together_before_pictures() {
    let shown = talk("u: go\na: call(t1 one {}) | call(t2 two {})\nu: result(t1 a) | image | result(t2 b) | look");
    for dialect in wire_dialects() {
        assert_eq!(errors(&shown.clone().to(dialect).assemble(), dialect), [], "{dialect}");
    }
    let body = shown.to(Dialect::Anthropic).body();
    let types: Vec<_> =
        body["messages"][2]["content"].as_array().into_iter().flatten().map(|block| block["type"].clone()).collect();
    assert_eq!(types, [json!("tool_result"), json!("tool_result"), json!("image"), json!("text")]);
}

#[test]
fn peers_24_truncated_arguments_become_a_valid_object() {
    for (args, shown) in [
        (r#"{"path":"/da"#, r#"{"unparsedArguments":"{\"path\":\"/da"}"#),
        ("[1,2]", r#"{"unparsedArguments":"[1,2]"}"#),
        ("null", "{}"),
    ] {
        let talk = talk(&format!("u: go\na: call(t1 one {args})\na: result(t1 ok)"));
        assert_eq!(talk.said()[1], format!("assistant: call(t1 one {shown})"));
        assert_eq!(talk.repairs(), ["badArguments"]);
    }
    let long = format!(r#"{{"text":"{}"}}"#, tokens(3000));
    let talk = talk(&format!("u: go\na: call(t1 one {long})\na: result(t1 ok)\nu: next")).set(r#"{"contextLength":3100}"#);
    assert!(talk.said()[1].contains(&tokens(3000)), "arguments are never cut");
}

#[test]
fn peers_25_foreign_call_ids_are_mapped_on_both_sides() {
    let long = "x".repeat(80);
    for (dialect, id) in [(Dialect::Anthropic, "functions.Bash:0"), (Dialect::OpenAi, &*long), (Dialect::Responses, &*long)] {
        let talk = talk(&format!("u: go\na: call({id} one {{}})\na: result({id} ok)")).to(dialect);
        assert_eq!(errors(&talk.assemble(), dialect), [], "{dialect}");
        assert_eq!(talk.repairs(), ["mappedId"], "{dialect}");
        assert_eq!(talk.assemble().request, talk.assemble().request);
    }
    let apart =
        talk("u: go\na: call(a.b one {}) | call(a:b two {})\na: result(a:b second) | result(a.b first)").to(Dialect::Anthropic);
    assert_eq!(errors(&apart.assemble(), Dialect::Anthropic), []);
    let body = apart.body();
    let first = &body["messages"][1]["content"][0]["id"];
    assert_eq!(
        (&body["messages"][2]["content"][0]["tool_use_id"], body["messages"][2].to_string().contains("first")),
        (first, true)
    );
}
