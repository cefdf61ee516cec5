//! Claude's data export: `conversations.json`, alone or in its zip archive.
//!
//! Messages are told by `sender`; `parent_message_uuid`, where an export has it, makes branches. `content` holds the
//! blocks and `text` says the same without them, so it is used only where there are none. What was extracted from an
//! attachment is a file; other files are looked up in the archive. How long a reply took, from its first block to its
//! last, is a fact of a call.

use super::archive::MAX_ATTACHMENT;
use super::draft::Draft;
use super::facts;
use super::item::{Fields, Item, Shape};
use super::source::Source;
use super::spread::spread;
use super::tree::parents_first;
use super::{ImportError, media};
use crate::model::{Conversation, File, Media, NodeId, Part, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::collections::HashMap;

pub(super) mod blocks;

/// What the first message of a conversation names as its parent.
const NO_PARENT: &str = "00000000-0000-4000-8000-000000000000";

pub(super) fn detect(docs: &[Value]) -> bool {
    let is_conversation = |value: &Value| value.get("chat_messages").is_some_and(Value::is_array);
    let is_export = |doc: &Value| match doc.as_array() {
        Some(conversations) => !conversations.is_empty() && conversations.iter().all(is_conversation),
        None => is_conversation(doc),
    };
    !docs.is_empty() && docs.iter().all(is_export)
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    let mut files = HashMap::new();
    for name in source.files.names() {
        let base = name.rsplit('/').next().unwrap_or(name);
        files.entry(base).or_insert(name.as_str());
        // Some exports name files by their id, with or without an ending.
        files.entry(base.split('.').next().unwrap_or(base)).or_insert(name.as_str());
    }
    let mut conversations = Vec::new();
    for doc in &source.docs {
        let items = if doc.shape() == Shape::Array { doc.items()? } else { vec![doc.clone()] };
        for item in &items {
            if let Some(fields) = item.fields_or_drop("conversation") {
                conversations
                    .push(Reading { source, files: &files, draft: Draft::new("imported", "") }.conversation(item, fields)?);
            }
        }
    }
    Ok(conversations)
}

struct Reading<'a> {
    source: &'a Source<'a>,
    files: &'a HashMap<&'a str, &'a str>,
    draft: Draft,
}

