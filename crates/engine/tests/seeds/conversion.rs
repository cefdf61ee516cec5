//! Seed 002: chat messages into model messages, tool calls and results kept. Preset `superdesign`.
//!
//! The seed's types: `user-input` is a person's text, `assistant` an agent's, `tool` a call, `tool-result` a result;
//! `result` and `tool-group` are facts of calls or of the page and never become nodes.

use crate::scene::{errors, talk, wire_dialects};
use serde_json::Value;
use weftwork::dialect::Dialect;

const LOOP: &str = "
    u: draw a logo
    a: On it. | call(t1 draw {\"color\":\"red\"})
    a: result(t1 saved logo.svg)
    a: Here it is.";

fn roles(body: &Value, list: &str, field: &str) -> Vec<String> {
    body[list].as_array().into_iter().flatten().map(|item| item[field].as_str().unwrap_or("").to_owned()).collect()
}

#[test]
fn seed_002_user_input_becomes_a_user_message_and_assistant_an_assistant_message() {
    assert_eq!(talk("u: hi\na: hello").said(), ["user: hi", "assistant: hello"]);
}

#[test]
fn seed_002_tool_becomes_a_call_of_the_assistant_and_tool_result_follows_with_the_same_id() {
    assert_eq!(
        talk(LOOP).said(),
        [
            "user: draw a logo",
            "assistant: On it. | call(t1 draw {\"color\":\"red\"})",
            "user: result(t1 saved logo.svg)",
            "assistant: Here it is."
        ]
    );
}

/// The seed's table says `user` for results; each API says what it needs.
#[test]
fn seed_002_tool_results_have_the_role_their_api_needs() {
    for (dialect, list, field, expected) in [
        (Dialect::AiSdk, "messages", "role", ["user", "assistant", "tool", "assistant", "user"]),
        (Dialect::OpenAi, "messages", "role", ["user", "assistant", "tool", "assistant", "user"]),
        (Dialect::Ollama, "messages", "role", ["user", "assistant", "tool", "assistant", "user"]),
        (Dialect::Anthropic, "messages", "role", ["user", "assistant", "user", "assistant", "user"]),
        (Dialect::Gemini, "contents", "role", ["user", "model", "user", "model", "user"]),
        (Dialect::Messages, "messages", "role", ["user", "assistant", "user", "assistant", "user"]),
    ] {
        let body = talk(LOOP).input("bigger").set(r#"{"preset":"superdesign"}"#).to(dialect).body();
        assert_eq!(roles(&body, list, field), expected, "{dialect}");
    }
    let body = talk(LOOP).to(Dialect::Responses).body();
    let types: Vec<_> = roles(&body, "input", "type").into_iter().filter(|kind| kind.starts_with("function")).collect();
    assert_eq!(types, ["function_call", "function_call_output"]);
}

#[test]
fn seed_002_every_request_of_a_tool_conversation_is_valid_for_its_api() {
    for dialect in wire_dialects() {
        let talk = talk(LOOP).input("bigger").to(dialect);
        assert_eq!(errors(&talk.assemble(), dialect), [], "{dialect}");
    }
}

#[test]
fn seed_002_call_and_result_in_one_message_are_parted() {
    let one = talk(
        "
        u: go
        a: call(t1 ls {}) | result(t1 a b c) | Done.",
    );
    assert_eq!(one.said(), ["user: go", "assistant: call(t1 ls {})", "user: result(t1 a b c)", "assistant: Done."]);
}

#[test]
fn seed_002_messages_without_content_are_skipped() {
    let empty = talk(
        "
        u: hi
        a: blank
        a:
        u: there",
    );
    assert_eq!(empty.said(), ["user: hi", "user: there"]);
    assert_eq!(empty.fate("n2"), "dropped empty");
    assert_eq!(empty.fate("n3"), "dropped empty");
}

#[test]
fn seed_002_first_message_and_cleared_history() {
    assert_eq!(talk("").input("first").said(), ["user: first"]);
    assert_eq!(talk("u: old\na: old\nu edge: fresh").said(), ["user: fresh"]);
}

#[test]
fn seed_002_tool_calls_that_span_several_turns_stay_whole() {
    let spans = talk(
        "
        u: start
        a: call(t1 build {})
        u: how long?
        a: A minute.
        a: result(t1 built)
        u: and now?",
    );
    assert_eq!(
        spans.said(),
        [
            "user: start",
            "assistant: call(t1 build {})",
            "user: result(t1 built)",
            "user: how long?",
            "assistant: A minute.",
            "user: and now?"
        ]
    );
    assert_eq!(spans.repairs(), ["reordered"]);
}

/// "Graceful fallback if conversion fails": a repair that is reported, or with `strict` an error.
#[test]
fn seed_002_an_interrupted_tool_call_does_not_break_the_chat() {
    let broken = talk(
        "
        u: go
        a: call(t1 deploy {})
        u: still there?",
    );
    assert_eq!(broken.said()[2], "user: result(t1 [interrupted: no result was recorded; its effects are unknown])");
    assert_eq!(broken.repairs(), ["interruptedCall"]);
    assert_eq!(broken.fate("n2"), "repaired firstTurn");
}
