//! What each API demands of the steps before rendering, as plain answers.
//!
//! `convert`, `repair`, `fit`, `merge` and `mark` ask here and decide; rendering only writes. Every answer names the
//! provider's rule that it stands for.

use super::Dialect;
use crate::catalogue::Model;
use crate::lint::model::{CLAUDE_NO_PREFILL, version};
use crate::model::{Reasoning, Sampling};
use crate::prompt::{Message, Piece};

/// What stands between texts that a dialect joins into one string: a blank line.
pub const JOINT: &str = "\n\n";

/// Whether two messages of one role may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternation {
    /// User and assistant take turns: neighbours of one role are merged.
    Required,
    /// Any order.
    Free,
}

/// Who may speak first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The first message is the user's.
    User,
    /// Anyone.
    Free,
}

/// Who may speak last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The last message is the user's.
    User,
    /// Anyone: a last assistant message is gone on from.
    Free,
}

/// What becomes of a system message inside the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemMessages {
    /// It keeps its place and its role.
    InPlace,
    /// It becomes a labelled user message.
    AsUser,
}

/// Which reasoning can go back to its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningCarried {
    /// Only with the provider's signature or encrypted content: unsigned or foreign reasoning is an error.
    Signed,
    /// Text is enough.
    Text,
    /// There is no place for it.
    Never,
}

/// What may follow a tool call in the same assistant message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterCall {
    /// Only more calls: what was said later belongs into the next assistant message, after the results.
    CallsOnly,
    /// Anything; the dialect gathers the calls itself or takes parts in any order.
    Anything,
}

impl Dialect {
    /// Anthropic's error list names consecutive messages of one role as a 400, its SDK says that they are combined:
    /// they are merged here. Gemini's own clients alternate strictly. All others take any order.
    pub fn alternation(self) -> Alternation {
        match self {
            Dialect::Anthropic | Dialect::Gemini => Alternation::Required,
            Dialect::OpenAi
            | Dialect::Responses
            | Dialect::Ollama
            | Dialect::Completions
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => Alternation::Free,
        }
    }

    /// Anthropic and Gemini refuse a conversation that begins with the model.
    pub fn opening(self) -> Opening {
        match self.alternation() {
            Alternation::Required => Opening::User,
            Alternation::Free => Opening::Free,
        }
    }

    /// Gemini refuses a conversation that ends with the model, and so do Claude models from 4.6 on.
    pub fn closing(self, model: Option<&Model>) -> Closing {
        let version = model.and_then(|model| version(&model.name, "claude"));
        match self {
            Dialect::Gemini => Closing::User,
            Dialect::Anthropic if version.is_some_and(|version| version >= CLAUDE_NO_PREFILL) => Closing::User,
            Dialect::Anthropic
            | Dialect::OpenAi
            | Dialect::Responses
            | Dialect::Ollama
            | Dialect::Completions
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => Closing::Free,
        }
    }

    /// Chat Completions, Responses and Ollama take `system` anywhere. Anthropic does so only for its newest models and
    /// never first; Gemini has no such role; the AI SDK from version 7 on refuses it unless told otherwise; neutral
    /// messages know two roles, and so do the transcripts.
    pub fn system_messages(self) -> SystemMessages {
        match self {
            Dialect::OpenAi | Dialect::Responses | Dialect::Ollama => SystemMessages::InPlace,
            Dialect::Anthropic | Dialect::Gemini | Dialect::Completions | Dialect::AiSdk | Dialect::Text | Dialect::Messages => {
                SystemMessages::AsUser
            }
        }
    }

    /// Anthropic and Gemini check signatures; Responses with `store: false` resolves only encrypted content. Ollama
    /// takes `thinking` as text. Chat Completions has no field for it.
    pub fn reasoning(self) -> ReasoningCarried {
        match self {
            Dialect::Anthropic | Dialect::Responses | Dialect::Gemini => ReasoningCarried::Signed,
            Dialect::Ollama | Dialect::AiSdk | Dialect::Messages => ReasoningCarried::Text,
            Dialect::OpenAi | Dialect::Completions | Dialect::Text => ReasoningCarried::Never,
        }
    }

    /// Whether this reasoning can be written in this dialect at all; whose it is must be asked besides.
    pub fn accepts_reasoning(self, reasoning: &Reasoning) -> bool {
        let signed = reasoning.signature.as_deref().is_some_and(|signature| !signature.is_empty());
        match self.reasoning() {
            ReasoningCarried::Signed => signed,
            ReasoningCarried::Text => signed || (!reasoning.redacted && !reasoning.text.is_empty()),
            ReasoningCarried::Never => false,
        }
    }

    /// Whether reasoning may be the last of what the model said. Responses wants the item it led to directly after it,
    /// Anthropic no thinking at a message's end: what was cut off while thinking is dropped as a whole.
    pub fn reasoning_may_end(self) -> bool {
        match self {
            Dialect::Responses | Dialect::Anthropic => false,
            Dialect::OpenAi
            | Dialect::Gemini
            | Dialect::Ollama
            | Dialect::Completions
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => true,
        }
    }

