//! Failures of other systems that reached a provider as a broken request; each is caught here before it is sent.

use serde_json::{Value, json};

use super::{found, of, picture};
use crate::dialect::Dialect;
use crate::lint::{Rule, Severity};

/// `body` breaks exactly this rule, at this place.
#[track_caller]
fn breaks(target: Dialect, body: Value, path: &str, rule: Rule) {
    assert_eq!(found(&body, target), [(path.to_owned(), rule)]);
}

#[track_caller]
fn breaks_all(target: Dialect, body: Value, expected: &[(&str, Rule)]) {
    let expected: Vec<_> = expected.iter().map(|(path, rule)| ((*path).to_owned(), *rule)).collect();
    assert_eq!(found(&body, target), expected);
}

fn openai_calls(ids: &[&str]) -> Value {
    let calls: Vec<_> =
        ids.iter().map(|id| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}})).collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

fn openai_result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "r"})
}

fn anthropic(messages: Value) -> Value {
    json!({"model": "claude-opus-4-5", "max_tokens": 9, "messages": messages})
}

fn tool_use(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "f", "input": {}})
}

fn tool_result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "r"})
}

fn answered(assistant: Value, user: Value) -> Value {
    anthropic(
        json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": assistant}, {"role": "user", "content": user}]),
    )
}

fn responses(items: Value) -> Value {
    json!({"input": items})
}

#[test]
fn peers_01_03_trimmed_history_starts_with_a_result() {
    let body = json!([{"role": "system", "content": "s"}, openai_result("c"), {"role": "user", "content": "x"}]);
    breaks(Dialect::OpenAi, body, "$[1]", Rule::OrphanToolResult);
}

#[test]
fn peers_02_one_result_of_a_run_lost_its_call() {
    let body = json!([openai_calls(&["c"]), openai_result("c"), openai_result("gone")]);
    breaks(Dialect::OpenAi, body, "$[2]", Rule::OrphanToolResult);
}

#[test]
fn peers_04_results_are_paired_by_id_not_by_content() {
    let body = json!([openai_calls(&["c"]), {"role": "tool", "tool_call_id": "c", "content": "only text"}]);
    assert_eq!(found(&body, Dialect::OpenAi), []);
}

#[test]
fn peers_06_20_first_message_is_a_lone_result() {
    let body = anthropic(json!([{"role": "user", "content": [tool_result("t")]}]));
    breaks(Dialect::Anthropic, body, "$.messages[0].content[0]", Rule::OrphanToolResult);
}

#[test]
fn peers_08_synthetic_result_is_an_orphan_itself() {
    let body = json!([{"role": "user", "content": "x"}, {"role": "tool", "tool_call_id": "c", "content": "[interrupted]"}]);
    breaks(Dialect::OpenAi, body, "$[1]", Rule::OrphanToolResult);
}

#[test]
fn peers_09_10_message_between_call_and_result() {
    let body = json!([openai_calls(&["c"]), {"role": "user", "content": "steer"}, openai_result("c")]);
    let expected = [("$[0].tool_calls[0]", Rule::UnansweredToolCall), ("$[2]", Rule::MisplacedToolResult)];
    breaks_all(Dialect::OpenAi, body, &expected);
}

#[test]
fn peers_14_approval_without_answer_is_an_open_call() {
    let asks = json!({"role": "assistant", "content": [
        {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}},
        {"type": "tool-approval-request", "approvalId": "a", "toolCallId": "c"}]});
    let body = json!({"messages": [asks, {"role": "user", "content": "x"}]});
    breaks(Dialect::AiSdk, body, "$.messages[0].content[0]", Rule::UnansweredToolCall);
}

#[test]
fn peers_15_16_17_interrupted_call_has_no_result() {
    let body = answered(json!([tool_use("t")]), json!("go on"));
    breaks(Dialect::Anthropic, body, "$.messages[1].content[0]", Rule::UnansweredToolCall);
}

#[test]
fn peers_18_fewer_responses_than_calls() {
    let body = json!({"contents": [{"role": "user", "parts": [{"text": "x"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "f"}}, {"functionCall": {"name": "f"}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}]});
    breaks(Dialect::Gemini, body, "$.contents[1].parts[1]", Rule::UnansweredToolCall);
}

#[test]
fn peers_19_results_in_the_order_they_completed() {
    let body = json!([openai_calls(&["c", "d"]), openai_result("d"), openai_result("c")]);
    assert_eq!(of(Severity::Warning, &body, Dialect::OpenAi), [Rule::ResultsOutOfOrder]);
    assert_eq!(of(Severity::Error, &body, Dialect::OpenAi), []);
}

#[test]
fn peers_21_server_result_without_its_call() {
    let body = answered(json!([{"type": "advisor_tool_result", "tool_use_id": "s"}, {"type": "text", "text": "x"}]), json!("y"));
    breaks(Dialect::Anthropic, body, "$.messages[1].content[0]", Rule::OrphanServerResult);
}

#[test]
fn peers_22_content_after_the_call() {
    let body = answered(json!([tool_use("t"), {"type": "text", "text": "retry"}]), json!([tool_result("t")]));
    breaks(Dialect::Anthropic, body, "$.messages[1].content[1]", Rule::ContentAfterCall);
}

#[test]
fn peers_23_images_between_tool_results() {
    let image = json!({"type": "image", "source": {"type": "file", "file_id": "f"}});
    let body = answered(json!([tool_use("t"), tool_use("u")]), json!([tool_result("t"), image, tool_result("u")]));
    breaks(Dialect::Anthropic, body, "$.messages[2].content[2]", Rule::ContentBeforeResult);
}

#[test]
fn peers_24_truncated_arguments() {
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\"path\": \"a"}});
    let body = json!([{"role": "assistant", "tool_calls": [call]}, openai_result("c")]);
    breaks(Dialect::OpenAi, body, "$[0].tool_calls[0].function.arguments", Rule::BadArguments);
}

