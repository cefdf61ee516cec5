//! Replies in Weft's own messages and in the AI SDK's: `{"role":"assistant","content":…}`, text or parts.

use super::{
    ProviderError,
    draft::{Draft, Key},
    fault,
    object::Object,
};
use crate::model::Part;

/// Takes a message; false if it is none.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    let Some(content) = object.get("content") else { return Ok(false) };
    if let Some(text) = object.text("content") {
        draft.text(Key::Text, &text);
        return Ok(true);
    }
    for raw in object.items("content") {
        part(raw.get(), draft);
    }
    Ok(content.get().starts_with('['))
}

fn part(raw: &str, draft: &mut Draft) {
    let Ok(part) = Object::parse(raw) else { return };
    let kind = part.word("type").unwrap_or_default();
    match kind.as_str() {
        "text" => draft.text_run(&part.text("text").unwrap_or_default(), part.word("signature")),
        "tool-call" => {
            let input = part.get("input").or_else(|| part.get("args")).map_or("{}", |raw| raw.get());
            call(&part, "toolCallId", "toolName", input, draft);
        }
        "toolCall" if part.get("native").is_none() => {
            let args = part.get("args").map_or("{}", |raw| raw.get());
            call(&part, "id", "name", args, draft);
        }
        _ => match serde_json::from_str::<Part>(raw) {
            Ok(Part::Reasoning(reasoning)) if reasoning.id.is_none() && !reasoning.redacted => {
                draft.reasoning_run(&reasoning.text, reasoning.signature);
            }
            Ok(part) => draft.part(part),
            Err(_) => draft.ignore(&kind),
        },
    }
}

fn call(part: &Object<'_>, id: &str, name: &str, args: &str, draft: &mut Draft) {
    let at = draft.new_call(None);
    draft.name_call(at, &part.word(id).unwrap_or_default(), &part.word(name).unwrap_or_default());
    draft.sign_call(at, part.word("signature"));
    draft.whole_args(at, args);
    draft.close_call(at);
}
