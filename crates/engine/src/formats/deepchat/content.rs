//! What a DeepChat record holds: a person's text and files, or the agent's blocks.

use super::super::draft::Draft;
use super::super::item::{Fields, Item, Shape};
use super::super::{ImportError, media};
use crate::model::{File, Json, Media, Node, Part, Reasoning, ResultContent, ToolResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub(super) fn read(draft: &mut Draft, node: &mut Node, content: &Item<'_>) -> Result<(), ImportError> {
    match content.shape() {
        Shape::Object => user_content(node, content.fields()?),
        Shape::Array => content.items()?.iter().try_for_each(|item| match item.fields_or_drop("block") {
            Some(fields) => block(draft, node, fields),
            None => Ok(()),
        }),
        Shape::Null | Shape::Bool | Shape::Number | Shape::String => {
            node.parts.extend(Some(content.as_text()).filter(|text| !text.is_empty()).map(Part::text));
            Ok(())
        }
    }
}

fn user_content(node: &mut Node, mut fields: Fields<'_>) -> Result<(), ImportError> {
    node.parts.extend(fields.filled("text", "").map(Part::text));
    for file in fields.list("files", "image and file parts") {
        let Some(mut file_fields) = file.fields_or_drop("file") else { continue };
        let name = file_fields.any_string(&["name", "path"], "name of the file").unwrap_or_default();
        let media_type = file_fields.string("mimeType", "mediaType");
        match file_fields.string("content", "data") {
            Some(content) => node.parts.push(file_part(&name, media_type.as_deref(), content)),
            None => file.dropped("file without content", "its bytes are not in the record"),
        }
        file_fields.dropped_all(&["path", "token", "thumbnail", "metadata"], "known to the app only");
        file_fields.end()?;
    }
    for key in ["links", "search", "think", "continue", "resources", "prompts", "activeSkills"] {
        fields.dropped(key, "a setting of the message box, not said");
    }
    fields.dropped("content", "the same as text, cut into blocks for the screen");
    fields.end()
}

fn file_part(name: &str, media_type: Option<&str>, content: String) -> Part {
    if content.starts_with("data:") {
        let (media, named) = media::from_url(&content);
        return media::part(name, named.as_deref().or(media_type), media);
    }
    let media_type = media_type.or_else(|| media::type_of(name)).unwrap_or("text/plain").to_owned();
    Part::File(File { name: name.into(), media_type, media: Media::Data(STANDARD.encode(content)) })
}

fn block(draft: &mut Draft, node: &mut Node, mut fields: Fields<'_>) -> Result<(), ImportError> {
    let kind = fields.string("type", "type of the part").unwrap_or_default();
    let failed = fields.string("status", "isError of a result").is_some_and(|status| status == "error");
    let text = match kind.as_str() {
        "content" | "reasoning_content" => fields.filled("content", "text"),
        "error" => fields.filled("content", "error of the node"),
        _ => None,
    };
    match kind.as_str() {
        "content" => node.parts.extend(text.map(Part::text)),
        "reasoning_content" => {
            node.parts.extend(text.map(|text| Part::Reasoning(Reasoning { text, ..Reasoning::default() })));
        }
        "error" => node.error = text,
        "tool_call" => tool_call(draft, node, &mut fields, failed)?,
        "image" => image(node, &mut fields)?,
        other => fields.of().dropped(&format!("block {other:?}"), "shown by the app, not said"),
    }
    fields.dropped_all(&["content", "action_type", "extra"], "shown by the app, not said");
    fields.dropped_all(&["timestamp", "reasoning_time", "id"], "time of a part; a node has one time");
    fields.end()
}

fn tool_call(draft: &mut Draft, node: &mut Node, fields: &mut Fields<'_>, failed: bool) -> Result<(), ImportError> {
    let Some(mut call) = fields.object("tool_call") else { return Ok(()) };
    let name = call.filled("name", "").unwrap_or_else(|| "unknown".into());
    let id = draft.called(call.string("id", ""), &name);
    let args = call.string("params", "args").map_or_else(Json::empty_object, |params| media::args(&params));
    node.parts.push(Part::call(id.clone(), name.clone(), args));
    // Only a settled call has an answer; an empty one means that it was cut off.
    if let Some(response) = call.filled("response", "toolResult") {
        let id = draft.answered(Some(id), Some(&name), fields.of())?;
        node.parts.push(Part::ToolResult(ToolResult {
            id,
            name: Some(name),
            content: ResultContent::Text(response),
            is_error: failed,
            included: false,
            native: None,
        }));
    }
    call.dropped_all(&["server_name", "server_icons", "server_description"], "about the tool's server");
    call.end()
}

fn image(node: &mut Node, fields: &mut Fields<'_>) -> Result<(), ImportError> {
    let Some(mut image) = fields.object("image_data") else { return Ok(()) };
    let media_type = image.string("mimeType", "mediaType");
    if let Some(data) = image.filled("data", "") {
        let media = if data.contains(':') { media::from_url(&data).0 } else { Media::Data(data) };
        node.parts.push(media::part("", Some(media_type.as_deref().unwrap_or("image/png")), media));
    }
    image.end()
}
