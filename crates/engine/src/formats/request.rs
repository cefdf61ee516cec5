//! Request bodies, which the providers' APIs write nearly alike: messages, tools, settings.

use super::draft::Draft;
use super::error::ImportError;
use super::item::{Fields, Item, Shape};
use super::source::Source;
use crate::model::{Conversation, Json, Tool};

pub(super) const ONE_REQUEST: &str = "a setting of one request";

/// Leaves out fields, given as words, that set something for one request only.
pub(super) fn one_request(fields: &mut Fields<'_>, words: &str) {
    let keys: Vec<_> = words.split(' ').collect();
    fields.dropped_all(&keys, ONE_REQUEST);
}

/// A tool whose arguments are described under `schema`.
pub(super) fn tool(fields: &mut Fields<'_>, schema: &str) -> Result<Tool, ImportError> {
    let name = fields.need("name")?.text()?;
    let description = fields.text("description")?.unwrap_or_default();
    let input_schema = fields.mapped(schema, "inputSchema").map(|item| item.json());
    Ok(Tool { name, description, input_schema: input_schema.unwrap_or_else(|| Json::of(&serde_json::json!({"type": "object"}))) })
}

/// The sampling settings under the names that OpenAI and Anthropic share.
pub(super) fn sampling(fields: &mut Fields<'_>, to: &mut Conversation) -> Result<(), ImportError> {
    let number = |item: Option<Item<'_>>| item.map(|item| item.number()).transpose();
    to.sampling.temperature = number(fields.mapped("temperature", "sampling.temperature"))?;
    to.sampling.top_p = number(fields.mapped("top_p", "sampling.topP"))?;
    to.sampling.top_k = fields.mapped("top_k", "sampling.topK").map(|item| item.whole()).transpose()?;
    for key in ["stop", "stop_sequences"] {
        if let Some(stop) = fields.mapped(key, "sampling.stop") {
            to.sampling.stop = stops(&stop)?;
        }
    }
    to.sampling.seed = fields.mapped("seed", "sampling.seed").map(|item| integer(&item)).transpose()?;
    Ok(())
}

/// One stop text or several.
pub(super) fn stops(item: &Item<'_>) -> Result<Vec<String>, ImportError> {
    match item.shape() {
        Shape::String => Ok(vec![item.text()?]),
        _ => item.items()?.iter().map(Item::text).collect(),
    }
}

/// A whole number of either sign.
pub(super) fn integer(item: &Item<'_>) -> Result<i64, ImportError> {
    item.raw().parse().map_err(|_| item.wrong("must be a whole number"))
}

/// Sets how many tokens a reply may have, from the first of these fields that is there.
pub(super) fn max_tokens(fields: &mut Fields<'_>, keys: &[&str], to: &mut Conversation) -> Result<(), ImportError> {
    for key in keys {
        if let Some(item) = fields.mapped(key, "space.settings.maxTokens") {
            to.space.settings.max_tokens = Some(item.whole()?);
        }
    }
    Ok(())
}

/// Takes `model` as the model of the agent `Assistant`, named `provider/model`.
pub(super) fn model(fields: &mut Fields<'_>, provider: &str, draft: &mut Draft) -> Result<(), ImportError> {
    let Some(name) = fields.mapped_text("model", "the agent's model")? else { return Ok(()) };
    set_model(draft, model_name(provider, &name));
    Ok(())
}

/// Sets the model of the agent `Assistant`.
pub(super) fn set_model(draft: &mut Draft, name: String) {
    let agent = draft.agent("Assistant");
    if let Some(entity) = draft.entity_mut(&agent) {
        entity.model = Some(name);
    }
}

/// A model's name as `provider/model`.
pub(super) fn model_name(provider: &str, name: &str) -> String {
    if name.contains('/') { name.to_owned() } else { format!("{provider}/{name}") }
}

/// Reads request bodies: each document with a field `list` is a conversation, an array is a list without its body, and
/// all other documents are the messages of one conversation, a line each.
pub(super) fn import<'a>(
    source: &Source<'a>,
    list: &str,
    body: fn(Fields<'a>, Draft) -> Result<Conversation, ImportError>,
    message: fn(&Item<'a>, &mut Draft) -> Result<(), ImportError>,
) -> Result<Vec<Conversation>, ImportError> {
    let mut conversations = Vec::new();
    let mut loose = Draft::new("imported", "");
    for (n, doc) in source.docs.iter().enumerate() {
        let mut draft = Draft::new(&space_id(n), "");
        if doc.shape() == Shape::Array {
            doc.items()?.iter().try_for_each(|item| message(item, &mut draft))?;
            conversations.push(draft.finish());
            continue;
        }
        match doc.fields()? {
            fields if fields.has(list) => conversations.push(body(fields, draft)?),
            _ => message(doc, &mut loose)?,
        }
    }
    let loose = loose.finish();
    conversations.extend((!loose.nodes.is_empty()).then_some(loose));
    Ok(conversations)
}

/// The id of the space for the `n`th document, counted from 0, where the source names none.
pub(super) fn space_id(n: usize) -> String {
    if n == 0 { "imported".to_owned() } else { format!("imported-{}", n + 1) }
}
