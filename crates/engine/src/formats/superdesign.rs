//! Superdesign: the chat history of its panel, a list of `ChatMessage`s told apart by `type`.
//!
//! `user-input` is what the person wrote, `assistant` what the agent said, `tool` a call (with its answer in the same
//! message, in some versions), `tool-result` an answer. `user` is the echo of what `user-input` says already. `result`
//! and `tool-group` are no conversation; the times and costs they hold are facts of calls.

use super::ImportError;
use super::draft::Draft;
use super::facts;
use super::item::{Fields, Item, Shape};
use super::source::Source;
use super::spread::spread;
use crate::model::{Conversation, EntityId, Json, NodeId, Part, ResultContent, Timestamp, ToolResult};
use serde_json::Value;

const TYPES: &[&str] = &["user", "assistant", "result", "user-input", "tool", "tool-result", "tool-group"];

pub(super) fn detect(docs: &[Value]) -> bool {
    let [doc] = docs else { return false };
    let messages = doc.as_array().or_else(|| doc.get("chatHistory")?.as_array());
    let is_message = |message: &Value| {
        let kind = message.get("type").and_then(Value::as_str);
        kind.is_some_and(|kind| TYPES.contains(&kind)) && message.get("message").is_some_and(Value::is_string)
    };
    messages.is_some_and(|messages| !messages.is_empty() && messages.iter().all(is_message))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    source.docs.iter().map(conversation).collect()
}

fn conversation(doc: &Item<'_>) -> Result<Conversation, ImportError> {
    let messages = match doc.shape() {
        Shape::Array => doc.items()?,
        Shape::Null | Shape::Bool | Shape::Number | Shape::String | Shape::Object => {
            let mut fields = doc.fields()?;
            let messages = fields.need("chatHistory")?.items()?;
            fields.end()?;
            messages
        }
    };
    let mut history = History { draft: Draft::new("imported", ""), spoken: None };
    for item in &messages {
        if let Some(fields) = item.fields_or_drop("message") {
            history.message(item, fields)?;
        }
    }
    let mut conversation = history.draft.finish();
    conversation.head = conversation.nodes.last().map(|node| node.id.clone());
    Ok(conversation)
}

/// A history being read.
struct History {
    draft: Draft,
    /// The last node that the model wrote in this turn: what a line about times and costs is about.
    spoken: Option<NodeId>,
}

impl History {
    fn message(&mut self, item: &Item<'_>, mut fields: Fields<'_>) -> Result<(), ImportError> {
        let kind = fields.string("type", "author, or a call").unwrap_or_default();
        let at = fields.moment("timestamp", "createdAt");
        let mut meta = Meta::read(&mut fields)?;
        match kind.as_str() {
            "user-input" => {
                self.draft.close_calls();
                let user = self.draft.human("User");
                self.say(&user, &mut fields, at);
                self.spoken = None;
            }
            "assistant" => {
                let agent = self.draft.agent("Assistant");
                self.spoken = Some(self.say(&agent, &mut fields, at));
            }
            "tool" => self.tool(item, &mut fields, &mut meta, at),
            "tool-result" => self.tool_result(item, &mut fields, &mut meta, at),
            "result" | "tool-group" => {
                fields.dropped("message", "not conversation: a line about times and costs");
                self.cost(&meta, at);
            }
            "user" => {
                item.dropped("message of type \"user\"", "an echo of what user-input says");
                fields.dropped("message", "an echo of what user-input says");
            }
            other => {
                item.dropped(&format!("message of type {other:?}"), "not a known type");
                fields.dropped("message", "not a known type");
            }
        }
        meta.report_unused(item, &kind);
        fields.dropped("subtype", "has no meaning of its own");
        fields.end()
    }

    fn say(&mut self, author: &EntityId, fields: &mut Fields<'_>, at: Option<Timestamp>) -> NodeId {
        let mut node = self.draft.node(None, author);
        node.created_at = at;
        node.parts.extend(fields.filled("message", "text").map(Part::text));
        self.draft.push(node)
    }

