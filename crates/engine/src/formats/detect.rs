//! Which format a source is in, told from an outline of its first documents.

use super::item::Item;
use super::sketch::{ITEMS, sketch};
use super::{Format, ImportError};
use super::{
    ai_sdk, anthropic, aspen, chatgpt, claude, claude_code, codex, deepchat, gemini, librechat, netdata, open_webui, openai,
    responses, superdesign, weft,
};
use serde_json::Value;

type Detector = fn(&[Value]) -> bool;

/// From the most telling shapes to the most general: `openai` takes any list of roles and texts, so it comes last.
const ORDER: &[(Format, Detector)] = &[
    (Format::Weft, weft::detect),
    (Format::ChatGpt, chatgpt::detect),
    (Format::Claude, claude::detect),
    (Format::OpenWebUi, open_webui::detect),
    (Format::LibreChat, librechat::detect),
    (Format::ClaudeCode, claude_code::detect),
    (Format::Codex, codex::detect),
    (Format::Deepchat, deepchat::detect),
    (Format::Superdesign, superdesign::detect),
    (Format::Netdata, netdata::detect),
    (Format::Aspen, aspen::detect),
    (Format::Gemini, gemini::detect),
    (Format::Responses, responses::detect),
    (Format::AiSdk, ai_sdk::detect),
    (Format::Anthropic, anthropic::detect),
    (Format::OpenAi, openai::detect),
];

pub(super) fn detect(docs: &[Item<'_>]) -> Result<Format, ImportError> {
    let outlines: Vec<Value> = docs.iter().take(ITEMS).map(|doc| sketch(doc.raw())).collect();
    among(&outlines)
}

/// The format of one document that is a list.
pub(super) fn detect_list(json: &str) -> Result<Format, ImportError> {
    among(&[sketch(json)])
}

fn among(outlines: &[Value]) -> Result<Format, ImportError> {
    let found = ORDER.iter().find(|(_, detector)| detector(outlines));
    found.map(|(format, _)| *format).ok_or(ImportError::UnknownFormat)
}
