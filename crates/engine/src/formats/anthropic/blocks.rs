//! Content blocks of Anthropic Messages.

use super::super::draft::Draft;
use super::super::error::ImportError;
use super::super::item::{Fields, Item, Shape};
use super::super::media;
use crate::model::{Json, Media, Part, Reasoning, ResultContent, ToolCall, ToolResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub(super) const NO_MARKS: &str = "cache marks are set anew for each request";
const KINDS: &str = "text, image, document, search_result, thinking, redacted_thinking, tool_use, tool_result, compaction, \
    server_tool_use and its results";

/// What a block becomes.
pub(super) enum Block {
    /// A part of the message's node.
    Part(Part),
    /// A summary of everything before it: a node of its own.
    Summary(String),
}

impl Block {
    pub(super) fn part(self) -> Option<Part> {
        match self {
            Block::Part(part) => Some(part),
            Block::Summary(text) => Some(Part::text(text)),
        }
    }
}

/// A string or a list of blocks.
pub(super) fn blocks(content: &Item<'_>, draft: &mut Draft) -> Result<Vec<Block>, ImportError> {
    if content.shape() == Shape::String {
        let text = Some(content.text()?).filter(|text| !text.is_empty());
        return Ok(text.map(|text| Block::Part(Part::text(text))).into_iter().collect());
    }
    let blocks: Result<Vec<_>, _> = content.items()?.iter().map(|item| block(item, draft)).collect();
    Ok(blocks?.into_iter().flatten().collect())
}

fn block(item: &Item<'_>, draft: &mut Draft) -> Result<Option<Block>, ImportError> {
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "the part's type")?.unwrap_or_default();
    let part = match kind.as_str() {
        "text" => Some(Part::text(fields.need("text")?.text()?)),
        "image" => source(&fields.need("source")?, "")?,
        "document" => document(&mut fields)?,
        "search_result" => Some(search_result(&mut fields)?),
        "thinking" => Some(Part::Reasoning(Reasoning {
            text: fields.need("thinking")?.text()?,
            signature: fields.text("signature")?,
            id: None,
            redacted: false,
        })),
        "redacted_thinking" => Some(Part::Reasoning(Reasoning {
            signature: fields.mapped_text("data", "signature")?,
            redacted: true,
            ..Reasoning::default()
        })),
        "tool_use" => Some(tool_use(&mut fields, draft)?),
        "tool_result" => Some(tool_result(&mut fields, draft)?),
        "compaction" => {
            let text = fields.mapped_text("content", "a summary node")?.filter(|text| !text.is_empty());
            fields.end()?;
            return Ok(text.map(Block::Summary));
        }
        "server_tool_use" | "mcp_tool_use" => return native_use(item, &kind, fields).map(Some),
        native if native.ends_with("_tool_result") => return native_result(item, &kind, fields).map(Some),
        other => {
            item.unknown(other, KINDS)?;
            return Ok(None);
        }
    };
    fields.dropped("cache_control", NO_MARKS);
    fields.dropped("citations", "nothing here points into a document");
    fields.end()?;
    Ok(part.map(Block::Part))
}

/// Where the bytes of an image or document are.
fn source(item: &Item<'_>, name: &str) -> Result<Option<Part>, ImportError> {
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "data or url")?.unwrap_or_default();
    let media_type = fields.mapped_text("media_type", "mediaType")?;
    let media = match kind.as_str() {
        "base64" => Some(Media::Data(fields.need("data")?.text()?)),
        "url" => Some(Media::Url(fields.need("url")?.text()?)),
        "text" => {
            // Plain text has no part of its own beside what is said; as a file it is bytes.
            Some(Media::Data(STANDARD.encode(fields.need("data")?.text()?)))
        }
        _ => {
            fields.dropped_all(&["file_id", "content"], "only the provider can resolve it");
            None
        }
    };
    fields.end()?;
    let by_url = media.as_ref().and_then(|media| match media {
        Media::Url(url) => media::type_of(url),
        Media::Data(_) => None,
    });
    let fallback = if name.is_empty() { "image/png" } else { "application/pdf" };
    let media_type = media_type.or(by_url.map(str::to_owned)).unwrap_or_else(|| fallback.to_owned());
    Ok(media.map(|media| media::part(name, Some(&media_type), media)))
}

fn document(fields: &mut Fields<'_>) -> Result<Option<Part>, ImportError> {
    let name = fields.mapped_text("title", "the file's name")?.filter(|title| !title.is_empty());
    fields.dropped("context", "a note to the provider about the document");
    source(&fields.need("source")?, name.as_deref().unwrap_or("document"))
}

fn search_result(fields: &mut Fields<'_>) -> Result<Part, ImportError> {
    let mut lines = Vec::new();
    for key in ["title", "source"] {
        lines.extend(fields.mapped_text(key, "a line of a text part")?);
    }
    for item in fields.each("content")? {
        let mut piece = item.fields()?;
        piece.mapped("type", "the part's type");
        lines.push(piece.need("text")?.text()?);
        piece.end()?;
    }
    Ok(Part::text(lines.join("\n")))
}

fn tool_use(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Part, ImportError> {
    let name = fields.need("name")?.text()?;
    let id = fields.text("id")?;
    let id = draft.called(id, &name);
    let args = fields.mapped("input", "args").map_or_else(Json::empty_object, |input| input.json());
    fields.dropped("caller", "says from where the provider made the call");
    Ok(Part::call(id, name, args))
}

fn tool_result(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Part, ImportError> {
    let id = fields.mapped_text("tool_use_id", "id")?;
    let id = draft.answered(id, None, fields.of())?;
    let parts = fields.kept("content").map_or(Ok(Vec::new()), |content| blocks(&content, draft))?;
    let parts: Vec<Part> = parts.into_iter().filter_map(Block::part).collect();
    let content = match parts.as_slice() {
        [] => ResultContent::Text(String::new()),
        [Part::Text(text)] => ResultContent::Text(text.text.clone()),
        _ => ResultContent::Parts(parts),
    };
    let is_error = fields.mapped("is_error", "isError").map_or(Ok(false), |item| item.truth())?;
    Ok(Part::ToolResult(ToolResult { id, name: None, content, is_error, included: false, native: None }))
}

/// A call of a tool that the provider runs: the block is kept whole, because it must come back as it was.
fn native_use(item: &Item<'_>, kind: &str, mut fields: Fields<'_>) -> Result<Block, ImportError> {
    let name = fields.need("name")?.text()?;
    let id = fields.need("id")?.text()?;
    let args = fields.mapped("input", "args").map_or_else(Json::empty_object, |input| input.json());
    item.mapped(&item.sort(kind), "a toolCall part, the block kept whole");
    Ok(Block::Part(Part::ToolCall(ToolCall { id, name, args, signature: None, included: false, native: Some(item.json()) })))
}

/// The result of such a call. Other APIs see the content as JSON text.
fn native_result(item: &Item<'_>, kind: &str, mut fields: Fields<'_>) -> Result<Block, ImportError> {
    let id = fields.mapped("tool_use_id", "id").ok_or_else(|| item.wrong("needs \"tool_use_id\""))?.text()?;
    let content = fields.kept("content").map(|content| content.raw().to_owned()).unwrap_or_default();
    let is_error = fields.mapped("is_error", "isError").map_or(Ok(false), |item| item.truth())?;
    item.mapped(&item.sort(kind), "a toolResult part, the block kept whole");
    Ok(Block::Part(Part::ToolResult(ToolResult {
        id,
        name: None,
        content: ResultContent::Text(content),
        is_error,
        included: false,
        native: Some(item.json()),
    })))
}
