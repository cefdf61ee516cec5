//! Model messages: what the AI SDK sends.

use super::super::draft::Draft;
use super::super::error::ImportError;
use super::super::item::{Fields, Item, Shape};
use super::provider;
use crate::model::{Json, Node, Part, Reasoning, Text, ToolCall, ToolResult};

const KINDS: &str = "text, image, file, reasoning, tool-call and tool-result";

pub(super) fn system(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let parts = content(fields, draft)?;
    let node = draft.system_node(None);
    draft.push(Node { parts, ..node });
    Ok(())
}

pub(super) fn user(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let parts = content(fields, draft)?;
    draft.push_user(None, parts);
    Ok(())
}

/// A reply. Results of tools that the provider ran stand in it too, and stay there.
pub(super) fn assistant(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let parts = content(fields, draft)?;
    let author = draft.agent("Assistant");
    let node = draft.node(None, &author);
    draft.push(Node { parts, ..node });
    Ok(())
}

pub(super) fn results(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    assistant(fields, draft)
}

fn content(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Vec<Part>, ImportError> {
    let Some(content) = fields.kept("content") else { return Ok(Vec::new()) };
    if content.shape() == Shape::String {
        return Ok(Some(content.text()?).filter(|text| !text.is_empty()).map(Part::text).into_iter().collect());
    }
    let parts: Result<Vec<_>, _> = content.items()?.iter().map(|item| part(item, draft)).collect();
    Ok(parts?.into_iter().flatten().collect())
}

fn part(item: &Item<'_>, draft: &mut Draft) -> Result<Option<Part>, ImportError> {
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "the part's type")?.unwrap_or_default();
    let opaque = provider::opaque(&mut fields, "providerOptions")?;
    let part = match kind.as_str() {
        "text" => Part::Text(Text { text: fields.need("text")?.text()?, signature: opaque.signature }),
        "reasoning" => Part::Reasoning(Reasoning {
            text: fields.need("text")?.text()?,
            signature: fields.text("signature")?.or(opaque.signature),
            id: opaque.id,
            redacted: opaque.redacted,
        }),
        "redacted-reasoning" => Part::Reasoning(Reasoning {
            signature: fields.mapped_text("data", "signature")?,
            redacted: true,
            ..Reasoning::default()
        }),
        "image" => media(&mut fields, "image", "image/png")?,
        "file" => media(&mut fields, "data", "application/octet-stream")?,
        "tool-call" => call(&mut fields, opaque.signature, draft)?,
        "tool-result" => result(&mut fields, draft)?,
        "tool-approval-request" | "tool-approval-response" => {
            item.dropped(&item.sort(&kind), "asks a person; the call and its result say what came of it");
            return Ok(None);
        }
        other => {
            item.unknown(other, KINDS)?;
            return Ok(None);
        }
    };
    fields.dropped("providerExecuted", "says who ran the tool");
    fields.end()?;
    Ok(Some(part))
}

fn media(fields: &mut Fields<'_>, key: &str, otherwise: &str) -> Result<Part, ImportError> {
    let data = fields.mapped_text(key, "data or url")?;
    let data = data.ok_or_else(|| fields.of().wrong(format!("needs {key:?} as base64 or an address")))?;
    let media_type = fields.text("mediaType")?.or(fields.mapped_text("mimeType", "mediaType")?);
    provider::link_named(fields, &data, media_type.as_deref().or(Some(otherwise)))
}

fn call(fields: &mut Fields<'_>, signature: Option<String>, draft: &mut Draft) -> Result<Part, ImportError> {
    let id = fields.mapped_text("toolCallId", "id")?;
    let name = tool_name(fields)?;
    let input = fields.mapped("input", "args").or_else(|| fields.kept("args"));
    let args = input.map_or_else(Json::empty_object, |input| input.json());
    let id = draft.called(id, &name);
    Ok(Part::ToolCall(ToolCall { id, name, args, signature, included: false, native: None }))
}

fn tool_name(fields: &mut Fields<'_>) -> Result<String, ImportError> {
    fields.mapped_text("toolName", "name")?.ok_or_else(|| fields.of().wrong("needs \"toolName\""))
}

fn result(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Part, ImportError> {
    let id = fields.mapped_text("toolCallId", "id")?;
    let name = fields.mapped_text("toolName", "name")?;
    let id = draft.answered(id, name.as_deref(), fields.of())?;
    let (content, failed) = match (fields.mapped("output", "content"), fields.mapped("result", "content")) {
        (Some(output), _) => provider::output(&output)?,
        (None, Some(result)) => (provider::plain(&result)?, false),
        (None, None) => return Err(fields.of().wrong("needs \"output\"")),
    };
    let is_error = fields.kept("isError").map_or(Ok(failed), |item| item.truth())?;
    Ok(Part::ToolResult(ToolResult { id, name, content, is_error, included: false, native: None }))
}
