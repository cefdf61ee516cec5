//! Rows of Responses.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid() -> Value {
    json!({"model": "gpt-5", "instructions": "Be brief.", "store": false, "max_output_tokens": 9,
        "tools": [{"type": "function", "name": "search", "parameters": {"type": "object"}}, {"type": "web_search"}],
        "tool_choice": {"type": "function", "name": "search"},
        "input": [
            {"role": "developer", "content": "Be kind."},
            {"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "Look"},
                {"type": "input_image", "image_url": "https://x.test/a.png"},
                {"type": "input_image", "file_id": "file-1"},
                {"type": "input_file", "file_id": "file-2"}]},
            {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"},
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "gAAB", "content": []},
            {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "search", "arguments": "{}"},
            {"type": "custom_tool_call", "call_id": "c2", "name": "sql", "input": "select"},
            {"type": "function_call_output", "call_id": "c1", "output": "found"},
            {"type": "custom_tool_call_output", "call_id": "c2", "output": "1"},
            {"type": "web_search_call", "id": "ws_1", "status": "completed"},
            {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "Done", "annotations": []}]},
            {"role": "user", "content": "Bye"}]})
}

fn input(items: Value) -> Value {
    json!({"input": items})
}

fn say(role: &str, kind: &str) -> Value {
    input(json!([{"role": role, "content": [{"type": kind, "text": "x"}]}]))
}

fn call(id: &str) -> Value {
    json!({"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"})
}

fn output(id: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": "r"})
}

pub(super) fn rows() -> Vec<Row> {
    [shapes(), reasoning(), calls()].into_iter().flatten().collect()
}

fn shapes() -> Vec<Row> {
    let user = json!({"role": "user", "content": "x"});
    vec![
        row("no input", json!({}), &[("$.input", Rule::MissingField)]),
        row("input of another type", input(json!(1)), &[("$.input", Rule::WrongType)]),
        row("empty input", input(json!("")), &[("$.input", Rule::EmptyText)]),
        row("no item", input(json!([])), &[("$.input", Rule::EmptyMessages)]),
        row("item of no kind", input(json!([{}])), &[("$.input[0].type", Rule::MissingField)]),
        row("item of an unknown kind", input(json!([{"type": "magic"}])), &[("$.input[0].type", Rule::UnknownPart)]),
        row("unknown role", input(json!([{"role": "tool", "content": "x"}])), &[("$.input[0].role", Rule::UnknownRole)]),
        row("no content", input(json!([{"role": "user"}])), &[("$.input[0].content", Rule::MissingField)]),
        row("output from the user", say("user", "output_text"), &[("$.input[0].content[0].type", Rule::PartNotAllowed)]),
        row("input from the assistant", say("assistant", "input_text"), &[("$.input[0].content[0].type", Rule::PartNotAllowed)]),
        row("a part of Chat Completions", say("user", "text"), &[("$.input[0].content[0].type", Rule::UnknownPart)]),
        row(
            "image with a path",
            input(json!([{"role": "user", "content": [{"type": "input_image", "image_url": "a.png"}]}])),
            &[("$.input[0].content[0].image_url", Rule::BadImageUrl)],
        ),
        row(
            "empty id",
            input(json!([{"type": "message", "id": "", "role": "user", "content": "x"}])),
            &[("$.input[0].id", Rule::BadItemId)],
        ),
        row(
            "call id as item id",
            input(
                json!([{"type": "function_call", "id": "call_1", "call_id": "c", "name": "f", "arguments": "{}"}, output("c")]),
            ),
            &[("$.input[0].id", Rule::BadItemId)],
        ),
        row(
            "an item twice",
            input(json!([{"type": "item_reference", "id": "msg_1"}, {"type": "item_reference", "id": "msg_1"}])),
            &[("$.input[1].id", Rule::DuplicateItemId)],
        ),
        row(
            "dot in a tool's name",
            json!({"input": [user], "tools": [{"type": "function", "name": "a.b"}]}),
            &[("$.tools[0].name", Rule::BadToolName)],
        ),
        row(
            "choice of no tool",
            json!({"input": [user], "tool_choice": {"type": "function", "name": "b"}}),
            &[("$.tool_choice.name", Rule::UnknownToolChoice)],
        ),
    ]
}

