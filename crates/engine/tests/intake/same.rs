//! To the same API: what the client sent is what is sent, in its own words.

use super::through::{through, value};
use serde_json::{Value, json};
use weftwork::encode::Api;
use weftwork::intake::{Answer, take};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A conversation around one message, in the form of its API.
fn body(api: Api, messages: Value) -> Value {
    match api {
        Api::Chat => json!({"model": "gpt-4o", "messages": messages}),
        Api::Responses => json!({"model": "gpt-5", "input": messages}),
        Api::Messages => json!({"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": messages}),
    }
}

/// Without the marks that we place.
fn unmarked(mut body: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("cache_control");
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut body);
    body
}

#[track_caller]
fn stays(api: Api, body: &Value) {
    let (laid, _) = through(&body.to_string(), api, api.dialect(), 100_000);
    let marks = body.to_string().contains("cache_control");
    let sent = if marks { value(&laid.request) } else { unmarked(value(&laid.request)) };
    assert_eq!(sent, *body, "{api}");
}

#[test]
fn every_kind_of_message_of_chat_completions_stays_as_it_was_written() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"n\": 1.10}"}}]});
    let url = format!("data:image/png;base64,{PNG}");
    let rows = [
        json!([{"role": "developer", "content": "Be kind."}, {"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi"}]),
        json!([{"role": "user", "name": "ann", "content": "Hi"}, {"role": "user", "name": "bob", "content": "Hi too"}]),
        json!([{"role": "user", "content": [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": "https://example.com/a.png", "detail": "low"}}]}]),
        json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url, "detail": "high"}}]}]),
        json!([{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]}]),
        json!([{"role": "user", "content": [{"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}}, {"type": "text", "text": "Read"}]}]),
        json!([{"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}, {"type": "text", "text": "Read"}]}]),
        json!([{"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]}]),
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello", "refusal": null, "annotations": []}, {"role": "user", "content": "So"}]),
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "refusal", "refusal": "No"}]}, {"role": "user", "content": "So"}]),
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "audio": {"id": "audio_1"}, "content": "said"}, {"role": "user", "content": "So"}]),
        json!([{"role": "user", "content": "Look"}, call, {"role": "tool", "tool_call_id": "c1", "content": ""}, {"role": "user", "content": "So"}]),
        json!([{"role": "user", "content": "Look"}, call, {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]}]),
        json!([{"role": "user", "content": "Hi"}, {"role": "system", "content": "Later rule"}, {"role": "user", "content": "So"}]),
        json!([{"role": "user", "content": "Finish:"}, {"role": "assistant", "content": "Once upon"}]),
        json!([{"role": "user", "content": [{"type": "hologram", "x": 1}, {"type": "text", "text": "new kind"}]}]),
    ];
    for messages in rows {
        stays(Api::Chat, &body(Api::Chat, messages));
    }
}

