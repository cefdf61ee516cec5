//! Claude Code's session logs: JSON Lines, a record a line.
//!
//! `parentUuid` makes a tree: a redone prompt is a branch, a side chain (the work of a sub-agent) a root of its own. One
//! reply of the API is written over several lines that repeat its `message.id` and usage; it is one call. Tool results
//! stand in `user` lines and become the agent's. After a compaction the log begins anew; `logicalParentUuid` says what it
//! goes on from, and the summary it begins with becomes a summary node. Lines that are no messages (progress, snapshots,
//! queues, notes for the screen) are left out, but what hangs on them keeps its place.

use super::ImportError;
use super::claude::blocks;
use super::draft::Draft;
use super::facts;
use super::item::{Fields, Item};
use super::source::Source;
use super::tree::parents_first;
use crate::model::{Call, Conversation, Kind, Node, NodeId, Part, Status, Usage};
use serde_json::Value;
use std::collections::HashMap;

const NOTE: &str = "about the program, not said";

pub(super) fn detect(docs: &[Value]) -> bool {
    let is_message = |doc: &Value| doc.get("uuid").is_some() && doc.get("parentUuid").is_some() && doc.get("sessionId").is_some();
    let is_summary = |doc: &Value| doc.get("type").and_then(Value::as_str) == Some("summary") && doc.get("leafUuid").is_some();
    docs.iter().any(is_message) || (!docs.is_empty() && docs.iter().all(is_summary))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    let mut log = Log {
        draft: Draft::new("imported", ""),
        calls: HashMap::new(),
        ends: HashMap::new(),
        head: None,
        session: None,
        titled: false,
    };
    let mut records = Vec::new();
    for doc in &source.docs {
        if let Some(mut fields) = doc.fields_or_drop("record") {
            let kind = fields.string("type", "kind of the record").unwrap_or_default();
            records.extend(log.record(doc, kind, fields)?);
        }
    }
    let places = parents_first(records.iter().map(|record| (record.id.as_str(), record.parent.as_deref())));
    let mut records: Vec<_> = records.into_iter().map(Some).collect();
    for place in places {
        let Some(record) = records.get_mut(place.index).and_then(Option::take) else { continue };
        if place.cut {
            record.item.dropped("parentUuid", "names a line that is not there, or closes a circle");
        }
        let parent = place.parent.and_then(|parent| log.ends.get(&parent).cloned()).flatten();
        let end = log.place(record, parent.clone())?.or(parent);
        log.ends.insert(place.index, end);
    }
    let mut conversation = log.draft.finish();
    conversation.head = log.head.or_else(|| conversation.nodes.last().map(|node| node.id.clone()));
    Ok(vec![conversation])
}

/// A line that has a place in the tree.
struct Record<'a> {
    item: Item<'a>,
    id: String,
    parent: Option<String>,
    kind: String,
    is_sidechain: bool,
    fields: Fields<'a>,
}

struct Log {
    draft: Draft,
    /// The call of each reply, and the node that has its usage, by the reply's id.
    calls: HashMap<String, (usize, usize)>,
    /// The node that whatever hangs on a record continues.
    ends: HashMap<usize, Option<NodeId>>,
    head: Option<NodeId>,
    session: Option<String>,
    titled: bool,
}

impl Log {
    fn record<'a>(&mut self, item: &Item<'a>, kind: String, mut fields: Fields<'a>) -> Result<Option<Record<'a>>, ImportError> {
        let session = fields.filled("sessionId", "space id");
        if self.session.is_none() {
            if let Some(session) = &session {
                self.draft.conversation.space.id = session.as_str().into();
            }
            self.session = session;
        }
        let is_title = matches!(kind.as_str(), "summary" | "ai-title" | "custom-title");
        let title = is_title.then(|| fields.any_string(&["customTitle", "aiTitle", "summary"], "space name")).flatten();
        if let Some(title) = title {
            // A name given by hand wins over one that was made up.
            if !self.titled {
                self.draft.conversation.space.name = title;
                self.titled = kind == "custom-title";
            }
            fields.drop_rest(NOTE);
            return Ok(None);
        }
        let Some(id) = fields.filled("uuid", "id of the node") else {
            item.dropped(&format!("record {kind:?}"), NOTE);
            fields.drop_rest(NOTE);
            return Ok(None);
        };
        let logical = fields.filled("logicalParentUuid", "parent");
        let parent = fields.filled("parentUuid", "parent").or(logical);
        let is_sidechain = fields.flag("isSidechain", "a root of its own");
        Ok(Some(Record { item: item.clone(), id, parent, kind, is_sidechain, fields }))
    }

    /// Adds what a record says, and gives the last node of it.
    fn place(&mut self, record: Record<'_>, parent: Option<NodeId>) -> Result<Option<NodeId>, ImportError> {
        let Record { item, id, kind, is_sidechain, mut fields, .. } = record;
        let end = match kind.as_str() {
            "user" => self.user(&id, parent, &mut fields)?,
            "assistant" => self.assistant(&id, parent, &mut fields)?,
            _ => {
                let subtype = fields.string("subtype", "kind of the record").unwrap_or_default();
                item.dropped(&format!("record {:?}", format!("{kind} {subtype}").trim_end()), NOTE);
                None
            }
        };
        fields.drop_rest(NOTE);
        if end.is_some() && !is_sidechain {
            self.head.clone_from(&end);
        }
        Ok(end)
    }

