//! Response items of a Codex log: what was said, by whom.

use super::super::draft::Draft;
use super::super::item::{Fields, Item, Shape};
use super::super::{ImportError, media};
use crate::model::{Json, Part, Reasoning, ResultContent, ToolCall, ToolResult};
use serde_json::json;

/// Who speaks in an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    System,
    Human,
    Agent,
    /// A tool; its results are the agent's.
    Tool,
}

pub(super) fn read(
    draft: &mut Draft,
    item: &Item<'_>,
    kind: &str,
    fields: &mut Fields<'_>,
) -> Result<Option<(Voice, Vec<Part>)>, ImportError> {
    Ok(Some(match kind {
        "message" => message(fields)?,
        "reasoning" => (Voice::Agent, vec![reasoning(fields)?]),
        "function_call" => {
            let args = fields.string("arguments", "args").map_or_else(Json::empty_object, |text| media::args(&text));
            (Voice::Agent, vec![call(draft, fields, None, args)])
        }
        "custom_tool_call" => {
            // The input of such a tool is text, not an object.
            let input = fields.string("input", "args").unwrap_or_default();
            (Voice::Agent, vec![call(draft, fields, None, Json::of(&json!({ "input": input })))])
        }
        "local_shell_call" => {
            let args = fields.take_as("action", "args").map_or_else(Json::empty_object, |action| action.json());
            (Voice::Agent, vec![call(draft, fields, Some("local_shell"), args)])
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            (Voice::Tool, output(draft, item, fields)?.into_iter().collect())
        }
        "web_search_call" => (Voice::Agent, vec![native(draft, fields)]),
        other => {
            let why = if other.starts_with("compaction") { "only its provider can read it" } else { "not something said" };
            item.dropped(&format!("item {other:?}"), why);
            return Ok(None);
        }
    }))
}

fn message(fields: &mut Fields<'_>) -> Result<(Voice, Vec<Part>), ImportError> {
    let voice = match fields.string("role", "author").as_deref() {
        Some("user") => Voice::Human,
        Some("assistant") => Voice::Agent,
        Some(_) | None => Voice::System,
    };
    let mut parts = Vec::new();
    if let Some(content) = fields.take_as("content", "parts") {
        parts = pieces(&content)?;
    }
    Ok((voice, parts))
}

/// A text, or a list of texts and pictures.
fn pieces(content: &Item<'_>) -> Result<Vec<Part>, ImportError> {
    if content.shape() != Shape::Array {
        return Ok(Some(content.as_text()).filter(|text| !text.is_empty()).map(Part::text).into_iter().collect());
    }
    let mut parts = Vec::new();
    for item in content.items()? {
        let Some(mut fields) = item.fields_or_drop("piece") else { continue };
        let kind = fields.string("type", "type of the part").unwrap_or_default();
        parts.extend(fields.filled("text", "").map(Part::text));
        match fields.filled("image_url", "image part") {
            Some(url) => parts.push(media::image(&url, None)),
            None if kind.ends_with("text") => {}
            None => item.dropped(&format!("piece {kind:?}"), "neither text nor a picture"),
        }
        fields.drop_rest(super::NOTE);
    }
    Ok(parts)
}

fn reasoning(fields: &mut Fields<'_>) -> Result<Part, ImportError> {
    let (id, signature) = (fields.filled("id", ""), fields.filled("encrypted_content", "signature"));
    let mut texts = Vec::new();
    for key in ["content", "summary"] {
        for item in fields.list(key, "text of the reasoning") {
            let Some(mut piece) = item.fields_or_drop("piece") else { continue };
            piece.mapped("type", "reasoning part");
            texts.extend(piece.filled("text", "text of the reasoning"));
            piece.end()?;
        }
    }
    let redacted = texts.is_empty() && signature.is_some();
    Ok(Part::Reasoning(Reasoning { text: texts.join("\n"), signature, id, redacted }))
}

fn call(draft: &mut Draft, fields: &mut Fields<'_>, name: Option<&str>, args: Json) -> Part {
    let named = fields.filled("name", "");
    let name = named.as_deref().or(name).unwrap_or("unknown");
    let id = draft.called(fields.filled("call_id", "id"), name);
    Part::call(id, name, args)
}

fn output(draft: &mut Draft, item: &Item<'_>, fields: &mut Fields<'_>) -> Result<Option<Part>, ImportError> {
    let content = fields.take_as("output", "content of the result");
    let Ok(id) = draft.answered(fields.filled("call_id", "id"), None, item) else {
        item.dropped("output without an id", "no single open call it could answer");
        return Ok(None);
    };
    // Outputs that failed are wrapped in an object.
    let wrapped = content.as_ref().and_then(|content| content.fields().ok());
    let failed = wrapped.as_ref().and_then(|wrapped| wrapped.peek("success")).is_some_and(|success| success.raw() == "false");
    let inner = wrapped.and_then(|wrapped| wrapped.peek("content")).or(content);
    let parts = inner.map_or(Ok(Vec::new()), |inner| pieces(&inner))?;
    let content = match parts.as_slice() {
        [] => ResultContent::Text(String::new()),
        [Part::Text(text)] => ResultContent::Text(text.text.clone()),
        _ => ResultContent::Parts(parts),
    };
    Ok(Some(Part::ToolResult(ToolResult { id, name: None, content, is_error: failed, included: false, native: None })))
}

/// A tool that the provider ran itself; what it found is in the answer that follows.
fn native(draft: &mut Draft, fields: &mut Fields<'_>) -> Part {
    let native = Some(fields.of().json());
    let args = fields.take_as("action", "args").map_or_else(Json::empty_object, |action| action.json());
    // It has no id, and one made up like a call's could be a later call's own.
    let id = fields.filled("id", "").unwrap_or_else(|| format!("web_search_{}", draft.conversation.nodes.len() + 1));
    Part::ToolCall(ToolCall { id, name: "web_search".into(), args, signature: None, included: false, native })
}
