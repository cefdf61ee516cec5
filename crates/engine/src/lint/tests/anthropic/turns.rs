//! Rows of the messages: order, content, exchanges, server tools, thinking.

use super::*;
use crate::lint::tests::row;

pub(in crate::lint::tests) fn order() -> Vec<Row> {
    let said = |roles: &[&str]| {
        let list: Vec<_> = roles.iter().map(|role| json!({"role": role, "content": "x"})).collect();
        body(json!(list))
    };
    let newest = |roles: &[&str]| with(said(roles), "model", json!("claude-opus-4-8"));
    vec![
        row("no messages", json!({"max_tokens": 9}), &[("$.messages", Rule::MissingField)]),
        row("empty messages", body(json!([])), &[("$.messages", Rule::EmptyMessages)]),
        row("role of another API", said(&["tool"]), &[("$.messages[0].role", Rule::UnknownRole)]),
        row("assistant first", said(&["assistant", "user"]), &[("$.messages[0].role", Rule::FirstNotUser)]),
        row("two in a row", said(&["user", "user"]), &[("$.messages[1].role", Rule::NotAlternating)]),
        row("system among messages", said(&["user", "system"]), &[("$.messages[1].role", Rule::SystemRole)]),
        row("system first", newest(&["system", "user"]), &[("$.messages[0].role", Rule::MisplacedSystem)]),
        row("system before the user", newest(&["user", "system", "user"]), &[("$.messages[1].role", Rule::MisplacedSystem)]),
        row("system last", newest(&["user", "system"]), &[]),
        row("assistant last", newest(&["user", "assistant"]), &[("$.messages[1]", Rule::PrefillRefused)]),
        row("assistant last on an older model", said(&["user", "assistant"]), &[]),
        row(
            "blank at the very end",
            body(json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": "So "}])),
            &[("$.messages[1].content", Rule::TrailingWhitespace)],
        ),
        row(
            "blank at the end of the last block",
            body(json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": [text("So\n")]}])),
            &[("$.messages[1].content[0].text", Rule::TrailingWhitespace)],
        ),
    ]
}

pub(in crate::lint::tests) fn contents() -> Vec<Row> {
    vec![
        row("no content", body(json!([{"role": "user"}])), &[("$.messages[0].content", Rule::MissingField)]),
        row("empty content", user(json!("")), &[("$.messages[0].content", Rule::EmptyText)]),
        row("no block", user(json!([])), &[("$.messages[0].content", Rule::EmptyContent)]),
        row("no block at the end", body(json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": []}])), &[]),
        row("empty block", user(json!([text("")])), &[("$.messages[0].content[0].text", Rule::EmptyText)]),
        row("blank block", user(json!([text(" \n")])), &[("$.messages[0].content[0].text", Rule::EmptyText)]),
        row("unknown block", user(json!([{"type": "image_url"}])), &[("$.messages[0].content[0].type", Rule::UnknownPart)]),
        row("call from the user", user(json!([call("t")])), &[("$.messages[0].content[0].type", Rule::PartNotAllowed)]),
        row(
            "image from the assistant",
            assistant(json!([{"type": "image"}])),
            &[("$.messages[1].content[0].type", Rule::PartNotAllowed)],
        ),
        row(
            "document of nothing",
            user(json!([{"type": "document"}])),
            &[("$.messages[0].content[0].source", Rule::MissingField)],
        ),
        row(
            "unknown source",
            user(json!([{"type": "document", "source": {"type": "path"}}])),
            &[("$.messages[0].content[0].source.type", Rule::InvalidValue)],
        ),
    ]
}

pub(in crate::lint::tests) fn exchanges() -> Vec<Row> {
    let odd = |key: &str, value: Value| {
        let mut call = call("t");
        call[key] = value;
        body(
            json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result("t")]}]),
        )
    };
    let answer = |content: Value, failed: bool| {
        exchange(&["t"], json!([{"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": failed}]))
    };
    let by_code = json!({"type": "tool_use", "id": "t", "name": "f", "input": {}, "caller": {"type": "code_execution_20250825", "tool_id": "s"}});
    vec![
        row("input as a string", odd("input", json!("{}")), &[("$.messages[1].content[0].input", Rule::BadArguments)]),
        row("no input", odd("input", json!(null)), &[("$.messages[1].content[0].input", Rule::BadArguments)]),
        row("name with a dot", odd("name", json!("a.b")), &[("$.messages[1].content[0].name", Rule::BadToolName)]),
        row(
            "id with a dot",
            exchange(&["a.b"], json!([result("a.b")])),
            &[("$.messages[1].content[0].id", Rule::BadCallId), ("$.messages[2].content[0].tool_use_id", Rule::BadCallId)],
        ),
        row(
            "id twice",
            exchange(&["t", "t"], json!([result("t")])),
            &[("$.messages[1].content[1]", Rule::DuplicateCallId), ("$.messages[1].content[0]", Rule::UnansweredToolCall)],
        ),
        row("call without result", exchange(&["t"], json!("y")), &[("$.messages[1].content[0]", Rule::UnansweredToolCall)]),
        row(
            "call at the end",
            body(json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": [call("t")]}])),
            &[("$.messages[1].content[0]", Rule::UnansweredToolCall)],
        ),
        row("result without call", user(json!([result("t")])), &[("$.messages[0].content[0]", Rule::OrphanToolResult)]),
        row(
            "two results",
            exchange(&["t"], json!([result("t"), result("t")])),
            &[("$.messages[2].content[1]", Rule::DuplicateToolResult)],
        ),
        row(
            "results in another order",
            exchange(&["t", "u"], json!([result("u"), result("t")])),
            &[("$.messages[2].content[1]", Rule::ResultsOutOfOrder)],
        ),
        row(
            "text before the result",
            exchange(&["t"], json!([text("x"), result("t")])),
            &[("$.messages[2].content[1]", Rule::ContentBeforeResult)],
        ),
        row(
            "text after the call",
            body(
                json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": [call("t"), text("so")]}, {"role": "user", "content": [result("t")]}]),
            ),
            &[("$.messages[1].content[1]", Rule::ContentAfterCall)],
        ),
        row(
            "result without id",
            exchange(&[], json!([{"type": "tool_result", "content": "r"}])),
            &[("$.messages[1].content", Rule::EmptyContent), ("$.messages[2].content[0].tool_use_id", Rule::MissingField)],
        ),
        row(
            "empty text in a result",
            answer(json!([text("")]), false),
            &[("$.messages[2].content[0].content[0].text", Rule::EmptyText)],
        ),
        row(
            "call in a result",
            answer(json!([{"type": "tool_use"}]), false),
            &[("$.messages[2].content[0].content[0].type", Rule::UnknownPart)],
        ),
        row(
            "picture in a failed result",
            answer(json!([{"type": "image", "source": {"type": "file", "file_id": "f"}}]), true),
            &[("$.messages[2].content[0].content[0]", Rule::NonTextErrorResult)],
        ),
        row(
            "text beside the results of code",
            body(
                json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": [by_code]}, {"role": "user", "content": [result("t"), text("y")]}]),
            ),
            &[("$.messages[2].content[1]", Rule::MixedProgrammaticResults)],
        ),
    ]
}

pub(in crate::lint::tests) fn server_tools() -> Vec<Row> {
    let server = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
    let done = json!({"type": "web_search_tool_result", "tool_use_id": "s", "content": []});
    let user = |content: Value| json!({"role": "user", "content": content});
    let says = |content: Value| json!({"role": "assistant", "content": content});
    vec![
        row(
            "server call without result",
            assistant(json!([server, text("x")])),
            &[("$.messages[1].content[0]", Rule::UnansweredServerTool)],
        ),
        row(
            "server result without call",
            assistant(json!([done, text("x")])),
            &[("$.messages[1].content[0]", Rule::OrphanServerResult)],
        ),
        row(
            "paused server call",
            with(body(json!([user(json!("x")), says(json!([server]))])), "model", json!("claude-opus-5")),
            &[],
        ),
        row(
            "server call that waits for the client",
            body(json!([
                user(json!("x")),
                says(json!([server, call("t")])),
                user(json!([result("t")])),
                says(json!([done, text("x")])),
                user(json!("y"))
            ])),
            &[],
        ),
    ]
}

pub(in crate::lint::tests) fn thinking() -> Vec<Row> {
    let signed = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    let unsigned = json!({"type": "thinking", "thinking": "hm", "signature": ""});
    let on = |body: Value, kind: Value| with(with(body, "max_tokens", json!(2048)), "thinking", kind);
    let late = |blocks: Value| {
        body(
            json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": blocks}, {"role": "user", "content": [result("t")]}]),
        )
    };
    vec![
        row(
            "unsigned thinking",
            assistant(json!([unsigned, text("x")])),
            &[("$.messages[1].content[0].signature", Rule::UnsignedThinking)],
        ),
        row(
            "redacted thinking of nothing",
            assistant(json!([{"type": "redacted_thinking"}, text("x")])),
            &[("$.messages[1].content[0].data", Rule::UnsignedThinking)],
        ),
        row("thinking at the end", assistant(json!([text("x"), signed])), &[("$.messages[1].content[1]", Rule::ThinkingLast)]),
        row(
            "text before the thinking",
            late(json!([text("x"), signed, call("t")])),
            &[("$.messages[1].content[0]", Rule::ThinkingNotFirst)],
        ),
        row(
            "calls without thinking while thinking",
            on(exchange(&["t"], json!([result("t")])), json!({"type": "enabled", "budget_tokens": 1024})),
            &[("$.messages[1].content[0]", Rule::ThinkingNotFirst)],
        ),
        row("calls without thinking, adaptive", on(exchange(&["t"], json!([result("t")])), json!({"type": "adaptive"})), &[]),
        row("thinking from the user", user(json!([signed])), &[("$.messages[0].content[0].type", Rule::PartNotAllowed)]),
    ]
}
