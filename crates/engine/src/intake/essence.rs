//! What a message says, whatever else stands in it: the client's message and the one that was rendered from it have one
//! essence.
//!
//! Names, details, citations, cache marks and blocks that nobody here knows are not part of it. A difference in essence means
//! that the engine changed the message; then its own version must stand.

use super::super::line::native::is_own;
use super::model_message::model_message;
use crate::decode::object::{Object, string};
use crate::dialect::{Dialect, JOINT};
use serde_json::value::RawValue;

/// What stands where a tool said nothing.
const NO_OUTPUT: &str = "(no output)";

/// What a message or item says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Essence {
    /// This.
    Known(String),
    /// Nothing that is known here.
    Unknown,
    /// Something that must not be put back as it is.
    Unfit,
}

/// The essence of one element of the conversation.
pub(super) fn essence(dialect: Dialect, raw: &RawValue) -> Essence {
    let Ok(object) = Object::parse(raw.get()) else { return Essence::Unknown };
    match dialect {
        Dialect::OpenAi => chat(&object),
        Dialect::Responses => item(&object, raw),
        Dialect::Anthropic => message(&object),
        Dialect::AiSdk => model_message(&object),
        Dialect::Gemini | Dialect::Ollama | Dialect::Completions | Dialect::Text | Dialect::Messages => Essence::Unknown,
    }
}

/// Whether an element is a system message, and then its text as the engine joins it.
pub(super) fn system_text(raw: &RawValue) -> Option<String> {
    let object = Object::parse(raw.get()).ok()?;
    let role = object.word("role")?;
    matches!(role.as_str(), "system" | "developer").then(|| plain_text(object.get("content")))
}

/// The texts of a content, a line each.
pub(super) fn plain_text(content: Option<&RawValue>) -> String {
    let Some(raw) = content else { return String::new() };
    if let Some(text) = string(raw) {
        return text;
    }
    let parts: Vec<Object<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
    parts.iter().filter_map(|part| part.text("text")).collect::<Vec<_>>().join("\n")
}

/// What pieces of a message say, in order.
#[derive(Default)]
pub(super) struct Pieces {
    said: Vec<String>,
    /// Whether texts beside each other are written as one.
    joins: bool,
    pub(super) open: bool,
    pub(super) unfit: bool,
}

impl Pieces {
    pub(super) fn joining() -> Self {
        Pieces { joins: true, ..Pieces::default() }
    }

    pub(super) fn text(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match self.said.last_mut() {
            Some(last) if self.joins && self.open => {
                last.push_str(JOINT);
                last.push_str(text);
            }
            _ => self.said.push(format!("text {text}")),
        }
        self.open = true;
    }

    pub(super) fn other(&mut self, what: &str, value: &str) {
        self.said.push(format!("{what} {value}"));
        self.open = false;
    }

    pub(super) fn media(&mut self, address: &str) {
        let data = address.split_once(";base64,").map_or(address, |(_, data)| data);
        self.other("media", data);
    }

    pub(super) fn essence(self, role: &str) -> Essence {
        if self.unfit {
            Essence::Unfit
        } else if self.said.is_empty() {
            Essence::Unknown
        } else {
            Essence::Known(format!("{role}\u{0}{}", self.said.join("\u{0}")))
        }
    }
}

pub(super) fn role(object: &Object<'_>) -> String {
    match object.word("role").unwrap_or_default().as_str() {
        "developer" => "system".to_owned(),
        "function" => "tool".to_owned(),
        role => role.to_owned(),
    }
}

fn chat(object: &Object<'_>) -> Essence {
    let mut pieces = Pieces::joining();
    openai_content(object.get("content"), &mut pieces);
    object.word("refusal").into_iter().for_each(|text| pieces.text(&text));
    for call in object.objects("tool_calls") {
        match call.object("function") {
            Some(function) => pieces.call(&call.word("id"), &function.word("name"), function.text("arguments").as_deref()),
            None => pieces.unfit = true,
        }
    }
    if object.get("function_call").is_some() {
        pieces.unfit = true;
    }
    let role = role(object);
    if role == "tool" {
        return result(pieces, &object.word("tool_call_id").unwrap_or_default());
    }
    pieces.essence(&role)
}

impl Pieces {
    /// A call is known by its id and name. Arguments that are no object were mended, so the client's may not stand.
    pub(super) fn call(&mut self, id: &Option<String>, name: &Option<String>, args: Option<&str>) {
        let sound = args.is_none_or(|args| {
            args.trim().is_empty() || (args.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(args).is_ok())
        });
        self.unfit |= !sound;
        self.other("call", &format!("{} {}", id.as_deref().unwrap_or_default(), name.as_deref().unwrap_or_default()));
    }
}

pub(super) fn result(mut pieces: Pieces, id: &str) -> Essence {
    if pieces.said.is_empty() {
        pieces.text(NO_OUTPUT);
    }
    pieces.essence(&format!("result {id}"))
}

