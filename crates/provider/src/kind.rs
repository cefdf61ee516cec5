//! What a server is: which API it speaks, where it usually stands, which variable holds its key.

use serde::Deserialize;
use weftwork::dialect::Dialect;

/// What a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// OpenAI Chat Completions, and the many servers that speak it.
    OpenAi,
    /// OpenAI Responses.
    Responses,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini generateContent.
    Gemini,
    /// Ollama.
    Ollama,
    /// Plain text completion, for base models.
    Completions,
    /// The model on board.
    Offline,
}

impl Kind {
    /// The word it has in configuration.
    pub fn word(self) -> &'static str {
        match self {
            Kind::OpenAi => "openai",
            Kind::Responses => "responses",
            Kind::Anthropic => "anthropic",
            Kind::Gemini => "gemini",
            Kind::Ollama => "ollama",
            Kind::Completions => "completions",
            Kind::Offline => "offline",
        }
    }

    /// The dialect of its conversations.
    pub fn dialect(self) -> Dialect {
        match self {
            Kind::OpenAi => Dialect::OpenAi,
            Kind::Responses => Dialect::Responses,
            Kind::Anthropic => Dialect::Anthropic,
            Kind::Gemini => Dialect::Gemini,
            Kind::Ollama => Dialect::Ollama,
            Kind::Completions => Dialect::Completions,
            Kind::Offline => Dialect::Messages,
        }
    }

    /// Whether it also continues plain text: the dialect for buffers is then [`Dialect::Completions`].
    pub fn completes_text(self) -> bool {
        match self {
            Kind::OpenAi | Kind::Ollama | Kind::Completions | Kind::Offline => true,
            Kind::Responses | Kind::Anthropic | Kind::Gemini => false,
        }
    }

    /// Whether requests in `dialect` can be sent to it.
    pub fn speaks(self, dialect: Dialect) -> bool {
        dialect == self.dialect() || (dialect == Dialect::Completions && self.completes_text())
    }

    /// Where its own service stands; none where a server must be named.
    pub(crate) fn home(self) -> Option<&'static str> {
        match self {
            Kind::OpenAi | Kind::Responses => Some("https://api.openai.com/v1"),
            Kind::Anthropic => Some("https://api.anthropic.com"),
            Kind::Gemini => Some("https://generativelanguage.googleapis.com/v1beta"),
            Kind::Ollama => Some("http://127.0.0.1:11434"),
            Kind::Completions | Kind::Offline => None,
        }
    }

    /// Environment variables that hold the key of its own service, the first that is set.
    pub(crate) fn key_variables(self) -> &'static [&'static str] {
        match self {
            Kind::OpenAi | Kind::Responses => &["OPENAI_API_KEY"],
            Kind::Anthropic => &["ANTHROPIC_API_KEY"],
            Kind::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Kind::Ollama | Kind::Completions | Kind::Offline => &[],
        }
    }

    /// The first word under which the catalogue on board keeps the models of its own service.
    pub(crate) fn catalogued_as(self) -> Option<&'static str> {
        match self {
            Kind::OpenAi | Kind::Responses => Some("openai"),
            Kind::Anthropic => Some("anthropic"),
            Kind::Gemini => Some("google"),
            Kind::Ollama | Kind::Completions | Kind::Offline => None,
        }
    }
}
