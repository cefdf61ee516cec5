//! Whole bodies.

use super::show::end;
use weftwork::{decode::decode, dialect::Dialect};

#[track_caller]
fn body(dialect: Dialect, text: &str, expected: &[&str]) {
    assert_eq!(end(&decode(text.as_bytes(), dialect)), expected.join("\n"), "{text}");
}

#[test]
fn openai_bodies() {
    body(
        Dialect::OpenAi,
        r#"{"id":"c1","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"reasoning":"why","tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\": 1e2}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"not json"}}]}}],
            "usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3}}}"#,
        &[
            "ToolCalls tool_calls | m c1 | 3 in 5 out 4 read 3 written",
            r#"reasoning "why""#,
            r#"call a f {"x": 1e2} Complete"#,
            r#"call b g "not json" Unfinished"#,
        ],
    );
    body(
        Dialect::OpenAi,
        r#"{"choices":[{"finish_reason":"function_call","message":{"content":"x","function_call":{"name":"f","arguments":"{}"}}}]}"#,
        &["ToolCalls function_call | - -", r#"text "x""#, "call call_0 f {} Complete"],
    );
    body(
        Dialect::OpenAi,
        r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}"#,
        &["End - | - -", r#"text "ab""#],
    );
    body(
        Dialect::OpenAi,
        r#"{"choices":[]}"#,
        &[r#"error Malformed { offset: 0, what: "this is no reply of the dialect \"openai\"" }"#],
    );
    body(
        Dialect::OpenAi,
        r#"{"choices":[{"message":{"content":"hal"#,
        &[r#"error Malformed { offset: 37, what: "EOF while parsing a string at line 1 column 38" }"#],
    );
    body(Dialect::OpenAi, " \n", &["error Empty"]);
}

#[test]
fn responses_bodies() {
    body(
        Dialect::Responses,
        r#"{"id":"r1","object":"response","status":"completed","error":null,"model":"m","output":[
            {"type":"reasoning","id":"rs","summary":[],"content":[{"type":"reasoning_text","text":"deep"}],"encrypted_content":"enc"},
            {"type":"message","id":"m","content":[{"type":"output_text","text":"one"},{"type":"refusal","refusal":"no"}]},
            {"type":"mcp_list_tools","id":"l"}],"usage":{"input_tokens":7,"output_tokens":2}}"#,
        &[
            "Refused completed | m r1 | 7 in 2 out 0 read 0 written | ignored mcp_list_tools",
            r#"reasoning "deep" signature=enc id=rs"#,
            r#"text "one""#,
            r#"text "no""#,
        ],
    );
    body(
        Dialect::Responses,
        r#"{"id":"r1","object":"response","status":"queued","error":null,"output":[]}"#,
        &["Cut queued | - r1"],
    );
    body(
        Dialect::Responses,
        r#"{"object":"response","status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}"#,
        &[r#"error RateLimit - rate_limit_exceeded "slow""#],
    );
}

#[test]
fn anthropic_bodies() {
    body(
        Dialect::Anthropic,
        r#"{"id":"m1","type":"message","role":"assistant","model":"c","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"a"},
            {"type":"tool_use","id":"u1","name":"f","input":{"big":12345678901234567890123}},{"type":"compaction","content":"x"}],
            "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4}}}"#,
        &[
            "ToolCalls tool_use | c m1 | 1 in 2 out 0 read 7 written | ignored compaction",
            r#"reasoning "t" signature=s"#,
            r#"text "a""#,
            r#"call u1 f {"big":12345678901234567890123} Complete"#,
        ],
    );
    body(
        Dialect::Anthropic,
        r#"{"type":"message","content":[{"type":"tool_use","id":"u1","name":"f","input":{}}],"stop_reason":"max_tokens"}"#,
        &["MaxTokens max_tokens | - -", r#"call u1 f "" Unfinished"#],
    );
    body(
        Dialect::Anthropic,
        r#"{"type":"message","content":[{"type":"text","text":"cut"}],"stop_reason":"model_context_window_exceeded"}"#,
        &["MaxTokens model_context_window_exceeded | - -", r#"text "cut""#],
    );
}

#[test]
fn gemini_and_ollama_bodies() {
    body(
        Dialect::Gemini,
        r#"{"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f","args":{"x":1}},"thoughtSignature":"z"}]},"finishReason":"MAX_TOKENS"}],"modelVersion":"g",
            "usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"toolUsePromptTokenCount":5}}"#,
        &[
            "MaxTokens MAX_TOKENS | g - | 15 in 2 out 0 read 0 written",
            r#"text "a""#,
            r#"call call_0 f {"x":1} signature=z Unfinished"#,
        ],
    );
    body(
        Dialect::Gemini,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]},"finishReason":"STOP"}]}"#,
        &["ToolCalls STOP | - -", r#"call call_0 f "[]" Unfinished"#],
    );
    body(
        Dialect::Ollama,
        r#"{"model":"o","created_at":"t","message":{"role":"assistant","content":"hi"},"done":true,"prompt_eval_count":3,"eval_count":1}"#,
        &["End - | o - | 3 in 1 out 0 read 0 written", r#"text "hi""#],
    );
}

#[test]
fn other_bodies() {
    body(
        Dialect::Completions,
        r#"{"choices":[{"text":"and so on","finish_reason":"stop"}]}"#,
        &["End stop | - -", r#"text "and so on""#],
    );
    body(
        Dialect::Completions,
        r#"{"response":"and","done":true,"done_reason":"length"}"#,
        &["MaxTokens length | - -", r#"text "and""#],
    );
    body(Dialect::Messages, r#"{"role":"assistant","content":"hi"}"#, &["End - | - -", r#"text "hi""#]);
    body(Dialect::Text, "plain {text}\n", &["End - | - -", r#"text "plain {text}\n""#]);
}

#[test]
fn neutral_messages_may_say_how_they_ended_and_what_they_used() {
    let body = br#"[{"role":"assistant","content":"Hi"},{"stop":"maxTokens","usage":{"input":12,"output":3,"cacheRead":4}}]"#;
    let reply = weftwork::decode::decode(body, weftwork::dialect::Dialect::Messages).expect("a reply");
    assert_eq!((reply.text().as_str(), reply.stop), ("Hi", weftwork::decode::Stop::MaxTokens));
    assert_eq!(reply.usage, Some(weftwork::model::Usage { input: 12, output: 3, cache_read: 4, cache_write: 0 }));
}
