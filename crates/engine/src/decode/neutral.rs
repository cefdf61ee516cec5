//! Replies in Weft's own messages and in the AI SDK's: `{"role":"assistant","content":…}`, text or parts.
//!
//! Weft's own may also say how they ended and what they used: `{"stop":"maxTokens","usage":{"input":12,"output":3}}`.

use super::{
    ProviderError, Stop,
    draft::{Draft, Key},
    fault,
    object::Object,
};
use crate::{dialect::Dialect, model::Part, usage};

/// Takes a message; false if it is none.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    let ended = end(object, draft);
    let Some(content) = object.get("content") else { return Ok(ended) };
    if let Some(text) = object.text("content") {
        draft.text(Key::Text, &text);
        return Ok(true);
    }
    for raw in object.items("content") {
        part(raw.get(), draft);
    }
    Ok(content.get().starts_with('['))
}

/// Takes the end mark and the counts; false if the object has neither.
fn end(object: &Object<'_>, draft: &mut Draft) -> bool {
    let stop = object.word("stop");
    if let Some(word) = &stop {
        draft.stop = Some(match word.as_str() {
            "end" => Stop::End,
            "maxTokens" => Stop::MaxTokens,
            "toolCalls" => Stop::ToolCalls,
            "stopText" => Stop::StopText,
            "refused" => Stop::Refused,
            _ => Stop::Other,
        });
        draft.stop_reason.clone_from(&stop);
    }
    let counts = object.json("usage").and_then(|raw| usage::normalise(&raw, Dialect::Messages).map(|usage| (raw, usage)));
    let counted = counts.is_some();
    if let Some((raw, usage)) = counts {
        draft.usage(raw, Some(usage));
    }
    stop.is_some() || counted
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
