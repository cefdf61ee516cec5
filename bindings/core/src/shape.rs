//! Shapes: whose messages a caller has.
//!
//! Told from words that only one API writes, wherever they stand in the list: sixteen plain messages say nothing about the
//! seventeenth. Plain messages alone look the same in every API and are read as OpenAI's.

use crate::Fault;
use serde::Deserialize;
use serde::de::IgnoredAny;
use weftwork::dialect::Dialect;
use weftwork::formats::{self, Format};

/// Whose messages a caller has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// OpenAI Chat Completions.
    OpenAi,
    /// Items of OpenAI Responses.
    Responses,
    /// Anthropic Messages.
    Anthropic,
    /// Model messages of the AI SDK.
    AiSdk,
}

/// What only one API writes as a type. Texts cannot forge it: a quote inside a string is escaped.
const TELLTALES: &[(&str, Shape)] = &[
    ("function\"", Shape::OpenAi),
    ("image_url\"", Shape::OpenAi),
    ("tool_use\"", Shape::Anthropic),
    ("tool_result\"", Shape::Anthropic),
    ("thinking\"", Shape::Anthropic),
    ("redacted_thinking\"", Shape::Anthropic),
    ("tool-call\"", Shape::AiSdk),
    ("tool-result\"", Shape::AiSdk),
    ("function_call\"", Shape::Responses),
    ("function_call_output\"", Shape::Responses),
];

/// The shape that the first telling type means.
fn first_telling(messages: &str) -> Option<Shape> {
    let values = messages.match_indices(r#""type":"#).map(|(at, key)| messages[at + key.len()..].trim_start());
    let kinds = values.filter_map(|value| value.strip_prefix('"'));
    kinds.filter_map(|kind| TELLTALES.iter().find(|(word, _)| kind.starts_with(word))).map(|(_, shape)| *shape).next()
}

impl Shape {
    /// The word a caller writes for it.
    pub fn word(self) -> &'static str {
        self.dialect().word()
    }

    /// The shape with this word.
    pub fn named(word: &str) -> Result<Shape, Fault> {
        let all = [Shape::OpenAi, Shape::Responses, Shape::Anthropic, Shape::AiSdk];
        let found = all.into_iter().find(|shape| shape.word() == word);
        found.ok_or_else(|| Fault::option(format!("shape {word:?} is none of: openai, responses, anthropic, ai-sdk")))
    }

    /// The shape of a JSON list of messages; none if it could be any, or is none of these.
    pub(crate) fn tell(messages: &str) -> Option<Shape> {
        match formats::tell(messages.as_bytes()) {
            Ok(Format::Anthropic) => Some(Shape::Anthropic),
            Ok(Format::AiSdk) => Some(Shape::AiSdk),
            Ok(Format::Responses) => Some(Shape::Responses),
            // What the first messages do not tell, later ones may.
            Ok(Format::OpenAi) => first_telling(messages),
            Ok(_) | Err(_) => None,
        }
    }

    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Shape::OpenAi => Dialect::OpenAi,
            Shape::Responses => Dialect::Responses,
            Shape::Anthropic => Dialect::Anthropic,
            Shape::AiSdk => Dialect::AiSdk,
        }
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Shape::OpenAi => Format::OpenAi,
            Shape::Responses => Format::Responses,
            Shape::Anthropic => Format::Anthropic,
            Shape::AiSdk => Format::AiSdk,
        }
    }

    /// The field of a request that holds the messages.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Shape::OpenAi | Shape::Anthropic | Shape::AiSdk => "messages",
            Shape::Responses => "input",
        }
    }

    /// A provider who would have written such replies, where nobody is named.
    pub(crate) fn provider(self) -> &'static str {
        match self {
            Shape::OpenAi | Shape::Responses | Shape::AiSdk => "openai",
            Shape::Anthropic => "anthropic",
        }
    }
}

/// Whether a message is one of those that apps of the AI SDK store, and not one that is sent to a model.
pub(crate) fn is_ui(message: &str) -> bool {
    #[derive(Deserialize)]
    struct Keys {
        parts: Option<IgnoredAny>,
    }
    serde_json::from_str::<Keys>(message).is_ok_and(|keys| keys.parts.is_some())
}
