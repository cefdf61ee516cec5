//! Rows of the two targets without messages.

use serde_json::{Value, json};

use super::{Row, row};
use crate::lint::Rule;

pub(super) fn valid_completions() -> Value {
    json!({"model": "base", "prompt": "Once upon", "max_tokens": 16, "temperature": 0.7, "stop": ["\n"], "raw": true})
}

pub(super) fn valid_text() -> Value {
    json!("Once upon")
}

pub(super) fn completions() -> Vec<Row> {
    vec![
        row("no object", json!("x"), &[("$", Rule::WrongType)]),
        row("no prompt", json!({}), &[("$.prompt", Rule::MissingField)]),
        row("prompt of another type", json!({"prompt": 1}), &[("$.prompt", Rule::WrongType)]),
        row("empty prompt", json!({"prompt": ""}), &[("$.prompt", Rule::EmptyText)]),
        row("no prompts", json!({"prompt": []}), &[("$.prompt", Rule::EmptyContent)]),
        row("bad prompt in a list", json!({"prompt": [{}]}), &[("$.prompt[0]", Rule::WrongType)]),
        row("messages", json!({"prompt": "x", "messages": []}), &[("$.messages", Rule::PartNotAllowed)]),
        row("too hot", json!({"prompt": "x", "temperature": 3}), &[("$.temperature", Rule::OutOfRange)]),
    ]
}

pub(super) fn text() -> Vec<Row> {
    vec![row("no string", json!({"text": "x"}), &[("$", Rule::WrongType)]), row("empty", json!(""), &[("$", Rule::EmptyText)])]
}
