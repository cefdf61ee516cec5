//! OpenAI Chat Completions: roles, content by role, and results directly after the message with their calls.
//!
//! The specification asks for no alternation, so none is asked for here.

mod call;
mod content;

use serde_json::Value;

use super::finding::{Findings, shown};
use super::pairs::{Order, Pairs};
use super::path::At;
use super::rule::Rule;
use super::shape::{Bound, Need, Object, object, unknown};
use super::tools::{Naming, wrapped};

const SETTINGS: &[(&str, Bound)] = &[
    ("max_tokens", Bound::Whole(1)),
    ("max_completion_tokens", Bound::Whole(1)),
    ("temperature", Bound::Between(0.0, 2.0)),
    ("top_p", Bound::Between(0.0, 1.0)),
    ("presence_penalty", Bound::Between(-2.0, 2.0)),
    ("frequency_penalty", Bound::Between(-2.0, 2.0)),
    ("n", Bound::Whole(1)),
];
/// Tools of a request, and calls of a message.
const MOST_TOOLS: usize = 128;
const ROLES: &[&str] = &["developer", "system", "user", "assistant", "tool", "function"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Instruction,
    User,
    Assistant,
    Tool,
    Function,
}

impl Role {
    fn of(role: &str) -> Option<Self> {
        match role {
            "developer" | "system" => Some(Self::Instruction),
            "user" => Some(Self::User),
            "assistant" => Some(Self::Assistant),
            "tool" => Some(Self::Tool),
            "function" => Some(Self::Function),
            _ => None,
        }
    }

    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::User => &["text", "image_url", "input_audio", "file"],
            Self::Assistant => &["text", "refusal"],
            Self::Instruction | Self::Tool | Self::Function => &["text"],
        }
    }
}

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    if let Value::Array(list) = body {
        messages(list, at, out);
        return;
    }
    let Some(body) = object(body, *at, out) else {
        return;
    };
    body.filled("model", Need::Optional, out);
    body.settings(SETTINGS, out);
    tools(&body, out);
    if let Some(list) = body.list("messages", Need::Required, out) {
        messages(list, &body.at.key("messages"), out);
    }
}

fn tools(body: &Object, out: &mut Findings) {
    let at = body.at.key("tools");
    let list = body.list("tools", Need::Optional, out);
    if list.is_some_and(<[Value]>::is_empty) {
        out.error(&at, Rule::EmptyTools, "the list of tools is empty".to_owned(), "leave `tools` out");
    }
    at_most(list.unwrap_or_default().len(), Rule::TooManyTools, &at, out);
    let defined = wrapped(list.unwrap_or_default(), Naming::OpenAi, &at, out);
    if let Some(Value::Object(_)) = body.value("tool_choice")
        && let Some(choice) = body.child("tool_choice", Need::Optional, out)
        && let Some(function) = choice.child("function", Need::Optional, out)
    {
        defined.chosen(&function, out);
    }
}

fn at_most(count: usize, rule: Rule, at: &At, out: &mut Findings) {
    if count > MOST_TOOLS {
        out.error(at, rule, format!("{count} are sent, at most {MOST_TOOLS} are taken"), "send fewer");
    }
}

fn messages(list: &[Value], at: &At, out: &mut Findings) {
    if list.is_empty() {
        out.error(at, Rule::EmptyMessages, "there is no message".to_owned(), "send at least one");
    }
    let mut pairs = Pairs::new(Order::Advised);
    for (i, message) in list.iter().enumerate() {
        match object(message, at.index(i), out) {
            Some(message) => one(&message, &mut pairs, out),
            None => pairs.close(out),
        }
    }
    pairs.close(out);
}

fn one<'v>(message: &Object<'v, '_>, pairs: &mut Pairs<'v>, out: &mut Findings) {
    let name = message.string("role", Need::Required, out);
    let role = name.and_then(Role::of);
    if let (Some(name), None) = (name, role) {
        unknown(Rule::UnknownRole, name, ROLES, &message.at.key("role"), out);
    }
    // Anything but a result ends the exchange: results stand directly behind their calls.
    if role != Some(Role::Tool) {
        pairs.close(out);
    }
    let Some(role) = role else {
        return;
    };
    participant(message, role, out);
    content::lint(message, role, out);
    match role {
        Role::Assistant => call::lint(message, pairs, out),
        Role::Tool => {
            if let Some(id) = message.filled("tool_call_id", Need::Required, out) {
                pairs.result(id, None, &message.at, out);
            }
        }
        Role::Instruction | Role::User | Role::Function => {}
    }
}

/// The `name` of a participant: 1 to 64 characters without blanks and `< | \ / >`.
fn participant(message: &Object, role: Role, out: &mut Findings) {
    let need = if role == Role::Function { Need::Required } else { Need::Optional };
    let Some(name) = message.string("name", need, out) else {
        return;
    };
    let refused = |c: char| c.is_whitespace() || matches!(c, '<' | '|' | '\\' | '/' | '>');
    if name.is_empty() || name.chars().count() > 64 || name.contains(refused) {
        out.error(
            &message.at.key("name"),
            Rule::BadParticipantName,
            format!("{} is no participant name", shown(name)),
            "use 1 to 64 characters without blanks and < | \\ / >",
        );
    }
}