#[test]
fn every_kind_of_item_of_responses_stays_as_it_was_written() {
    let user = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]});
    let rows = [
        json!([{"role": "developer", "content": "Be kind."}, user]),
        json!([user, {"type": "message", "id": "msg_1", "status": "incomplete", "role": "assistant", "content": [{"type": "output_text", "text": "Hello", "annotations": []}]}, user]),
        json!([{"role": "user", "content": [{"type": "input_text", "text": "See"}, {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "low"}]}]),
        json!([{"role": "user", "content": [{"type": "input_image", "file_id": "file-1", "detail": "auto"}, {"type": "input_text", "text": "See"}]}]),
        json!([{"role": "user", "content": [{"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}]}]),
        json!([{"role": "user", "content": [{"type": "input_file", "file_url": "https://example.com/a.pdf"}]}]),
        json!([user, {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm"}], "encrypted_content": "gAAA"},
            {"type": "function_call", "id": "fc_1", "status": "completed", "call_id": "c1", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_image", "image_url": "https://example.com/a.png", "detail": "low"}]}]),
        json!([user, {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "Hello", "annotations": []}]}, user]),
        json!([user, {"type": "custom_tool_call", "id": "ct_1", "call_id": "c1", "name": "apply_patch", "input": "*** Begin"},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": "done"}, user]),
        json!([user, {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "tide"}},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "High at noon"}]}, user]),
    ];
    for items in rows {
        stays(Api::Responses, &body(Api::Responses, items));
    }
}

#[test]
fn every_kind_of_block_of_messages_stays_as_it_was_written() {
    let hi = json!({"role": "user", "content": "Hi"});
    let blocks = |blocks: Value| json!([{"role": "user", "content": blocks}]);
    let text = json!({"type": "text", "text": "Read"});
    let rows = [
        blocks(json!([{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}])),
        blocks(json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}, text])),
        blocks(json!([{"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}, text])),
        blocks(json!([{"type": "image", "source": {"type": "file", "file_id": "file_1"}}, text])),
        blocks(
            json!([{"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}, "title": "A", "context": "C", "citations": {"enabled": true}}, text]),
        ),
        blocks(
            json!([{"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "chunk"}]}}, text]),
        ),
        blocks(
            json!([{"type": "search_result", "source": "https://e.org", "title": "T", "content": [{"type": "text", "text": "found"}], "citations": {"enabled": true}}]),
        ),
        blocks(json!([{"type": "text", "text": "Read", "cache_control": {"type": "ephemeral", "ttl": "1h"}}])),
        blocks(json!([{"type": "container_upload", "file_id": "file_1"}, text])),
        json!([hi, {"role": "assistant", "content": [{"type": "text", "text": "cited", "citations": [{"type": "char_location", "cited_text": "x"}]}]}, hi]),
        json!([hi, {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm", "signature": "c2ln"}, {"type": "redacted_thinking", "data": "ZGF0"},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {"n": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": "no"}, text]}]),
        json!([hi, {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"n": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [
                {"type": "text", "text": "see"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]}]}]),
        json!([hi, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tide"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"type": "web_search_result", "title": "T", "url": "https://e.org", "encrypted_content": "e"}]},
            {"type": "text", "text": "At noon"}]}, hi]),
        json!([hi, {"role": "assistant", "content": [{"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "q", "server_name": "s", "input": {}},
            {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": false, "content": [{"type": "text", "text": "ok"}]}, {"type": "text", "text": "Done"}]}, hi]),
        json!([hi, {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}, "caller": {"type": "direct"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"}]}]),
        json!([hi, {"role": "assistant", "content": [{"type": "text", "text": "Once upon", "future": 1}]}]),
    ];
    for messages in rows {
        stays(Api::Messages, &written_out(body(Api::Messages, messages)));
    }
}

/// A plain string is written as the one block it stands for.
fn written_out(mut body: Value) -> Value {
    for message in body["messages"].as_array_mut().into_iter().flatten() {
        if let Some(text) = message["content"].as_str() {
            message["content"] = json!([{"type": "text", "text": text}]);
        }
    }
    body
}

#[test]
fn every_other_field_stays_as_it_was_written_and_in_its_place() {
    let chat = r#"{"seed":7,"model":"gpt-4o","temperature":0.10,"tools":[{"type":"function","function":{"name":"look","strict":true,"parameters":{"type":"object"}}},{"type":"custom","custom":{"name":"p","format":{"type":"text"}}}],"messages":[{"role":"user","content":"Hi"}],"tool_choice":"required","response_format":{"type":"json_object"},"max_completion_tokens":50,"metadata":{"a":"b"},"novelty":[1, 2]}"#;
    let responses = r#"{"model":"gpt-5","instructions":"Be kind.","input":[{"role":"developer","content":"Short."},{"role":"user","content":[{"type":"input_text","text":"Hi"}]}],"tools":[{"type":"web_search"},{"type":"function","name":"look","parameters":{"type":"object"},"strict":true}],"reasoning":{"effort":"low"},"include":["web_search_call.action.sources"],"truncation":"auto","store":true}"#;
    let messages = r#"{"model":"claude-sonnet-4-5","max_tokens":100,"system":[{"type":"text","text":"Be kind."},{"type":"text","text":"Short.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"look","input_schema":{"type":"object"},"strict":true}],"thinking":{"type":"enabled","budget_tokens":1024},"tool_choice":{"type":"auto"},"metadata":{"user_id":"u"}}"#;
    for (api, body) in [(Api::Chat, chat), (Api::Responses, responses), (Api::Messages, messages)] {
        let (laid, _) = through(body, api, api.dialect(), 100_000);
        assert_eq!(String::from_utf8_lossy(&laid.request), body, "{api}");
        assert_eq!(laid.left_out, Vec::<String>::new(), "{api}");
    }
}

#[test]
fn our_marks_stand_on_what_the_client_wrote_unless_it_placed_its_own() {
    let long = "word ".repeat(3000);
    let turn = json!({"type": "text", "text": long, "novelty": true});
    let mut body = json!({"model": "claude-sonnet-4-5", "max_tokens": 100, "system": [{"type": "text", "text": long, "novelty": 1}],
        "messages": [{"role": "user", "content": [turn]}, {"role": "assistant", "content": [turn]}, {"role": "user", "content": "So?"}]});
    let sent = |body: &Value| value(&through(&body.to_string(), Api::Messages, Api::Messages.dialect(), 100_000).0.request);
    let ours = sent(&body);
    assert!(ours.to_string().contains("cache_control"), "{ours:.400}");
    assert_eq!(ours.to_string().matches("novelty").count(), 3);
    body["messages"][0]["content"][0]["cache_control"] = json!({"type": "ephemeral", "ttl": "1h"});
    assert_eq!(sent(&body).to_string().matches("cache_control").count(), 1);
}

#[test]
fn what_cannot_be_carried_is_named() {
    let rows = [
        (Api::Chat, r#"{"model":"m","n":2,"logprobs":true,"messages":[{"role":"user","content":"Hi"}]}"#, "n logprobs"),
        (Api::Chat, r#"{"model":"m","n":1,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":""}]}"#, ""),
        (Api::Chat, r#"{"model":"m","messages":[{"role":"user","content":[{"type":"hologram"}]}]}"#, "messages[0]"),
        (Api::Responses, r#"{"model":"m","previous_response_id":"r","input":"Hi"}"#, "previous_response_id"),
        (
            Api::Responses,
            r#"{"model":"m","input":[{"type":"item_reference","id":"x"},{"role":"user","content":"Hi"}]}"#,
            "input[0]",
        ),
        (
            Api::Responses,
            r#"{"model":"m","input":[{"type":"reasoning","id":"x","summary":[]},{"role":"user","content":"Hi"}]}"#,
            "",
        ),
        (
            Api::Messages,
            r#"{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"compaction","content":"S"}]},{"role":"user","content":"Hi"}]}"#,
            "messages[1]",
        ),
    ];
    for (api, body, places) in rows {
        let taken = take(body.as_bytes(), api).expect(body);
        let found: Vec<_> = taken.loss.iter().map(|lost| lost.place.as_str()).collect();
        assert_eq!(found.join(" "), places, "{body}");
        assert_eq!(taken.is_lossless(), places.is_empty());
    }
}

#[test]
fn how_the_answer_is_to_come_is_read_and_not_handed_on() {
    let body =
        r#"{"model":"gpt-4o","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hi"}]}"#;
    let taken = take(body.as_bytes(), Api::Chat).expect("a request");
    assert_eq!((taken.answer, taken.include_usage, taken.model.as_str()), (Answer::Streamed, true, "gpt-4o"));
    let (laid, _) = through(body, Api::Chat, Api::Chat.dialect(), 8_000);
    assert_eq!(String::from_utf8_lossy(&laid.request), r#"{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]}"#);
}
