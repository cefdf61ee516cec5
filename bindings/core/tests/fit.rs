//! Messages come back in their own shape: the caller's own where they are sent unchanged.

use serde_json::{Value, json};
use weftwork_bindings::{Fault, Handle, Kept, Options, fit_request};

fn options(value: Value) -> Options {
    Options::parse(&value.to_string()).expect("options")
}

fn handle(messages: &Value, of: Value) -> Handle {
    let mut handle = Handle::messages(&options(of)).expect("a handle");
    handle.append(&messages.to_string()).expect("messages");
    handle
}

/// What is kept: numbers of the caller's messages, and what was written.
fn kept(messages: &Value, of: Value) -> Value {
    let fitted = handle(messages, json!({})).fit(&options(of)).expect("it fits");
    fitted.messages.into_iter().map(shown).collect()
}

fn shown(kept: Kept) -> Value {
    match kept {
        Kept::Own(at) => json!(at),
        Kept::Written(text) => serde_json::from_str(&text).expect("JSON"),
    }
}

fn long(n: usize) -> String {
    "word ".repeat(n)
}

#[test]
fn what_fits_comes_back_untouched_in_every_shape() {
    let shapes = [
        json!([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "a", "name": "Ann"},
               {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"n\": 1.10}"}}]},
               {"role": "tool", "tool_call_id": "c1", "content": "x"}, {"role": "assistant", "content": "b", "reasoning_content": "hm"}]),
        json!([{"role": "user", "content": "a"},
               {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
               {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "x"}, {"type": "text", "text": "and?"}]},
               {"role": "assistant", "content": [{"type": "text", "text": "b", "citations": null}]}, {"role": "user", "content": "c"}]),
        json!([{"role": "system", "content": "Be kind."}, {"role": "user", "content": [{"type": "text", "text": "a"}]},
               {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {"n": 1}}]},
               {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": {"type": "json", "value": {"t": 7}}}]},
               {"role": "assistant", "content": "b"}]),
        json!([{"role": "user", "content": "a"}, {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "e"},
               {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}, {"type": "function_call_output", "call_id": "c1", "output": "x"},
               {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "b", "annotations": []}]}]),
    ];
    for messages in shapes {
        assert_eq!(kept(&messages, json!({"maxInput": 4000})), json!([0, 1, 2, 3, 4]), "{messages}");
    }
}

#[test]
fn a_cut_is_marked_and_calls_keep_their_results() {
    let call = json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let messages = json!([
        {"role": "system", "content": "Be kind."}, {"role": "user", "content": "first"}, {"role": "assistant", "content": "one"},
        {"role": "user", "content": long(300)}, {"role": "assistant", "content": long(300)},
        {"role": "user", "content": "look"}, call, {"role": "tool", "tool_call_id": "c1", "content": "x"},
        {"role": "assistant", "content": "found"}, {"role": "user", "content": "thanks"}]);
    let marker = json!({"role": "user", "content": "[… 2 messages omitted …]"});
    assert_eq!(kept(&messages, json!({"maxInput": 300})), json!([0, 1, 2, marker, 5, 6, 7, 8, 9]));
    assert_eq!(
        kept(&messages, json!({"maxInput": 300, "strategy": "rollingWindow", "marker": false})),
        json!([0, 5, 6, 7, 8, 9])
    );
}

#[test]
fn what_needs_a_repair_is_written_anew_and_the_rest_is_not() {
    let messages = json!([{"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "user", "content": "well?"}]);
    let result = json!({"role": "tool", "tool_call_id": "c1", "content": "[interrupted: no result was recorded; its effects are unknown]"});
    assert_eq!(kept(&messages, json!({"maxInput": 300})), json!([0, 1, result, 2]));
}

#[test]
fn a_shape_is_told_by_what_comes_late() {
    let mut messages: Vec<Value> =
        (0..40).map(|n| json!({"role": (["user", "assistant"][n % 2]), "content": n.to_string()})).collect();
    messages.push(json!({"role": "user", "content": "go"}));
    messages.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]}));
    messages.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "x"}]}));
    let handle = handle(&Value::Array(messages), json!({}));
    assert_eq!(handle.shape().map(|shape| shape.word()), Some("anthropic"));
}

#[test]
fn appending_one_by_one_gives_what_reading_at_once_gives() {
    let messages: Vec<Value> = (0..60)
        .flat_map(|n| {
            [
                json!({"role": "user", "content": format!("{n} {}", long(n))}),
                json!({"role": "assistant", "content": "", "tool_calls": [{"id": format!("c{n}"), "type": "function", "function": {"name": "f", "arguments": "{}"}}]}),
                json!({"role": "tool", "tool_call_id": format!("c{n}"), "content": "x"}),
                json!({"role": "assistant", "content": "done"}),
            ]
        })
        .collect();
    let asked = json!({"maxInput": 900});
    let mut grown = Handle::messages(&options(json!({}))).expect("a handle");
    for (n, message) in messages.iter().enumerate() {
        grown.append(&json!([message]).to_string()).expect("a message");
        let (one, all) =
            (grown.fit(&options(asked.clone())), handle(&json!(messages[..=n]), json!({})).fit(&options(asked.clone())));
        let (one, all) = (one.expect("it fits"), all.expect("it fits"));
        assert_eq!((one.messages, one.report), (all.messages, all.report), "after {n}");
    }
}

