//! To another API: what has a counterpart is mapped, the rest is named.

use super::through::{errors, through, value};
use serde_json::{Value, json};
use weftwork::dialect::Dialect;
use weftwork::encode::Api;

fn chat(more: &Value) -> String {
    let mut body = json!({"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}], "tools": [
        {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]});
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    body.to_string()
}

#[test]
fn choices_of_a_chat_request_in_other_apis() {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let format = json!({"type": "json_schema", "json_schema": {"name": "r", "schema": schema, "strict": true}});
    let rows = [
        (json!({"tool_choice": "required"}), Dialect::Anthropic, json!({"tool_choice": {"type": "any"}}), ""),
        (
            json!({"tool_choice": {"type": "function", "function": {"name": "look"}}, "parallel_tool_calls": false}),
            Dialect::Anthropic,
            json!({"tool_choice": {"type": "tool", "name": "look", "disable_parallel_tool_use": true}}),
            "",
        ),
        (
            json!({"tool_choice": "none", "parallel_tool_calls": false}),
            Dialect::Anthropic,
            json!({"tool_choice": {"type": "none"}}),
            "",
        ),
        (json!({"parallel_tool_calls": true}), Dialect::Anthropic, json!({}), ""),
        (
            json!({"tool_choice": {"type": "function", "function": {"name": "look"}}}),
            Dialect::Responses,
            json!({"tool_choice": {"type": "function", "name": "look"}}),
            "",
        ),
        (
            json!({"response_format": format}),
            Dialect::Responses,
            json!({"text": {"format": {"type": "json_schema", "name": "r", "schema": schema, "strict": true}}}),
            "",
        ),
        (
            json!({"response_format": format}),
            Dialect::Anthropic,
            json!({"output_config": {"format": {"type": "json_schema", "schema": schema}}}),
            "",
        ),
        (json!({"response_format": {"type": "json_object"}}), Dialect::Anthropic, json!({}), "response_format"),
        (json!({"response_format": {"type": "json_object"}}), Dialect::Ollama, json!({"format": "json"}), ""),
        (
            json!({"reasoning_effort": "low", "user": "u"}),
            Dialect::Responses,
            json!({"reasoning": {"effort": "low"}, "user": "u"}),
            "",
        ),
        (
            json!({"reasoning_effort": "low", "user": "u"}),
            Dialect::Anthropic,
            json!({"metadata": {"user_id": "u"}}),
            "reasoning_effort",
        ),
        (
            json!({"tool_choice": {"type": "function", "function": {"name": "look"}}}),
            Dialect::Messages,
            json!({"toolChoice": "look"}),
            "",
        ),
        (json!({"logit_bias": {"1": 2}, "tool_choice": "auto"}), Dialect::Gemini, json!({}), "logit_bias tool_choice"),
    ];
    for (more, dialect, added, left_out) in rows {
        let (laid, _) = through(&chat(&more), Api::Chat, dialect, 8_000);
        let (bare, _) = through(&chat(&json!({})), Api::Chat, dialect, 8_000);
        let mut expected = value(&bare.request);
        for (key, value) in added.as_object().into_iter().flatten() {
            expected[key] = value.clone();
        }
        assert_eq!(value(&laid.request), expected, "{more} to {dialect}");
        assert_eq!(laid.left_out.join(" "), left_out, "{more} to {dialect}");
        assert_eq!(errors(&value(&laid.request), dialect), Vec::<String>::new(), "{more} to {dialect}");
    }
}

#[test]
fn choices_of_other_requests_in_chat_completions() {
    let messages = r#"{"model":"gpt-4o","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"look","input_schema":{"type":"object"}}],"tool_choice":{"type":"any","disable_parallel_tool_use":true},"metadata":{"user_id":"u"},"thinking":{"type":"enabled","budget_tokens":1024}}"#;
    let (laid, _) = through(messages, Api::Messages, Dialect::OpenAi, 8_000);
    let sent = value(&laid.request);
    assert_eq!(
        (&sent["tool_choice"], &sent["parallel_tool_calls"], &sent["user"]),
        (&json!("required"), &json!(false), &json!("u"))
    );
    assert_eq!(laid.left_out, ["thinking"]);

    let responses =
        r#"{"model":"gpt-4o","input":"Hi","text":{"format":{"type":"json_object"}},"reasoning":{"effort":"high"},"store":false}"#;
    let (laid, _) = through(responses, Api::Responses, Dialect::OpenAi, 8_000);
    let sent = value(&laid.request);
    assert_eq!((&sent["response_format"], &sent["reasoning_effort"]), (&json!({"type": "json_object"}), &json!("high")));
    assert_eq!(laid.left_out, ["store"]);
}
