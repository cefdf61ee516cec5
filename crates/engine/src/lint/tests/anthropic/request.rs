//! Rows of the request around the messages: settings, tools, cache marks, pictures, limits.

use super::*;
use crate::lint::tests::{picture, row};

pub(in crate::lint::tests) fn settings() -> Vec<Row> {
    let thinking = |value: Value| with(hello(), "thinking", value);
    vec![
        row("no object", json!([]), &[("$", Rule::WrongType)]),
        row("no max_tokens", json!({"messages": [{"role": "user", "content": "x"}]}), &[("$.max_tokens", Rule::MissingField)]),
        row("max_tokens of nothing", with(hello(), "max_tokens", json!(0)), &[("$.max_tokens", Rule::OutOfRange)]),
        row("max_tokens as a string", with(hello(), "max_tokens", json!("9")), &[("$.max_tokens", Rule::WrongType)]),
        row("too hot", with(hello(), "temperature", json!(1.5)), &[("$.temperature", Rule::OutOfRange)]),
        row(
            "small budget",
            thinking(json!({"type": "enabled", "budget_tokens": 9})),
            &[("$.thinking.budget_tokens", Rule::OutOfRange)],
        ),
        row(
            "budget above max_tokens",
            thinking(json!({"type": "enabled", "budget_tokens": 2048})),
            &[("$.thinking.budget_tokens", Rule::OutOfRange)],
        ),
        row("unknown thinking", thinking(json!({"type": "deep"})), &[("$.thinking.type", Rule::InvalidValue)]),
        row("system of another type", with(hello(), "system", json!(1)), &[("$.system", Rule::WrongType)]),
        row(
            "picture in the system text",
            with(hello(), "system", json!([{"type": "image"}])),
            &[("$.system[0].type", Rule::PartNotAllowed)],
        ),
        row("empty system block", with(hello(), "system", json!([text("")])), &[("$.system[0].text", Rule::EmptyText)]),
    ]
}

/// Rows whose bodies are as large as the limits they break.
pub(in crate::lint::tests) fn limits() -> Vec<Row> {
    let turns = [json!({"role": "user", "content": "x"}), json!({"role": "assistant", "content": "y"})];
    let many: Vec<_> = turns.iter().cycle().take(100_001).collect();
    vec![
        row("too many bytes", user(json!("x".repeat(32_000_000))), &[("$", Rule::BodyTooLarge)]),
        row("100,001 messages", body(json!(many)), &[("$.messages", Rule::TooManyMessages)]),
    ]
}

pub(in crate::lint::tests) fn tools() -> Vec<Row> {
    let tools = |tools: Value| with(hello(), "tools", tools);
    let tool = |name: &str| json!({"name": name, "input_schema": {"type": "object"}});
    let forced = with(
        with(tools(json!([tool("a")])), "thinking", json!({"type": "enabled", "budget_tokens": 1024})),
        "tool_choice",
        json!({"type": "any"}),
    );
    vec![
        row("129 letters", tools(json!([tool(&"a".repeat(129))])), &[("$.tools[0].name", Rule::BadToolName)]),
        row("128 letters", tools(json!([tool(&"a".repeat(128))])), &[]),
        row("a tool twice", tools(json!([tool("a"), tool("a")])), &[("$.tools[1].name", Rule::DuplicateToolName)]),
        row("no schema", tools(json!([{"name": "a"}])), &[("$.tools[0].input_schema", Rule::MissingField)]),
        row(
            "schema without type",
            tools(json!([{"name": "a", "input_schema": {}}])),
            &[("$.tools[0].input_schema.type", Rule::BadToolSchema)],
        ),
        row(
            "property with a blank",
            tools(json!([{"name": "a", "input_schema": {"type": "object", "properties": {"a b": {}}}}])),
            &[("$.tools[0].input_schema.properties", Rule::BadToolSchema)],
        ),
        row(
            "choice of no tool",
            with(hello(), "tool_choice", json!({"type": "tool", "name": "b"})),
            &[("$.tool_choice.name", Rule::UnknownToolChoice)],
        ),
        row(
            "unknown choice",
            with(hello(), "tool_choice", json!({"type": "required"})),
            &[("$.tool_choice.type", Rule::InvalidValue)],
        ),
        row(
            "forced tool while thinking",
            with(forced, "max_tokens", json!(2048)),
            &[("$.tool_choice.type", Rule::ForcedToolWithThinking)],
        ),
    ]
}

