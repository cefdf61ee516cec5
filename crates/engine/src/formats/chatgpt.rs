//! ChatGPT's data export: `conversations.json`, alone or in its zip archive.
//!
//! A conversation is a `mapping` from id to node; `parent` makes the tree, so every branch and retry is kept, and
//! `current_node` is the head. A message to a `recipient` other than `all` is a tool call; the messages of role `tool`
//! below it are its result. `thoughts` is reasoning; a `reasoning_recap` only says how long it took, which is a fact of
//! a call. Custom instructions and system messages have the role system. Pictures and files are looked up by their id
//! in the archive. A message of weight 0 was hidden from the model and is excluded.

use super::ImportError;
use super::draft::Draft;
use super::item::{Fields, Item, Shape};
use super::source::Source;
use super::tree::parents_first;
use crate::model::Conversation;
use serde_json::Value;
use std::collections::HashMap;

mod assets;
mod content;
mod message;

use assets::Assets;
use message::Reading;

pub(super) fn detect(docs: &[Value]) -> bool {
    let is_conversation = |value: &Value| value.get("mapping").is_some_and(Value::is_object);
    let is_export = |doc: &Value| match doc.as_array() {
        Some(conversations) => !conversations.is_empty() && conversations.iter().all(is_conversation),
        None => is_conversation(doc),
    };
    !docs.is_empty() && docs.iter().all(is_export)
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    let assets = Assets::of(source);
    let mut conversations = Vec::new();
    for doc in &source.docs {
        let items = if doc.shape() == Shape::Array { doc.items()? } else { vec![doc.clone()] };
        for item in &items {
            if let Some(fields) = item.fields_or_drop("conversation") {
                conversations.push(conversation(&assets, item, fields)?);
            }
        }
    }
    Ok(conversations)
}

fn conversation(assets: &Assets<'_>, item: &Item<'_>, mut fields: Fields<'_>) -> Result<Conversation, ImportError> {
    let id = fields.any_string(&["conversation_id", "id"], "space id");
    let title = fields.string("title", "space name").unwrap_or_default();
    let mut reading = Reading { draft: Draft::new(id.as_deref().unwrap_or("imported"), &title), assets, after: HashMap::new() };
    if let Some(model) = fields.filled("default_model_slug", "model of the agent") {
        let agent = reading.draft.agent("ChatGPT");
        if let Some(agent) = reading.draft.entity_mut(&agent) {
            agent.model = Some(format!("openai/{model}"));
        }
    }
    let entries = fields.entries("mapping", "nodes");
    let mut slots = Vec::with_capacity(entries.len());
    for (id, entry) in &entries {
        let Some(mut entry) = entry.fields_or_drop("mapping entry") else { continue };
        entry.mapped("id", "id of the node");
        entry.mapped("children", "parent of the children");
        slots.push((id.as_str(), entry.filled("parent", ""), entry));
    }
    let places = parents_first(slots.iter().map(|(id, parent, _)| (*id, parent.as_deref())));
    let mut slots: Vec<_> = slots.into_iter().map(Some).collect();
    for place in places {
        let Some((id, parent, mut entry)) = slots.get_mut(place.index).and_then(Option::take) else { continue };
        if place.cut {
            item.dropped("parent", "names a node that is not there, or closes a circle");
        }
        let parent = parent.filter(|_| !place.cut).and_then(|parent| reading.after.get(&parent).cloned()).unwrap_or_default();
        let after = match entry.object("message") {
            Some(message) => reading.message(id, &parent, message)?,
            None => parent,
        };
        entry.end()?;
        reading.after.insert(id.to_owned(), after);
    }
    let current = fields.filled("current_node", "head").and_then(|current| reading.after.get(&current)?.node.clone());
    fields.dropped_all(&["create_time", "update_time"], "nodes have their own times");
    drop_account_fields(&mut fields);
    fields.end()?;
    let mut conversation = reading.draft.finish();
    conversation.head = current.or_else(|| conversation.nodes.last().map(|node| node.id.clone()));
    Ok(conversation)
}

fn drop_account_fields(fields: &mut Fields<'_>) {
    const KNOWN: &[&str] = &[
        "moderation_results",
        "plugin_ids",
        "conversation_template_id",
        "gizmo_id",
        "gizmo_type",
        "is_archived",
        "is_starred",
        "safe_urls",
        "blocked_urls",
        "conversation_origin",
        "voice",
        "async_status",
        "disabled_tool_ids",
        "is_do_not_remember",
        "memory_scope",
        "context_scopes",
        "sugar_item_id",
        "sugar_item_visible",
        "pinned_time",
        "is_study_mode",
        "owner",
    ];
    fields.dropped_all(KNOWN, "about the account, not the conversation");
}