    fn tool(&mut self, item: &Item<'_>, fields: &mut Fields<'_>, meta: &mut Meta, at: Option<Timestamp>) {
        fields.dropped("message", "a label of the call for the screen");
        let Some(name) = meta.tool_name.clone() else {
            item.dropped("tool without a name", "a call must say which tool it calls");
            return;
        };
        let agent = self.draft.agent("Assistant");
        let mut node = self.draft.node(None, &agent);
        node.created_at = at;
        if meta.tool_id.is_none() {
            item.mapped("tool without an id", "a made-up id");
        }
        let id = self.draft.called(meta.tool_id.clone(), &name);
        let args = meta.tool_input.take().unwrap_or_else(Json::empty_object);
        node.parts.push(Part::call(id.clone(), name.clone(), args));
        if let Some(answer) = meta.tool_result.take() {
            // Errs only without an id.
            let id = self.draft.answered(Some(id.clone()), None, item).unwrap_or(id);
            node.parts.push(result(id, Some(name), answer, meta));
        }
        self.spoken = Some(spread(&mut self.draft, node).spoken);
    }

    fn tool_result(&mut self, item: &Item<'_>, fields: &mut Fields<'_>, meta: &mut Meta, at: Option<Timestamp>) {
        let message = fields.filled("message", "toolResult");
        let Some(answer) = meta.tool_result.take().or(message) else {
            item.dropped("tool-result without content", "there is no answer in it");
            return;
        };
        let Ok(id) = self.draft.answered(meta.tool_id.clone(), meta.tool_name.as_deref(), item) else {
            item.dropped("tool-result without an id", "no single open call it could answer");
            return;
        };
        if meta.tool_id.is_none() {
            item.mapped("tool-result without an id", "the id of the only open call");
        }
        let agent = self.draft.agent("Assistant");
        let mut node = self.draft.node(None, &agent);
        node.created_at = at;
        node.parts.push(result(id, meta.tool_name.clone(), answer, meta));
        self.draft.push(node);
    }

    fn cost(&mut self, meta: &Meta, at: Option<Timestamp>) {
        let conversation = &self.draft.conversation;
        let id = format!("{}/call-{}", conversation.space.id, conversation.calls.len() + 1);
        let mut call = facts::call(id, self.spoken.as_ref());
        (call.created_at, call.duration_ms, call.cost_usd) = (at, meta.duration_ms, meta.total_cost_usd);
        if facts::says_something(&call) {
            self.draft.call(call);
        }
    }
}

fn result(id: String, name: Option<String>, answer: String, meta: &mut Meta) -> Part {
    let is_error = meta.is_error.take().unwrap_or(false);
    Part::ToolResult(ToolResult { id, name, content: ResultContent::Text(answer), is_error, included: false, native: None })
}

/// What stands in a message's `metadata`.
#[derive(Default)]
struct Meta {
    tool_id: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Json>,
    tool_result: Option<String>,
    is_error: Option<bool>,
    duration_ms: Option<u64>,
    total_cost_usd: Option<f64>,
}

impl Meta {
    fn read(fields: &mut Fields<'_>) -> Result<Meta, ImportError> {
        let Some(mut meta) = fields.object("metadata") else { return Ok(Meta::default()) };
        let read = Meta {
            tool_id: meta.filled("tool_id", "id of the call"),
            tool_name: meta.filled("tool_name", "name of the call"),
            tool_input: meta.take_as("tool_input", "args").map(|item| item.json()),
            tool_result: meta.take_as("tool_result", "toolResult").map(|item| item.as_text()),
            is_error: meta.has("is_error").then(|| meta.flag("is_error", "isError of a result")),
            duration_ms: meta.count("duration_ms", "durationMs of a call"),
            total_cost_usd: meta.decimal("total_cost_usd", "costUsd of a call"),
        };
        meta.dropped_all(
            &["session_id", "is_loading", "num_turns", "child_tools", "group_name", "progress_percentage", "estimated_duration"],
            "known to the panel only",
        );
        meta.end()?;
        Ok(read)
    }

    /// Reports what a message of this type has no use for.
    fn report_unused(&self, item: &Item<'_>, kind: &str) {
        let is_call = matches!(kind, "result" | "tool-group");
        if !is_call && (self.duration_ms.is_some() || self.total_cost_usd.is_some()) {
            item.dropped(&format!("time or cost of a {kind:?}"), "not of a call to a model");
        }
        if self.tool_input.is_some() || self.tool_result.is_some() {
            item.dropped(&format!("tool fields of a {kind:?}"), "it is no call");
        }
        if is_call && self.is_error == Some(true) {
            item.dropped("is_error of a result line", "not conversation: a line about times and costs");
        }
    }
}
