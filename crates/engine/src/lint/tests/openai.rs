//! Rows of Chat Completions.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid() -> Value {
    json!({"model": "gpt-4o", "temperature": 0.5, "max_completion_tokens": 9,
        "tools": [{"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}},
                  {"type": "function", "function": {"name": "now", "parameters": {}}},
                  {"type": "custom", "custom": {"name": "sql"}}],
        "tool_choice": {"type": "function", "function": {"name": "search"}},
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "system", "content": [{"type": "text", "text": "Be kind."}]},
            {"role": "user", "name": "Husam", "content": [
                {"type": "text", "text": "Look"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                {"type": "image_url", "image_url": {"url": "https://x.test/a.png"}},
                {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
                {"type": "file", "file": {"file_id": "f1"}}]},
            {"role": "user", "content": "And again"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": " {\"q\":1}"}},
                {"id": "c2", "type": "custom", "custom": {"name": "sql", "input": "select"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "found"},
            {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "1"}]},
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
            {"role": "assistant", "content": ""},
            {"role": "user", "content": "Bye"}]})
}

/// One user message, and `message` behind it.
fn after(message: Value) -> Value {
    json!([{"role": "user", "content": "x"}, message])
}

fn call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}})
}

fn calls(ids: &[&str]) -> Value {
    let calls: Vec<_> = ids.iter().map(|id| call(id)).collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

fn result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "r"})
}

fn user(parts: Value) -> Value {
    json!([{"role": "user", "content": parts}])
}

fn tool(name: &str) -> Value {
    json!({"type": "function", "function": {"name": name}})
}

pub(super) fn rows() -> Vec<Row> {
    [shapes(), contents(), tools(), exchanges()].into_iter().flatten().collect()
}

fn shapes() -> Vec<Row> {
    vec![
        row("no object", json!(1), &[("$", Rule::WrongType)]),
        row("no messages", json!({}), &[("$.messages", Rule::MissingField)]),
        row("messages of another type", json!({"messages": "x"}), &[("$.messages", Rule::WrongType)]),
        row("empty messages", json!({"messages": []}), &[("$.messages", Rule::EmptyMessages)]),
        row("empty bare list", json!([]), &[("$", Rule::EmptyMessages)]),
        row("message of another type", json!(["x"]), &[("$[0]", Rule::WrongType)]),
        row("no role", json!([{"content": "x"}]), &[("$[0].role", Rule::MissingField)]),
        row("unknown role", json!([{"role": "human", "content": "x"}]), &[("$[0].role", Rule::UnknownRole)]),
        row(
            "empty model",
            json!({"model": "", "messages": [{"role": "user", "content": "x"}]}),
            &[("$.model", Rule::MissingField)],
        ),
        row(
            "no output allowed",
            json!({"max_tokens": 0, "messages": [{"role": "user", "content": "x"}]}),
            &[("$.max_tokens", Rule::OutOfRange)],
        ),
        row(
            "blank in a name",
            json!([{"role": "user", "name": "A B", "content": "x"}]),
            &[("$[0].name", Rule::BadParticipantName)],
        ),
        row("function without name", json!([{"role": "function", "content": "x"}]), &[("$[0].name", Rule::MissingField)]),
    ]
}