pub(in crate::lint::tests) fn cache() -> Vec<Row> {
    let five = vec![marked(text("x"), "5m"); 5];
    let four = vec![marked(text("x"), "5m"); 4];
    let short = json!({"type": "ephemeral", "ttl": "5m"});
    let hour = json!({"type": "ephemeral", "ttl": "1h"});
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    let volatile = "You are kind.\nCurrent time: 2026-02-18T14:55:10Z";
    vec![
        row("five marks", user(json!(five)), &[("$.messages[0].content[4].cache_control", Rule::TooManyCacheMarks)]),
        row(
            "four marks and the automatic one",
            with(
                body(
                    json!([{"role": "user", "content": four}, {"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}]),
                ),
                "cache_control",
                short.clone(),
            ),
            &[("$.cache_control", Rule::TooManyCacheMarks)],
        ),
        row("four marks and the automatic one on the last", with(user(json!(four)), "cache_control", short.clone()), &[]),
        row(
            "automatic mark with another ttl",
            with(user(json!([marked(text("x"), "1h")])), "cache_control", short.clone()),
            &[("$.cache_control", Rule::CacheTtlConflict)],
        ),
        row(
            "unknown ttl",
            user(json!([marked(text("x"), "1d")])),
            &[("$.messages[0].content[0].cache_control.ttl", Rule::InvalidValue)],
        ),
        row(
            "unknown kind of mark",
            user(json!([{"type": "text", "text": "x", "cache_control": {"type": "forever"}}])),
            &[("$.messages[0].content[0].cache_control.type", Rule::InvalidValue)],
        ),
        row(
            "an hour behind five minutes",
            with(user(json!([marked(text("x"), "1h")])), "system", json!([marked(text("s"), "5m")])),
            &[("$.messages[0].content[0].cache_control.ttl", Rule::CacheTtlOrder)],
        ),
        row(
            "mark on empty text",
            user(json!([marked(text(""), "5m")])),
            &[
                ("$.messages[0].content[0].text", Rule::EmptyText),
                ("$.messages[0].content[0].cache_control", Rule::CacheMarkOnEmptyText),
            ],
        ),
        row(
            "mark on thinking",
            assistant(json!([marked(thinking, "5m"), text("x")])),
            &[("$.messages[1].content[0].cache_control", Rule::CacheMarkOnThinking)],
        ),
        row(
            "mark inside a result",
            exchange(&["t"], json!([{"type": "tool_result", "tool_use_id": "t", "content": [marked(text("r"), "5m")]}])),
            &[("$.messages[2].content[0].content[0].cache_control", Rule::CacheMarkMisplaced)],
        ),
        row(
            "mark on a message",
            body(json!([{"role": "user", "content": "x", "cache_control": hour}])),
            &[("$.messages[0].cache_control", Rule::CacheMarkMisplaced)],
        ),
        row(
            "time before a mark",
            with(user(json!([marked(text("x"), "5m")])), "system", json!(volatile)),
            &[("$.system", Rule::VolatilePrefix)],
        ),
        row("time behind the mark", with(hello(), "system", json!([marked(text("s"), "5m"), text(volatile)])), &[]),
        row("time without a mark", with(hello(), "system", json!(volatile)), &[]),
    ]
}

pub(in crate::lint::tests) fn pictures() -> Vec<Row> {
    let file = json!({"type": "image", "source": {"type": "file", "file_id": "f"}});
    let mut many = vec![file.clone(); 20];
    many.push(image(&png(2001, 10)));
    let gif = picture::base64(b"GIF89a\x02\x01\x03\x00");
    vec![
        row("101 pictures", user(json!(vec![file; 101])), &[("$.messages[0].content[100]", Rule::TooManyImages)]),
        row("8,001 pixels", user(json!([image(&png(10, 8001))])), &[("$.messages[0].content[0]", Rule::ImageTooLarge)]),
        row("2,001 pixels of many", user(json!(many)), &[("$.messages[0].content[20]", Rule::ImageTooLarge)]),
        row("2,001 pixels alone", user(json!([image(&png(2001, 10))])), &[]),
        row(
            "data URL",
            user(json!([image("data:image/png;base64,AAAA")])),
            &[("$.messages[0].content[0].source.data", Rule::BadBase64)],
        ),
        row(
            "another format than it says",
            user(json!([image(&gif)])),
            &[("$.messages[0].content[0].source.media_type", Rule::MediaTypeMismatch)],
        ),
        row(
            "a format nobody reads",
            user(json!([{"type": "image", "source": {"type": "base64", "media_type": "image/tiff", "data": "AAAA"}}])),
            &[("$.messages[0].content[0].source.media_type", Rule::UnknownMediaType)],
        ),
        row(
            "URL without a scheme",
            user(json!([{"type": "image", "source": {"type": "url", "url": "x.test/a.png"}}])),
            &[("$.messages[0].content[0].source.url", Rule::BadImageUrl)],
        ),
    ]
}