#[test]
fn the_report_names_the_callers_messages() {
    let messages: Vec<Value> = (0..9).map(|n| json!({"role": (["user", "assistant"][n % 2]), "content": long(100)})).collect();
    let fitted =
        handle(&json!(messages), json!({})).fit(&options(json!({"maxInput": 450, "strategy": "dropOldest"}))).expect("it fits");
    let report: Value = serde_json::from_str(&fitted.report).expect("JSON");
    let spans: Vec<_> = report["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| json!([item["decision"], item["first"], item["last"]]))
        .collect();
    assert_eq!(json!(spans), json!([["dropped", 0, 5], ["included", 6, 7], ["included", 8, 8]]));
}

#[test]
fn a_summary_stands_for_what_it_covers() {
    let mut handle = handle(
        &json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]),
        json!({}),
    );
    handle.summarize("They met.", 2).expect("a summary");
    handle.append(r#"[{"role":"assistant","content":"d"},{"role":"user","content":"e"}]"#).expect("messages");
    let fitted: Value =
        handle.fit(&options(json!({"maxInput": 500}))).expect("it fits").messages.into_iter().map(shown).collect();
    assert_eq!(fitted, json!([{"role": "user", "content": "[Summary of the conversation so far]\nThey met."}, 2, 3, 4]));
}

#[test]
fn a_whole_body_keeps_everything_else() {
    let body = json!({"model": "claude-sonnet-4-5", "max_tokens": 50, "system": "Be kind.", "metadata": {"user_id": "u"}, "stream": true,
        "messages": [{"role": "user", "content": "first"}, {"role": "assistant", "content": long(300)}, {"role": "user", "content": "last"}]});
    let (fitted, _) = fit_request(&body.to_string(), &options(json!({"maxInput": 120}))).expect("it fits");
    let fitted: Value = serde_json::from_str(&fitted).expect("JSON");
    for field in ["model", "max_tokens", "system", "metadata", "stream"] {
        assert_eq!(fitted[field], body[field], "{field}");
    }
    assert_eq!(fitted["messages"].as_array().map(Vec::len), Some(1), "{fitted}");
}

#[test]
fn ui_messages_are_assembled_but_not_fitted() {
    let messages = json!([{"id": "u1", "role": "user", "parts": [{"type": "text", "text": "a"}]}]);
    let handle = handle(&messages, json!({}));
    let fault = handle.fit(&Options::default()).expect_err("a UI message is no message to a model");
    assert_eq!((fault.name(), &fault.facts()["index"]), ("InvalidMessage", &json!(0)));
    let assembled = handle.assemble(&options(json!({"to": "openai"}))).expect("a request");
    assert_eq!(assembled.request, br#"{"messages":[{"role":"user","content":"a"}]}"#);
}

#[test]
fn bad_input_names_the_message() {
    let mut handle = Handle::messages(&Options::default()).expect("a handle");
    let cases = [
        (r#"[{"role":"user","content":"a"},{"role":"wizard","content":"b"}]"#, Some(1), "$[1].role"),
        (r#"[{"content":"b"}]"#, Some(0), "$[0]"),
        (r#"[{"role":"user","content":"a"},7]"#, Some(1), "$[1]"),
        (r#"[{"role":"user","content":[{"type":"text","text":1}]}]"#, Some(0), "$[0].content[0].text"),
        (r#"{"role":"user","content":"a"}"#, None, "$"),
    ];
    for (list, at, place) in cases {
        match handle.append(list) {
            Err(Fault::InvalidMessage { index, path, .. }) => assert_eq!((index, path.as_str()), (at, place), "{list}"),
            other => panic!("{list}: {other:?}"),
        }
    }
    assert!(handle.is_empty(), "nothing of a bad list is taken in");
    handle.append(r#"[{"role":"user","content":"a"}]"#).expect("and the next one is read");
    let fault = Options::parse(r#"{"maxinput": 1}"#).expect_err("no such option");
    assert!(fault.to_string().starts_with("option maxinput: unknown field `maxinput`, expected one of"), "{fault}");
    let fault = Options::parse(r#"{"strategy": "magic"}"#).expect_err("no such strategy");
    assert!(fault.to_string().starts_with("option strategy: unknown variant `magic`"), "{fault}");
}