/// A string or parts, in OpenAI's two APIs.
fn openai_content(content: Option<&RawValue>, pieces: &mut Pieces) {
    let Some(raw) = content else { return };
    if let Some(text) = string(raw) {
        return pieces.text(&text);
    }
    let parts: Vec<Object<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
    for part in &parts {
        match part.word("type").unwrap_or_default().as_str() {
            "text" | "input_text" | "output_text" => pieces.text(&part.text("text").unwrap_or_default()),
            "refusal" => pieces.text(&part.text("refusal").unwrap_or_default()),
            "image_url" => {
                let url = part.object("image_url").and_then(|image| image.text("url")).or_else(|| part.text("image_url"));
                url.into_iter().for_each(|url| pieces.media(&url));
            }
            "input_image" => part.text("image_url").into_iter().for_each(|url| pieces.media(&url)),
            "input_audio" => {
                let audio = part.object("input_audio").and_then(|audio| audio.text("data"));
                audio.into_iter().for_each(|data| pieces.media(&data));
            }
            "file" => part.object("file").iter().for_each(|file| openai_file(file, pieces)),
            "input_file" => openai_file(part, pieces),
            _ => {}
        }
    }
}

fn openai_file(file: &Object<'_>, pieces: &mut Pieces) {
    let address = file.text("file_data").or_else(|| file.text("file_url"));
    address.into_iter().for_each(|address| pieces.media(&address));
}

fn item(object: &Object<'_>, raw: &RawValue) -> Essence {
    let mut pieces = Pieces::default();
    let id = || object.word("call_id");
    match object.word("type").unwrap_or_else(|| "message".to_owned()).as_str() {
        "message" => {
            openai_content(object.get("content"), &mut pieces);
            pieces.essence(&role(object))
        }
        "reasoning" => match object.word("encrypted_content") {
            Some(encrypted) => Essence::Known(format!("reasoning {encrypted}")),
            None => Essence::Unknown,
        },
        "function_call" => {
            pieces.call(&id(), &object.word("name"), object.text("arguments").as_deref());
            pieces.essence("assistant")
        }
        // Its input is free text, which the engine can only wrap: the client's own form is the right one.
        "custom_tool_call" => {
            pieces.call(&id(), &object.word("name"), None);
            pieces.essence("assistant")
        }
        "function_call_output" | "custom_tool_call_output" => {
            pieces.joins = true;
            openai_content(object.get("output"), &mut pieces);
            result(pieces, &id().unwrap_or_default())
        }
        kind if is_own(Dialect::Responses, raw.get()) => {
            Essence::Known(format!("{kind} {}", object.word("id").unwrap_or_default()))
        }
        _ => Essence::Unknown,
    }
}

fn message(object: &Object<'_>) -> Essence {
    let mut pieces = Pieces::default();
    blocks(object.get("content"), &mut pieces);
    pieces.essence(&role(object))
}

/// A string or blocks of Anthropic's.
fn blocks(content: Option<&RawValue>, pieces: &mut Pieces) {
    let Some(raw) = content else { return };
    if let Some(text) = string(raw) {
        return pieces.text(&text);
    }
    let blocks: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    for raw in blocks {
        if let Ok(block) = Object::parse(raw.get()) {
            self::block(&block, raw, pieces);
        }
    }
}

fn block(block: &Object<'_>, raw: &RawValue, pieces: &mut Pieces) {
    pieces.open = false;
    match block.word("type").unwrap_or_default().as_str() {
        "text" => pieces.text(&block.text("text").unwrap_or_default()),
        "image" | "document" => block.object("source").iter().for_each(|source| media(source, pieces)),
        "search_result" => pieces.text(&search_result(block)),
        "thinking" => match block.word("signature") {
            Some(signature) => pieces.other("thinking", &signature),
            None => pieces.unfit = true,
        },
        "redacted_thinking" => pieces.other("thinking", &block.text("data").unwrap_or_default()),
        "tool_use" => pieces.call(&block.word("id"), &block.word("name"), block.get("input").map(RawValue::get)),
        "tool_result" => {
            let mut inner = Pieces::default();
            blocks(block.get("content"), &mut inner);
            let id = block.word("tool_use_id").unwrap_or_default();
            if let Essence::Known(said) = result(inner, &id) {
                pieces.other(if block.is_true("is_error") { "failed" } else { "answered" }, &said);
            }
        }
        kind if is_own(Dialect::Anthropic, raw.get()) => {
            let id = block.word("id").or_else(|| block.word("tool_use_id")).unwrap_or_default();
            pieces.other(kind, &id);
        }
        _ => {}
    }
}

fn media(source: &Object<'_>, pieces: &mut Pieces) {
    let address = source.text("data").or_else(|| source.text("url"));
    address.into_iter().for_each(|address| pieces.media(&address));
}

/// As the importer writes it.
fn search_result(block: &Object<'_>) -> String {
    let head = [block.text("title"), block.text("source")].into_iter().flatten();
    let texts = block.objects("content").into_iter().filter_map(|piece| piece.text("text")).collect::<Vec<_>>();
    head.chain(texts).collect::<Vec<_>>().join("\n")
}
