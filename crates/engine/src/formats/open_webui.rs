//! Open WebUI's chat export: a list of chats, each with a tree of messages under `chat.history`.
//!
//! `parentId` makes the tree, `currentId` is the head; `chat.messages` repeats one branch and is left out. Replies of
//! several models side by side are branches, each by the agent of its model. Reasoning and tool calls are written into
//! a reply's text as `<details>` elements and become parts, without the time they name. `usage`, in OpenAI's words or
//! Ollama's, and its times are facts of calls. The chat's system text and parameters go to the space and sampling.

use super::ImportError;
use super::draft::Draft;
use super::item::{Fields, Item, Shape};
use super::source::Source;
use super::spread::spread;
use super::tree::parents_first;
use crate::model::{Conversation, NodeId};
use serde_json::Value;
use std::collections::HashMap;

mod details;
mod message;

pub(super) fn detect(docs: &[Value]) -> bool {
    let has_history =
        |chat: &Value| chat.get("history").and_then(|history| history.get("messages")).is_some_and(Value::is_object);
    let is_chat = |value: &Value| value.get("chat").is_some_and(|chat| chat.is_object()) || has_history(value);
    let is_export = |doc: &Value| match doc.as_array() {
        Some(chats) => !chats.is_empty() && chats.iter().all(is_chat),
        None => is_chat(doc),
    };
    !docs.is_empty() && docs.iter().all(is_export)
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    let mut conversations = Vec::new();
    for doc in &source.docs {
        let items = if doc.shape() == Shape::Array { doc.items()? } else { vec![doc.clone()] };
        for item in &items {
            if let Some(fields) = item.fields_or_drop("chat") {
                conversations.push(row(item, fields)?);
            }
        }
    }
    Ok(conversations)
}

/// A row of the export: facts about a chat, and the chat.
fn row(item: &Item<'_>, mut fields: Fields<'_>) -> Result<Conversation, ImportError> {
    // Very old exports are the chat itself.
    if !fields.has("chat") {
        return chat(item, fields, None, None);
    }
    let id = fields.filled("id", "space id");
    let title = fields.string("title", "space name");
    let conversation = match fields.object("chat") {
        Some(inner) => chat(item, inner, id, title)?,
        None => Draft::new(id.as_deref().unwrap_or("imported"), &title.unwrap_or_default()).finish(),
    };
    fields.dropped_all(&["created_at", "updated_at"], "nodes have their own times");
    fields.dropped_all(
        &["user_id", "share_id", "archived", "pinned", "meta", "folder_id", "tasks", "summary", "last_read_at"],
        "about the account, not the conversation",
    );
    fields.end()?;
    Ok(conversation)
}

fn chat(item: &Item<'_>, mut fields: Fields<'_>, id: Option<String>, title: Option<String>) -> Result<Conversation, ImportError> {
    let inner_id = fields.filled("id", "space id");
    let inner_title = fields.string("title", "space name");
    let id = id.or(inner_id);
    let mut draft = Draft::new(id.as_deref().unwrap_or("imported"), &title.or(inner_title).unwrap_or_default());
    draft.conversation.space.system_context = fields.string("system", "systemContext").unwrap_or_default();
    if let Some(params) = fields.object("params") {
        read_params(&mut draft.conversation, params);
    }
    let mut current = None;
    if let Some(mut history) = fields.object("history") {
        let entries = history.entries("messages", "nodes");
        let wanted = history.filled("currentId", "head");
        history.end()?;
        let ends = read_messages(&mut draft, item, entries)?;
        current = wanted.and_then(|wanted| ends.get(&wanted).cloned());
        fields.dropped("messages", "one branch of history again");
    } else {
        let entries = fields.list("messages", "nodes").into_iter().enumerate().map(|(n, item)| (n.to_string(), item)).collect();
        read_messages(&mut draft, item, entries)?;
    }
    fields.dropped_all(
        &["models", "tags", "timestamp", "files", "options", "originalChatId", "branchPointMessageId"],
        "about the chat's page, not said in it",
    );
    fields.end()?;
    let mut conversation = draft.finish();
    conversation.head = current.or_else(|| conversation.nodes.last().map(|node| node.id.clone()));
    Ok(conversation)
}

