//! Content blocks as Claude's apps write them, taken as they come.

use super::super::draft::Draft;
use super::super::item::{Fields, Item, Shape};
use super::super::{ImportError, media};
use crate::model::{Json, Media, Part, Reasoning, ResultContent, ToolCall, ToolResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const NOTE: &str = "a note of the app";

/// Reads a message's content, a string or blocks, into parts.
pub(in super::super) fn read(draft: &mut Draft, content: &Item<'_>) -> Result<Vec<Part>, ImportError> {
    let mut parts = Vec::new();
    match content.shape() {
        Shape::Array => {
            for item in content.items()? {
                if let Some(fields) = item.fields_or_drop("block") {
                    parts.extend(block(draft, &item, fields)?);
                }
            }
        }
        Shape::Null | Shape::Bool | Shape::Number | Shape::String | Shape::Object => {
            parts.extend(Some(content.as_text()).filter(|text| !text.is_empty()).map(Part::text));
        }
    }
    Ok(parts)
}

fn block(draft: &mut Draft, item: &Item<'_>, mut fields: Fields<'_>) -> Result<Option<Part>, ImportError> {
    let kind = fields.string("type", "type of the part").unwrap_or_default();
    let part = match kind.as_str() {
        "text" => fields.filled("text", "").map(Part::text),
        "thinking" => {
            let (text, signature) = (fields.string("thinking", "text of the reasoning"), fields.string("signature", ""));
            Some(Part::Reasoning(Reasoning { text: text.unwrap_or_default(), signature, id: None, redacted: false }))
        }
        "redacted_thinking" => {
            let signature = fields.string("data", "signature");
            Some(Part::Reasoning(Reasoning { signature, redacted: true, ..Reasoning::default() }))
        }
        "tool_use" => Some(call(draft, &mut fields)),
        "tool_result" => result(draft, item, &mut fields)?,
        "image" | "document" => bytes(item, &mut fields)?,
        "server_tool_use" => Some(native_call(item, &mut fields)),
        native if native.ends_with("_tool_result") => native_result(item, &mut fields),
        other => {
            item.dropped(&format!("block {other:?}"), "not something said");
            None
        }
    };
    // How long each block took is not how long the call took.
    fields.dropped_all(&["start_timestamp", "stop_timestamp"], "time of a part; a node has one time");
    fields.drop_rest(NOTE);
    Ok(part)
}

fn call(draft: &mut Draft, fields: &mut Fields<'_>) -> Part {
    let name = fields.filled("name", "").unwrap_or_else(|| "unknown".into());
    let id = draft.called(fields.string("id", ""), &name);
    let args = fields.take_as("input", "args").map_or_else(Json::empty_object, |input| input.json());
    Part::call(id, name, args)
}

fn result(draft: &mut Draft, item: &Item<'_>, fields: &mut Fields<'_>) -> Result<Option<Part>, ImportError> {
    let name = fields.filled("name", "");
    let content = fields.take_as("content", "content of the result");
    let is_error = fields.flag("is_error", "isError");
    let id = match (fields.filled("tool_use_id", "id of the result"), &name) {
        (None, Some(name)) => draft.answered_in_order(name),
        (id, name) => draft.answered(id, name.as_deref(), item).ok(),
    };
    let Some(id) = id else {
        item.dropped("tool_result without an id", "no open call it could answer");
        return Ok(None);
    };
    let parts = content.map_or(Ok(Vec::new()), |content| inner(&content))?;
    let content = match parts.as_slice() {
        [] => ResultContent::Text(String::new()),
        [Part::Text(text)] => ResultContent::Text(text.text.clone()),
        _ => ResultContent::Parts(parts),
    };
    Ok(Some(Part::ToolResult(ToolResult { id, name, content, is_error, included: false, native: None })))
}

/// What a tool answered: text, or blocks with text and pictures.
fn inner(content: &Item<'_>) -> Result<Vec<Part>, ImportError> {
    if content.shape() != Shape::Array {
        return Ok(vec![Part::text(content.as_text())]);
    }
    let mut parts = Vec::new();
    for item in content.items()? {
        let Some(mut fields) = item.fields_or_drop("block of a result") else { continue };
        let kind = fields.string("type", "type of the part").unwrap_or_default();
        if kind == "image" {
            parts.extend(bytes(&item, &mut fields)?);
        }
        // Search results and other finds: whatever text they have.
        let texts: Vec<String> = ["title", "url", "text"].iter().filter_map(|key| fields.filled(key, "text")).collect();
        if !texts.is_empty() {
            parts.push(Part::text(texts.join("\n")));
        }
        fields.drop_rest(NOTE);
    }
    Ok(parts)
}

fn bytes(item: &Item<'_>, fields: &mut Fields<'_>) -> Result<Option<Part>, ImportError> {
    let name = fields.filled("title", "name of the file").unwrap_or_default();
    let Some(mut source) = fields.object("source") else {
        item.dropped("picture or document", "its bytes are not in the file");
        return Ok(None);
    };
    let kind = source.string("type", "data or url").unwrap_or_default();
    let media_type = source.filled("media_type", "mediaType");
    let data = source.filled("data", "");
    let media = match (data, source.filled("url", "")) {
        (Some(text), _) if kind == "text" => Some(Media::Data(STANDARD.encode(text))),
        (Some(data), _) => Some(Media::Data(data)),
        (None, url) => url.map(Media::Url),
    };
    if media.is_none() {
        item.dropped("picture or document", "its bytes are not in the file");
    }
    source.drop_rest(NOTE);
    Ok(media.map(|media| media::part(&name, Some(media_type.as_deref().unwrap_or("image/png")), media)))
}

/// A call of a tool that the provider ran itself; the block must come back to it whole.
fn native_call(item: &Item<'_>, fields: &mut Fields<'_>) -> Part {
    let name = fields.filled("name", "").unwrap_or_else(|| "unknown".into());
    let id = fields.string("id", "").unwrap_or_default();
    let args = fields.take_as("input", "args").map_or_else(Json::empty_object, |input| input.json());
    Part::ToolCall(ToolCall { id, name, args, signature: None, included: false, native: Some(item.json()) })
}

fn native_result(item: &Item<'_>, fields: &mut Fields<'_>) -> Option<Part> {
    let id = fields.filled("tool_use_id", "id of the result")?;
    let content = fields.take_as("content", "content of the result").map(|content| content.raw().to_owned());
    let content = ResultContent::Text(content.unwrap_or_default());
    Some(Part::ToolResult(ToolResult { id, name: None, content, is_error: false, included: false, native: Some(item.json()) }))
}
