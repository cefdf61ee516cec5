//! Calls: their ids, names and arguments.

use serde_json::Value;

use super::at_most;
use crate::lint::arguments;
use crate::lint::finding::{Findings, Severity};
use crate::lint::pairs::Pairs;
use crate::lint::path::At;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, missing, object, unknown, wrong_type};
use crate::lint::tools::Naming;

/// The longest call id the API itself takes.
const LONGEST_ID: usize = 64;
/// The longest call id that older models and gateways take (autogen#6377, vercel/ai#8132).
const SAFE_ID: usize = 40;

pub(super) fn lint<'v>(message: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    let Some(list) = message.list("tool_calls", Need::Optional, out) else {
        return;
    };
    let at = message.at.key("tool_calls");
    if list.is_empty() {
        out.error(&at, Rule::EmptyTools, "the list of calls is empty".to_owned(), "leave `tool_calls` out");
    }
    at_most(list.len(), Rule::TooManyCalls, &at, out);
    for (i, call) in list.iter().enumerate() {
        if let Some(call) = object(call, at.index(i), out) {
            one_call(&call, pairs, out);
        }
    }
}

fn one_call<'v>(call: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    if let Some(id) = call.filled("id", Need::Required, out) {
        id_length(id, &call.at.key("id"), out);
        pairs.call(id, None, &call.at, out);
    }
    let kind = call.string("type", Need::Required, out);
    let (key, payload) = match kind {
        Some("function") => ("function", "arguments"),
        Some("custom") => ("custom", "input"),
        Some(other) => {
            let at = call.at.key("type");
            unknown(Rule::UnknownPart, other, &["function", "custom"], &at, out);
            return;
        }
        None => return,
    };
    let Some(function) = call.child(key, Need::Required, out) else {
        return;
    };
    match function.string("name", Need::Required, out) {
        Some(name) => Naming::OpenAi.check(name, &function.at.key("name"), out),
        None => return,
    }
    let at = function.at.key(payload);
    match function.value(payload) {
        None => missing(&at, payload, out),
        Some(Value::String(text)) if key == "function" => arguments::text(text, &at, out),
        Some(Value::String(_)) => {}
        Some(other) => wrong_type(other, &at, "a JSON string", out),
    }
}

/// The API takes 64 characters, older models and gateways 40 (peers 25).
fn id_length(id: &str, at: &At, out: &mut Findings) {
    let length = id.chars().count();
    let (severity, limit) = if length > LONGEST_ID {
        (Severity::Error, LONGEST_ID)
    } else if length > SAFE_ID {
        (Severity::Warning, SAFE_ID)
    } else {
        return;
    };
    out.add(
        severity,
        at.to_string(),
        Rule::CallIdTooLong,
        format!("the call id has {length} characters, at most {limit} are taken"),
        "map the id to a shorter one, in the call and in its result",
    );
}
