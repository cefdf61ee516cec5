//! What an Aspen node holds: text, a picture, sound, or a list of those.

use super::super::archive::MAX_ATTACHMENT;
use super::super::item::{Fields, Item};
use super::super::source::Source;
use super::super::{ImportError, media};
use crate::model::{Media, Part};

/// Reads a content union into parts. Blocks of mixed content hold no blocks themselves.
pub(super) fn read(source: &Source<'_>, parts: &mut Vec<Part>, item: &Item<'_>) -> Result<(), ImportError> {
    let Some(mut fields) = item.fields_or_drop("content") else { return Ok(()) };
    if fields.peek("type").and_then(|kind| kind.text().ok()).as_deref() == Some("mixed") {
        fields.mapped("type", "parts");
        for block in fields.list("blocks", "parts") {
            if let Some(fields) = block.fields_or_drop("block") {
                one(source, parts, fields)?;
            }
        }
        return fields.end();
    }
    one(source, parts, fields)
}

fn one(source: &Source<'_>, parts: &mut Vec<Part>, mut fields: Fields<'_>) -> Result<(), ImportError> {
    let kind = fields.string("type", "type of the part").unwrap_or_default();
    match kind.as_str() {
        "text" => parts.extend(fields.filled("text", "").map(Part::text)),
        "image" | "audio" => parts.extend(asset(source, &mut fields)),
        other => fields.of().dropped(&format!("content of type {other:?}"), "not a known type"),
    }
    fields.dropped_all(&["thumbnailRef", "altText", "durationMs", "transcriptRef"], "a part has no place for it");
    fields.end()
}

/// A picture or sound: its bytes if the archive holds them, else the place it is referred to by.
fn asset(source: &Source<'_>, fields: &mut Fields<'_>) -> Option<Part> {
    let media_type = fields.string("mimeType", "mediaType");
    let reference = fields.filled("ref", "url, or data if the archive has it");
    let side = |fields: &mut Fields<'_>, key: &str| fields.count(key, "").and_then(|side| u32::try_from(side).ok());
    let (width, height) = (side(fields, "width"), side(fields, "height"));
    let reference = reference?;
    let name = reference.rsplit('/').next().unwrap_or(&reference);
    let mut part = match source.files.read(&reference, MAX_ATTACHMENT).ok() {
        Some(bytes) => media::from_bytes(name, media_type.as_deref(), &bytes),
        None => media::part(name, media_type.as_deref(), Media::Url(reference.clone())),
    };
    if let Part::Image(image) = &mut part {
        (image.width, image.height) = (width, height);
    }
    Some(part)
}