#[test]
fn peers_25_foreign_call_ids() {
    let body = answered(json!([tool_use("functions.Bash:0")]), json!([tool_result("functions.Bash:0")]));
    let expected = [("$.messages[1].content[0].id", Rule::BadCallId), ("$.messages[2].content[0].tool_use_id", Rule::BadCallId)];
    breaks_all(Dialect::Anthropic, body, &expected);
    let long = "c".repeat(41);
    let body = json!([openai_calls(&[&long]), openai_result(&long)]);
    assert_eq!(of(Severity::Warning, &body, Dialect::OpenAi), [Rule::CallIdTooLong]);
    let long = "c".repeat(65);
    let body = json!([openai_calls(&[&long]), openai_result(&long)]);
    assert_eq!(of(Severity::Error, &body, Dialect::OpenAi), [Rule::CallIdTooLong]);
}

#[test]
fn peers_26_result_without_call_id() {
    let body = json!([openai_calls(&["c"]), {"role": "tool", "content": "r"}]);
    let expected = [("$[1].tool_call_id", Rule::MissingField), ("$[0].tool_calls[0]", Rule::UnansweredToolCall)];
    breaks_all(Dialect::OpenAi, body, &expected);
}

#[test]
fn peers_28_thinking_without_signature() {
    let body = answered(json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "x"}]), json!("y"));
    breaks(Dialect::Anthropic, body, "$.messages[1].content[0].signature", Rule::UnsignedThinking);
}

#[test]
fn peers_29_thought_signature_dropped() {
    let signed = json!({"functionCall": {"name": "f"}, "thoughtSignature": "s"});
    let response = json!({"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]});
    let body = json!({"model": "gemini-3.1-pro", "contents": [{"role": "user", "parts": [{"text": "x"}]},
        {"role": "model", "parts": [signed]}, response, {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}, response]});
    breaks(Dialect::Gemini, body, "$.contents[3].parts[0].thoughtSignature", Rule::MissingThoughtSignature);
}

#[test]
fn peers_30_reasoning_id_without_a_store() {
    let items = json!([{"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "assistant", "content": "x"}]);
    let body = json!({"store": false, "input": items});
    breaks(Dialect::Responses, body, "$.input[0]", Rule::UnresolvableReasoning);
    assert_eq!(found(&responses(items), Dialect::Responses), []);
}

#[test]
fn peers_31_33_reasoning_without_its_item() {
    let items = json!([{"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "user", "content": "x"}]);
    breaks(Dialect::Responses, responses(items), "$.input[0]", Rule::ReasoningWithoutItem);
}

#[test]
fn peers_32_reasoning_without_summary_or_in_the_clear() {
    let items = json!([{"type": "reasoning", "id": "rs_1", "content": [{"type": "reasoning_text", "text": "hm"}]}, {"role": "assistant", "content": "x"}]);
    let expected = [("$.input[0].summary", Rule::MissingSummary), ("$.input[0].content", Rule::PlaintextReasoning)];
    breaks_all(Dialect::Responses, responses(items), &expected);
}

#[test]
fn peers_34_timestamp_in_the_cached_system_prefix() {
    let mut body = anthropic(json!([{"role": "user", "content": "x"}]));
    body["system"] =
        json!([{"type": "text", "text": "Current date and time: 2026-02-18 14:55", "cache_control": {"type": "ephemeral"}}]);
    assert_eq!(of(Severity::Warning, &body, Dialect::Anthropic), [Rule::VolatilePrefix]);
    assert_eq!(of(Severity::Error, &body, Dialect::Anthropic), []);
}

#[test]
fn peers_42_fifth_cache_mark() {
    let mark = json!({"type": "ephemeral"});
    let text = json!({"type": "text", "text": "x", "cache_control": mark});
    let mut body = anthropic(json!([{"role": "user", "content": [text, text]}]));
    body["system"] = json!([text, text]);
    body["tools"] = json!([{"name": "f", "input_schema": {"type": "object"}, "cache_control": mark}]);
    breaks(Dialect::Anthropic, body, "$.messages[0].content[1].cache_control", Rule::TooManyCacheMarks);
}

#[test]
fn peers_43_cache_mark_on_empty_text() {
    let body =
        anthropic(json!([{"role": "user", "content": [{"type": "text", "text": "", "cache_control": {"type": "ephemeral"}}]}]));
    let expected = [
        ("$.messages[0].content[0].text", Rule::EmptyText),
        ("$.messages[0].content[0].cache_control", Rule::CacheMarkOnEmptyText),
    ];
    breaks_all(Dialect::Anthropic, body, &expected);
}

#[test]
fn peers_56_many_pictures_must_be_small() {
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": picture::png(2001, 1)}});
    let body = |count: usize| anthropic(json!([{"role": "user", "content": vec![image.clone(); count]}]));
    assert_eq!(found(&body(20), Dialect::Anthropic), []);
    assert_eq!(of(Severity::Error, &body(21), Dialect::Anthropic), [Rule::ImageTooLarge; 21]);
}

#[test]
fn peers_72_ollama_does_not_read_names() {
    let body = json!({"messages": [{"role": "user", "name": "Husam", "content": "x"}]});
    breaks(Dialect::Ollama, body, "$.messages[0].name", Rule::IgnoredName);
}
