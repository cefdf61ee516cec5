//! Parts: one kind of data each, of the role that may hold it.

use super::exchange::{Answers, Call, call};
use super::{Role, not_bare};
use crate::lint::finding::Findings;
use crate::lint::picture::{self, Alphabet};
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, object};
use crate::lint::text::not_empty;

/// The data a part may hold, one each, in both spellings.
const DATA: &[(&str, &str)] = &[
    ("text", "text"),
    ("inlineData", "inline_data"),
    ("fileData", "file_data"),
    ("functionCall", "function_call"),
    ("functionResponse", "function_response"),
    ("executableCode", "executable_code"),
    ("codeExecutionResult", "code_execution_result"),
    ("toolCall", "tool_call"),
    ("toolResponse", "tool_response"),
];

/// Check the parts of one content; gives back the calls it opens.
pub(super) fn lint<'v>(content: &Object<'v, '_>, role: Option<Role>, open: Vec<Call<'v>>, out: &mut Findings) -> Vec<Call<'v>> {
    let mut calls = Vec::new();
    let mut answers = Answers::to(open);
    let list = content.list("parts", Need::Required, out);
    let at = content.at.key("parts");
    if let Some(list) = list {
        not_bare(list, &at, out);
    }
    for (i, part) in list.unwrap_or_default().iter().enumerate() {
        let Some(part) = object(part, at.index(i), out) else {
            continue;
        };
        match data(&part, role, out) {
            Some("functionCall") => calls.extend(call(&part, out)),
            Some("functionResponse") => answers.response(&part, out),
            _ => answers.interrupt(),
        }
    }
    answers.finish(out);
    calls
}

/// The kind of data a part holds: exactly one, and one its role may hold.
fn data(part: &Object, role: Option<Role>, out: &mut Findings) -> Option<&'static str> {
    let held = |(camel, snake): &&(&'static str, &'static str)| part.value(camel).is_some() || part.value(snake).is_some();
    let mut found = DATA.iter().filter(held);
    let kind = found.next().map(|(camel, _)| *camel);
    let (Some(kind), None) = (kind, found.next()) else {
        out.error(
            &part.at,
            Rule::UnknownPart,
            "a part holds exactly one kind of data".to_owned(),
            "give each part one of text, inlineData, fileData, functionCall, functionResponse",
        );
        return kind;
    };
    let owner = match kind {
        "functionCall" | "executableCode" | "codeExecutionResult" => Some(Role::Model),
        "functionResponse" => Some(Role::User),
        _ => None,
    };
    if let (Some(owner), Some(role)) = (owner, role)
        && owner != role
    {
        out.error(
            &part.at,
            Rule::PartNotAllowed,
            format!("{kind} in a content of the other role"),
            "calls are the model's, responses the user's",
        );
    }
    fields(part, kind, out);
    Some(kind)
}

fn fields(part: &Object, kind: &'static str, out: &mut Findings) {
    match kind {
        "text" => {
            // The end of a stream may carry a signature and no text; it goes back as it came.
            let signed = part.value(part.either("thoughtSignature", "thought_signature"));
            if let Some(text) = part.string("text", Need::Required, out)
                && signed.is_none()
            {
                not_empty(text, &part.at.key("text"), out);
            }
        }
        "inlineData" => {
            let key = part.either("inlineData", "inline_data");
            if let Some(blob) = part.child(key, Need::Required, out) {
                blob.filled(blob.either("mimeType", "mime_type"), Need::Required, out);
                if let Some(data) = blob.string("data", Need::Required, out) {
                    picture::base64(data, Alphabet::Either, &blob.at.key("data"), out);
                }
            }
        }
        "fileData" => {
            let key = part.either("fileData", "file_data");
            if let Some(file) = part.child(key, Need::Required, out) {
                file.filled(file.either("fileUri", "file_uri"), Need::Required, out);
            }
        }
        _ => {}
    }
}
