//! What an Open WebUI message holds: its text, files, failure and usage.

use super::super::draft::Draft;
use super::super::facts;
use super::super::item::{Fields, Item, Shape};
use super::super::{ImportError, media};
use super::details::{self, Piece};
use crate::model::{Call, File, Media, Node, Part, Reasoning, ResultContent, Status, ToolResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub(super) fn content(draft: &mut Draft, node: &mut Node, fields: &mut Fields<'_>, role: &str) {
    let Some(content) = fields.mapped("content", "text, reasoning and tool parts") else { return };
    // Text typed or pasted by a person is never cut.
    if content.shape() != Shape::String || role != "assistant" {
        node.parts.extend(Some(content.as_text()).filter(|text| !text.is_empty()).map(Part::text));
        return;
    }
    for piece in details::pieces(&content.as_text()) {
        match piece {
            Piece::Text(text) => node.parts.push(Part::text(text)),
            Piece::Reasoning(text) => {
                content.mapped("<details type=\"reasoning\">", "a reasoning part, without the time it names");
                node.parts.push(Part::Reasoning(Reasoning { text, ..Reasoning::default() }));
            }
            Piece::Call { id, name, arguments, result } => {
                content.mapped("<details> of a tool", "toolCall and toolResult parts");
                let id = draft.called(id, &name);
                node.parts.push(Part::call(id.clone(), name.clone(), media::args(&arguments)));
                node.parts.extend(result.map(|result| {
                    let (name, content) = (Some(name), ResultContent::Text(result));
                    Part::ToolResult(ToolResult { id, name, content, is_error: false, included: false, native: None })
                }));
            }
        }
    }
}

pub(super) fn file(item: &Item<'_>) -> Result<Option<Part>, ImportError> {
    let Some(mut fields) = item.fields_or_drop("file") else { return Ok(None) };
    let kind = fields.string("type", "type of the part").unwrap_or_default();
    let name = fields.filled("name", "name of the file").unwrap_or_default();
    let url = fields.filled("url", "url or data");
    let text = fields.object("file").and_then(file_text);
    let part = match (kind.as_str(), url, text) {
        ("image", Some(url), _) => Some(media::image(&url, None)),
        (_, _, Some(text)) => {
            let media_type = media::type_of(&name).filter(|kind| kind.starts_with("text/")).unwrap_or("text/plain");
            Some(Part::File(File { name, media_type: media_type.into(), media: Media::Data(STANDARD.encode(text)) }))
        }
        (other, _, None) => {
            item.dropped(&format!("file of type {other:?}"), "the export does not hold it");
            None
        }
    };
    fields.drop_rest("known to the app only");
    Ok(part)
}

/// The text that was extracted from a file.
fn file_text(mut file: Fields<'_>) -> Option<String> {
    let text = file.object("data").and_then(|mut data| {
        let text = data.filled("content", "data of the file");
        data.drop_rest("known to the app only");
        text
    });
    file.drop_rest("known to the app only");
    text
}

pub(super) fn failure(node: &mut Node, fields: &mut Fields<'_>) {
    if fields.take_as("done", "status").is_some_and(|done| done.raw() == "false") {
        node.status = Status::Error;
    }
    let Some(error) = fields.take_as("error", "status and error") else { return };
    if error.raw() == "false" {
        return;
    }
    node.status = Status::Error;
    let inner = error.fields().ok().and_then(|error| error.peek("content").or_else(|| error.peek("message")));
    node.error = inner.or(Some(error)).filter(|error| error.shape() != Shape::Bool).map(|error| error.as_text());
}

pub(super) fn usage(node: &mut Node, fields: &mut Fields<'_>) -> Option<Call> {
    let usage = ["usage", "info"].iter().fold(None, |found, key| found.or(fields.take_as(key, "usage and facts of the call")))?;
    let mut call = facts::call("", None);
    call.usage = facts::openai(&usage);
    call.raw_usage = Some(usage.json());
    (call.model, call.created_at) = (node.model.clone(), node.created_at.clone());
    // Ollama counts in nanoseconds.
    let nanoseconds = usage.fields().ok().and_then(|usage| facts::peek_count(&usage, "total_duration"));
    call.duration_ms = nanoseconds.map(|nanoseconds| nanoseconds / 1_000_000);
    node.usage = call.usage;
    facts::says_something(&call).then_some(call)
}
