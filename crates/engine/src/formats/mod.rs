//! Formats in and out: any conversation file becomes a [`Conversation`], and nothing vanishes unmentioned.
//!
//! How an importer is written. Its file has two functions:
//!
//! ```text
//! pub(super) fn detect(docs: &[serde_json::Value]) -> bool                             on outlines (see `sketch`)
//! pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError>
//! ```
//!
//! `source.docs` are the JSON documents as `Item`s: one for a JSON file, one a line for JSON Lines, all of
//! an archive's; `source.files` are the other files of a zip archive. An object is read through `item.fields()?`: each
//! field is taken with what becomes of it (`kept`, `mapped`, `dropped`), which writes the loss report, and `end()?`
//! reports the rest. Conversations are built with `Draft`.

mod archive;
mod detect;
mod draft;
mod error;
mod export;
mod facts;
mod fields;
mod item;
mod lenient;
mod listen;
mod loss;
mod media;
mod pairing;
mod path;
mod request;
mod sketch;
mod source;
mod spread;
mod surrogates;
mod tree;

mod ai_sdk;
mod anthropic;
mod aspen;
mod chatgpt;
mod claude;
mod claude_code;
mod codex;
mod deepchat;
mod gemini;
mod librechat;
mod netdata;
mod open_webui;
mod openai;
mod responses;
mod superdesign;
mod weft;

pub use error::{ImportError, Position};
pub use export::{ExportFormat, export, export_all};
pub use listen::{Heard, Listener};
pub use loss::{LossLine, LossReport, Outcome};

use crate::ask::{Check, choice};
use crate::model::Conversation;
use archive::Archive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::{Document, Source};
use std::{cell::RefCell, rc::Rc};

choice! {
    /// A format that can be imported.
    Format {
        /// Weft's own conversation file, as one object or JSON Lines.
        Weft = "weft",
        /// OpenAI Chat Completions: a messages array, a request body, or a message a line.
        OpenAi = "openai",
        /// OpenAI Responses: a request body or its input items.
        Responses = "responses",
        /// Anthropic Messages: a request body or its messages.
        Anthropic = "anthropic",
        /// Gemini generateContent: a request body or its contents.
        Gemini = "gemini",
        /// UI messages and model messages of the AI SDK.
        AiSdk = "ai-sdk",
        /// DeepChat's message records.
        Deepchat = "deepchat",
        /// Superdesign's chat history.
        Superdesign = "superdesign",
        /// Netdata's chat files.
        Netdata = "netdata",
        /// Aspen's trees.
        Aspen = "aspen",
        /// ChatGPT's data export.
        ChatGpt = "chatgpt",
        /// Claude's data export.
        Claude = "claude",
        /// Open WebUI's chat export.
        OpenWebUi = "open-webui",
        /// LibreChat's conversation export.
        LibreChat = "librechat",
        /// Claude Code's session logs.
        ClaudeCode = "claude-code",
        /// Codex's session logs.
        Codex = "codex",
    }
}

/// What came in.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The format it was in.
    pub format: Format,
    /// The conversations, at least one.
    pub conversations: Vec<Conversation>,
    /// What became of everything that was in the source.
    pub loss: LossReport,
}

/// Reads conversations. Without a format it is detected. [`Check::Strict`] makes unknown fields an error; else they are
/// left out and the loss report names them.
pub fn import(bytes: &[u8], format: Option<Format>, check: Check) -> Result<Import, ImportError> {
    if Archive::is_zip(bytes) {
        let archive = Archive::open(bytes)?;
        let documents = archive.documents()?;
        return read(&documents, &archive, format, check);
    }
    let text = source::utf8(bytes)?;
    if text.trim().is_empty() {
        return Err(ImportError::Empty);
    }
    if format.map_or_else(|| weft::looks_like(text), |format| format == Format::Weft) {
        let mut loss = LossReport::default();
        let conversations = weft::import(text, check, &mut loss)?;
        return Ok(Import { format: Format::Weft, conversations, loss });
    }
    let text = match source::check_depth(text) {
        Ok(()) => text.into(),
        Err(error) => librechat::unnest(text).ok_or(error)?.into(),
    };
    read(&[Document { name: None, text }], &Archive::default(), format, check)
}

/// Tells the format of a source from an outline of it; of a list, no more than its first items is read.
pub fn tell(bytes: &[u8]) -> Result<Format, ImportError> {
    let text = source::utf8(bytes)?;
    if weft::looks_like(text) {
        return Ok(Format::Weft);
    }
    if text.starts_with('[') {
        return detect::detect_list(text);
    }
    source::check_depth(text)?;
    let document = Document { name: None, text: text.into() };
    let (docs, _) = source::items(&document, Check::Repair, &Rc::default())?;
    detect::detect(&docs)
}

fn read(documents: &[Document<'_>], files: &Archive<'_>, format: Option<Format>, check: Check) -> Result<Import, ImportError> {
    let loss = Rc::new(RefCell::new(LossReport::default()));
    let (mut docs, mut fault) = (Vec::new(), None);
    for document in documents {
        let (items, broken) = source::items(document, check, &loss)?;
        docs.extend(items);
        fault = fault.or(broken);
    }
    let format = match format {
        Some(format) => format,
        None => detect::detect(&docs)?,
    };
    if let Some(fault) = fault.filter(|_| !matches!(format, Format::ClaudeCode | Format::Codex)) {
        return Err(fault);
    }
    let source = Source { docs, files, loss };
    let conversations = match format {
        Format::Weft => {
            let mut conversations = Vec::new();
            for document in documents {
                conversations.extend(weft::import(&document.text, check, &mut source.loss.borrow_mut())?);
            }
            conversations
        }
        Format::OpenAi => openai::import(&source)?,
        Format::Responses => responses::import(&source)?,
        Format::Anthropic => anthropic::import(&source)?,
        Format::Gemini => gemini::import(&source)?,
        Format::AiSdk => ai_sdk::import(&source)?,
        Format::Deepchat => deepchat::import(&source)?,
        Format::Superdesign => superdesign::import(&source)?,
        Format::Netdata => netdata::import(&source)?,
        Format::Aspen => aspen::import(&source)?,
        Format::ChatGpt => chatgpt::import(&source)?,
        Format::Claude => claude::import(&source)?,
        Format::OpenWebUi => open_webui::import(&source)?,
        Format::LibreChat => librechat::import(&source)?,
        Format::ClaudeCode => claude_code::import(&source)?,
        Format::Codex => codex::import(&source)?,
    };
    let mut loss = source.loss.take();
    files.end(&mut loss);
    if conversations.is_empty() { Err(ImportError::Empty) } else { Ok(Import { format, conversations, loss }) }
}
