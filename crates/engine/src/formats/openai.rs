//! OpenAI Chat Completions: a messages array, a request body, or either a line each.
//!
//! A line with `messages` is a conversation of its own, as in training files; a line with a `role` is one message.

pub(super) mod content;

use super::draft::Draft;
use super::error::ImportError;
use super::item::{Fields, Item, Shape};
use super::media;
use super::request;
use super::source::Source;
use crate::model::{Conversation, EntityId, Node, Part, Reasoning, Tool, ToolCall, ToolResult};
use content::content;
use serde_json::Value;

const ROLES: &str = "system, developer, user, assistant, tool or function";
const PER_REQUEST: &str = "stream stream_options n tool_choice function_call parallel_tool_calls response_format user metadata \
    store logprobs top_logprobs logit_bias presence_penalty frequency_penalty reasoning_effort service_tier prompt_cache_key \
    prompt_cache_retention safety_identifier modalities audio prediction verbosity web_search_options";

pub(super) fn detect(docs: &[Value]) -> bool {
    let Some(doc) = docs.first() else { return false };
    let message = |value: &Value| value.get("role").is_some_and(Value::is_string);
    match doc {
        Value::Array(messages) => messages.first().is_some_and(message),
        _ => message(doc) || doc.get("messages").and_then(Value::as_array).is_some_and(|all| all.first().is_none_or(message)),
    }
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    request::import(source, "messages", body, message)
}

fn body(mut fields: Fields<'_>, mut draft: Draft) -> Result<Conversation, ImportError> {
    fields.each("messages")?.iter().try_for_each(|item| message(item, &mut draft))?;
    request::model(&mut fields, "openai", &mut draft)?;
    for key in ["tools", "functions"] {
        for item in fields.each(key)? {
            draft.conversation.tools.extend(tool(&item)?);
        }
    }
    request::sampling(&mut fields, &mut draft.conversation)?;
    request::max_tokens(&mut fields, &["max_tokens", "max_completion_tokens"], &mut draft.conversation)?;
    request::one_request(&mut fields, PER_REQUEST);
    fields.end()?;
    Ok(draft.finish())
}

/// A function tool, nested as in Chat Completions or flat as in Responses and in the legacy `functions`.
pub(super) fn tool(item: &Item<'_>) -> Result<Option<Tool>, ImportError> {
    let mut fields = item.fields()?;
    if let Some(kind) = fields.peek("type").map(|kind| kind.text()).transpose()?.filter(|kind| kind != "function") {
        item.dropped(&item.sort(&kind), "the provider's own tool");
        return Ok(None);
    }
    fields.mapped("type", "every tool is a function");
    let tool = match fields.kept("function") {
        Some(function) => {
            let mut inner = function.fields()?;
            let tool = request::tool(&mut inner, "parameters")?;
            inner.dropped("strict", request::ONE_REQUEST);
            inner.end()?;
            tool
        }
        None => request::tool(&mut fields, "parameters")?,
    };
    fields.dropped("strict", request::ONE_REQUEST);
    fields.end()?;
    Ok(Some(tool))
}

pub(super) fn message(item: &Item<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let mut fields = item.fields()?;
    let role = fields.mapped("role", "author").ok_or_else(|| item.wrong(format!("needs \"role\": {ROLES}")))?;
    let node = match role.text()?.as_str() {
        "system" | "developer" => spoken(&mut fields, draft, Speaker::System)?,
        "user" => spoken(&mut fields, draft, Speaker::Human)?,
        "assistant" => assistant(&mut fields, draft)?,
        "tool" | "function" => result(&mut fields, draft)?,
        other => return Err(role.wrong(format!("unknown role {other:?}: use {ROLES}"))),
    };
    fields.end()?;
    draft.push(node);
    Ok(())
}

#[derive(Clone, Copy)]
enum Speaker {
    System,
    Human,
}

fn spoken(fields: &mut Fields<'_>, draft: &mut Draft, speaker: Speaker) -> Result<Node, ImportError> {
    let name = fields.mapped_text("name", "the author's name")?;
    let mut node = match (speaker, name) {
        (Speaker::Human, name) => {
            draft.close_calls();
            let author = draft.human(name.as_deref().unwrap_or("User"));
            draft.node(None, &author)
        }
        (Speaker::System, None) => draft.system_node(None),
        (Speaker::System, Some(name)) => {
            let author = draft.service(&name);
            Node { author, ..draft.system_node(None) }
        }
    };
    node.parts = content(fields)?;
    Ok(node)
}

fn assistant(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Node, ImportError> {
    let author = agent(fields, draft)?;
    let mut node = draft.node(None, &author);
    for key in ["reasoning_content", "reasoning"] {
        if let Some(text) = fields.mapped_text(key, "a reasoning part")?.filter(|text| !text.is_empty()) {
            node.parts.push(Part::Reasoning(Reasoning { text, ..Reasoning::default() }));
        }
    }
    node.parts.extend(content(fields)?);
    if let Some(refusal) = fields.mapped("refusal", "a text part") {
        node.parts.push(Part::text(refusal.text()?));
    }
    for call in fields.each("tool_calls")? {
        node.parts.extend(tool_call(&call, draft)?);
    }
    if let Some(call) = fields.mapped("function_call", "a toolCall part") {
        let mut function = call.fields()?;
        node.parts.push(function_call(&mut function, None, draft)?);
        function.end()?;
    }
    fields.dropped("audio", "only its id is in the file, and that expires");
    fields.dropped("annotations", "the text holds the same links");
    fields.dropped("reasoning_details", "opaque to all but the gateway that wrote them");
    Ok(node)
}

fn agent(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<EntityId, ImportError> {
    let name = fields.mapped_text("name", "the author's name")?;
    Ok(draft.agent(name.as_deref().unwrap_or("Assistant")))
}

fn tool_call(item: &Item<'_>, draft: &mut Draft) -> Result<Option<Part>, ImportError> {
    let mut fields = item.fields()?;
    fields.mapped("type", "the part's type");
    fields.mapped("index", "the order of the parts");
    let id = fields.text("id")?;
    if !fields.has("function") && fields.has("custom") {
        item.unknown("custom", "function")?;
        return Ok(None);
    }
    let mut function = fields.need("function")?.fields()?;
    let part = function_call(&mut function, id, draft)?;
    function.end()?;
    fields.end()?;
    Ok(Some(part))
}

/// A call's `name` and `arguments`. Arguments are JSON in a string; some servers write the object itself.
pub(super) fn function_call(fields: &mut Fields<'_>, id: Option<String>, draft: &mut Draft) -> Result<Part, ImportError> {
    let name = fields.need("name")?.text()?;
    let args = match fields.mapped("arguments", "args") {
        Some(item) if item.shape() == Shape::String => media::args(&item.text()?),
        Some(item) => item.json(),
        None => media::args(""),
    };
    let id = draft.called(id, &name);
    Ok(Part::ToolCall(ToolCall { id, name, args, signature: None, included: false, native: None }))
}

fn result(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Node, ImportError> {
    let id = fields.text("tool_call_id")?;
    let name = fields.text("name")?;
    let id = draft.answered(id, name.as_deref(), fields.of())?;
    let content = content::result(content(fields)?);
    let author = draft.agent("Assistant");
    let mut node = draft.node(None, &author);
    node.parts.push(Part::ToolResult(ToolResult { id, name, content, is_error: false, included: false, native: None }));
    Ok(node)
}