/// Rows whose bodies are as large as the limits they break.
pub(super) fn limits() -> Vec<Row> {
    let long = "x".repeat(10_485_761);
    let part = json!([{"role": "user", "content": [{"type": "input_text", "text": long}]}]);
    vec![
        row("long input", input(json!(long)), &[("$.input", Rule::TextTooLong)]),
        row("long part", input(part), &[("$.input[0].content[0].text", Rule::TextTooLong)]),
    ]
}

fn reasoning() -> Vec<Row> {
    let before = |item: Value| json!({"input": [item, {"role": "assistant", "content": "x"}]});
    vec![
        row("no summary", before(json!({"type": "reasoning", "id": "rs_1"})), &[("$.input[0].summary", Rule::MissingSummary)]),
        row(
            "summary of another type",
            before(json!({"type": "reasoning", "id": "rs_1", "summary": "x"})),
            &[("$.input[0].summary", Rule::WrongType)],
        ),
        row(
            "text in the clear",
            before(
                json!({"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "x"}]}),
            ),
            &[("$.input[0].content", Rule::PlaintextReasoning)],
        ),
        row(
            "neither id nor content",
            before(json!({"type": "reasoning", "summary": []})),
            &[("$.input[0]", Rule::UnresolvableReasoning)],
        ),
        row(
            "reasoning alone",
            input(json!([{"type": "reasoning", "id": "rs_1", "summary": []}])),
            &[("$.input[0]", Rule::ReasoningWithoutItem)],
        ),
        row(
            "reasoning before the user",
            input(json!([{"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "user", "content": "x"}])),
            &[("$.input[0]", Rule::ReasoningWithoutItem)],
        ),
    ]
}

fn calls() -> Vec<Row> {
    let long = "c".repeat(65);
    let odd = |key: &str, value: Value| {
        let mut call = call("c");
        call[key] = value;
        input(json!([call, output("c")]))
    };
    vec![
        row("call without output", input(json!([call("c")])), &[("$.input[0]", Rule::UnansweredToolCall)]),
        row("output without call", input(json!([output("c")])), &[("$.input[0]", Rule::OrphanToolResult)]),
        row(
            "output before its call",
            input(json!([output("c"), call("c")])),
            &[("$.input[0]", Rule::OrphanToolResult), ("$.input[1]", Rule::UnansweredToolCall)],
        ),
        row("two outputs", input(json!([call("c"), output("c"), output("c")])), &[("$.input[2]", Rule::DuplicateToolResult)]),
        row(
            "call id twice",
            input(json!([call("c"), output("c"), call("c"), output("c")])),
            &[("$.input[2]", Rule::DuplicateCallId)],
        ),
        row(
            "call id of 65 letters",
            input(json!([call(&long), output(&long)])),
            &[("$.input[0].call_id", Rule::CallIdTooLong), ("$.input[1].call_id", Rule::CallIdTooLong)],
        ),
        row(
            "no call id",
            input(json!([{"type": "function_call_output", "output": "r"}])),
            &[("$.input[0].call_id", Rule::MissingField)],
        ),
        row(
            "no output",
            input(json!([call("c"), {"type": "function_call_output", "call_id": "c"}])),
            &[("$.input[1].output", Rule::MissingField)],
        ),
        row("cut arguments", odd("arguments", json!("{\"a\":")), &[("$.input[0].arguments", Rule::BadArguments)]),
        row("arguments as an object", odd("arguments", json!({})), &[("$.input[0].arguments", Rule::WrongType)]),
        row("dotted name", odd("name", json!("a.b")), &[("$.input[0].name", Rule::BadToolName)]),
        row("output to an earlier response", json!({"previous_response_id": "resp_1", "input": [output("c")]}), &[]),
    ]
}