impl Reading<'_> {
    fn conversation(mut self, item: &Item<'_>, mut fields: Fields<'_>) -> Result<Conversation, ImportError> {
        if let Some(id) = fields.filled("uuid", "space id") {
            self.draft.conversation.space.id = id.into();
        }
        self.draft.conversation.space.name = fields.string("name", "space name").unwrap_or_default();
        if let Some(model) = fields.filled("model", "model of the agent") {
            let agent = self.draft.agent("Claude");
            if let Some(agent) = self.draft.entity_mut(&agent) {
                agent.model = Some(format!("anthropic/{model}"));
            }
        }
        let mut messages = Vec::new();
        for message in fields.list("chat_messages", "nodes") {
            let Some(mut message) = message.fields_or_drop("message") else { continue };
            let id = message.string("uuid", "id of the node").unwrap_or_default();
            let has_parent = message.has("parent_message_uuid");
            let parent = message.filled("parent_message_uuid", "parent").filter(|parent| parent != NO_PARENT);
            messages.push((id, has_parent, parent, message));
        }
        // Exports without parents are one line of messages.
        if messages.iter().all(|(_, has_parent, _, _)| !has_parent) {
            let mut last: Option<String> = None;
            for (id, _, parent, _) in &mut messages {
                *parent = last.replace(id.clone());
            }
        }
        let places = parents_first(messages.iter().map(|(id, _, parent, _)| (id.as_str(), parent.as_deref())));
        let mut messages: Vec<_> = messages.into_iter().map(Some).collect();
        let mut ends: HashMap<usize, NodeId> = HashMap::new();
        let mut made: HashMap<String, NodeId> = HashMap::new();
        for place in places {
            let Some((id, _, _, message)) = messages.get_mut(place.index).and_then(Option::take) else { continue };
            if place.cut {
                item.dropped("parent_message_uuid", "names a message that is not there, or closes a circle");
            }
            let parent = place.parent.and_then(|parent| ends.get(&parent).cloned());
            let end = self.message(&id, parent, message)?;
            made.insert(id, end.clone());
            ends.insert(place.index, end);
        }
        let leaf = fields.filled("current_leaf_message_uuid", "head").and_then(|leaf| made.get(&leaf).cloned());
        fields.dropped_all(&["created_at", "updated_at"], "nodes have their own times");
        fields.dropped_all(
            &["account", "summary", "settings", "is_starred", "is_temporary", "project", "project_uuid", "platform"],
            "about the account, not the conversation",
        );
        fields.end()?;
        let mut conversation = self.draft.finish();
        conversation.head = leaf.or_else(|| conversation.nodes.last().map(|node| node.id.clone()));
        Ok(conversation)
    }

    /// Adds a message and gives the last node it became.
    fn message(&mut self, id: &str, parent: Option<NodeId>, mut fields: Fields<'_>) -> Result<NodeId, ImportError> {
        let is_human = fields.string("sender", "author").as_deref() != Some("assistant");
        let author = if is_human { self.draft.human("User") } else { self.draft.agent("Claude") };
        let mut node = self.draft.node(Some(id), &author);
        node.parent = parent;
        node.created_at = fields.moment("created_at", "createdAt");
        for attachment in fields.list("attachments", "file parts") {
            node.parts.extend(extracted(&attachment)?);
        }
        for key in ["files", "files_v2"] {
            for file in fields.list(key, "image and file parts") {
                node.parts.extend(self.file(&file)?);
            }
        }
        let content = fields.kept("content");
        let took = content.as_ref().and_then(milliseconds);
        let said = content.map_or(Ok(Vec::new()), |content| blocks::read(&mut self.draft, &content))?;
        if said.is_empty() {
            node.parts.extend(fields.filled("text", "").map(Part::text));
        } else {
            fields.mapped("text", "content, which says the same");
        }
        node.parts.extend(said);
        fields.dropped_all(
            &["updated_at", "index", "truncated", "stop_reason", "nOptions", "sync_sources"],
            "a node does not change, and has its place",
        );
        fields.end()?;
        self.draft.close_calls();
        let spread = spread(&mut self.draft, node);
        if let Some(took) = took.filter(|_| !is_human) {
            let mut call = facts::call(format!("{}/{}", self.draft.conversation.space.id, spread.spoken), Some(&spread.spoken));
            (call.agent, call.duration_ms) = (Some(author), Some(took));
            self.draft.call(call);
        }
        Ok(spread.last)
    }

    /// A file beside the conversations, found by its id or name.
    fn file(&self, item: &Item<'_>) -> Result<Option<Part>, ImportError> {
        let Some(mut fields) = item.fields_or_drop("file") else { return Ok(None) };
        let id = fields.filled("file_uuid", "file in the archive");
        let name = fields.filled("file_name", "name of the file");
        let entry = [&id, &name].into_iter().flatten().find_map(|key| self.files.get(key.as_str()));
        let bytes = entry.and_then(|entry| self.source.files.read(entry, MAX_ATTACHMENT).ok());
        fields.drop_rest("known from the file");
        if bytes.is_none() {
            item.dropped("file", "the export does not hold it");
        }
        let name = name.or(id).unwrap_or_default();
        Ok(bytes.map(|bytes| media::from_bytes(&name, None, &bytes)))
    }
}

/// An attachment, as the text that was extracted from it.
fn extracted(item: &Item<'_>) -> Result<Option<Part>, ImportError> {
    let Some(mut fields) = item.fields_or_drop("attachment") else { return Ok(None) };
    let name = fields.string("file_name", "name of the file").unwrap_or_default();
    let kind = fields.filled("file_type", "mediaType");
    let text = fields.filled("extracted_content", "data of the file");
    fields.drop_rest("known from the file");
    if text.is_none() {
        item.dropped("attachment", "the export does not hold its text");
    }
    let media_type = kind.filter(|kind| kind.starts_with("text/")).unwrap_or_else(|| "text/plain".into());
    Ok(text.map(|text| Part::File(File { name, media_type, media: Media::Data(STANDARD.encode(text)) })))
}

/// How long a reply took, in whole seconds: from the start of its first block to the end of its last.
fn milliseconds(content: &Item<'_>) -> Option<u64> {
    let mut span: Option<(Timestamp, Timestamp)> = None;
    for block in content.items().ok()? {
        let Ok(fields) = block.fields() else { continue };
        let time = |key: &str| fields.peek(key).and_then(|time| time.time().ok());
        if let (Some(start), Some(stop)) = (time("start_timestamp"), time("stop_timestamp")) {
            span = Some(span.map_or((start, stop.clone()), |(start, _)| (start, stop)));
        }
    }
    let (start, stop) = span?;
    u64::try_from(start.seconds_until(&stop)).ok().map(|seconds| seconds.saturating_mul(1000))
}
