//! Rows of the AI SDK.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid() -> Value {
    let result = |id: &str, output: Value| json!({"type": "tool-result", "toolCallId": id, "toolName": "f", "output": output});
    let call = |id: &str| json!({"type": "tool-call", "toolCallId": id, "toolName": "f", "input": {}});
    json!({"system": "Be brief.", "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image", "image": "AAAA"},
            {"type": "file", "data": "AAAA", "mediaType": "text/plain"}]},
        {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": ""},
            call("1"), call("2"), call("3"), call("4"), call("5"), call("6"),
            {"type": "tool-call", "toolCallId": "7", "toolName": "web", "input": {}, "providerExecuted": true},
            result("7", json!({"type": "json", "value": null})),
            {"type": "tool-approval-request", "approvalId": "a", "toolCallId": "6"}]},
        {"role": "tool", "content": [result("1", json!({"type": "text", "value": "x"})), result("2", json!({"type": "json", "value": {}})),
            result("3", json!({"type": "error-text", "value": "x"}))]},
        {"role": "tool", "content": [result("4", json!({"type": "content", "value": []})), result("5", json!({"type": "error-json", "value": 1})),
            {"type": "tool-approval-response", "approvalId": "a", "approved": true}]},
        {"role": "assistant", "content": "Done"},
        {"role": "user", "content": "Bye"}]})
}

fn messages(list: Value) -> Value {
    json!({"messages": list})
}

fn asks(input: Value) -> Value {
    json!({"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": input}]})
}

fn answers(name: &str, output: Value) -> Value {
    json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": name, "output": output}]})
}

pub(super) fn rows() -> Vec<Row> {
    let text = json!({"type": "text", "value": "r"});
    let good = answers("f", text.clone());
    let user = |part: Value| messages(json!([{"role": "user", "content": [part]}]));
    vec![
        row("no messages", json!({}), &[("$.messages", Rule::MissingField)]),
        row("empty messages", messages(json!([])), &[("$.messages", Rule::EmptyMessages)]),
        row(
            "system of another type",
            json!({"system": 1, "messages": [{"role": "user", "content": "x"}]}),
            &[("$.system", Rule::WrongType)],
        ),
        row("unknown role", messages(json!([{"role": "data", "content": "x"}])), &[("$.messages[0].role", Rule::UnknownRole)]),
        row("no content", messages(json!([{"role": "user"}])), &[("$.messages[0].content", Rule::MissingField)]),
        row(
            "system of parts",
            messages(json!([{"role": "system", "content": []}])),
            &[("$.messages[0].content", Rule::WrongType)],
        ),
        row(
            "result as a string",
            messages(json!([{"role": "tool", "content": "x"}])),
            &[("$.messages[0].content", Rule::WrongType)],
        ),
        row(
            "reasoning from the user",
            user(json!({"type": "reasoning", "text": "x"})),
            &[("$.messages[0].content[0].type", Rule::PartNotAllowed)],
        ),
        row("part of a UI message", user(json!({"type": "step-start"})), &[("$.messages[0].content[0].type", Rule::UnknownPart)]),
        row(
            "file without a type",
            user(json!({"type": "file", "data": "AAAA"})),
            &[("$.messages[0].content[0].mediaType", Rule::MissingField)],
        ),
        row("image of nothing", user(json!({"type": "image"})), &[("$.messages[0].content[0].image", Rule::MissingField)]),
        row(
            "input as a string",
            messages(json!([asks(json!("{}")), good])),
            &[("$.messages[0].content[0].input", Rule::BadArguments)],
        ),
        row(
            "call without result",
            messages(json!([asks(json!({})), {"role": "user", "content": "x"}])),
            &[("$.messages[0].content[0]", Rule::UnansweredToolCall)],
        ),
        row("result without call", messages(json!([good])), &[("$.messages[0].content[0]", Rule::OrphanToolResult)]),
        row(
            "result with another name",
            messages(json!([asks(json!({})), answers("g", text)])),
            &[("$.messages[1].content[0]", Rule::ToolNameMismatch)],
        ),
        row(
            "result of version 4",
            messages(
                json!([asks(json!({})), {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "f", "result": "x"}]}]),
            ),
            &[("$.messages[1].content[0].output", Rule::MissingField)],
        ),
        row(
            "unknown output",
            messages(json!([asks(json!({})), answers("f", json!({"type": "xml", "value": ""}))])),
            &[("$.messages[1].content[0].output.type", Rule::InvalidValue)],
        ),
        row(
            "text output of another type",
            messages(json!([asks(json!({})), answers("f", json!({"type": "text", "value": 1}))])),
            &[("$.messages[1].content[0].output.value", Rule::WrongType)],
        ),
    ]
}
