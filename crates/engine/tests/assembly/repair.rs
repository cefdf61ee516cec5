//! Every repair, and that strict refuses each.

use crate::scene::{errors, talk, wire_dialects};
use weftwork::AssembleError;
use weftwork::dialect::Dialect;

const BROKEN: [(&str, Dialect, &str); 11] = [
    ("u: 1\na: call(t1 x {})\nu: 2", Dialect::Messages, "interruptedCall"),
    ("u: 1\na: result(t1 late)\nu: 2", Dialect::Messages, "orphanResult"),
    ("u: 1\na: call(t1 x {}) | result(t1 a) | result(t1 b)\nu: 2", Dialect::Messages, "duplicateResult"),
    ("u: 1\na: call(t1 x {}) | result(t1 a)\nu: 2\na: call(t1 y {}) | result(t1 b)", Dialect::Messages, "duplicateCall"),
    ("u: 1\na: call(t1 x {})\nu: 2\na: result(t1 a)", Dialect::Messages, "reordered"),
    ("u: 1\na: call(t1 x {\"a\":)\na: result(t1 a)", Dialect::Messages, "badArguments"),
    ("u: 1\na: call(t.1 x {})\na: result(t.1 a)\nu: 2", Dialect::Anthropic, "mappedId"),
    ("u: 1\na: call(t1 x! {})\na: result(t1 a)\nu: 2", Dialect::OpenAi, "mappedName"),
    ("a: 1\nu: 2", Dialect::Anthropic, "opener"),
    ("u: 1\na: image\nu: 2", Dialect::OpenAi, "media"),
    ("u: 1\nu system: 2\nu: 3", Dialect::Anthropic, "systemMessage"),
];

#[test]
fn every_repair_is_made_reported_and_valid() {
    for (lines, dialect, kind) in BROKEN {
        let talk = talk(lines).to(dialect);
        assert_eq!(talk.repairs(), [kind], "{lines}");
        assert_eq!(errors(&talk.assemble(), dialect), [], "{lines}");
    }
}

#[test]
fn strict_turns_each_repair_into_an_error() {
    for (lines, dialect, kind) in BROKEN {
        match talk(lines).to(dialect).set(r#"{"strict":true}"#).error() {
            AssembleError::Strict { repair } => assert_eq!(repair.kind.word(), kind, "{lines}"),
            other => panic!("{lines}: {other}"),
        }
    }
}

#[test]
fn strict_says_nothing_of_what_was_cut() {
    let lines = "u: one two three\na: call(t1 x {})\nu: a long question that takes all the room there is\na: ok\nu: 2";
    let talk = talk(lines).set(r#"{"strict":true,"strategy":"rollingWindow","contextLength":14}"#);
    assert_eq!(talk.kept(), ["n3", "n4", "n5"].map(String::from)[..].to_vec());
}

#[test]
fn of_two_results_the_later_stands() {
    let said = talk("u: 1\na: call(t1 x {})\na: result(t1 first)\na: result(t1 second)\nu: 2").said();
    assert_eq!(said[2], "user: result(t1 second)");
}

#[test]
fn a_call_id_used_twice_is_renamed_with_its_results() {
    let said = talk("u: 1\na: call(t1 x {}) | call(t1 y {})\na: result(t1 first)\na: result(t1 second)").said();
    let second = said[1].split("call(").nth(2).and_then(|rest| rest.split(' ').next()).expect("a second call");
    assert_ne!(second, "t1");
    assert_eq!(said[2], format!("user: result(t1 first) | result({second} second)"));
}

#[test]
fn a_call_is_not_renamed_after_one_that_was_cut() {
    let lines = "u: question one\na: call(t1 x {}) | result(t1 a)\nu: two\na: call(t1 y {}) | result(t1 b)";
    let talk = talk(lines).set(r#"{"strategy":"rollingWindow","contextLength":6}"#);
    assert_eq!(talk.said()[1], "assistant: call(t1 y {})");
    assert_eq!(talk.repairs(), [""; 0]);
}

#[test]
fn results_of_a_mixed_turn_follow_their_own_message() {
    let said = talk("u: 1\na: call(t1 x {}) | Now. | call(t2 y {})\na: result(t2 b) | result(t1 a)\nu: 2").said();
    assert_eq!(
        said,
        [
            "user: 1",
            "assistant: call(t1 x {})",
            "user: result(t1 a)",
            "assistant: Now. | call(t2 y {})",
            "user: result(t2 b)",
            "user: 2"
        ]
    );
}

#[test]
fn excluding_half_of_an_exchange_leaves_a_valid_request() {
    for flags in [("excluded", ""), ("", "excluded"), ("pruned", ""), ("", "pruned")] {
        let lines = format!("u: 1\na {}: call(t1 x {{}})\na {}: result(t1 a)\nu: 2", flags.0, flags.1);
        for dialect in wire_dialects() {
            assert_eq!(errors(&talk(&lines).to(dialect).assemble(), dialect), [], "{dialect} {flags:?}");
        }
    }
}

#[test]
fn the_opener_is_counted() {
    let lines = "a: 12345678\nu: 1234";
    let exact =
        |context: u32| talk(lines).to(Dialect::Anthropic).set(&format!(r#"{{"contextLength":{context},"marker":false}}"#));
    // Reserve 1, history 3, opener 6.
    assert_eq!(exact(10).kept(), ["n1", "n2"]);
    assert_eq!(exact(9).kept(), ["n2"]);
}