fn read_params(conversation: &mut Conversation, mut params: Fields<'_>) {
    let sampling = &mut conversation.sampling;
    sampling.temperature = params.decimal("temperature", "sampling");
    sampling.top_p = params.decimal("top_p", "sampling");
    sampling.top_k = params.count("top_k", "sampling");
    sampling.seed = params.decimal("seed", "sampling").map(|seed| seed as i64);
    sampling.stop = params.list("stop", "sampling").iter().map(Item::as_text).collect();
    conversation.space.settings.max_tokens = params.count("max_tokens", "setting of the space");
    conversation.space.settings.context_length = params.count("num_ctx", "setting of the space");
    if let Some(system) = params.filled("system", "systemContext") {
        conversation.space.system_context = system;
    }
    params.drop_rest("a parameter with no place here");
}

/// Adds all messages and gives the last node of each, by its id.
fn read_messages(
    draft: &mut Draft,
    item: &Item<'_>,
    entries: Vec<(String, Item<'_>)>,
) -> Result<HashMap<String, NodeId>, ImportError> {
    let mut messages = Vec::with_capacity(entries.len());
    let mut last: Option<String> = None;
    for (key, entry) in entries {
        let Some(mut fields) = entry.fields_or_drop("message") else { continue };
        let id = fields.filled("id", "").unwrap_or(key);
        // A list without parents is one line of messages.
        let linear = !fields.has("parentId");
        let parent = fields.filled("parentId", "parent").or_else(|| last.clone().filter(|_| linear));
        last = Some(id.clone());
        messages.push((id, parent, fields));
    }
    let places = parents_first(messages.iter().map(|(id, parent, _)| (id.as_str(), parent.as_deref())));
    let mut messages: Vec<_> = messages.into_iter().map(Some).collect();
    let (mut ends, mut names) = (HashMap::new(), HashMap::new());
    for place in places {
        let Some((id, parent, fields)) = messages.get_mut(place.index).and_then(Option::take) else { continue };
        if place.cut {
            item.dropped("parentId", "names a message that is not there, or closes a circle");
        }
        let parent = parent.filter(|_| !place.cut).and_then(|parent| ends.get(&parent).cloned());
        let end = add(draft, &mut names, &id, parent, fields)?;
        ends.insert(id, end);
    }
    Ok(ends)
}

/// Adds a message and gives the last node it became. `names` has the agent's name for each model: not all messages have it.
fn add(
    draft: &mut Draft,
    names: &mut HashMap<String, String>,
    id: &str,
    parent: Option<NodeId>,
    mut fields: Fields<'_>,
) -> Result<NodeId, ImportError> {
    let role = fields.string("role", "author").unwrap_or_default();
    let model = fields.filled("model", "");
    let name = fields.filled("modelName", "name of the agent");
    let mut node = match role.as_str() {
        "user" => {
            let user = draft.human("User");
            draft.node(Some(id), &user)
        }
        "system" => draft.system_node(Some(id)),
        _ => {
            let model_id = model.clone().unwrap_or_else(|| "Assistant".into());
            let name = names.entry(model_id.clone()).or_insert_with(|| name.unwrap_or(model_id));
            let agent = draft.agent(name);
            if let Some(agent) = draft.entity_mut(&agent) {
                agent.model.clone_from(&model);
            }
            draft.node(Some(id), &agent)
        }
    };
    node.parent = parent;
    node.model.clone_from(&model);
    node.created_at = fields.moment("timestamp", "createdAt");
    node.bookmarked = fields.flag("favorite", "bookmarked");
    message::content(draft, &mut node, &mut fields, &role);
    for file in fields.list("files", "image and file parts") {
        node.parts.extend(message::file(&file)?);
    }
    message::failure(&mut node, &mut fields);
    let call = message::usage(&mut node, &mut fields);
    fields.mapped("childrenIds", "parent of the children");
    fields.dropped_all(
        &["sources", "citations", "statusHistory", "status", "code_executions", "embeds"],
        "what the app found or did, not said",
    );
    fields.dropped_all(
        &[
            "models",
            "modelIdx",
            "userContext",
            "lastSentence",
            "originalContent",
            "annotation",
            "feedbackId",
            "followUps",
            "user",
            "selectedModelId",
            "arena",
            "merged",
            "contentTimestamp",
            "completedAt",
            "output",
        ],
        "about the chat's page, not said in it",
    );
    fields.end()?;
    draft.close_calls();
    let author = node.author.clone();
    let spread = spread(draft, node);
    if let Some(mut call) = call {
        call.id = format!("{}/{}", draft.conversation.space.id, spread.spoken);
        (call.node, call.agent) = (Some(spread.spoken), Some(author));
        draft.call(call);
    }
    Ok(spread.last)
}
