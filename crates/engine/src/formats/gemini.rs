//! Gemini generateContent: a request body, its contents, or a content a line.
//!
//! The REST API writes names in camel case, the Python package dumps them in snake case: both are read.

mod parts;

use super::draft::Draft;
use super::error::ImportError;
use super::item::{Fields, Item, Shape};
use super::request;
use super::source::Source;
use crate::model::{Conversation, Node, Tool};
use parts::{either, parts};
use serde_json::Value;

const ROLES: &str = "user, model or function";

pub(super) fn detect(docs: &[Value]) -> bool {
    let content = |value: &Value| {
        value.get("parts").is_some_and(Value::is_array) && value.get("type").is_none() && value.get("id").is_none()
    };
    let list = |value: &Value| value.as_array().is_some_and(|all| all.iter().any(content));
    docs.first().is_some_and(|doc| list(doc) || content(doc) || doc.get("contents").is_some_and(list))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    request::import(source, "contents", body, content)
}

fn body(mut fields: Fields<'_>, mut draft: Draft) -> Result<Conversation, ImportError> {
    if let Some(system) = either(&mut fields, "systemInstruction", "a system message") {
        let node = draft.system_node(None);
        let parts = if system.shape() == Shape::String {
            vec![crate::model::Part::text(system.text()?)]
        } else {
            let mut inner = system.fields()?;
            inner.mapped("role", "author");
            let parts = parts(&mut inner, &mut draft)?;
            inner.end()?;
            parts
        };
        draft.push(Node { parts, ..node });
    }
    fields.each("contents")?.iter().try_for_each(|item| content(item, &mut draft))?;
    model(&mut fields, &mut draft)?;
    for item in fields.each("tools")? {
        draft.conversation.tools.extend(declarations(&item)?);
    }
    if let Some(config) = either(&mut fields, "generationConfig", "sampling and settings") {
        generation_config(&config, &mut draft.conversation)?;
    }
    for key in ["toolConfig", "safetySettings", "cachedContent", "labels"] {
        parts::either_dropped(&mut fields, key, request::ONE_REQUEST);
    }
    fields.end()?;
    Ok(draft.finish())
}

fn model(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let Some(name) = fields.mapped_text("model", "the agent's model")? else { return Ok(()) };
    // The API names its own models `models/gemini-…`, which is no provider.
    let bare = name.strip_prefix("models/").unwrap_or(&name);
    request::set_model(draft, request::model_name("google", bare));
    Ok(())
}

fn generation_config(item: &Item<'_>, to: &mut Conversation) -> Result<(), ImportError> {
    let mut fields = item.fields()?;
    let whole = |item: Option<Item<'_>>| item.map(|item| item.whole()).transpose();
    let number = |item: Option<Item<'_>>| item.map(|item| item.number()).transpose();
    to.sampling.temperature = number(fields.mapped("temperature", "sampling.temperature"))?;
    to.sampling.top_p = number(either(&mut fields, "topP", "sampling.topP"))?;
    // The API counts in floats: `40` may come as `40.0`.
    to.sampling.top_k = number(either(&mut fields, "topK", "sampling.topK"))?.map(|top_k| top_k.max(0.0) as u64);
    to.sampling.seed = fields.mapped("seed", "sampling.seed").map(|item| request::integer(&item)).transpose()?;
    if let Some(stop) = either(&mut fields, "stopSequences", "sampling.stop") {
        to.sampling.stop = request::stops(&stop)?;
    }
    to.space.settings.max_tokens = whole(either(&mut fields, "maxOutputTokens", "space.settings.maxTokens"))?;
    for key in [
        "candidateCount",
        "responseMimeType",
        "responseSchema",
        "responseJsonSchema",
        "responseModalities",
        "presencePenalty",
        "frequencyPenalty",
        "thinkingConfig",
        "speechConfig",
        "mediaResolution",
        "responseLogprobs",
        "logprobs",
    ] {
        parts::either_dropped(&mut fields, key, request::ONE_REQUEST);
    }
    fields.end()
}

fn declarations(item: &Item<'_>) -> Result<Vec<Tool>, ImportError> {
    let mut fields = item.fields()?;
    let mut tools = Vec::new();
    for declaration in either(&mut fields, "functionDeclarations", "tools").map_or(Ok(Vec::new()), |list| list.items())? {
        let mut inner = declaration.fields()?;
        let schema =
            ["parametersJsonSchema", "parameters_json_schema"].into_iter().find(|key| inner.has(key)).unwrap_or("parameters");
        tools.push(request::tool(&mut inner, schema)?);
        for key in ["response", "responseJsonSchema", "behavior"] {
            parts::either_dropped(&mut inner, key, request::ONE_REQUEST);
        }
        inner.end()?;
    }
    for key in ["googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "googleMaps", "fileSearch", "computerUse"]
    {
        parts::either_dropped(&mut fields, key, "the provider's own tool");
    }
    fields.end()?;
    Ok(tools)
}

pub(super) fn content(item: &Item<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let mut fields = item.fields()?;
    let role = fields.mapped("role", "author");
    let word = role.as_ref().map_or_else(|| Ok("user".to_owned()), Item::text)?;
    let parts = parts(&mut fields, draft)?;
    match (word.as_str(), role) {
        ("user" | "function", _) => draft.push_user(None, parts),
        ("model", _) => {
            let author = draft.agent("Assistant");
            let node = draft.node(None, &author);
            draft.push(Node { parts, ..node });
        }
        (other, Some(role)) => return Err(role.wrong(format!("unknown role {other:?}: use {ROLES}"))),
        (_, None) => {}
    }
    fields.end()
}
