//! Calls and their outputs, matched by `call_id` wherever they stand.

use serde_json::Value;

use super::message::content;
use super::{LONGEST_ID, Setup};
use crate::lint::arguments;
use crate::lint::finding::Findings;
use crate::lint::pairs::Pairs;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object};
use crate::lint::tools::Naming;

pub(super) fn lint<'v>(item: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    if let Some(id) = call_id(item, out) {
        pairs.call(id, None, &item.at, out);
    }
    if item.value("type").and_then(Value::as_str) != Some("function_call") {
        return;
    }
    if let Some(name) = item.string("name", Need::Required, out) {
        Naming::OpenAi.check(name, &item.at.key("name"), out);
    }
    if let Some(text) = item.string("arguments", Need::Required, out) {
        arguments::text(text, &item.at.key("arguments"), out);
    }
}

pub(super) fn output<'v>(item: &Object<'v, '_>, setup: &Setup, pairs: &mut Pairs<'v>, out: &mut Findings) {
    if let Some(id) = call_id(item, out)
        && (!setup.continued || pairs.knows(id))
    {
        pairs.result(id, None, &item.at, out);
    }
    if item.value("type").and_then(Value::as_str) == Some("function_call_output") {
        let known = ["input_text", "input_image", "input_file"];
        content(item, "output", &known, out);
    }
}

fn call_id<'v>(item: &Object<'v, '_>, out: &mut Findings) -> Option<&'v str> {
    let id = item.filled("call_id", Need::Required, out)?;
    let length = id.chars().count();
    if length > LONGEST_ID {
        out.error(
            &item.at.key("call_id"),
            Rule::CallIdTooLong,
            format!("the call id has {length} characters, at most {LONGEST_ID} are taken"),
            "map the id to a shorter one, in the call and in its output",
        );
    }
    Some(id)
}