fn contents() -> Vec<Row> {
    vec![
        row("no content", json!([{"role": "user"}]), &[("$[0].content", Rule::MissingContent)]),
        row(
            "null without calls",
            after(json!({"role": "assistant", "content": null})),
            &[("$[1].content", Rule::MissingContent)],
        ),
        row("content of another type", user(json!(1)), &[("$[0].content", Rule::WrongType)]),
        row("no part", user(json!([])), &[("$[0].content", Rule::EmptyContent)]),
        row("unknown part", user(json!([{"type": "video"}])), &[("$[0].content[0].type", Rule::UnknownPart)]),
        row("part without text", user(json!([{"type": "text"}])), &[("$[0].content[0].text", Rule::MissingField)]),
        row(
            "image from the system",
            json!([{"role": "system", "content": [{"type": "image_url"}]}]),
            &[("$[0].content[0].type", Rule::PartNotAllowed)],
        ),
        row(
            "refusal beside text",
            after(json!({"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "refusal", "refusal": "b"}]})),
            &[("$[1].content", Rule::PartNotAllowed)],
        ),
        row(
            "image with a path",
            user(json!([{"type": "image_url", "image_url": {"url": "a.png"}}])),
            &[("$[0].content[0].image_url.url", Rule::BadImageUrl)],
        ),
        row(
            "image not in base64",
            user(json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,A!AA"}}])),
            &[("$[0].content[0].image_url.url", Rule::BadBase64)],
        ),
        row(
            "image of a strange type",
            user(json!([{"type": "image_url", "image_url": {"url": "data:image/bmp;base64,AAAA"}}])),
            &[("$[0].content[0].image_url.url", Rule::UnknownMediaType)],
        ),
        row(
            "file of nothing",
            user(json!([{"type": "file", "file": {}}])),
            &[("$[0].content[0].file.file_data", Rule::MissingField)],
        ),
        row(
            "audio of nothing",
            user(json!([{"type": "input_audio", "input_audio": {"data": "AAAA"}}])),
            &[("$[0].content[0].input_audio.format", Rule::MissingField)],
        ),
    ]
}

fn tools() -> Vec<Row> {
    let with = |tools: Value| json!({"tools": tools, "messages": [{"role": "user", "content": "x"}]});
    let many: Vec<_> = (0..129).map(|i| tool(&format!("t{i}"))).collect();
    vec![
        row("no tool", with(json!([])), &[("$.tools", Rule::EmptyTools)]),
        row("129 tools", with(json!(many)), &[("$.tools", Rule::TooManyTools)]),
        row("dot in a tool's name", with(json!([tool("a.b")])), &[("$.tools[0].function.name", Rule::BadToolName)]),
        row("65 letters", with(json!([tool(&"a".repeat(65))])), &[("$.tools[0].function.name", Rule::BadToolName)]),
        row("a tool twice", with(json!([tool("a"), tool("a")])), &[("$.tools[1].function.name", Rule::DuplicateToolName)]),
        row("unknown kind of tool", with(json!([{"type": "magic"}])), &[("$.tools[0].type", Rule::UnknownPart)]),
        row(
            "schema of a string",
            with(json!([{"type": "function", "function": {"name": "a", "parameters": {"type": "string"}}}])),
            &[("$.tools[0].function.parameters.type", Rule::BadToolSchema)],
        ),
        row(
            "choice of no tool",
            json!({"tools": [tool("a")], "tool_choice": {"type": "function", "function": {"name": "b"}}, "messages": [{"role": "user", "content": "x"}]}),
            &[("$.tool_choice.function.name", Rule::UnknownToolChoice)],
        ),
    ]
}

fn exchanges() -> Vec<Row> {
    let odd = |call: Value| json!([{"role": "assistant", "tool_calls": [call]}, result("c")]);
    let function =
        |arguments: Value| odd(json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}));
    let ids: Vec<_> = (0..129).map(|i| format!("c{i}")).collect();
    let ids: Vec<_> = ids.iter().map(String::as_str).collect();
    let mut many = vec![calls(&ids)];
    many.extend(ids.iter().map(|id| result(id)));
    let long = "c".repeat(65);
    vec![
        row(
            "no call",
            after(json!({"role": "assistant", "content": "x", "tool_calls": []})),
            &[("$[1].tool_calls", Rule::EmptyTools)],
        ),
        row("129 calls", json!(many), &[("$[0].tool_calls", Rule::TooManyCalls)]),
        row("arguments as an object", function(json!({})), &[("$[0].tool_calls[0].function.arguments", Rule::WrongType)]),
        row("arguments of a list", function(json!("[]")), &[("$[0].tool_calls[0].function.arguments", Rule::BadArguments)]),
        row("empty arguments", function(json!("")), &[("$[0].tool_calls[0].function.arguments", Rule::BadArguments)]),
        row("no arguments", function(json!(null)), &[("$[0].tool_calls[0].function.arguments", Rule::MissingField)]),
        row(
            "call without type",
            odd(json!({"id": "c", "function": {"name": "f", "arguments": "{}"}})),
            &[("$[0].tool_calls[0].type", Rule::MissingField)],
        ),
        row(
            "call of an unknown kind",
            odd(json!({"id": "c", "type": "magic"})),
            &[("$[0].tool_calls[0].type", Rule::UnknownPart)],
        ),
        row(
            "call with a dotted name",
            odd(json!({"id": "c", "type": "function", "function": {"name": "a.b", "arguments": "{}"}})),
            &[("$[0].tool_calls[0].function.name", Rule::BadToolName)],
        ),
        row("id of 65 letters", json!([calls(&[&long]), result(&long)]), &[("$[0].tool_calls[0].id", Rule::CallIdTooLong)]),
        row(
            "id used twice",
            json!([calls(&["c"]), result("c"), calls(&["c"]), result("c")]),
            &[("$[2].tool_calls[0]", Rule::DuplicateCallId)],
        ),
        row("call without result", json!([calls(&["c", "d"]), result("c")]), &[("$[0].tool_calls[1]", Rule::UnansweredToolCall)]),
        row("result without call", after(result("c")), &[("$[1]", Rule::OrphanToolResult)]),
        row(
            "result behind a user message",
            json!([calls(&["c"]), {"role": "user", "content": "x"}, result("c")]),
            &[("$[0].tool_calls[0]", Rule::UnansweredToolCall), ("$[2]", Rule::MisplacedToolResult)],
        ),
        row("two results", json!([calls(&["c"]), result("c"), result("c")]), &[("$[2]", Rule::DuplicateToolResult)]),
        row(
            "results in another order",
            json!([calls(&["c", "d"]), result("d"), result("c")]),
            &[("$[2]", Rule::ResultsOutOfOrder)],
        ),
        row(
            "result without content",
            json!([calls(&["c"]), {"role": "tool", "tool_call_id": "c"}]),
            &[("$[1].content", Rule::MissingContent)],
        ),
        row(
            "image in a result",
            json!([calls(&["c"]), {"role": "tool", "tool_call_id": "c", "content": [{"type": "image_url"}]}]),
            &[("$[1].content[0].type", Rule::NonTextToolResult)],
        ),
    ]
}
