//! Completions: a prompt for a base model, without roles.

use serde_json::Value;

use super::finding::Findings;
use super::path::At;
use super::rule::Rule;
use super::shape::{Bound, Need, Object, missing, object, wrong_type};
use super::text::not_empty;

const SETTINGS: &[(&str, Bound)] = &[
    ("max_tokens", Bound::Whole(0)),
    ("temperature", Bound::Between(0.0, 2.0)),
    ("top_p", Bound::Between(0.0, 1.0)),
    ("presence_penalty", Bound::Between(-2.0, 2.0)),
    ("frequency_penalty", Bound::Between(-2.0, 2.0)),
    ("n", Bound::Whole(1)),
];

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    let Some(body) = object(body, *at, out) else {
        return;
    };
    body.filled("model", Need::Optional, out);
    body.settings(SETTINGS, out);
    prompt(&body, out);
    if body.value("messages").is_some() {
        out.error(
            &body.at.key("messages"),
            Rule::PartNotAllowed,
            "a completion has a prompt, not messages".to_owned(),
            "send the messages to a chat endpoint",
        );
    }
}

/// A string, or a list of strings; lists of token numbers are for clients that count themselves.
fn prompt(body: &Object, out: &mut Findings) {
    let at = body.at.key("prompt");
    match body.value("prompt") {
        None => missing(&at, "prompt", out),
        Some(Value::String(prompt)) => not_empty(prompt, &at, out),
        Some(Value::Array(prompts)) if prompts.is_empty() => {
            out.error(&at, Rule::EmptyContent, "the list of prompts is empty".to_owned(), "send one prompt");
        }
        Some(Value::Array(prompts)) => {
            for (i, prompt) in prompts.iter().enumerate() {
                match prompt {
                    Value::String(prompt) => not_empty(prompt, &at.index(i), out),
                    Value::Number(_) | Value::Array(_) => {}
                    _ => wrong_type(prompt, &at.index(i), "a string", out),
                }
            }
        }
        Some(other) => wrong_type(other, &at, "a string", out),
    }
}
