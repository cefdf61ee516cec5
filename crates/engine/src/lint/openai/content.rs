//! Content: a string or parts, and which parts a role may send.

use serde_json::Value;

use super::Role;
use crate::lint::finding::Findings;
use crate::lint::path::At;
use crate::lint::picture;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, object, unknown, wrong_type};

pub(super) fn lint(message: &Object, role: Role, out: &mut Findings) {
    let at = message.at.key("content");
    match message.value("content") {
        Some(Value::String(_)) => {}
        Some(Value::Array(list)) if list.is_empty() => {
            out.error(&at, Rule::EmptyContent, "a list of parts needs at least one".to_owned(), "send a string, or one part");
        }
        Some(Value::Array(list)) => parts(list, role, &at, out),
        Some(other) => wrong_type(other, &at, "a string or a list of parts", out),
        None => {
            let calls = ["tool_calls", "function_call", "audio", "refusal"];
            let stands_in = calls.iter().any(|key| message.value(key).is_some());
            if role != Role::Assistant || !stands_in {
                out.error(
                    &at,
                    Rule::MissingContent,
                    "only an assistant message with tool calls may have no content".to_owned(),
                    "add content, or leave the message out",
                );
            }
        }
    }
}

fn parts(list: &[Value], role: Role, at: &At, out: &mut Findings) {
    let mut refusals = 0;
    for (i, part) in list.iter().enumerate() {
        let Some(part) = object(part, at.index(i), out) else {
            continue;
        };
        let Some(kind) = part.string("type", Need::Required, out) else {
            continue;
        };
        if !role.parts().contains(&kind) {
            refuse_part(kind, role, &part.at.key("type"), out);
            continue;
        }
        refusals += usize::from(kind == "refusal");
        fields(&part, kind, out);
    }
    if refusals > 0 && list.len() > 1 {
        out.error(
            at,
            Rule::PartNotAllowed,
            format!("a refusal stands alone, found {} parts", list.len()),
            "keep the refusal, or the texts",
        );
    }
}

fn refuse_part(kind: &str, role: Role, at: &At, out: &mut Findings) {
    let known = Role::User.parts().contains(&kind) || Role::Assistant.parts().contains(&kind);
    let rule = match (known, role) {
        (true, Role::Tool) => Rule::NonTextToolResult,
        (true, _) => Rule::PartNotAllowed,
        (false, _) => Rule::UnknownPart,
    };
    unknown(rule, kind, role.parts(), at, out);
}

fn fields(part: &Object, kind: &str, out: &mut Findings) {
    match kind {
        "text" => {
            part.string("text", Need::Required, out);
        }
        "refusal" => {
            part.string("refusal", Need::Required, out);
        }
        "image_url" => {
            if let Some(image) = part.child("image_url", Need::Required, out)
                && let Some(url) = image.string("url", Need::Required, out)
            {
                picture::url(url, &image.at.key("url"), out);
            }
        }
        "input_audio" => {
            if let Some(audio) = part.child("input_audio", Need::Required, out) {
                audio.filled("data", Need::Required, out);
                audio.filled("format", Need::Required, out);
            }
        }
        _ => {
            let file = part.child("file", Need::Required, out);
            if let Some(file) = file
                && file.value("file_id").is_none()
            {
                file.filled("file_data", Need::Required, out);
            }
        }
    }
}
