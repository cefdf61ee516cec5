//! What of a node is searched: what was said and what tools were asked and answered. Reasoning is not.

use crate::error::Result;
use std::borrow::Cow;
use weftwork::model::{Part, ResultContent};

/// The text of a node as its row keeps it.
pub(super) fn of_row<'r>(text: Option<&'r str>, parts: Option<&str>) -> Result<Cow<'r, str>> {
    match (text, parts) {
        (Some(text), _) => Ok(Cow::Borrowed(text)),
        (None, Some(parts)) => Ok(Cow::Owned(of_parts(&serde_json::from_str::<Vec<Part>>(parts)?))),
        (None, None) => Ok(Cow::Borrowed("")),
    }
}

/// The text of a node.
pub(super) fn of_parts(parts: &[Part]) -> String {
    let mut out = String::new();
    parts.iter().for_each(|part| say(part, &mut out));
    out
}

fn say(part: &Part, out: &mut String) {
    match part {
        Part::Text(text) => line(&text.text, out),
        Part::ToolCall(call) => {
            line(&call.name, out);
            if let Some(args) = call.args.value() {
                values(&args, out);
            }
        }
        Part::ToolResult(result) => match &result.content {
            ResultContent::Text(text) => line(text, out),
            ResultContent::Parts(parts) => parts.iter().for_each(|part| say(part, out)),
        },
        Part::File(file) => line(&file.name, out),
        Part::Reasoning(_) | Part::Image(_) => {}
    }
}

/// What arguments say, without the names of the fields, which are the same in every call.
fn values(value: &serde_json::Value, out: &mut String) {
    match value {
        serde_json::Value::String(text) => line(text, out),
        serde_json::Value::Number(number) => line(&number.to_string(), out),
        serde_json::Value::Array(list) => list.iter().for_each(|value| values(value, out)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| values(value, out)),
        serde_json::Value::Null | serde_json::Value::Bool(_) => {}
    }
}

fn line(text: &str, out: &mut String) {
    if !out.is_empty() && !text.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
}
