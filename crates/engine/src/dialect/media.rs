//! Pictures and files: where each API takes them, in which form, and how much of them.
//!
//! Rendering asks the same functions as the steps before it: what is not accepted is written as a line of text that
//! names it, never as a part the API would refuse.

use super::Dialect;
use crate::catalogue::Model;
use crate::model::{File, Image, Media};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Where a picture or file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In what others say.
    User,
    /// In what the model said.
    Assistant,
    /// In what a tool answered.
    Result,
}

/// How much a request may hold besides tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole body.
    pub bytes: Option<u64>,
    /// Pictures.
    pub images: Option<u32>,
    /// Pixels of a picture's longer side.
    pub edge: Option<u32>,
    /// Above how many pictures each of them must be smaller, and then its longer side.
    pub many_images: Option<(u32, u32)>,
    /// Messages.
    pub messages: Option<u32>,
}

impl Dialect {
    /// The provider's limits for `model`.
    ///
    /// Anthropic: 32 MB, 100,000 messages, 100 pictures for models with a window of 200,000 tokens and 600 for larger
    /// ones, 8,000 pixels, 2,000 above 20 pictures. OpenAI: 50 MB and 500 pictures (later pages name more, the smaller
    /// limit is the one enforced). Gemini: 100 MB with inline data and 3,600 pictures. Others state none.
    pub fn limits(self, model: Option<&Model>) -> Limits {
        match self {
            Dialect::Anthropic => Limits {
                bytes: Some(32_000_000),
                images: Some(if model.and_then(|model| model.context_length).is_some_and(|window| window > 200_000) {
                    600
                } else {
                    100
                }),
                edge: Some(8_000),
                many_images: Some((20, 2_000)),
                messages: Some(100_000),
            },
            Dialect::OpenAi | Dialect::Responses => Limits { bytes: Some(50_000_000), images: Some(500), ..Limits::default() },
            Dialect::Gemini => Limits { bytes: Some(100_000_000), images: Some(3_600), ..Limits::default() },
            Dialect::Ollama | Dialect::Completions | Dialect::AiSdk | Dialect::Text | Dialect::Messages => Limits::default(),
        }
    }

    /// Whether a picture may stand there in the form it has.
    ///
    /// Chat Completions: user messages only, tool messages are text. Responses and Anthropic: tool results too. Ollama:
    /// base64 only. Gemini: anywhere. Plain text: nowhere.
    pub fn accepts_image(self, place: Place, image: &Image) -> bool {
        match self {
            Dialect::OpenAi => place == Place::User,
            Dialect::Responses => place != Place::Assistant,
            Dialect::Anthropic => place != Place::Assistant && anthropic_picture(image),
            Dialect::Ollama => place == Place::User && matches!(image.media, Media::Data(_)),
            Dialect::AiSdk => place != Place::Assistant,
            Dialect::Gemini | Dialect::Messages => true,
            Dialect::Completions | Dialect::Text => false,
        }
    }

    /// Whether a file may stand there in the form it has.
    ///
    /// Chat Completions: inline, in user messages. Responses: inline or by address, in tool results too. Anthropic: PDF,
    /// and plain text on board. Ollama and plain text: none.
    pub fn accepts_file(self, place: Place, file: &File) -> bool {
        match self {
            Dialect::OpenAi => place == Place::User && matches!(file.media, Media::Data(_)),
            Dialect::Responses => place != Place::Assistant,
            Dialect::Anthropic => {
                place != Place::Assistant && (file.media_type == "application/pdf" || plain_text(file).is_some())
            }
            Dialect::Gemini | Dialect::AiSdk | Dialect::Messages => true,
            Dialect::Ollama | Dialect::Completions | Dialect::Text => false,
        }
    }
}

/// Anthropic takes four kinds of picture; of one elsewhere it looks itself.
fn anthropic_picture(image: &Image) -> bool {
    matches!(image.media, Media::Url(_))
        || matches!(image.media_type.as_str(), "image/jpeg" | "image/png" | "image/gif" | "image/webp")
}

/// The text of a plain text file on board.
pub(super) fn plain_text(file: &File) -> Option<String> {
    match &file.media {
        Media::Data(data) if file.media_type == "text/plain" => String::from_utf8(STANDARD.decode(data).ok()?).ok(),
        Media::Data(_) | Media::Url(_) => None,
    }
}

/// What stands for a picture that cannot be sent.
pub(crate) fn image_note(image: &Image) -> String {
    match &image.media {
        Media::Data(_) => format!("[image: {}]", image.media_type),
        Media::Url(url) => format!("[image: {url}]"),
    }
}

/// What stands for a file that cannot be sent.
pub(crate) fn file_note(file: &File) -> String {
    match &file.media {
        Media::Data(_) => format!("[file: {} ({})]", file.name, file.media_type),
        Media::Url(url) => format!("[file: {} ({url})]", file.name),
    }
}
