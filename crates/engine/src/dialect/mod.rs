//! Wire formats: each renders a [`Prompt`], and knows the rules that the steps before it must keep.
//!
//! A wire type never leaves its file here. Rendering is total: it never fails and never panics, and it writes what
//! stands in the prompt, in its order. Whether that is valid for the API is decided before, with the answers of
//! [`Dialect`]'s functions. All bodies hold tools before system text before messages before settings, the order in
//! which the providers hash a prefix, so that "the first byte that changed" means the same everywhere.

mod ai_sdk;
mod anthropic;
mod completions;
mod gemini;
pub(crate) mod json;
pub(crate) mod media;
mod messages;
mod ollama;
mod openai;
mod pieces;
mod responses;
mod rules;
mod transcript;

pub use media::{Limits, Place};
pub use rules::{AfterCall, Alternation, Closing, JOINT, Opening, ReasoningCarried, SystemMessages};

use crate::ask::choice;
use crate::prompt::Prompt;
use json::Writer;
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
    let prompt = pieces::settle(prompt);
    let body: fn(&mut Writer, &Prompt<'_>) = match dialect {
        Dialect::OpenAi => openai::body,
        Dialect::Responses => responses::body,
        Dialect::Anthropic => anthropic::body,
        Dialect::Gemini => gemini::body,
        Dialect::Ollama => ollama::body,
        Dialect::Completions => completions::body,
        Dialect::AiSdk => ai_sdk::body,
        Dialect::Messages => messages::body,
        Dialect::Text => return transcript::for_a_person(&prompt).into_bytes(),
    };
    let mut w = Writer::with_capacity(pieces::size_hint(&prompt));
    w.object(|w| body(w, &prompt));
    w.finish()
}

/// The same request, asking for a stream. Everything before the last brace stays byte for byte, so caches still hold.
///
/// Gemini streams at another address and Ollama streams by itself: their bodies stay as they are, and so do those that
/// are not sent to an API. Chat Completions reports usage in a stream only when asked to.
pub fn streamed(mut body: Vec<u8>, dialect: Dialect) -> Vec<u8> {
    let members: &[u8] = match dialect {
        Dialect::OpenAi | Dialect::Completions => br#","stream":true,"stream_options":{"include_usage":true}}"#,
        Dialect::Responses | Dialect::Anthropic => br#","stream":true}"#,
        Dialect::Gemini | Dialect::Ollama | Dialect::AiSdk | Dialect::Text | Dialect::Messages => return body,
    };
    if body.pop_if(|last| *last == b'}').is_some() {
        body.extend_from_slice(members);
    }
    body
}
