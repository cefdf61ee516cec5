//! Gemini generateContent: user and model take turns, and a turn of calls is answered by a turn of as many responses.

mod exchange;
mod part;
mod signature;

use serde_json::Value;

use super::finding::Findings;
use super::path::At;
use super::rule::Rule;
use super::shape::{Bound, Need, Object, object, unknown};
use super::text::not_empty;
use super::tools::{Defined, Naming};
use exchange::unanswered;

const SETTINGS: &[(&str, Bound)] = &[
    ("temperature", Bound::Between(0.0, 2.0)),
    ("topP", Bound::Between(0.0, 1.0)),
    ("maxOutputTokens", Bound::Whole(1)),
    ("candidateCount", Bound::Whole(1)),
];
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    User,
    Model,
}

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    let Some(body) = object(body, *at, out) else {
        return;
    };
    let model = body.filled("model", Need::Optional, out);
    let config = body.either("generationConfig", "generation_config");
    if let Some(config) = body.child(config, Need::Optional, out) {
        config.settings(SETTINGS, out);
    }
    tools(&body, out);
    let system = body.either("systemInstruction", "system_instruction");
    if let Some(system) = body.child(system, Need::Optional, out) {
        instruction(&system, out);
    }
    if let Some(list) = body.list("contents", Need::Required, out) {
        contents(list, &body.at.key("contents"), out);
        if model.is_some_and(signature::required) {
            signature::lint(list, &body.at.key("contents"), out);
        }
    }
}

fn tools(body: &Object, out: &mut Findings) {
    let mut defined = Defined::new(Naming::Gemini);
    let at = body.at.key("tools");
    let list = body.list("tools", Need::Optional, out).unwrap_or_default();
    for (i, tool) in list.iter().enumerate() {
        let Some(tool) = object(tool, at.index(i), out) else {
            continue;
        };
        let key = tool.either("functionDeclarations", "function_declarations");
        let functions = tool.list(key, Need::Optional, out).unwrap_or_default();
        for (j, function) in functions.iter().enumerate() {
            if let Some(function) = object(function, tool.at.key(key).index(j), out) {
                defined.name(&function, out);
            }
        }
    }
}

fn instruction(system: &Object, out: &mut Findings) {
    let Some(parts) = system.list("parts", Need::Required, out) else {
        return;
    };
    let at = system.at.key("parts");
    not_bare(parts, &at, out);
    for (i, part) in parts.iter().enumerate() {
        if let Some(part) = object(part, at.index(i), out)
            && let Some(text) = part.string("text", Need::Required, out)
        {
            not_empty(text, &part.at.key("text"), out);
        }
    }
}

fn not_bare(parts: &[Value], at: &At, out: &mut Findings) {
    if parts.is_empty() {
        out.error(at, Rule::EmptyContent, "there is no part".to_owned(), "leave the content out, or give it a part");
    }
}

fn contents(list: &[Value], at: &At, out: &mut Findings) {
    if list.is_empty() {
        out.error(at, Rule::EmptyMessages, "there is no content".to_owned(), "send at least one");
    }
    let mut before = None;
    let mut open = Vec::new();
    for (i, content) in list.iter().enumerate() {
        let Some(content) = object(content, at.index(i), out) else {
            continue;
        };
        let role = role(&content, list.len(), out);
        if let Some(role) = role {
            order(role, before, i, i + 1 == list.len(), &content.at, out);
        }
        before = role;
        open = part::lint(&content, role, open, out);
    }
    unanswered(&open, out);
}

/// The role may be left out of a single content only.
fn role(content: &Object, count: usize, out: &mut Findings) -> Option<Role> {
    if count == 1 && content.value("role").is_none() {
        return Some(Role::User);
    }
    match content.string("role", Need::Required, out)? {
        "user" => Some(Role::User),
        "model" => Some(Role::Model),
        other => {
            let at = content.at.key("role");
            unknown(Rule::UnknownRole, other, &["user", "model"], &at, out);
            None
        }
    }
}

fn order(role: Role, before: Option<Role>, index: usize, last: bool, at: &At, out: &mut Findings) {
    let at = at.key("role");
    if index == 0 && role == Role::Model {
        out.error(&at, Rule::FirstNotUser, "the first content is the model's".to_owned(), "begin with a user content");
    }
    if before == Some(role) {
        out.error(
            &at,
            Rule::NotAlternating,
            format!("two {role:?} contents in a row").to_lowercase(),
            "merge the two contents into one",
        );
    }
    if last && role == Role::Model {
        out.error(&at, Rule::LastNotUser, "the last content is the model's".to_owned(), "end with a user content");
    }
}
