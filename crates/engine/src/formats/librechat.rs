//! LibreChat's conversation export.
//!
//! Messages come as a flat list joined by `parentMessageId`, or nested in each other's `children`; both keep every
//! branch. `content` holds parts: text, `think`, pictures, and `tool_call`s with their output, which become a call and a
//! result. `options` are the conversation's settings: its prompt goes to the space, its sampling to the file. The count
//! of a single message is no usage of a call.

use super::ImportError;
use super::draft::Draft;
use super::facts::model_name;
use super::item::{Fields, Item, Shape};
use super::source::Source;
use super::spread::spread;
use super::tree::parents_first;
use crate::model::{Conversation, Json, NodeId, Part, Status, Timestamp};
use serde_json::Value;
use std::collections::HashMap;

mod nest;
mod part;

/// What the first message of a conversation names as its parent.
const NO_PARENT: &str = "00000000-0000-0000-0000-000000000000";
const LISTS: &[&str] = &["messages", "messagesTree"];

pub(super) fn detect(docs: &[Value]) -> bool {
    let is_export = |doc: &Value| {
        let has_messages =
            LISTS.iter().any(|key| doc.get(key).is_some_and(|messages| messages.is_array() || messages.is_object()));
        doc.get("conversationId").is_some() && has_messages
    };
    !docs.is_empty() && docs.iter().all(is_export)
}

/// The same export with a flat list of messages, if it is a recursive one: each names its parent instead of being in it.
pub(super) fn unnest(text: &str) -> Option<String> {
    let (before, list, after) = nest::find_value(text, LISTS)?;
    let flats = nest::flatten(list);
    let id_of = |flat: &nest::Flat| -> Option<String> {
        let fields: serde_json::Map<String, Value> = serde_json::from_str(&flat.text).ok()?;
        Some(fields.get("messageId")?.as_str()?.to_owned())
    };
    let ids: Vec<Option<String>> = flats.iter().map(id_of).collect();
    let mut out = String::with_capacity(text.len());
    out.push_str(before);
    for (number, flat) in flats.iter().enumerate() {
        out.push(if number == 0 { '[' } else { ',' });
        // The last of two equal keys stands, so what the nesting says wins over what the message says.
        out.push_str(flat.text.strip_suffix('}')?);
        let parent = flat.parent.and_then(|parent| ids.get(parent)?.as_deref()).unwrap_or(NO_PARENT);
        let comma = if flat.text.len() > 2 { "," } else { "" };
        out.push_str(&format!("{comma}\"parentMessageId\":{}}}", Json::string(parent).text()));
    }
    out.push_str(if flats.is_empty() { "[]" } else { "]" });
    out.push_str(after);
    Some(out)
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    source.docs.iter().map(conversation).collect()
}

/// A message, by its id and its parent's.
struct Slot<'a> {
    id: String,
    parent: Option<String>,
    fields: Fields<'a>,
}

fn conversation(doc: &Item<'_>) -> Result<Conversation, ImportError> {
    let mut fields = doc.fields()?;
    let id = fields.filled("conversationId", "space id");
    let title = fields.string("title", "space name").unwrap_or_default();
    let mut draft = Draft::new(id.as_deref().unwrap_or("imported"), &title);
    if let Some(options) = fields.object("options") {
        read_options(&mut draft.conversation, options);
    }
    let lists: Vec<Item<'_>> = LISTS.iter().filter_map(|key| fields.mapped(key, "nodes")).collect();
    let flats: Vec<Vec<nest::Flat>> = lists.iter().map(|list| nest::flatten(list.raw())).collect();
    let mut slots = Vec::new();
    for (list, flats) in lists.iter().zip(&flats) {
        collect(&mut slots, list, flats)?;
    }
    let places = parents_first(slots.iter().map(|slot| (slot.id.as_str(), slot.parent.as_deref())));
    let mut slots: Vec<_> = slots.into_iter().map(Some).collect();
    let mut ends: HashMap<usize, NodeId> = HashMap::new();
    let mut newest: Option<(Timestamp, NodeId)> = None;
    for place in places {
        let Some(slot) = slots.get_mut(place.index).and_then(Option::take) else { continue };
        if place.cut {
            doc.dropped("parentMessageId", "names a message that is not there, or closes a circle");
        }
        let parent = place.parent.and_then(|parent| ends.get(&parent).cloned());
        let (end, at) = message(&mut draft, &slot.id, parent, slot.fields)?;
        if let Some(at) = at.filter(|at| newest.as_ref().is_none_or(|(newest, _)| newest.seconds_until(at) >= 0)) {
            newest = Some((at, end.clone()));
        }
        ends.insert(place.index, end);
    }
    fields.dropped_all(&["endpoint", "exportAt", "branches", "recursive"], "about the export, not said in it");
    fields.end()?;
    let mut conversation = draft.finish();
    conversation.head = newest.map(|(_, id)| id).or_else(|| conversation.nodes.last().map(|node| node.id.clone()));
    Ok(conversation)
}

