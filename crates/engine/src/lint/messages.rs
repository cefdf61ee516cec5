//! The neutral messages of this library: two roles, typed parts, results directly behind their calls and in their order.

use serde_json::Value;

use super::arguments;
use super::finding::Findings;
use super::pairs::{Order, Pairs};
use super::path::At;
use super::rule::Rule;
use super::shape::{Need, Object, missing, object, unknown, wrong_type};
use super::text::not_empty;
use super::tools::{Defined, Naming, schema};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
}

impl Role {
    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::User => &["text", "toolResult", "image", "file"],
            Self::Assistant => &["text", "reasoning", "toolCall", "image", "file"],
        }
    }
}

/// The walk over the messages.
struct Walk<'v> {
    pairs: Pairs<'v>,
    /// Something else than a result was said since the calls.
    content: bool,
}

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    let Some(body) = object(body, *at, out) else {
        return;
    };
    if let Some(system) = body.string("system", Need::Optional, out) {
        not_empty(system, &body.at.key("system"), out);
    }
    tools(&body, out);
    let Some(list) = body.list("messages", Need::Required, out) else {
        return;
    };
    let at = body.at.key("messages");
    if list.is_empty() {
        out.error(&at, Rule::EmptyMessages, "there is no message".to_owned(), "send at least one");
    }
    let mut walk = Walk { pairs: Pairs::new(Order::Required), content: false };
    for (i, message) in list.iter().enumerate() {
        if let Some(message) = object(message, at.index(i), out) {
            walk.message(&message, out);
        }
    }
    walk.pairs.close(out);
}

fn tools(body: &Object, out: &mut Findings) {
    let mut defined = Defined::new(Naming::Free);
    let at = body.at.key("tools");
    let list = body.list("tools", Need::Optional, out).unwrap_or_default();
    for (i, tool) in list.iter().enumerate() {
        if let Some(tool) = object(tool, at.index(i), out) {
            defined.name(&tool, out);
            schema(&tool, "inputSchema", Need::Optional, out);
        }
    }
}

impl<'v> Walk<'v> {
    fn message(&mut self, message: &Object<'v, '_>, out: &mut Findings) {
        let role = match message.string("role", Need::Required, out) {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some(other) => {
                let at = message.at.key("role");
                unknown(Rule::UnknownRole, other, &["user", "assistant"], &at, out);
                return;
            }
            None => return,
        };
        // Results may come in several user messages; the assistant's next one ends the exchange.
        if role == Role::Assistant {
            self.pairs.close(out);
            self.content = false;
        }
        let at = message.at.key("content");
        match message.value("content") {
            None => missing(&at, "content", out),
            Some(Value::String(text)) => {
                not_empty(text, &at, out);
                self.content |= role == Role::User;
            }
            Some(Value::Array(list)) => self.parts(list, role, &at, out),
            Some(other) => wrong_type(other, &at, "a string or a list of parts", out),
        }
    }

    fn parts(&mut self, list: &'v [Value], role: Role, at: &At, out: &mut Findings) {
        if list.is_empty() {
            out.error(at, Rule::EmptyContent, "the message has no part".to_owned(), "leave the message out");
        }
        for (i, part) in list.iter().enumerate() {
            if let Some(part) = object(part, at.index(i), out) {
                self.part(&part, role, out);
            }
        }
    }

    fn part(&mut self, part: &Object<'v, '_>, role: Role, out: &mut Findings) {
        let Some(kind) = part.string("type", Need::Required, out) else {
            return;
        };
        if !role.parts().contains(&kind) {
            let known = [Role::User, Role::Assistant];
            let rule =
                if known.iter().any(|role| role.parts().contains(&kind)) { Rule::PartNotAllowed } else { Rule::UnknownPart };
            unknown(rule, kind, role.parts(), &part.at.key("type"), out);
            return;
        }
        match kind {
            "toolCall" => self.call(part, out),
            "toolResult" => self.result(part, out),
            _ => {
                plain(part, kind, out);
                self.content |= role == Role::User;
            }
        }
    }

    fn call(&mut self, part: &Object<'v, '_>, out: &mut Findings) {
        let name = part.filled("name", Need::Required, out);
        if let Some(id) = part.filled("id", Need::Required, out) {
            self.pairs.call(id, name, &part.at, out);
        }
        arguments::object(part.value("args"), &part.at.key("args"), out);
    }

    fn result(&mut self, part: &Object<'v, '_>, out: &mut Findings) {
        if let Some(id) = part.filled("id", Need::Required, out) {
            self.pairs.result(id, None, &part.at, out);
        }
        part.flag("isError", out);
        if self.content {
            out.error(
                &part.at,
                Rule::ContentBeforeResult,
                "a result stands behind other content".to_owned(),
                "put all results directly behind their calls",
            );
        }
        let at = part.at.key("content");
        match part.value("content") {
            None => missing(&at, "content", out),
            Some(Value::String(_)) => {}
            Some(Value::Array(list)) => {
                for (i, item) in list.iter().enumerate() {
                    if let Some(item) = object(item, at.index(i), out) {
                        result_part(&item, out);
                    }
                }
            }
            Some(other) => wrong_type(other, &at, "a string or a list of parts", out),
        }
    }
}

fn result_part(part: &Object, out: &mut Findings) {
    let known = ["text", "image", "file"];
    match part.string("type", Need::Required, out) {
        Some(kind) if known.contains(&kind) => plain(part, kind, out),
        Some(kind) => unknown(Rule::UnknownPart, kind, &known, &part.at.key("type"), out),
        None => {}
    }
}

/// A part that neither calls nor answers.
fn plain(part: &Object, kind: &str, out: &mut Findings) {
    match kind {
        "text" => {
            if let Some(text) = part.string("text", Need::Required, out) {
                not_empty(text, &part.at.key("text"), out);
            }
        }
        "reasoning" => {
            part.string("text", Need::Required, out);
            part.string("signature", Need::Optional, out);
        }
        _ => {
            part.filled("mediaType", Need::Optional, out);
            let data = part.string("data", Need::Optional, out);
            let url = part.string("url", Need::Optional, out);
            if data.is_none() && url.is_none() {
                missing(&part.at.key("data"), "data", out);
            }
        }
    }
}
