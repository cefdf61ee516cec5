//! AI SDK model messages, versions 5 and 6: parts by role, and every call answered before the next user message.

use std::collections::HashMap;

use serde_json::Value;

use super::arguments;
use super::finding::Findings;
use super::pairs::{Order, Pairs};
use super::path::At;
use super::rule::Rule;
use super::shape::{Need, Object, missing, object, unknown, wrong_type};

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];
const OUTPUTS: &[&str] = &["text", "json", "error-text", "error-json", "content", "execution-denied"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    System,
    User,
    Assistant,
    Tool,
}

impl Role {
    fn of(role: &str) -> Option<Self> {
        match role {
            "system" => Some(Self::System),
            "user" => Some(Self::User),
            "assistant" => Some(Self::Assistant),
            "tool" => Some(Self::Tool),
            _ => None,
        }
    }

    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::System => &[],
            Self::User => &["text", "image", "file"],
            Self::Assistant => {
                &["text", "reasoning", "tool-call", "file", "tool-result", "tool-approval-request", "reasoning-file", "custom"]
            }
            Self::Tool => &["tool-result", "tool-approval-response"],
        }
    }
}

/// The calls of the request and the approvals they wait for.
struct Walk<'v> {
    pairs: Pairs<'v>,
    approvals: HashMap<&'v str, &'v str>,
}

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    let Some(body) = object(body, *at, out) else {
        return;
    };
    body.string("system", Need::Optional, out);
    let Some(list) = body.list("messages", Need::Required, out) else {
        return;
    };
    let at = body.at.key("messages");
    if list.is_empty() {
        out.error(&at, Rule::EmptyMessages, "there is no message".to_owned(), "send at least one");
    }
    let mut walk = Walk { pairs: Pairs::new(Order::Advised), approvals: HashMap::new() };
    for (i, message) in list.iter().enumerate() {
        if let Some(message) = object(message, at.index(i), out) {
            walk.message(&message, out);
        }
    }
    walk.pairs.close(out);
}

impl<'v> Walk<'v> {
    fn message(&mut self, message: &Object<'v, '_>, out: &mut Findings) {
        let Some(name) = message.string("role", Need::Required, out) else {
            return;
        };
        let Some(role) = Role::of(name) else {
            unknown(Rule::UnknownRole, name, ROLES, &message.at.key("role"), out);
            return;
        };
        // The SDK throws MissingToolResults at the next message that is neither a result nor the assistant's; providers
        // want the results before that one too.
        if role != Role::Tool {
            self.pairs.close(out);
        }
        let at = message.at.key("content");
        match message.value("content") {
            None => missing(&at, "content", out),
            Some(Value::String(_)) if role != Role::Tool => {}
            Some(Value::Array(list)) if role != Role::System => {
                for (i, part) in list.iter().enumerate() {
                    if let Some(part) = object(part, at.index(i), out) {
                        self.part(&part, role, out);
                    }
                }
            }
            Some(other) => {
                let expected = match role {
                    Role::System => "a string",
                    Role::Tool => "a list of parts",
                    Role::User | Role::Assistant => "a string or a list of parts",
                };
                wrong_type(other, &at, expected, out);
            }
        }
    }

    fn part(&mut self, part: &Object<'v, '_>, role: Role, out: &mut Findings) {
        let Some(kind) = part.string("type", Need::Required, out) else {
            return;
        };
        if !role.parts().contains(&kind) {
            let known = [Role::User, Role::Assistant, Role::Tool];
            let rule =
                if known.iter().any(|role| role.parts().contains(&kind)) { Rule::PartNotAllowed } else { Rule::UnknownPart };
            unknown(rule, kind, role.parts(), &part.at.key("type"), out);
            return;
        }
        match kind {
            "text" | "reasoning" => {
                part.string("text", Need::Required, out);
            }
            "image" => present(part, "image", out),
            "file" | "reasoning-file" => {
                present(part, "data", out);
                part.filled("mediaType", Need::Required, out);
            }
            "tool-call" => self.call(part, out),
            "tool-result" => self.result(part, role, out),
            "tool-approval-request" => self.request(part, out),
            "tool-approval-response" => self.response(part, out),
            _ => {}
        }
    }

    fn call(&mut self, part: &Object<'v, '_>, out: &mut Findings) {
        let id = part.filled("toolCallId", Need::Required, out);
        let name = part.filled("toolName", Need::Required, out);
        arguments::object(part.value("input"), &part.at.key("input"), out);
        // The provider ran it: its result is in the same message, or in the provider.
        let own = part.flag("providerExecuted", out) == Some(true);
        if let Some(id) = id {
            self.pairs.call(id, name, &part.at, out);
            if own {
                self.pairs.settle(id);
            }
        }
    }

    fn result(&mut self, part: &Object<'v, '_>, role: Role, out: &mut Findings) {
        let id = part.filled("toolCallId", Need::Required, out);
        let name = part.filled("toolName", Need::Required, out);
        if let Some(output) = part.child("output", Need::Required, out) {
            result_output(&output, out);
        }
        // An assistant's own results are the provider's.
        if let Some(id) = id
            && role == Role::Tool
        {
            self.pairs.result(id, name, &part.at, out);
        }
    }

    fn request(&mut self, part: &Object<'v, '_>, out: &mut Findings) {
        let approval = part.filled("approvalId", Need::Required, out);
        let call = part.filled("toolCallId", Need::Required, out);
        if let (Some(approval), Some(call)) = (approval, call) {
            self.approvals.insert(approval, call);
        }
    }

    /// An answered approval stands for the result: the SDK runs the tool, or says that it was denied (peers 14).
    fn response(&mut self, part: &Object<'v, '_>, out: &mut Findings) {
        if let Some(approval) = part.filled("approvalId", Need::Required, out)
            && let Some(call) = self.approvals.get(approval)
        {
            self.pairs.settle(call);
        }
        if part.flag("approved", out).is_none() && part.value("approved").is_none() {
            missing(&part.at.key("approved"), "approved", out);
        }
    }
}

fn present(part: &Object, key: &'static str, out: &mut Findings) {
    if part.value(key).is_none() {
        missing(&part.at.key(key), key, out);
    }
}

fn result_output(output: &Object, out: &mut Findings) {
    match output.string("type", Need::Required, out) {
        Some("text" | "error-text") => {
            output.string("value", Need::Required, out);
        }
        Some("content") => {
            output.list("value", Need::Required, out);
        }
        Some("json" | "error-json" | "execution-denied") | None => {}
        Some(other) => {
            let at = output.at.key("type");
            unknown(Rule::InvalidValue, other, OUTPUTS, &at, out);
        }
    }
}
