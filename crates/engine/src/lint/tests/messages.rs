//! Rows of the neutral messages.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid() -> Value {
    json!({"system": "Be brief.",
        "tools": [{"name": "ns.search", "description": "Search.", "inputSchema": {"type": "object"}}],
        "messages": [
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image", "mediaType": "image/png", "data": "AAAA"},
                {"type": "file", "name": "a.txt", "mediaType": "text/plain", "url": "https://x.test/a"}]},
            {"role": "assistant", "content": [{"type": "reasoning", "text": "hm", "signature": "s"},
                {"type": "toolCall", "id": "1", "name": "ns.search", "args": {}}, {"type": "toolCall", "id": "2", "name": "ns.search", "args": {"q": 1}}]},
            {"role": "user", "content": [{"type": "toolResult", "id": "1", "content": "", "isError": true}]},
            {"role": "user", "content": [{"type": "toolResult", "id": "2", "content": [{"type": "text", "text": "x"}, {"type": "image", "url": "https://x.test/b"}]},
                {"type": "text", "text": "and"}]},
            {"role": "user", "content": "Bye"}]})
}

fn messages(list: Value) -> Value {
    json!({"messages": list})
}

fn user(parts: Value) -> Value {
    messages(json!([{"role": "user", "content": parts}]))
}

fn calls(ids: &[&str]) -> Value {
    let calls: Vec<_> = ids.iter().map(|id| json!({"type": "toolCall", "id": id, "name": "f", "args": {}})).collect();
    json!({"role": "assistant", "content": calls})
}

fn result(id: &str) -> Value {
    json!({"type": "toolResult", "id": id, "content": "r"})
}

fn exchange(ids: &[&str], answer: Value) -> Value {
    messages(json!([calls(ids), {"role": "user", "content": answer}]))
}

pub(super) fn rows() -> Vec<Row> {
    let said = json!([{"role": "user", "content": "x"}]);
    vec![
        row("no messages", json!({}), &[("$.messages", Rule::MissingField)]),
        row("empty messages", messages(json!([])), &[("$.messages", Rule::EmptyMessages)]),
        row("empty system text", json!({"system": "", "messages": said}), &[("$.system", Rule::EmptyText)]),
        row(
            "a tool twice",
            json!({"tools": [{"name": "a"}, {"name": "a"}], "messages": said}),
            &[("$.tools[1].name", Rule::DuplicateToolName)],
        ),
        row("unknown role", messages(json!([{"role": "system", "content": "x"}])), &[("$.messages[0].role", Rule::UnknownRole)]),
        row("no content", messages(json!([{"role": "user"}])), &[("$.messages[0].content", Rule::MissingField)]),
        row("empty text", messages(json!([{"role": "user", "content": ""}])), &[("$.messages[0].content", Rule::EmptyText)]),
        row("no part", user(json!([])), &[("$.messages[0].content", Rule::EmptyContent)]),
        row("empty part", user(json!([{"type": "text", "text": ""}])), &[("$.messages[0].content[0].text", Rule::EmptyText)]),
        row("unknown part", user(json!([{"type": "tool_use"}])), &[("$.messages[0].content[0].type", Rule::UnknownPart)]),
        row(
            "call from the user",
            user(json!([{"type": "toolCall"}])),
            &[("$.messages[0].content[0].type", Rule::PartNotAllowed)],
        ),
        row("image of nothing", user(json!([{"type": "image"}])), &[("$.messages[0].content[0].data", Rule::MissingField)]),
        row(
            "args as a string",
            messages(
                json!([{"role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "f", "args": "{}"}]}, {"role": "user", "content": [result("c")]}]),
            ),
            &[("$.messages[0].content[0].args", Rule::BadArguments)],
        ),
        row("call without result", messages(json!([calls(&["c"])])), &[("$.messages[0].content[0]", Rule::UnansweredToolCall)]),
        row("result without call", user(json!([result("c")])), &[("$.messages[0].content[0]", Rule::OrphanToolResult)]),
        row(
            "result behind the next answer",
            messages(json!([calls(&["c"]), {"role": "assistant", "content": "x"}, {"role": "user", "content": [result("c")]}])),
            &[("$.messages[0].content[0]", Rule::UnansweredToolCall), ("$.messages[2].content[0]", Rule::MisplacedToolResult)],
        ),
        row(
            "results in another order",
            exchange(&["c", "d"], json!([result("d"), result("c")])),
            &[("$.messages[1].content[1]", Rule::ResultsOutOfOrder)],
        ),
        row(
            "text before the result",
            exchange(&["c"], json!([{"type": "text", "text": "x"}, result("c")])),
            &[("$.messages[1].content[1]", Rule::ContentBeforeResult)],
        ),
        row(
            "call id twice",
            exchange(&["c", "c"], json!([result("c")])),
            &[("$.messages[0].content[1]", Rule::DuplicateCallId), ("$.messages[0].content[0]", Rule::UnansweredToolCall)],
        ),
        row(
            "call inside a result",
            exchange(&["c"], json!([{"type": "toolResult", "id": "c", "content": [{"type": "toolCall"}]}])),
            &[("$.messages[1].content[0].content[0].type", Rule::UnknownPart)],
        ),
    ]
}
