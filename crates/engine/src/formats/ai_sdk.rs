//! The AI SDK: UI messages as apps store them, and model messages as they are sent.

mod model;
mod provider;
mod ui;

use super::draft::Draft;
use super::error::ImportError;
use super::item::{Fields, Item};
use super::request;
use super::source::Source;
use crate::model::Conversation;
use serde_json::Value;

const ROLES: &str = "system, user, assistant or tool";
const PER_REQUEST: &str = "trigger messageId toolChoice maxRetries maxSteps providerOptions headers activeTools stopWhen";

pub(super) fn detect(docs: &[Value]) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    docs.first().is_some_and(|doc| match doc.get("messages") {
        Some(messages) => list(messages).iter().any(is_message) || is_prompt(doc),
        None if doc.is_array() => list(doc).iter().any(is_message),
        None => is_message(doc),
    })
}

fn is_message(message: &Value) -> bool {
    let typed =
        |value: &Value, kinds: &[&str]| value.get("type").and_then(Value::as_str).is_some_and(|kind| kinds.contains(&kind));
    let list = |key: &str| message.get(key).and_then(Value::as_array).into_iter().flatten();
    let model_part = |part: &Value| {
        typed(part, &["tool-call", "tool-result", "reasoning", "tool-approval-request", "tool-approval-response"])
            || (typed(part, &["image", "file"]) && (part.get("image").is_some() || part.get("data").is_some()))
    };
    message.get("role").is_some()
        && (list("parts").any(|part| part.get("type").is_some_and(Value::is_string))
            || list("content").any(model_part)
            || message.get("toolInvocations").is_some()
            || message.get("providerOptions").is_some())
}

/// `{"system", "messages"}` of plain texts. Anthropic's bodies look alike, but name a model and a limit.
fn is_prompt(doc: &Value) -> bool {
    let plain = |message: &Value| message.get("content").is_some_and(Value::is_string);
    doc.get("system").is_some_and(Value::is_string)
        && doc.get("model").is_none()
        && doc.get("max_tokens").is_none()
        && doc.get("messages").and_then(Value::as_array).is_some_and(|all| all.iter().all(plain))
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    request::import(source, "messages", body, message)
}

fn body(mut fields: Fields<'_>, mut draft: Draft) -> Result<Conversation, ImportError> {
    if let Some(id) = fields.mapped_text("id", "the space's id")?.filter(|id| !id.is_empty()) {
        draft.conversation.space.id = id.into();
    }
    if let Some(text) = fields.mapped_text("system", "a system message")?.filter(|text| !text.is_empty()) {
        let node = draft.system_node(None).text(text);
        draft.push(node);
    }
    fields.each("messages")?.iter().try_for_each(|item| message(item, &mut draft))?;
    let to = &mut draft.conversation;
    let number = |item: Option<Item<'_>>| item.map(|item| item.number()).transpose();
    to.sampling.temperature = number(fields.mapped("temperature", "sampling.temperature"))?;
    to.sampling.top_p = number(fields.mapped("topP", "sampling.topP"))?;
    to.sampling.top_k = fields.mapped("topK", "sampling.topK").map(|item| item.whole()).transpose()?;
    to.sampling.seed = fields.mapped("seed", "sampling.seed").map(|item| request::integer(&item)).transpose()?;
    if let Some(stop) = fields.mapped("stopSequences", "sampling.stop") {
        to.sampling.stop = request::stops(&stop)?;
    }
    request::max_tokens(&mut fields, &["maxOutputTokens", "maxTokens"], to)?;
    request::one_request(&mut fields, PER_REQUEST);
    fields.end()?;
    Ok(draft.finish())
}

pub(super) fn message(item: &Item<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let mut fields = item.fields()?;
    let role = fields.mapped("role", "author").ok_or_else(|| item.wrong(format!("needs \"role\": {ROLES}")))?;
    let is_ui = ["parts", "toolInvocations", "experimental_attachments"].iter().any(|key| fields.has(key));
    match role.text()?.as_str() {
        "system" if is_ui => ui::system(&mut fields, draft)?,
        "user" if is_ui => ui::user(&mut fields, draft)?,
        "assistant" if is_ui => ui::assistant(&mut fields, draft)?,
        "system" => model::system(&mut fields, draft)?,
        "user" => model::user(&mut fields, draft)?,
        "assistant" => model::assistant(&mut fields, draft)?,
        "tool" => model::results(&mut fields, draft)?,
        "data" => {
            item.dropped(&item.sort("data"), "the app's own, never sent to a model");
            return Ok(());
        }
        other => return Err(role.wrong(format!("unknown role {other:?}: use {ROLES}"))),
    }
    fields.dropped("providerOptions", request::ONE_REQUEST);
    fields.end()
}
