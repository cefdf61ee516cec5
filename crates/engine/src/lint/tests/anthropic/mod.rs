//! Rows of Anthropic Messages: what they share, and the severities.

mod request;
mod turns;

use serde_json::{Value, json};

use super::picture::png;
use super::{Row, of};
use crate::dialect::Dialect;
use crate::lint::{Rule, Severity, lint};

pub(super) fn valid() -> Value {
    let hour = json!({"type": "ephemeral", "ttl": "1h"});
    let short = json!({"type": "ephemeral"});
    json!({"model": "claude-opus-4-8", "max_tokens": 4096, "thinking": {"type": "enabled", "budget_tokens": 1024},
        "cache_control": short,
        "tools": [{"name": "search", "input_schema": {"type": "object", "properties": {"q.x": {}}}, "cache_control": hour},
                  {"type": "web_search_20250305", "name": "web_search"}, {"type": "mcp_toolset", "mcp_server_name": "s"}],
        "tool_choice": {"type": "auto"},
        "system": [{"type": "text", "text": "Released 2026-02-18T14:55:10Z.", "cache_control": hour}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Look"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png(8000, 10)}},
                {"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}},
                {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}}]},
            {"role": "system", "content": "Be brief."},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "s"},
                {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
                {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
                {"type": "redacted_thinking", "data": "d"}, {"type": "text", "text": "So"},
                {"type": "tool_use", "id": "t_1", "name": "search", "input": {"q": 1}},
                {"type": "tool_use", "id": "t_2", "name": "search", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t_1", "content": [{"type": "text", "text": "a"}, {"type": "image", "source": {"type": "file", "file_id": "f"}}]},
                {"type": "tool_result", "tool_use_id": "t_2", "content": "", "is_error": true, "cache_control": short},
                {"type": "text", "text": "go on"}]},
            {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "d"}, {"type": "text", "text": "Done"}]},
            {"role": "user", "content": "Bye"}]})
}

/// A body with these messages.
fn body(messages: Value) -> Value {
    json!({"model": "claude-opus-4-5", "max_tokens": 9, "messages": messages})
}

fn user(blocks: Value) -> Value {
    body(json!([{"role": "user", "content": blocks}]))
}

/// An assistant message between two of the user.
fn assistant(blocks: Value) -> Value {
    body(json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": blocks}, {"role": "user", "content": "y"}]))
}

/// A message of calls and what the user answers.
fn exchange(ids: &[&str], answer: Value) -> Value {
    let calls: Vec<_> = ids.iter().map(|id| call(id)).collect();
    body(json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": calls}, {"role": "user", "content": answer}]))
}

/// `body` with one more field.
fn with(mut body: Value, key: &str, value: Value) -> Value {
    body[key] = value;
    body
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "f", "input": {}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "r"})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn marked(mut block: Value, ttl: &str) -> Value {
    block["cache_control"] = json!({"type": "ephemeral", "ttl": ttl});
    block
}

fn image(data: &str) -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
}

fn hello() -> Value {
    user(json!("x"))
}

pub(super) fn rows() -> Vec<Row> {
    let request = [request::settings(), request::tools(), request::cache(), request::pictures()];
    let turns = [turns::order(), turns::contents(), turns::exchanges(), turns::server_tools(), turns::thinking()];
    request.into_iter().chain(turns).flatten().collect()
}

pub(super) fn limits() -> Vec<Row> {
    request::limits()
}

#[test]
fn what_only_some_models_refuse_is_a_warning() {
    let last = json!({"max_tokens": 9, "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]});
    let pictures = vec![json!({"type": "image", "source": {"type": "file", "file_id": "f"}}); 601];
    let cases = [
        (last.clone(), Severity::Warning, Rule::PrefillRefused),
        (with(last, "model", json!("claude-sonnet-4-6")), Severity::Error, Rule::PrefillRefused),
        (user(json!(pictures[..101])), Severity::Warning, Rule::TooManyImages),
        (user(json!(pictures)), Severity::Error, Rule::TooManyImages),
        (exchange(&["t", "u"], json!([result("u"), result("t")])), Severity::Warning, Rule::ResultsOutOfOrder),
    ];
    for (body, severity, rule) in cases {
        assert_eq!(of(severity, &body, Dialect::Anthropic), [rule]);
        assert_eq!(lint(&body, Dialect::Anthropic).len(), 1);
    }
}

#[test]
fn a_finding_says_what_and_how() {
    let findings = lint(&exchange(&["toolu_7"], json!("y")), Dialect::Anthropic);
    assert_eq!(findings[0].message, "the call \"toolu_7\" has no result directly after it");
    assert_eq!(findings[0].fix, "add its result there, or one that says it was interrupted");
}
