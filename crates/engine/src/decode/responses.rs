//! OpenAI Responses: events of a stream, and whole responses, which are the same items done at once.
//!
//! The live text comes from the deltas, the truth from `output_item.done`: before it a reasoning item has no id and no
//! encrypted content, because those of `output_item.added` may be incomplete and would be refused when sent back.

use super::{
    ProviderError, Stop,
    draft::{Draft, Key},
    fault,
    object::{Object, sound},
};
use crate::{dialect::Dialect, usage};
use serde_json::value::RawValue;

/// Takes an event or a body; false if it is neither.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    let kind = object.word("type").unwrap_or_default();
    if kind == "error" {
        return Err(fault::error_of(object).unwrap_or_else(unexplained));
    }
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    if object.word("object").as_deref() == Some("response") {
        return response(object, draft).map(|()| true);
    }
    match kind.as_str() {
        "response.created" | "response.in_progress" | "response.queued" => {
            object.object("response").iter().for_each(|r| head(r, draft));
        }
        "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
            object.object("response").map_or(Ok(()), |end| response(&end, draft))?;
            draft.done = true;
        }
        "response.output_item.added" => object.get("item").into_iter().for_each(|raw| begin(object, raw, draft)),
        "response.output_item.done" => object.get("item").into_iter().for_each(|raw| item(output_index(object), raw, draft)),
        _ => return Ok(delta(&kind, object, draft)),
    }
    Ok(true)
}

fn unexplained() -> ProviderError {
    let message = "an error event without a message".to_owned();
    ProviderError { kind: super::ErrorKind::Other, status: None, name: None, code: None, message }
}

fn output_index(object: &Object<'_>) -> u64 {
    object.number("output_index").unwrap_or(0)
}

fn delta(kind: &str, event: &Object<'_>, draft: &mut Draft) -> bool {
    let output = output_index(event);
    let piece = event.text("delta").unwrap_or_default();
    let key = Key::Block(output);
    match kind {
        "response.output_text.delta" => draft.text(content_key(output, event), &piece),
        "response.refusal.delta" => {
            draft.refused = true;
            draft.text(content_key(output, event), &piece);
        }
        "response.reasoning_summary_part.added" if event.number("summary_index").unwrap_or(0) > 0 => draft.reasoning(key, "\n\n"),
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => draft.reasoning(key, &piece),
        "response.function_call_arguments.delta" => draft.find(key).into_iter().for_each(|at| draft.args(at, &piece)),
        "response.function_call_arguments.done" => {
            if let (Some(at), Some(whole)) = (draft.find(key), event.text("arguments")) {
                draft.whole_args(at, &whole);
            }
        }
        _ => return false,
    }
    true
}

fn content_key(output: u64, event: &Object<'_>) -> Key {
    Key::Piece(output, event.number("content_index").unwrap_or(0))
}

fn head(response: &Object<'_>, draft: &mut Draft) {
    draft.id = draft.id.take().or_else(|| response.word("id"));
    draft.seed.clone_from(&draft.id);
    draft.model = response.word("model").or(draft.model.take());
}

/// A whole response: the body, or what the last event of a stream holds.
fn response(response: &Object<'_>, draft: &mut Draft) -> Result<(), ProviderError> {
    if let Some(error) = fault::error_in(response) {
        return Err(error);
    }
    head(response, draft);
    for (index, raw) in (0..).zip(response.items("output")) {
        item(index, raw, draft);
    }
    if let Some(raw) = response.json("usage") {
        let usage = usage::normalise(&raw, Dialect::Responses);
        draft.usage(raw, usage);
    }
    let reason = response.object("incomplete_details").and_then(|details| details.word("reason"));
    let status = response.word("status");
    draft.stop = match (status.as_deref(), reason.as_deref()) {
        (Some("completed"), _) => Some(Stop::End),
        (Some("incomplete"), Some("max_output_tokens")) => Some(Stop::MaxTokens),
        (Some("incomplete"), Some("content_filter")) => Some(Stop::Refused),
        (Some("incomplete" | "failed"), _) => Some(Stop::Other),
        (Some(_), _) => Some(Stop::Cut),
        (None, _) => None,
    };
    draft.stop_reason = reason.or(status);
    Ok(())
}

/// An item begins: only what a reader may see at once.
fn begin(event: &Object<'_>, raw: &RawValue, draft: &mut Draft) {
    let Ok(item) = Object::parse(raw.get()) else { return };
    let key = Key::Block(output_index(event));
    match item.word("type").unwrap_or_default().as_str() {
        "reasoning" => draft.reasoning(key, ""),
        "function_call" => {
            let at = draft.find(key).unwrap_or_else(|| draft.new_call(Some(key)));
            draft.name_call(at, &item.word("call_id").unwrap_or_default(), &item.word("name").unwrap_or_default());
        }
        _ => {}
    }
}

/// An item is done. Saying it twice changes nothing.
fn item(index: u64, raw: &RawValue, draft: &mut Draft) {
    let Ok(item) = Object::parse(raw.get()) else { return };
    let key = Key::Block(index);
    match item.word("type").unwrap_or_default().as_str() {
        "message" => {
            for (at, content) in (0..).zip(item.objects("content")) {
                content_part(Key::Piece(index, at), &content, draft);
            }
        }
        "reasoning" => reasoning(key, &item, draft),
        "function_call" => {
            let at = draft.find(key).unwrap_or_else(|| draft.new_call(Some(key)));
            draft.name_call(at, &item.word("call_id").unwrap_or_default(), &item.word("name").unwrap_or_default());
            draft.whole_args(at, &item.text("arguments").unwrap_or_default());
            if item.word("status").as_deref() != Some("incomplete") {
                draft.close_call(at);
            }
        }
        kind if kind.ends_with("_call") => {
            let at = draft.find(key).unwrap_or_else(|| draft.new_call(Some(key)));
            draft.native_call(at, sound(raw.get()));
            let id = item.word("call_id").or_else(|| item.word("id")).unwrap_or_default();
            draft.name_call(at, &id, &item.word("name").unwrap_or_else(|| kind.to_owned()));
            draft.whole_args(at, "{}");
            draft.close_call(at);
        }
        kind => draft.ignore(kind),
    }
}

fn content_part(key: Key, content: &Object<'_>, draft: &mut Draft) {
    if let Some(text) = content.text("text") {
        draft.whole_text(key, &text);
    } else if let Some(text) = content.text("refusal") {
        draft.refused = true;
        draft.whole_text(key, &text);
    } else {
        draft.ignore(&content.word("type").unwrap_or_default());
    }
}

fn reasoning(key: Key, item: &Object<'_>, draft: &mut Draft) {
    let texts = |field: &str| item.objects(field).iter().filter_map(|part| part.text("text")).collect::<Vec<_>>();
    let summary = texts("summary");
    let whole = if summary.is_empty() { texts("content").concat() } else { summary.join("\n\n") };
    let known = draft.reasoning_at(key).map(|known| known.text.clone()).unwrap_or_default();
    draft.reasoning(key, whole.strip_prefix(&known).unwrap_or_default());
    if let Some(reasoning) = draft.reasoning_at(key) {
        reasoning.text = whole;
        reasoning.id = item.word("id");
        reasoning.signature = item.word("encrypted_content");
    }
    draft.end_reasoning(key);
}
