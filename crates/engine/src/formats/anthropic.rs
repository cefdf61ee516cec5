//! Anthropic Messages: a request body, its messages, or a message a line.
//!
//! Tool results stand in user messages there; here they are the agent's. Blocks of tools that the provider runs itself
//! stay in the node of the reply, each kept whole.

mod blocks;

use super::draft::Draft;
use super::error::ImportError;
use super::facts;
use super::item::{Fields, Item};
use super::request;
use super::source::Source;
use crate::model::{Conversation, Kind, Node, Part, Tool};
use blocks::{Block, blocks};
use serde_json::Value;

const ROLES: &str = "user, assistant or system";
const PER_REQUEST: &str = "stream tool_choice thinking metadata service_tier container context_management mcp_servers betas \
    output_config output_format anthropic_version anthropic_beta inference_geo cache_control";
/// Blocks that only this API writes.
const BLOCKS: &[&str] = &["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document", "image"];

pub(super) fn detect(docs: &[Value]) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    docs.iter().any(|doc| match doc.get("messages") {
        Some(messages) => ours(&list(messages)) && (is_body(doc) || list(messages).iter().any(has_block)),
        None if doc.is_array() => ours(&list(doc)) && list(doc).iter().any(has_block),
        None => ours(std::slice::from_ref(doc)) && has_block(doc),
    })
}

/// Whether no message has what only OpenAI's API allows: other roles, a leading system message, `tool_calls`.
fn ours(messages: &[Value]) -> bool {
    let role = |message: &Value| message.get("role").and_then(Value::as_str).unwrap_or_default().to_owned();
    let known = |message: &Value| ["user", "assistant", "system"].contains(&role(message).as_str());
    messages.iter().all(|message| known(message) && message.get("tool_calls").is_none())
        && messages.first().is_none_or(|message| role(message) != "system")
}

fn has_block(message: &Value) -> bool {
    message.get("content").and_then(Value::as_array).into_iter().flatten().any(|block| {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        let image = kind != "image" || block.get("source").is_some_and(Value::is_object);
        (BLOCKS.contains(&kind) && image) || block.get("cache_control").is_some()
    })
}

fn is_body(doc: &Value) -> bool {
    let tools = doc.get("tools").and_then(Value::as_array);
    ["system", "stop_sequences", "anthropic_version"].iter().any(|key| doc.get(key).is_some())
        || tools.into_iter().flatten().any(|tool| tool.get("input_schema").is_some())
        || doc.get("model").and_then(Value::as_str).is_some_and(|model| model.starts_with("claude"))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    request::import(source, "messages", body, message)
}

fn body(mut fields: Fields<'_>, mut draft: Draft) -> Result<Conversation, ImportError> {
    if let Some(system) = fields.mapped("system", "a system message") {
        let parts: Vec<Part> = blocks(&system, &mut draft)?.into_iter().filter_map(Block::part).collect();
        if !parts.is_empty() {
            let node = draft.system_node(None);
            draft.push(Node { parts, ..node });
        }
    }
    fields.each("messages")?.iter().try_for_each(|item| message(item, &mut draft))?;
    request::model(&mut fields, "anthropic", &mut draft)?;
    for item in fields.each("tools")? {
        draft.conversation.tools.extend(tool(&item)?);
    }
    request::sampling(&mut fields, &mut draft.conversation)?;
    request::max_tokens(&mut fields, &["max_tokens"], &mut draft.conversation)?;
    request::one_request(&mut fields, PER_REQUEST);
    fields.end()?;
    Ok(draft.finish())
}

fn tool(item: &Item<'_>) -> Result<Option<Tool>, ImportError> {
    let mut fields = item.fields()?;
    if let Some(kind) = fields.peek("type").map(|kind| kind.text()).transpose()?.filter(|kind| kind != "custom") {
        item.dropped(&item.sort(&kind), "the provider's own tool");
        return Ok(None);
    }
    fields.mapped("type", "every tool is a function");
    let tool = request::tool(&mut fields, "input_schema")?;
    fields.dropped("cache_control", blocks::NO_MARKS);
    request::one_request(&mut fields, "strict defer_loading allowed_callers input_examples eager_input_streaming");
    fields.end()?;
    Ok(Some(tool))
}

pub(super) fn message(item: &Item<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let mut fields = item.fields()?;
    let role = fields.mapped("role", "author").ok_or_else(|| item.wrong(format!("needs \"role\": {ROLES}")))?;
    let id = fields.mapped_text("id", "the node's id")?;
    let blocks = fields.kept("content").map_or(Ok(Vec::new()), |content| blocks(&content, draft))?;
    match role.text()?.as_str() {
        "user" => draft.push_user(id.as_deref(), blocks.into_iter().filter_map(Block::part).collect()),
        "assistant" => assistant(&mut fields, id.as_deref(), blocks, draft)?,
        "system" => {
            let node = draft.system_node(id.as_deref());
            draft.push(Node { parts: blocks.into_iter().filter_map(Block::part).collect(), ..node });
        }
        other => return Err(role.wrong(format!("unknown role {other:?}: use {ROLES}"))),
    }
    fields.dropped_all(&["type", "stop_reason", "stop_sequence", "stop_details", "container"], "says how one reply ended");
    fields.end()
}

fn assistant(fields: &mut Fields<'_>, id: Option<&str>, blocks: Vec<Block>, draft: &mut Draft) -> Result<(), ImportError> {
    let author = draft.agent("Assistant");
    let mut node = draft.node(id, &author);
    for block in blocks {
        match block {
            Block::Part(part) => node.parts.push(part),
            Block::Summary(text) => {
                // What the summary stands for comes before it; what the reply said already stays before it too.
                let summary = if node.parts.is_empty() { node } else { push_and_go_on(node, draft) };
                draft.push(Node { kind: Kind::Summary, ..summary.text(text) });
                node = draft.node(None, &author);
            }
        }
    }
    node.model = fields.mapped_text("model", "the node's model")?.map(|name| request::model_name("anthropic", &name));
    node.usage = fields.mapped("usage", "the node's usage").and_then(|usage| facts::anthropic(&usage));
    draft.push(node);
    Ok(())
}

fn push_and_go_on(node: Node, draft: &mut Draft) -> Node {
    let author = node.author.clone();
    draft.push(node);
    draft.node(None, &author)
}
