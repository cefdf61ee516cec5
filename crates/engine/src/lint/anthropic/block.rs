//! Blocks: the kinds there are, which role may hold them, and what each must carry.

use serde_json::Value;

use super::cache::{Marks, Placement, placement};
use super::image::{Pictures, document};
use crate::lint::arguments;
use crate::lint::finding::{Findings, shown};
use crate::lint::path::At;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, object, unknown, wrong_type};
use crate::lint::text;
use crate::lint::tools::Naming;

/// A kind of content block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Text,
    Image,
    Document,
    SearchResult,
    Upload,
    ToolUse,
    ToolResult,
    Thinking,
    RedactedThinking,
    ServerToolUse,
    ServerToolResult,
    Compaction,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    System,
}

const USER: &[&str] = &["text", "image", "document", "search_result", "container_upload", "tool_result"];
const ASSISTANT: &[&str] = &[
    "text",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "…_tool_result",
    "container_upload",
    "compaction",
];

impl Block {
    fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "text" => Self::Text,
            "image" => Self::Image,
            "document" => Self::Document,
            "search_result" => Self::SearchResult,
            "container_upload" => Self::Upload,
            "tool_use" => Self::ToolUse,
            "tool_result" => Self::ToolResult,
            "thinking" => Self::Thinking,
            "redacted_thinking" => Self::RedactedThinking,
            "server_tool_use" | "mcp_tool_use" => Self::ServerToolUse,
            "compaction" => Self::Compaction,
            // Each server tool has its own, and new ones come often: web_search_tool_result, mcp_tool_result, …
            _ if kind.ends_with("_tool_result") => Self::ServerToolResult,
            _ => return None,
        })
    }

    fn allowed(self, role: Role) -> bool {
        match self {
            Self::Text => true,
            Self::Upload => role != Role::System,
            Self::Image | Self::Document | Self::SearchResult | Self::ToolResult => role == Role::User,
            Self::ToolUse
            | Self::Thinking
            | Self::RedactedThinking
            | Self::ServerToolUse
            | Self::ServerToolResult
            | Self::Compaction => role == Role::Assistant,
        }
    }

    /// Whether it is thinking, in the clear or not.
    pub(super) fn is_thinking(self) -> bool {
        matches!(self, Self::Thinking | Self::RedactedThinking)
    }
}

/// The kind of `block`, if `role` may hold it.
pub(super) fn kind(block: &Object, role: Role, out: &mut Findings) -> Option<Block> {
    let name = block.string("type", Need::Required, out)?;
    let kind = Block::of(name);
    if let Some(kind) = kind
        && kind.allowed(role)
    {
        return Some(kind);
    }
    let rule = match kind {
        None => Rule::UnknownPart,
        Some(_) => Rule::PartNotAllowed,
    };
    let known = match role {
        Role::User => USER,
        Role::Assistant => ASSISTANT,
        Role::System => &["text"],
    };
    unknown(rule, name, known, &block.at.key("type"), out);
    None
}

/// Check what a block of a message carries, its cache mark included.
pub(super) fn fields(block: &Object, kind: Block, marks: &mut Marks, pictures: &mut Pictures, out: &mut Findings) {
    let mut on = Placement::Allowed;
    match kind {
        Block::Text => on = text_block(block, out),
        Block::Image => pictures.visit(block, out),
        Block::Document => document(block, out),
        Block::ToolUse => tool_use(block, out),
        Block::ToolResult => tool_result(block, marks, pictures, out),
        Block::Thinking => {
            on = Placement::Thinking;
            block.string("thinking", Need::Required, out);
            signed(block, "signature", out);
        }
        Block::RedactedThinking => {
            on = Placement::Thinking;
            signed(block, "data", out);
        }
        Block::Upload => {
            block.filled("file_id", Need::Required, out);
        }
        Block::SearchResult | Block::ServerToolUse | Block::ServerToolResult | Block::Compaction => {}
    }
    marks.message_block(block, on, out);
}

fn text_block(block: &Object, out: &mut Findings) -> Placement {
    let Some(content) = block.string("text", Need::Required, out) else {
        return Placement::Allowed;
    };
    text::not_blank(content, &block.at.key("text"), out);
    placement(content)
}

fn tool_use(block: &Object, out: &mut Findings) {
    if let Some(id) = block.value("id").and_then(Value::as_str) {
        id_letters(id, &block.at.key("id"), out);
    }
    if let Some(name) = block.string("name", Need::Required, out) {
        Naming::Anthropic.check(name, &block.at.key("name"), out);
    }
    arguments::object(block.value("input"), &block.at.key("input"), out);
}

/// Ids are matched against `^[a-zA-Z0-9_-]+$`; those of other providers are not like that (peers 25).
fn id_letters(id: &str, at: &At, out: &mut Findings) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !id.bytes().all(plain) {
        out.error(
            at,
            Rule::BadCallId,
            format!("the call id {} is refused", shown(id)),
            "map the id to letters, digits, _ and -, in the call and in its result",
        );
    }
}

/// Thinking is only taken back with what the API signed it with (peers 28).
fn signed(block: &Object, key: &'static str, out: &mut Findings) {
    let signature = block.value(key).and_then(Value::as_str);
    if signature.is_none_or(str::is_empty) {
        out.error(
            &block.at.key(key),
            Rule::UnsignedThinking,
            format!("thinking without its `{key}`"),
            "send the block as it was received, or drop it",
        );
    }
}

fn tool_result(block: &Object, marks: &mut Marks, pictures: &mut Pictures, out: &mut Findings) {
    let failed = block.flag("is_error", out) == Some(true);
    let at = block.at.key("content");
    match block.value("content") {
        None | Some(Value::String(_)) => {}
        Some(Value::Array(list)) => {
            for (i, item) in list.iter().enumerate() {
                if let Some(item) = object(item, at.index(i), out) {
                    result_item(&item, failed, marks, pictures, out);
                }
            }
        }
        Some(other) => wrong_type(other, &at, "a string or a list of blocks", out),
    }
    if let Some(id) = block.filled("tool_use_id", Need::Required, out) {
        id_letters(id, &block.at.key("tool_use_id"), out);
    }
}

fn result_item(item: &Object, failed: bool, marks: &mut Marks, pictures: &mut Pictures, out: &mut Findings) {
    marks.message_block(item, Placement::InResult, out);
    let Some(kind) = item.string("type", Need::Required, out) else {
        return;
    };
    match kind {
        "text" => {
            text_block(item, out);
        }
        "image" => pictures.visit(item, out),
        "document" => document(item, out),
        "search_result" | "tool_reference" => {}
        _ => {
            let known = ["text", "image", "document", "search_result"];
            unknown(Rule::UnknownPart, kind, &known, &item.at.key("type"), out);
        }
    }
    if failed && kind != "text" {
        out.error(
            &item.at,
            Rule::NonTextErrorResult,
            format!("a failed result holds {}", shown(kind)),
            "keep only text where is_error is true",
        );
    }
}
