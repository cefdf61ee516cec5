//! The neutral request: what stands between nodes and wire JSON.
//!
//! Made by `convert`, mended by `repair`, cut by `fit`, joined by `merge`, marked by `mark` and read by a dialect's
//! `render`. It borrows from the history: no text is copied on its way to the wire.

mod pieces;

pub use pieces::Pieces;

use crate::catalogue::Model;
use crate::model::{File, Image, Reasoning, Sampling, Tool};
use std::borrow::Cow;

/// A whole request, before it is written in a dialect.
#[derive(Clone, Debug)]
pub struct Prompt<'h> {
    /// System text in named blocks. Their texts follow each other with nothing between: separators are inside.
    pub system: Vec<Block<'h>>,
    /// The conversation.
    pub messages: Vec<Message<'h>>,
    /// Tools the model may call.
    pub tools: Vec<&'h Tool>,
    /// Whether a cache mark stands after the tools.
    pub tools_mark: bool,
    /// Passed through.
    pub sampling: &'h Sampling,
    /// The model, if known.
    pub model: Option<&'h Model>,
    /// Tokens the reply may have.
    pub max_tokens: MaxTokens,
    /// Tokens of the window, for servers that must be told.
    pub context_length: u64,
}

/// Tokens the reply may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxTokens {
    /// The caller said so: every dialect sends it.
    Asked(u64),
    /// Only kept free: sent where the API cannot do without.
    Reserved(u64),
}

impl MaxTokens {
    /// The number.
    pub fn tokens(self) -> u64 {
        match self {
            MaxTokens::Asked(n) | MaxTokens::Reserved(n) => n,
        }
    }

    /// The number, if the caller gave one.
    pub fn asked(self) -> Option<u64> {
        match self {
            MaxTokens::Asked(n) => Some(n),
            MaxTokens::Reserved(_) => None,
        }
    }
}

impl Prompt<'_> {
    /// The system text as one string.
    pub fn system_text(&self) -> String {
        self.system.iter().map(|block| &*block.text).collect()
    }
}

/// A named block of system text.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'h> {
    /// What it is.
    pub section: Section,
    /// The text, with the separator to what stands before it.
    pub text: Cow<'h, str>,
    /// Whether it will be the same next time.
    pub stability: Stability,
    /// Whether a cache mark stands after it.
    pub mark: bool,
}

/// Whether a block of system text will be the same next time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stability {
    /// The same until somebody edits it, or only appended to.
    Stable,
    /// Different on each call.
    Volatile,
}

/// The named blocks of system text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Agent prompt, space context, instruction sources, leading system messages.
    Prompt,
    /// A summary of what is no longer sent.
    Summary,
    /// Addendum for loom-aware agents.
    Addendum,
    /// Who the agent is.
    Identity,
    /// Why it runs.
    Trigger,
    /// Where it is.
    ActiveSpace,
    /// What was said.
    History,
    /// Where it is a member.
    Spaces,
    /// What it is after.
    Goals,
    /// What it remembers.
    Memories,
    /// What it will do.
    Plans,
    /// What it is doing.
    Runs,
    /// How to behave.
    Instructions,
    /// The time, when it stands apart.
    Time,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message<'h> {
    /// Who speaks, as the model sees it.
    pub role: Role,
    /// What is said, in order.
    pub pieces: Pieces<'h>,
    /// Whether a cache mark stands after it.
    pub mark: bool,
}

/// Who speaks, as the model sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everyone else.
    User,
    /// The model itself.
    Assistant,
    /// An imported system message inside the conversation; only in dialects whose rules allow it.
    System,
}

/// One piece of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece<'h> {
    /// Text.
    Text(TextPiece<'h>),
    /// Thinking, to be sent back verbatim.
    Reasoning(&'h Reasoning),
    /// A tool call, in an assistant message.
    Call(CallPiece<'h>),
    /// A tool result, in the user message right after its call's.
    Result(ResultPiece<'h>),
    /// A picture.
    Image(&'h Image),
    /// A file.
    File(&'h File),
}

/// Text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextPiece<'h> {
    /// The text; never empty.
    pub text: Cow<'h, str>,
    /// Opaque data that must come back with it.
    pub signature: Option<&'h str>,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallPiece<'h> {
    /// Joins it to its result; valid for the dialect.
    pub id: Cow<'h, str>,
    /// The tool; valid for the dialect.
    pub name: Cow<'h, str>,
    /// A JSON object, as text.
    pub args: Cow<'h, str>,
    /// Opaque data that must come back with it.
    pub signature: Option<&'h str>,
    /// The provider's own block, if the provider ran the tool.
    pub native: Option<&'h str>,
}

/// A tool result.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultPiece<'h> {
    /// The id of its call.
    pub id: Cow<'h, str>,
    /// The tool's name.
    pub name: Cow<'h, str>,
    /// Text and pictures, at least one.
    pub content: Vec<Piece<'h>>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// The provider's own block, if the provider ran the tool.
    pub native: Option<&'h str>,
}

impl<'h> Piece<'h> {
    /// A text piece.
    pub fn text(text: impl Into<Cow<'h, str>>) -> Self {
        Piece::Text(TextPiece { text: text.into(), signature: None })
    }
}
