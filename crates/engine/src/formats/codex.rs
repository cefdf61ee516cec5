//! Codex's session logs ("rollouts"): JSON Lines, each `{timestamp, type, payload}`; the oldest have bare items.
//!
//! `response_item`s are what was said: messages, reasoning, calls and their outputs, in one line of nodes. `token_count`
//! events hold the usage of the call before them, and repeat; each is counted once. A `compacted` line becomes a summary.
//! `session_meta` gives the space's id and system text, `turn_context` the model. A rollback takes the last turns off the
//! path, so what follows is a branch. Other events are for the screen: they say again what items say, or nothing.

use super::ImportError;
use super::draft::Draft;
use super::facts::{self, inclusive};
use super::item::{Fields, Item};
use super::source::Source;
use crate::model::{Conversation, Kind, Node, NodeId, Part, Timestamp};
use serde_json::Value;

mod items;

const NOTE: &str = "about the program, not said";
const AGAIN: &str = "says again, for the screen, what an item says";

pub(super) fn detect(docs: &[Value]) -> bool {
    const TYPES: &[&str] = &["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
    let is_line = |doc: &Value| {
        let kind = doc.get("type").and_then(Value::as_str);
        kind.is_some_and(|kind| TYPES.contains(&kind)) && doc.get("payload").is_some()
    };
    let is_old = |doc: &Value| {
        doc.get("record_type").is_some()
            || (doc.get("id").is_some() && doc.get("instructions").is_some() && doc.get("timestamp").is_some())
    };
    docs.iter().any(is_line) || (docs.len() > 1 && docs.iter().any(is_old))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    let mut log = Log::new();
    for doc in &source.docs {
        if let Some(fields) = doc.fields_or_drop("line") {
            log.line(doc, fields)?;
        }
    }
    let mut conversation = log.draft.finish();
    conversation.head = log.last;
    Ok(vec![conversation])
}

struct Log {
    draft: Draft,
    last: Option<NodeId>,
    /// The last thing the model wrote, which usage is about.
    spoken: Option<usize>,
    /// What each turn of the person continues, so that turns can be taken back.
    turns: Vec<Option<NodeId>>,
    model: Option<String>,
    /// The running totals of the last count: an event that repeats them is no new call.
    totals: Option<String>,
    provider: String,
    begun: bool,
}

impl Log {
    fn new() -> Log {
        let (draft, provider) = (Draft::new("imported", ""), "openai".to_owned());
        Log { draft, last: None, spoken: None, turns: Vec::new(), model: None, totals: None, provider, begun: false }
    }

    fn line(&mut self, item: &Item<'_>, mut fields: Fields<'_>) -> Result<(), ImportError> {
        if !fields.has("payload") {
            return self.old_line(item, fields);
        }
        let at = fields.moment("timestamp", "createdAt");
        let kind = fields.string("type", "kind of the line").unwrap_or_default();
        let Some(payload) = fields.object("payload") else { return fields.end() };
        match kind.as_str() {
            "session_meta" => self.meta(payload),
            "turn_context" => self.context(payload),
            "response_item" => self.item(item, payload, at)?,
            "event_msg" => self.event(item, payload, at)?,
            "compacted" => self.compacted(payload, at),
            other => {
                item.dropped(&format!("line {other:?}"), NOTE);
                payload.drop_rest(NOTE);
            }
        }
        fields.end()
    }

    /// A line of the oldest logs: the session's head, a state, or an item.
    fn old_line(&mut self, item: &Item<'_>, fields: Fields<'_>) -> Result<(), ImportError> {
        if fields.has("record_type") {
            item.dropped("record_type", NOTE);
            fields.drop_rest(NOTE);
            return Ok(());
        }
        if fields.has("type") {
            return self.item(item, fields, None);
        }
        self.meta(fields);
        Ok(())
    }

    fn meta(&mut self, mut fields: Fields<'_>) {
        // A fork begins with its own head, and then copies the log it was made from with that one's.
        if std::mem::replace(&mut self.begun, true) {
            fields.of().dropped("second session_meta", "of the log this one was forked from");
            return fields.drop_rest(NOTE);
        }
        if let Some(id) = fields.filled("id", "space id") {
            self.draft.conversation.space.id = id.into();
        }
        if let Some(provider) = fields.filled("model_provider", "model") {
            self.provider = provider;
        }
        let base = fields.object("base_instructions").and_then(|mut base| {
            let text = base.filled("text", "systemContext");
            base.drop_rest(NOTE);
            text
        });
        let own = fields.filled("instructions", "systemContext");
        let texts: Vec<String> = [base, own].into_iter().flatten().collect();
        self.draft.conversation.space.system_context = texts.join("\n\n");
        fields.drop_rest(NOTE);
    }

    fn context(&mut self, mut fields: Fields<'_>) {
        if let Some(model) = fields.filled("model", "model of the nodes after it") {
            let model = facts::model_name(Some(&self.provider), &model);
            let agent = self.draft.agent("Codex");
            if let Some(agent) = self.draft.entity_mut(&agent) {
                agent.model = Some(model.clone());
            }
            self.model = Some(model);
        }
        fields.drop_rest(NOTE);
    }

    fn item(&mut self, item: &Item<'_>, mut fields: Fields<'_>, at: Option<Timestamp>) -> Result<(), ImportError> {
        let kind = fields.string("type", "type of the part").unwrap_or_default();
        let said = items::read(&mut self.draft, item, &kind, &mut fields)?;
        fields.drop_rest(NOTE);
        let Some((voice, parts)) = said else { return Ok(()) };
        if parts.is_empty() {
            return Ok(());
        }
        let mut node = match voice {
            items::Voice::System => self.draft.system_node(None),
            items::Voice::Human => {
                let user = self.draft.human("User");
                self.turns.push(self.last.clone());
                self.draft.node(None, &user)
            }
            items::Voice::Agent | items::Voice::Tool => {
                let agent = self.draft.agent("Codex");
                self.draft.node(None, &agent)
            }
        };
        if matches!(voice, items::Voice::Agent) {
            node.model.clone_from(&self.model);
            self.spoken = Some(self.draft.conversation.nodes.len());
        }
        node.parts = parts;
        self.push(node, at);
        Ok(())
    }

    fn push(&mut self, mut node: Node, at: Option<Timestamp>) {
        (node.parent, node.created_at) = (self.last.take(), at);
        self.last = Some(self.draft.push(node));
    }

    fn compacted(&mut self, mut fields: Fields<'_>, at: Option<Timestamp>) {
        let text = fields.filled("message", "a summary node");
        fields.dropped("replacement_history", "what the summary stands beside is in the log already");
        fields.drop_rest(NOTE);
        if let Some(text) = text {
            let agent = self.draft.agent("Codex");
            let mut node = self.draft.node(None, &agent);
            node.kind = Kind::Summary;
            node.parts.push(Part::text(text));
            self.push(node, at);
        }
    }

    fn event(&mut self, item: &Item<'_>, mut fields: Fields<'_>, at: Option<Timestamp>) -> Result<(), ImportError> {
        let kind = fields.string("type", "kind of the event").unwrap_or_default();
        match kind.as_str() {
            "token_count" => {
                if let Some(info) = fields.object("info") {
                    self.usage(item, info, at)?;
                }
                fields.dropped("rate_limits", "about the account, not the conversation");
            }
            "thread_rolled_back" => {
                let turns = fields.count("num_turns", "a branch").unwrap_or(0);
                for _ in 0..turns.min(self.turns.len() as u64) {
                    self.last = self.turns.pop().flatten();
                }
            }
            "user_message" | "agent_message" | "agent_reasoning" | "agent_reasoning_raw_content" => {
                item.dropped(&format!("event {kind:?}"), AGAIN);
            }
            other => item.dropped(&format!("event {other:?}"), NOTE),
        }
        fields.drop_rest("of an event");
        Ok(())
    }

    fn usage(&mut self, item: &Item<'_>, mut info: Fields<'_>, at: Option<Timestamp>) -> Result<(), ImportError> {
        let totals = info.dropped("total_token_usage", "follows from the calls").map(|totals| totals.raw().to_owned());
        let raw = info.peek("last_token_usage").map(|usage| usage.json());
        let last = info.object("last_token_usage");
        info.dropped("model_context_window", "a fact of the model");
        info.end()?;
        let Some(mut last) = last else { return Ok(()) };
        let mut count = |key: &str| last.count(key, "usage of the call").unwrap_or(0);
        let usage = inclusive(count("input_tokens"), count("cached_input_tokens"), count("output_tokens"));
        last.dropped_all(&["reasoning_output_tokens", "total_tokens"], "part of the other numbers");
        last.end()?;
        if totals.is_some() && totals == self.totals {
            item.dropped("token_count that repeats", "the call is counted already");
            return Ok(());
        }
        self.totals = totals;
        let node = self.spoken.take().and_then(|index| self.draft.conversation.nodes.get_mut(index));
        let number = self.draft.conversation.calls.len() + 1;
        let mut call = facts::call(format!("{}/call-{number}", self.draft.conversation.space.id), None);
        if let Some(node) = node {
            node.usage = Some(usage);
            (call.node, call.agent) = (Some(node.id.clone()), Some(node.author.clone()));
        }
        (call.model, call.created_at, call.usage, call.raw_usage) = (self.model.clone(), at, Some(usage), raw);
        self.draft.call(call);
        Ok(())
    }
}
