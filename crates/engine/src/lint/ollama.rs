//! Ollama `/api/chat`: the server takes almost anything in its types, so the rules are types, and the rest are warnings.
//!
//! It checks no pairs and reads no `name`: what it does not check, it renders into the prompt wrongly.

use serde_json::Value;

use super::arguments;
use super::finding::Findings;
use super::pairs::{Order, Pairs};
use super::path::At;
use super::picture::{Alphabet, base64};
use super::rule::Rule;
use super::shape::{Bound, Need, Object, object, unknown, wrong_type};
use super::tools::{Naming, wrapped};

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];
const SETTINGS: &[(&str, Bound)] =
    &[("num_ctx", Bound::Whole(1)), ("temperature", Bound::Between(0.0, f64::MAX)), ("top_p", Bound::Between(0.0, 1.0))];

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    let Some(body) = object(body, *at, out) else {
        return;
    };
    body.filled("model", Need::Optional, out);
    if let Some(options) = body.child("options", Need::Optional, out) {
        options.settings(SETTINGS, out);
    }
    if let Some(tools) = body.list("tools", Need::Optional, out) {
        wrapped(tools, Naming::Free, &body.at.key("tools"), out);
    }
    let Some(list) = body.list("messages", Need::Required, out) else {
        return;
    };
    let at = body.at.key("messages");
    if list.is_empty() {
        out.error(&at, Rule::EmptyMessages, "without a message the server only loads the model".to_owned(), "send at least one");
    }
    let mut pairs = Pairs::unchecked(Order::Advised);
    for (i, message) in list.iter().enumerate() {
        if let Some(message) = object(message, at.index(i), out) {
            one(&message, &mut pairs, out);
        }
    }
    pairs.close(out);
}

fn one<'v>(message: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    let role = message.string("role", Need::Required, out);
    if let Some(role) = role
        && !ROLES.contains(&role)
    {
        unknown(Rule::UnknownRole, role, ROLES, &message.at.key("role"), out);
    }
    if role != Some("tool") {
        pairs.close(out);
    }
    content(message, out);
    images(message, out);
    if message.value("name").is_some() {
        out.warning(
            &message.at.key("name"),
            Rule::IgnoredName,
            "the server does not read `name`".to_owned(),
            "write the name into the text",
        );
    }
    match role {
        Some("tool") => result(message, pairs, out),
        _ => calls(message, pairs, out),
    }
}

/// One string; a message of calls, images or thinking may go without.
fn content(message: &Object, out: &mut Findings) {
    let at = message.at.key("content");
    match message.value("content") {
        Some(Value::String(_)) => {}
        Some(other) => wrong_type(other, &at, "a string", out),
        None => {
            let others = ["tool_calls", "images", "thinking"];
            if others.iter().all(|key| message.value(key).is_none()) {
                out.error(
                    &at,
                    Rule::MissingContent,
                    "the message says nothing".to_owned(),
                    "add content, or leave the message out",
                );
            }
        }
    }
}

/// Plain base64: the server does not read `data:` URLs.
fn images(message: &Object, out: &mut Findings) {
    let at = message.at.key("images");
    let list = message.list("images", Need::Optional, out);
    for (i, image) in list.unwrap_or_default().iter().enumerate() {
        match image {
            Value::String(data) => base64(data, Alphabet::Standard, &at.index(i), out),
            other => wrong_type(other, &at.index(i), "a base64 string", out),
        }
    }
}

fn calls<'v>(message: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    let at = message.at.key("tool_calls");
    let list = message.list("tool_calls", Need::Optional, out);
    for (i, call) in list.unwrap_or_default().iter().enumerate() {
        let Some(call) = object(call, at.index(i), out) else {
            continue;
        };
        match call.string("id", Need::Optional, out) {
            Some(id) if !id.is_empty() => pairs.call(id, None, &call.at, out),
            _ => pairs.unnamed_call(&call.at),
        }
        if let Some(function) = call.child("function", Need::Required, out) {
            function.filled("name", Need::Required, out);
            let at = function.at.key("arguments");
            arguments::object(function.value("arguments"), &at, out);
        }
    }
}

/// By id where both sides have one, else by its place behind the message with the calls.
fn result<'v>(message: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    let id = message.string("tool_call_id", Need::Optional, out);
    match id {
        Some(id) if pairs.knows(id) => pairs.result(id, None, &message.at, out),
        _ if pairs.answer_in_turn(id) => {}
        _ => out.warning(
            &message.at,
            Rule::OrphanToolResult,
            "the result has no call before it".to_owned(),
            "drop the result, or keep the message with its call",
        ),
    }
}