    fn user(&mut self, id: &str, parent: Option<NodeId>, fields: &mut Fields<'_>) -> Result<Option<NodeId>, ImportError> {
        let at = fields.moment("timestamp", "createdAt");
        let is_summary = fields.flag("isCompactSummary", "kind of the node");
        let is_meta = fields.flag("isMeta", "author");
        fields.dropped("toolUseResult", "the same result, for the screen");
        let parts = self.content(fields)?;
        let (results, said): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| matches!(part, Part::ToolResult(_)));
        let mut end = None;
        if !results.is_empty() {
            let agent = self.draft.agent("Claude");
            let mut node = self.draft.node(Some(id), &agent);
            (node.parent, node.created_at, node.parts) = (parent.clone(), at.clone(), results);
            end = Some(self.draft.push(node));
        }
        if !said.is_empty() {
            let author = match (is_summary, is_meta) {
                (true, _) => self.draft.agent("Claude"),
                (false, true) => self.draft.service("Claude Code"),
                (false, false) => self.draft.human("User"),
            };
            let mut node = self.draft.node(Some(id), &author);
            node.kind = if is_summary { Kind::Summary } else { Kind::Message };
            (node.parent, node.created_at, node.parts) = (end.or(parent), at, said);
            end = Some(self.draft.push(node));
        }
        Ok(end)
    }

    fn content(&mut self, fields: &mut Fields<'_>) -> Result<Vec<Part>, ImportError> {
        let Some(mut message) = fields.object("message") else { return Ok(Vec::new()) };
        message.mapped("role", "author");
        let content = message.kept("content");
        message.drop_rest(NOTE);
        content.map_or(Ok(Vec::new()), |content| blocks::read(&mut self.draft, &content))
    }

    fn assistant(&mut self, id: &str, parent: Option<NodeId>, fields: &mut Fields<'_>) -> Result<Option<NodeId>, ImportError> {
        let agent = self.draft.agent("Claude");
        let mut node = self.draft.node(Some(id), &agent);
        (node.parent, node.created_at) = (parent, fields.moment("timestamp", "createdAt"));
        let failed = fields.flag("isApiErrorMessage", "status");
        let duration = fields.count("durationMs", "durationMs of the call");
        let cost = fields.decimal("costUSD", "costUsd of the call");
        let Some(mut message) = fields.object("message") else { return Ok(None) };
        message.mapped("role", "author");
        let reply = message.filled("id", "id of the call");
        // Errors and notices come from a model that does not exist.
        let model = message.filled("model", "").filter(|model| !model.starts_with('<'));
        node.model = model.map(|model| format!("anthropic/{model}"));
        let usage = message.take_as("usage", "usage of the call");
        if let Some(content) = message.kept("content") {
            node.parts = blocks::read(&mut self.draft, &content)?;
        }
        message.dropped_all(&["type", "stop_reason", "stop_sequence"], "says how the reply ended");
        message.drop_rest(NOTE);
        if failed {
            let words = |part: &Part| match part {
                Part::Text(text) => Some(text.text.clone()),
                Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
            };
            node.status = Status::Error;
            node.error = node.parts.iter().find_map(words);
            node.parts.clear();
        }
        let mut call = facts::call(reply.clone().unwrap_or_else(|| node.id.to_string()), Some(&node.id));
        (call.agent, call.model, call.created_at) = (Some(agent), node.model.clone(), node.created_at.clone());
        (call.duration_ms, call.cost_usd) = (duration, cost);
        call.usage = usage.as_ref().and_then(facts::anthropic).filter(|usage| usage.total() > 0);
        call.raw_usage = usage.map(|usage| usage.json());
        self.count(reply, call, &mut node);
        Ok(Some(self.draft.push(node)))
    }

    /// Counts a reply once, with the last numbers it gives: while it streams, its lines hold the first ones.
    fn count(&mut self, reply: Option<String>, call: Call, node: &mut Node) {
        let place = self.draft.conversation.nodes.len();
        let known = reply.as_ref().and_then(|reply| self.calls.get(reply)).copied();
        let Some((index, before)) = known else {
            node.usage = call.usage;
            if facts::says_something(&call) {
                if let Some(reply) = reply {
                    self.calls.insert(reply, (self.draft.conversation.calls.len(), place));
                }
                self.draft.call(call);
            }
            return;
        };
        let earlier = self.draft.conversation.nodes.get_mut(before).and_then(|node| node.usage.take());
        node.usage = larger(earlier, call.usage);
        if let Some(counted) = self.draft.conversation.calls.get_mut(index) {
            counted.node = call.node;
            if node.usage != counted.usage {
                (counted.usage, counted.raw_usage) = (node.usage, call.raw_usage);
            }
        }
        if let Some(reply) = reply {
            self.calls.insert(reply, (index, place));
        }
    }
}

fn larger(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Usage {
            input: one.input.max(other.input),
            output: one.output.max(other.output),
            cache_read: one.cache_read.max(other.cache_read),
            cache_write: one.cache_write.max(other.cache_write),
        }),
        (one, other) => one.or(other),
    }
}
