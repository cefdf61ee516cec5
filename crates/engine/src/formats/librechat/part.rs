//! What a LibreChat message holds: its content parts and files.

use super::super::draft::Draft;
use super::super::item::{Fields, Item, Shape};
use super::super::{ImportError, media};
use crate::model::{File, Json, Media, Node, Part, Reasoning, ResultContent, Status, ToolResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub(super) fn read(draft: &mut Draft, node: &mut Node, item: &Item<'_>) -> Result<(), ImportError> {
    let Some(mut fields) = item.fields_or_drop("part") else { return Ok(()) };
    let kind = fields.string("type", "type of the part").unwrap_or_default();
    match kind.as_str() {
        "text" => node.parts.extend(worded(&mut fields, "text").map(Part::text)),
        "think" => {
            let text = worded(&mut fields, "think");
            node.parts.extend(text.map(|text| Part::Reasoning(Reasoning { text, ..Reasoning::default() })));
        }
        "error" => {
            node.status = Status::Error;
            node.error = worded(&mut fields, "error").or_else(|| worded(&mut fields, "text"));
        }
        "tool_call" => {
            if let Some(call) = fields.object("tool_call") {
                tool_call(draft, node, call)?;
            }
        }
        "image_url" => {
            let is_object = fields.peek("image_url").is_some_and(|url| url.shape() == Shape::Object);
            let url = match is_object {
                true => fields.object("image_url").and_then(|mut inner| {
                    let url = inner.filled("url", "image part");
                    inner.drop_rest("a note of the app");
                    url
                }),
                false => fields.filled("image_url", "image part"),
            };
            node.parts.extend(url.map(|url| media::image(&url, None)));
        }
        "image_file" => {
            if let Some(file) = fields.take_as("image_file", "image part") {
                node.parts.extend(self::file(&file)?);
            }
        }
        other => item.dropped(&format!("part {other:?}"), "not something said"),
    }
    fields.drop_rest("a note of the app");
    Ok(())
}

/// A text, which some versions wrap in an object.
fn worded(fields: &mut Fields<'_>, key: &str) -> Option<String> {
    let item = fields.take_as(key, "text")?;
    let value = item.fields().ok().and_then(|inner| inner.peek("value"));
    let text = value.unwrap_or(item).as_text();
    (!text.is_empty()).then_some(text)
}

fn tool_call(draft: &mut Draft, node: &mut Node, mut fields: Fields<'_>) -> Result<(), ImportError> {
    // The assistants' API nests name and arguments under `function`.
    let mut function = fields.object("function");
    let mut nested = |key: &str, into: &str| function.as_mut().and_then(|function| function.take_as(key, into));
    let name = fields.filled("name", "").or_else(|| nested("name", "").map(|name| name.as_text()));
    let name = name.unwrap_or_else(|| "unknown".into());
    let args = fields.take_as("args", "").or_else(|| nested("arguments", "args"));
    let args = args.map_or_else(Json::empty_object, |args| args.text().map_or_else(|_| args.json(), |text| media::args(&text)));
    let output = fields.filled("output", "toolResult").or_else(|| nested("output", "toolResult").map(|output| output.as_text()));
    let id = draft.called(fields.string("id", ""), &name);
    node.parts.push(Part::call(id.clone(), name.clone(), args));
    if let Some(output) = output {
        let (name, content) = (Some(name), ResultContent::Text(output));
        node.parts.push(Part::ToolResult(ToolResult { id, name, content, is_error: false, included: false, native: None }));
    }
    if let Some(function) = function {
        function.drop_rest("a note of the app");
    }
    fields.drop_rest("a note of the app");
    Ok(())
}

pub(super) fn file(item: &Item<'_>) -> Result<Option<Part>, ImportError> {
    let Some(mut fields) = item.fields_or_drop("file") else { return Ok(None) };
    let name = fields.filled("filename", "name of the file");
    let media_type = fields.filled("type", "mediaType");
    let text = fields.filled("text", "data of the file");
    let place = fields.filled("filepath", "url, if it is a web address");
    let side = |fields: &mut Fields<'_>, key: &str| fields.count(key, "").and_then(|side| u32::try_from(side).ok());
    let (width, height) = (side(&mut fields, "width"), side(&mut fields, "height"));
    fields.drop_rest("known to the app only");
    let name = name.unwrap_or_default();
    let is_web = |place: &String| place.starts_with("https://") || place.starts_with("http://") || place.starts_with("data:");
    let mut part = match (text, place.filter(is_web)) {
        (Some(text), _) => {
            let media_type = media_type.unwrap_or_else(|| "text/plain".into());
            Some(Part::File(File { name, media_type, media: Media::Data(STANDARD.encode(text)) }))
        }
        (None, Some(url)) => Some(media::part(&name, media_type.as_deref(), media::from_url(&url).0)),
        (None, None) => {
            item.dropped("file", "the export does not hold it");
            None
        }
    };
    if let Some(Part::Image(image)) = &mut part {
        (image.width, image.height) = (width, height);
    }
    Ok(part)
}