fn read_options(conversation: &mut Conversation, mut options: Fields<'_>) {
    for key in ["promptPrefix", "system", "instructions"] {
        if let Some(prompt) = options.filled(key, "systemContext") {
            conversation.space.system_context = prompt;
        }
    }
    let sampling = &mut conversation.sampling;
    sampling.temperature = options.decimal("temperature", "sampling");
    sampling.top_p = options.decimal("top_p", "sampling").or_else(|| options.decimal("topP", "sampling"));
    sampling.top_k = options.count("topK", "sampling");
    sampling.stop = options.list("stop", "sampling").iter().map(Item::as_text).collect();
    let settings = &mut conversation.space.settings;
    settings.max_tokens =
        options.count("max_tokens", "setting of the space").or_else(|| options.count("maxOutputTokens", "setting of the space"));
    settings.context_length = options.count("maxContextTokens", "setting of the space");
    options.drop_rest("a setting with no place here");
}

/// Takes the messages of a list. Where some are nested in others, `flats` has them taken out.
fn collect<'a>(slots: &mut Vec<Slot<'a>>, list: &Item<'a>, flats: &'a [nest::Flat]) -> Result<(), ImportError> {
    if flats.iter().all(|flat| flat.parent.is_none()) {
        for item in list.items()? {
            slots.extend(item.fields_or_drop("message").map(|fields| slot(fields, None)));
        }
        return Ok(());
    }
    let mut ids: Vec<String> = Vec::with_capacity(flats.len());
    for flat in flats {
        let nested_in = flat.parent.and_then(|parent| ids.get(parent)).filter(|id| !id.is_empty()).cloned();
        let fields = list.inside(&flat.text).and_then(|item| item.fields_or_drop("message"));
        let slot = fields.map(|fields| slot(fields, nested_in));
        ids.push(slot.as_ref().map(|slot| slot.id.clone()).unwrap_or_default());
        slots.extend(slot);
    }
    Ok(())
}

fn slot(mut fields: Fields<'_>, nested_in: Option<String>) -> Slot<'_> {
    let id = fields.filled("messageId", "id of the node").unwrap_or_default();
    let named = fields.filled("parentMessageId", "parent").filter(|parent| parent != NO_PARENT);
    fields.mapped("children", "parent of the children");
    Slot { id, parent: nested_in.or(named), fields }
}

fn message(
    draft: &mut Draft,
    id: &str,
    parent: Option<NodeId>,
    mut fields: Fields<'_>,
) -> Result<(NodeId, Option<Timestamp>), ImportError> {
    let is_user = fields.flag("isCreatedByUser", "author");
    let sender = fields.filled("sender", "author");
    let endpoint = fields.filled("endpoint", "model");
    let model = fields.filled("model", "").map(|model| model_name(endpoint.as_deref(), &model));
    let author = if is_user { draft.human("User") } else { draft.agent(sender.as_deref().unwrap_or("Assistant")) };
    if let (false, Some(agent)) = (is_user, draft.entity_mut(&author)) {
        agent.model = agent.model.take().or_else(|| model.clone());
    }
    let mut node = draft.node(Some(id), &author);
    node.parent = parent;
    node.model = model;
    node.created_at = fields.moment("createdAt", "");
    if fields.flag("error", "status") | fields.flag("unfinished", "status") {
        node.status = Status::Error;
    }
    let content = fields.list("content", "parts");
    for item in &content {
        if item.shape() != Shape::Null {
            part::read(draft, &mut node, item)?;
        }
    }
    if content.is_empty() {
        node.parts.extend(fields.filled("text", "").map(Part::text));
    }
    fields.dropped("text", "content says it");
    for key in ["files", "attachments"] {
        for file in fields.list(key, "image and file parts") {
            node.parts.extend(part::file(&file)?);
        }
    }
    fields.dropped_all(&["tokenCount", "summaryTokenCount"], "counts of one message are no usage of a call");
    fields.dropped_all(
        &[
            "updatedAt",
            "finish_reason",
            "feedback",
            "plugin",
            "plugins",
            "summary",
            "thread_id",
            "iconURL",
            "depth",
            "siblingIndex",
        ],
        "about the app, not said",
    );
    fields.dropped_all(
        &[
            "conversationId",
            "user",
            "_id",
            "__v",
            "clientId",
            "invocationId",
            "conversationSignature",
            "expiredAt",
            "_meiliIndex",
        ],
        "about the database, not said",
    );
    fields.end()?;
    draft.close_calls();
    let at = node.created_at.clone();
    Ok((spread(draft, node).last, at))
}
