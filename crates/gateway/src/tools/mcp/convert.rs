//! From the protocol's words to ours.

use crate::tools::described::Described;
use crate::tools::{Answer, Hints};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents, Tool};
use serde_json::Value;
use weftwork::model::{Image, Media, Part};

pub(super) fn described(tool: Tool) -> Described {
    let annotations = tool.annotations.as_ref();
    Described {
        hints: Hints {
            read_only: annotations.and_then(|hints| hints.read_only_hint),
            destructive: annotations.and_then(|hints| hints.destructive_hint),
        },
        annotations: annotations.map_or(Value::Null, |hints| serde_json::to_value(hints).unwrap_or_default()),
        name: tool.name.into_owned(),
        title: tool.title,
        description: tool.description.unwrap_or_default().into_owned(),
        schema: (*tool.input_schema).clone(),
    }
}

/// What a tool said, in parts that every model can be given. A server may give structured content beside the same as text;
/// it is used where there is no text.
pub(super) fn answer(result: CallToolResult) -> Answer {
    let mut answer = Answer { parts: Vec::new(), is_error: result.is_error.unwrap_or(false) };
    for block in result.content {
        add(&mut answer, block);
    }
    let has_text = answer.parts.iter().any(|part| matches!(part, Part::Text(_)));
    if let (false, Some(structured)) = (has_text, result.structured_content) {
        answer.say(&structured.to_string());
    }
    answer
}

fn add(answer: &mut Answer, block: ContentBlock) {
    match block {
        ContentBlock::Text(text) => answer.say(&text.text),
        ContentBlock::Image(image) => picture(answer, image.data, &image.mime_type),
        ContentBlock::Audio(audio) => answer.say(&not_shown("audio", &audio.mime_type, &audio.data)),
        ContentBlock::Resource(embedded) => resource(answer, embedded.resource),
        ContentBlock::ResourceLink(link) => answer.say(&linked(&link)),
        _ => answer.say("[content of a kind that is not known here]"),
    }
}

fn resource(answer: &mut Answer, resource: ResourceContents) {
    match resource {
        ResourceContents::TextResourceContents { uri, text, .. } => answer.say(&format!("[resource {uri}]\n{text}")),
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            answer.say(&format!("[resource {uri}]"));
            picture(answer, blob, mime_type.as_deref().unwrap_or("application/octet-stream"));
        }
        _ => answer.say("[a resource of a kind that is not known here]"),
    }
}

/// Adds a picture if it is one. A history with bytes that are no picture, or not of the kind they are called, is refused by
/// providers from then on.
fn picture(answer: &mut Answer, data: String, claimed: &str) {
    let kind = STANDARD.decode(&data).ok().and_then(|bytes| kind(&bytes));
    match kind {
        None => answer.say(&not_shown("data", claimed, &data)),
        Some(kind) => {
            let media = Media::Data(data);
            answer.parts.push(Part::Image(Image { media_type: kind.to_owned(), media, width: None, height: None }));
        }
    }
}

/// The four kinds that models take, by how they begin.
fn kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn not_shown(what: &str, media_type: &str, base64: &str) -> String {
    let media_type: String = media_type.chars().take(100).collect();
    format!("[{what} of type {media_type}, about {} bytes, cannot be shown]", base64.len() / 4 * 3)
}

fn linked(link: &Resource) -> String {
    let description = link.description.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
    format!("[link to resource {} <{}>{description}]", link.name, link.uri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PNG: &str = "iVBORw0KGgo=";

    #[test]
    fn content_is_mapped() {
        let image = |kind: &str| json!({"type": "image", "data": PNG, "mimeType": kind});
        let shown =
            Part::Image(Image { media_type: "image/png".into(), media: Media::Data(PNG.into()), width: None, height: None });
        let text = |text: &str| json!({"type": "text", "text": text});
        let cases = [
            (json!([]), vec![]),
            (json!([text("a"), text("b")]), vec![Part::text("a\n\nb")]),
            (json!([text("a"), image("image/png"), text("b")]), vec![Part::text("a"), shown.clone(), Part::text("b")]),
            (json!([image("image/tiff")]), vec![shown.clone()]),
            (
                json!([{"type": "image", "data": "no base64!", "mimeType": "image/png"}]),
                vec![Part::text("[data of type image/png, about 6 bytes, cannot be shown]")],
            ),
            (
                json!([{"type": "audio", "data": "AAAAAAAA", "mimeType": "audio/wav"}]),
                vec![Part::text("[audio of type audio/wav, about 6 bytes, cannot be shown]")],
            ),
            (
                json!([{"type": "resource", "resource": {"uri": "file:///a", "text": "hello"}}]),
                vec![Part::text("[resource file:///a]\nhello")],
            ),
            (
                json!([{"type": "resource", "resource": {"uri": "file:///a", "blob": PNG}}]),
                vec![Part::text("[resource file:///a]"), shown],
            ),
            (
                json!([{"type": "resource_link", "uri": "file:///a", "name": "a", "description": "A."}]),
                vec![Part::text("[link to resource a <file:///a>: A.]")],
            ),
        ];
        for (content, parts) in cases {
            let result = serde_json::from_value(json!({"content": content})).unwrap();
            assert_eq!(answer(result), Answer { parts, is_error: false }, "{content}");
        }
    }

    #[test]
    fn structured_content_speaks_where_there_is_no_text() {
        for (result, said) in [
            (json!({"content": [], "structuredContent": {"a": 1}}), r#"{"a":1}"#),
            (json!({"content": [{"type": "text", "text": "one"}], "structuredContent": {"a": 1}}), "one"),
        ] {
            assert_eq!(answer(serde_json::from_value(result).unwrap()), Answer::text(said));
        }
    }
}
