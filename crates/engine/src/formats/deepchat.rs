//! DeepChat: the records of one session's messages.
//!
//! A record's `content` is JSON in a string: an object with `text` and `files` for a person, a list of blocks for the
//! agent. Records go on the path in the order of `orderSeq`. A `tool_call` block holds call and answer together and
//! becomes a call and a result; a call that was never answered stays open. Counts and times in `metadata` are facts of
//! a call. `is_context_edge` becomes the node's flag; status stays what it is.

use super::ImportError;
use super::draft::Draft;
use super::facts::{self, inclusive, model_name};
use super::item::{Fields, Item, Shape};
use super::source::Source;
use super::spread::spread;
use crate::model::{Call, Conversation, ImportedRole, Node, Part, Status};
use serde_json::Value;

mod content;

pub(super) fn detect(docs: &[Value]) -> bool {
    let [doc] = docs else { return false };
    let records = doc.as_array().or_else(|| doc.get("messages")?.as_array());
    let is_record = |record: &Value| {
        record.get("content").is_some()
            && record.get("role").is_some()
            && ["orderSeq", "order_seq", "isContextEdge", "is_context_edge"].iter().any(|key| record.get(key).is_some())
    };
    records.is_some_and(|records| !records.is_empty() && records.iter().all(is_record))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    source.docs.iter().map(conversation).collect()
}

fn conversation(doc: &Item<'_>) -> Result<Conversation, ImportError> {
    let mut draft = Draft::new("imported", "");
    let records = match doc.shape() {
        Shape::Array => doc.items()?,
        Shape::Null | Shape::Bool | Shape::Number | Shape::String | Shape::Object => {
            let mut fields = doc.fields()?;
            let records = fields.need("messages")?.items()?;
            if let Some(session) = fields.object("session") {
                read_session(&mut draft, session)?;
            }
            fields.end()?;
            records
        }
    };
    let mut ordered: Vec<(Option<u64>, Fields<'_>)> = Vec::new();
    for record in &records {
        let Some(mut fields) = record.fields_or_drop("record") else { continue };
        let seq = fields.count("orderSeq", "order on the path");
        let seq = seq.or_else(|| fields.count("order_seq", "order on the path"));
        ordered.push((seq, fields));
    }
    ordered.sort_by_key(|(seq, _)| *seq);
    for (_, fields) in ordered {
        record(&mut draft, fields)?;
    }
    draft.conversation.head = draft.conversation.nodes.last().map(|node| node.id.clone());
    Ok(draft.finish())
}

fn read_session(draft: &mut Draft, mut session: Fields<'_>) -> Result<(), ImportError> {
    if let Some(id) = session.filled("id", "space id") {
        draft.conversation.space.id = id.into();
    }
    draft.conversation.space.name = session.string("title", "space name").unwrap_or_default();
    let provider = session.string("providerId", "model of the agent");
    if let Some(model) = session.filled("modelId", "model of the agent") {
        let agent = draft.agent("Assistant");
        if let Some(agent) = draft.entity_mut(&agent) {
            agent.model = Some(model_name(provider.as_deref(), &model));
        }
    }
    session.dropped_all(
        &["agentId", "status", "projectDir", "isPinned", "createdAt", "updatedAt"],
        "about the app, not the conversation",
    );
    session.end()
}

fn record(draft: &mut Draft, mut fields: Fields<'_>) -> Result<(), ImportError> {
    if let Some(session) = fields.any_string(&["sessionId", "session_id"], "space id") {
        draft.conversation.space.id = session.into();
    }
    let id = fields.string("id", "");
    let role = fields.string("role", "author").unwrap_or_default();
    let is_user = role == "user";
    let author = match role.as_str() {
        "user" => draft.human("User"),
        "system" => draft.service("System"),
        _ => draft.agent("Assistant"),
    };
    let mut node = draft.node(id.as_deref(), &author);
    node.role = (role == "system").then_some(ImportedRole::System);
    node.status = match fields.string("status", "").as_deref() {
        Some("pending") => Status::Pending,
        Some("error") => Status::Error,
        Some(_) | None => Status::Sent,
    };
    node.context_edge = fields.flag("isContextEdge", "contextEdge") | fields.flag("is_context_edge", "contextEdge");
    node.created_at = fields.moment("createdAt", "").or_else(|| fields.moment("created_at", ""));
    for key in ["updatedAt", "updated_at"] {
        fields.dropped(key, "a node does not change");
    }
    if let Some(content) = fields.mapped("content", "parts") {
        let text = content.text().unwrap_or_default();
        match (content.shape(), content.inside(&text)) {
            (Shape::String, Some(inner)) => content::read(draft, &mut node, &inner)?,
            (Shape::String, None) => node.parts.extend(plain(text)),
            _ => content::read(draft, &mut node, &content)?,
        }
    }
    let metadata = fields.mapped("metadata", "facts of the call");
    let metadata_text = metadata.as_ref().and_then(|item| item.text().ok()).unwrap_or_default();
    let metadata = metadata.as_ref().map(|item| item.inside(&metadata_text).unwrap_or_else(|| item.clone()));
    let call = metadata.and_then(|item| item.fields().ok()).map(|fields| read_metadata(fields, &mut node)).transpose()?;
    fields.end()?;
    if is_user {
        draft.close_calls();
    }
    let spread = spread(draft, node);
    if let Some(mut call) = call.filter(facts::says_something) {
        call.id = format!("{}/{}", draft.conversation.space.id, spread.spoken);
        call.node = Some(spread.spoken);
        call.agent = (!is_user).then_some(author);
        draft.call(call);
    }
    Ok(())
}

fn plain(text: String) -> Option<Part> {
    (!text.is_empty()).then(|| Part::text(text))
}

fn read_metadata(mut fields: Fields<'_>, node: &mut Node) -> Result<Call, ImportError> {
    let mut call = facts::call("", None);
    let provider = fields.string("provider", "model");
    if let Some(model) = fields.filled("model", "") {
        call.model = Some(model_name(provider.as_deref(), &model));
        node.model.clone_from(&call.model);
    }
    let raw = fields.of().json();
    let (input, output) = (fields.count("inputTokens", "usage"), fields.count("outputTokens", "usage"));
    let cached = fields.count("cachedInputTokens", "usage").unwrap_or(0);
    if input.is_some() || output.is_some() {
        call.usage = Some(inclusive(input.unwrap_or(0), cached, output.unwrap_or(0)));
        call.raw_usage = Some(raw);
        node.usage = call.usage;
    }
    // Such a record only shows where the app summed up; what it summed up to is not in it.
    node.excluded = fields.string("messageType", "excluded, if it marks a compaction").as_deref() == Some("compaction");
    call.duration_ms = fields.count("generationTime", "durationMs of the call");
    call.created_at.clone_from(&node.created_at);
    fields.dropped_all(
        &["totalTokens", "firstTokenTime", "tokensPerSecond", "contextUsage", "reasoningStartTime", "reasoningEndTime"],
        "follows from the other numbers, or is known only to the app",
    );
    fields.end()?;
    Ok(call)
}
