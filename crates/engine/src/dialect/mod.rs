//! Wire formats: each renders a [`Prompt`], and knows the rules that the steps before it must keep.
//!
//! A wire type never leaves its file here.

use crate::ask::choice;
use crate::prompt::Prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

choice! {
    /// A wire format.
    Dialect {
        /// OpenAI Chat Completions and the many servers that speak it.
        OpenAi = "openai",
        /// OpenAI Responses.
        Responses = "responses",
        /// Anthropic Messages.
        Anthropic = "anthropic",
        /// Gemini generateContent.
        Gemini = "gemini",
        /// Ollama's chat.
        Ollama = "ollama",
        /// Plain text completion, for base models and buffers.
        Completions = "completions",
        /// Model messages of the AI SDK.
        AiSdk = "ai-sdk",
        /// Plain text for a person.
        Text = "text",
        /// Weft's own neutral messages.
        Messages = "messages",
    }
}

/// Writes the request body. The same prompt gives the same bytes.
pub fn render(prompt: &Prompt<'_>, dialect: Dialect) -> Vec<u8> {
    let _ = (prompt, dialect);
    Vec::new()
}
