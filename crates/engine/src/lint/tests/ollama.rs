//! Rows of Ollama.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid() -> Value {
    json!({"model": "llama3", "options": {"num_ctx": 8192, "temperature": 0},
        "tools": [{"type": "function", "function": {"name": "ns.search", "parameters": {"type": "object"}}}],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Look", "images": ["AAAA"]},
            {"role": "assistant", "content": "", "thinking": "hm", "tool_calls": [
                {"function": {"name": "search", "arguments": {"q": 1}}}, {"function": {"name": "search", "arguments": {}}}]},
            {"role": "tool", "tool_name": "search", "content": "a"},
            {"role": "tool", "tool_name": "search", "tool_call_id": "x", "content": "b"},
            {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "search", "arguments": {}}},
                {"id": "c2", "function": {"name": "search", "arguments": {}}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "a"},
            {"role": "tool", "tool_name": "search", "content": "b"},
            {"role": "user", "content": "Bye"}]})
}

fn messages(list: Value) -> Value {
    json!({"messages": list})
}

fn one(key: &str, value: Value) -> Value {
    messages(json!([{"role": "user", "content": "x", key: value}]))
}

fn call(arguments: Value) -> Value {
    messages(json!([{"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": "c", "content": "r"}]))
}

pub(super) fn rows() -> Vec<Row> {
    let asks = json!({"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]});
    let asks_unnamed = json!({"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]});
    let result = json!({"role": "tool", "content": "r"});
    vec![
        row("no messages", json!({}), &[("$.messages", Rule::MissingField)]),
        row("empty messages", messages(json!([])), &[("$.messages", Rule::EmptyMessages)]),
        row(
            "unknown role",
            messages(json!([{"role": "developer", "content": "x"}])),
            &[("$.messages[0].role", Rule::UnknownRole)],
        ),
        row(
            "content of parts",
            messages(json!([{"role": "user", "content": [{"type": "text", "text": "x"}]}])),
            &[("$.messages[0].content", Rule::WrongType)],
        ),
        row("nothing said", messages(json!([{"role": "user"}])), &[("$.messages[0].content", Rule::MissingContent)]),
        row(
            "image as a data URL",
            one("images", json!(["data:image/png;base64,AAAA"])),
            &[("$.messages[0].images[0]", Rule::BadBase64)],
        ),
        row("image as an object", one("images", json!([{}])), &[("$.messages[0].images[0]", Rule::WrongType)]),
        row("name", one("name", json!("Husam")), &[("$.messages[0].name", Rule::IgnoredName)]),
        row(
            "arguments as a string",
            call(json!("{}")),
            &[("$.messages[0].tool_calls[0].function.arguments", Rule::BadArguments)],
        ),
        row("no arguments", call(json!(null)), &[("$.messages[0].tool_calls[0].function.arguments", Rule::BadArguments)]),
        row(
            "window of nothing",
            json!({"options": {"num_ctx": 0}, "messages": [{"role": "user", "content": "x"}]}),
            &[("$.options.num_ctx", Rule::OutOfRange)],
        ),
        row("result without call", messages(json!([result])), &[("$.messages[0]", Rule::OrphanToolResult)]),
        row(
            "more results than calls",
            messages(json!([asks_unnamed, result, result])),
            &[("$.messages[2]", Rule::OrphanToolResult)],
        ),
        row(
            "call without result",
            messages(json!([asks, {"role": "user", "content": "x"}])),
            &[("$.messages[0].tool_calls[0]", Rule::UnansweredToolCall)],
        ),
        row(
            "unnamed call without result",
            messages(json!([asks_unnamed])),
            &[("$.messages[0].tool_calls[0]", Rule::UnansweredToolCall)],
        ),
    ]
}
