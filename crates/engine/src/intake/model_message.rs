//! What a model message of the AI SDK says.

use super::essence::{Essence, Pieces, result, role};
use crate::decode::object::{Object, string};
use serde_json::value::RawValue;

/// The essence of a model message. Options of providers are not part of it.
pub(super) fn model_message(object: &Object<'_>) -> Essence {
    let mut pieces = Pieces::default();
    let Some(raw) = object.get("content") else { return Essence::Unknown };
    match string(raw) {
        Some(text) => pieces.text(&text),
        None => object.objects("content").iter().for_each(|part| piece(part, &mut pieces)),
    }
    pieces.essence(&role(object))
}

fn piece(part: &Object<'_>, pieces: &mut Pieces) {
    pieces.open = false;
    match part.word("type").unwrap_or_default().as_str() {
        "text" => pieces.text(&part.text("text").unwrap_or_default()),
        "image" => pieces.media(&part.text("image").unwrap_or_default()),
        "file" => pieces.media(&part.text("data").unwrap_or_default()),
        // Unsigned thinking is never sent back, and does no harm.
        "reasoning" if part.get("providerOptions").is_some() => {
            pieces.other("thinking", &part.text("text").unwrap_or_default());
        }
        "tool-call" => pieces.call(&part.word("toolCallId"), &part.word("toolName"), part.get("input").map(RawValue::get)),
        "tool-result" => answer(part, pieces),
        _ => {}
    }
}

fn answer(part: &Object<'_>, pieces: &mut Pieces) {
    let mut inner = Pieces::joining();
    let output = part.object("output");
    let kind = output.as_ref().and_then(|output| output.word("type")).unwrap_or_default();
    match output.as_ref().and_then(|output| output.get("value")) {
        Some(raw) if kind == "content" => {
            let parts: Vec<Object<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
            parts.iter().for_each(|part| inside(part, &mut inner));
        }
        // JSON is sent as its text.
        Some(raw) => inner.text(&string(raw).unwrap_or_else(|| raw.get().to_owned())),
        None => {}
    }
    if let Essence::Known(said) = result(inner, &part.word("toolCallId").unwrap_or_default()) {
        pieces.other(if kind.starts_with("error") { "failed" } else { "answered" }, &said);
    }
}

fn inside(part: &Object<'_>, pieces: &mut Pieces) {
    match part.text("text") {
        Some(text) => pieces.text(&text),
        None => ["data", "url"].iter().filter_map(|key| part.text(key)).for_each(|address| pieces.media(&address)),
    }
}