    /// Whether `provider`, the first word of a model's name, is one whose signatures and own blocks this dialect carries.
    /// Dialects that are no provider's carry those of any; a name that its owner made up may speak any provider's.
    pub fn speaks_for(self, provider: &str) -> bool {
        let is_made_up = || !["openai", "anthropic", "google", "gemini", "ollama"].contains(&provider);
        match self {
            Dialect::OpenAi | Dialect::Responses => provider == "openai" || is_made_up(),
            Dialect::Anthropic => provider == "anthropic" || is_made_up(),
            Dialect::Gemini => matches!(provider, "google" | "gemini") || is_made_up(),
            Dialect::Ollama => provider == "ollama" || is_made_up(),
            Dialect::AiSdk | Dialect::Messages => true,
            Dialect::Completions | Dialect::Text => false,
        }
    }

    /// Anthropic: `^[a-zA-Z0-9_-]{1,64}$`. OpenAI: at most 64 characters. Others only join by equality.
    pub fn accepts_call_id(self, id: &str) -> bool {
        match self {
            Dialect::Anthropic => plain_word(id, 64),
            Dialect::OpenAi | Dialect::Responses => !id.is_empty() && id.chars().count() <= 64,
            Dialect::Gemini | Dialect::Ollama | Dialect::Completions | Dialect::AiSdk | Dialect::Text | Dialect::Messages => {
                !id.is_empty()
            }
        }
    }

    /// OpenAI: `a-z A-Z 0-9 _ -`, at most 64. Anthropic: the same, at most 128. Gemini: begins with a letter or an
    /// underscore, dots and colons besides, at most 64.
    pub fn accepts_tool_name(self, name: &str) -> bool {
        match self {
            Dialect::OpenAi | Dialect::Responses => plain_word(name, 64),
            Dialect::Anthropic => plain_word(name, 128),
            Dialect::Gemini => {
                name.len() <= 64
                    && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte))
            }
            Dialect::Ollama | Dialect::Completions | Dialect::AiSdk | Dialect::Text | Dialect::Messages => !name.is_empty(),
        }
    }

    /// Anthropic refuses text without a visible character; everyone takes other text.
    pub fn accepts_text(self, text: &str) -> bool {
        match self {
            Dialect::Anthropic => !text.trim().is_empty(),
            Dialect::OpenAi
            | Dialect::Responses
            | Dialect::Gemini
            | Dialect::Ollama
            | Dialect::Completions
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => !text.is_empty(),
        }
    }

    /// Anthropic refuses content after `tool_use` in one message, and Gemini wants the calls of a turn answered before
    /// the model speaks on.
    pub fn after_call(self) -> AfterCall {
        match self {
            Dialect::Anthropic | Dialect::Gemini => AfterCall::CallsOnly,
            Dialect::OpenAi
            | Dialect::Responses
            | Dialect::Ollama
            | Dialect::Completions
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => AfterCall::Anything,
        }
    }

    /// How many cache marks a request may hold, tools and system text included. Only Anthropic has them; the others
    /// cache prefixes by themselves or not at all.
    pub fn cache_marks(self) -> usize {
        match self {
            Dialect::Anthropic => 4,
            Dialect::OpenAi
            | Dialect::Responses
            | Dialect::Gemini
            | Dialect::Ollama
            | Dialect::Completions
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => 0,
        }
    }

    /// Whether a mark on this message would be written: thinking, a provider's own blocks and blank text cannot carry
    /// one, and a mark that is not written must not use up one of the four.
    pub fn can_mark(self, message: &Message<'_>) -> bool {
        self.cache_marks() > 0 && message.pieces.iter().any(cacheable)
    }

    /// The settings a caller gave that this API has no field for, by the names a caller gives them.
    pub fn unsupported_sampling(self, sampling: &Sampling) -> Vec<&'static str> {
        let unknown: &[&'static str] = match self {
            Dialect::OpenAi => &["topK"],
            Dialect::Responses => &["topK", "stop", "seed"],
            Dialect::Anthropic => &["seed"],
            Dialect::AiSdk | Dialect::Text => &["temperature", "topP", "topK", "stop", "seed"],
            Dialect::Gemini | Dialect::Ollama | Dialect::Completions | Dialect::Messages => &[],
        };
        let given = |name: &str| match name {
            "temperature" => sampling.temperature.is_some(),
            "topP" => sampling.top_p.is_some(),
            "topK" => sampling.top_k.is_some(),
            "stop" => !sampling.stop.is_empty(),
            _ => sampling.seed.is_some(),
        };
        unknown.iter().copied().filter(|name| given(name)).collect()
    }
}

/// Whether Anthropic lets a cache mark stand on this piece.
pub(super) fn cacheable(piece: &Piece<'_>) -> bool {
    match piece {
        Piece::Text(text) => Dialect::Anthropic.accepts_text(&text.text),
        Piece::Call(call) => call.native.is_none(),
        Piece::Result(result) => result.native.is_none(),
        Piece::Image(_) | Piece::File(_) => true,
        Piece::Reasoning(_) => false,
    }
}

fn plain_word(word: &str, longest: usize) -> bool {
    !word.is_empty()
        && word.len() <= longest
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
