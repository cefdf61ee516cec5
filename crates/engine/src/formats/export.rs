//! Formats out. What a format cannot say is in the loss report.

mod branches;
mod left_out;
mod markdown;
mod openai;
mod weft;

use super::LossReport;
use crate::ask::choice;
use crate::model::Conversation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

choice! {
    /// A format that can be exported.
    ExportFormat {
        /// Weft's own conversation file, as one object: loses nothing.
        Weft = "weft",
        /// The same as JSON Lines: a header, then a node a line.
        WeftJsonl = "weft-jsonl",
        /// Chat Completions messages, a line for each branch.
        OpenAiJsonl = "openai-jsonl",
        /// A transcript for people.
        Markdown = "markdown",
    }
}

/// Writes a conversation.
pub fn export(conversation: &Conversation, format: ExportFormat) -> (Vec<u8>, LossReport) {
    export_all(std::slice::from_ref(conversation), format)
}

/// Writes conversations after each other. Those in Weft's own format and in JSON Lines can be read back together.
pub fn export_all(conversations: &[Conversation], format: ExportFormat) -> (Vec<u8>, LossReport) {
    let mut loss = LossReport::default();
    let mut out = String::new();
    for (n, conversation) in conversations.iter().enumerate() {
        match format {
            // Alone, the object keeps every byte of its arguments; among others it must stay on its line.
            ExportFormat::Weft if conversations.len() == 1 => weft::object(conversation, &mut out),
            ExportFormat::Weft => weft::line(conversation, &mut out),
            ExportFormat::WeftJsonl => weft::lines(conversation, &mut out),
            ExportFormat::OpenAiJsonl => openai::lines(conversation, &mut out, &mut loss),
            ExportFormat::Markdown => {
                out.push_str(if n > 0 { "\n---\n\n" } else { "" });
                markdown::transcript(conversation, &mut out, &mut loss);
            }
        }
        if matches!(format, ExportFormat::Weft | ExportFormat::WeftJsonl) {
            loss.kept("conversation", &conversation.space.id);
            loss.kept_all("entities", conversation.entities.len(), "$.entities");
            loss.kept_all("nodes", conversation.nodes.len(), "$.nodes");
            loss.kept_all("calls", conversation.calls.len(), "$.calls");
        }
    }
    (out.into_bytes(), loss)
}
