//! Messages: content by role, input for those who ask and output for the one who answers.

use serde_json::Value;

use super::LONGEST_TEXT;
use crate::lint::finding::Findings;
use crate::lint::picture;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, missing, object, unknown, wrong_type};
use crate::lint::text::not_longer;

const ROLES: &[&str] = &["user", "assistant", "system", "developer"];

pub(super) fn lint(message: &Object, out: &mut Findings) {
    let role = message.string("role", Need::Required, out);
    if let Some(role) = role
        && !ROLES.contains(&role)
    {
        unknown(Rule::UnknownRole, role, ROLES, &message.at.key("role"), out);
    }
    let known: &[&str] = match role {
        Some("assistant") => &["output_text", "refusal"],
        _ => &["input_text", "input_image", "input_file", "input_audio"],
    };
    content(message, "content", known, out);
}

pub(super) fn content(item: &Object, key: &'static str, known: &[&str], out: &mut Findings) {
    let at = item.at.key(key);
    match item.value(key) {
        None => missing(&at, key, out),
        Some(Value::String(text)) => not_longer(text, LONGEST_TEXT, &at, out),
        Some(Value::Array(list)) => {
            for (i, part) in list.iter().enumerate() {
                if let Some(part) = object(part, at.index(i), out) {
                    one_part(&part, known, out);
                }
            }
        }
        Some(other) => wrong_type(other, &at, "a string or a list of parts", out),
    }
}

fn one_part(part: &Object, known: &[&str], out: &mut Findings) {
    let Some(kind) = part.string("type", Need::Required, out) else {
        return;
    };
    if !known.contains(&kind) {
        let rule = match kind {
            "input_text" | "input_image" | "input_file" | "input_audio" | "output_text" | "refusal" => Rule::PartNotAllowed,
            _ => Rule::UnknownPart,
        };
        unknown(rule, kind, known, &part.at.key("type"), out);
        return;
    }
    match kind {
        "input_text" | "output_text" => {
            if let Some(text) = part.string("text", Need::Required, out) {
                not_longer(text, LONGEST_TEXT, &part.at.key("text"), out);
            }
        }
        "input_image" if part.value("file_id").is_none() => {
            if let Some(url) = part.string("image_url", Need::Required, out) {
                picture::url(url, &part.at.key("image_url"), out);
            }
        }
        _ => {}
    }
}
