//! Anthropic Messages: events of a stream, and whole messages, which are the same blocks begun and ended at once.

use super::{
    ProviderError, Stop,
    draft::{Draft, Key},
    fault,
    object::{Object, sound},
};
use crate::{
    dialect::Dialect,
    model::{Json, Part, ResultContent, ToolResult},
    usage,
};
use serde_json::value::RawValue;

/// Bytes of a usage object; the true ones have a few hundred, and each event puts one over the last.
const LARGEST_USAGE: usize = 8 << 10;

/// Takes an event or a body; false if it is neither.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    let index = object.number("index").unwrap_or(0);
    match object.word("type").as_deref() {
        Some("message") => message(object, draft),
        Some("message_start") => object.object("message").iter().for_each(|start| message(start, draft)),
        Some("content_block_start") => object.get("content_block").into_iter().for_each(|raw| block(index, raw, draft)),
        Some("content_block_delta") => object.object("delta").iter().for_each(|piece| delta(index, piece, draft)),
        Some("content_block_stop") => end(index, draft),
        Some("message_delta") => {
            object.object("delta").iter().for_each(|end| ending(end, draft));
            usage_of(object, draft);
        }
        Some("message_stop") => draft.done = true,
        // `ping`, and events to come: the API asks clients to pass over what they do not know.
        _ => return Ok(false),
    }
    Ok(true)
}

fn message(message: &Object<'_>, draft: &mut Draft) {
    draft.id = message.word("id");
    draft.seed.clone_from(&draft.id);
    draft.model = message.word("model");
    for (index, raw) in (0..).zip(message.items("content")) {
        block(index, raw, draft);
        end(index, draft);
    }
    ending(message, draft);
    usage_of(message, draft);
}

fn end(index: u64, draft: &mut Draft) {
    let key = Key::Block(index);
    draft.find(key).into_iter().for_each(|at| draft.close_call(at));
    draft.end_reasoning(key);
}

fn ending(object: &Object<'_>, draft: &mut Draft) {
    let Some(reason) = object.word("stop_reason") else { return };
    draft.stop = Some(match reason.as_str() {
        "end_turn" => Stop::End,
        "max_tokens" | "model_context_window_exceeded" => Stop::MaxTokens,
        "stop_sequence" => Stop::StopText,
        "tool_use" => Stop::ToolCalls,
        "pause_turn" => Stop::Paused,
        "refusal" => Stop::Refused,
        _ => Stop::Other,
    });
    draft.stop_reason = Some(reason);
}

fn block(index: u64, raw: &RawValue, draft: &mut Draft) {
    let Ok(block) = Object::parse(raw.get()) else { return };
    let key = Key::Block(index);
    match block.word("type").unwrap_or_default().as_str() {
        "text" => draft.text(key, &block.text("text").unwrap_or_default()),
        "thinking" => {
            draft.reasoning(key, &block.text("thinking").unwrap_or_default());
            sign(key, block.word("signature"), draft);
        }
        "redacted_thinking" => {
            draft.reasoning(key, "");
            sign(key, block.word("data"), draft);
            draft.reasoning_at(key).into_iter().for_each(|reasoning| reasoning.redacted = true);
        }
        "tool_use" => tool_use(key, &block, None, draft),
        "server_tool_use" | "mcp_tool_use" => tool_use(key, &block, sound(raw.get()), draft),
        kind if kind.ends_with("_tool_result") => tool_result(&block, sound(raw.get()), draft),
        kind => draft.ignore(kind),
    }
}

fn delta(index: u64, delta: &Object<'_>, draft: &mut Draft) {
    let key = Key::Block(index);
    match delta.word("type").unwrap_or_default().as_str() {
        "text_delta" => draft.text(key, &delta.text("text").unwrap_or_default()),
        "thinking_delta" => draft.reasoning(key, &delta.text("thinking").unwrap_or_default()),
        "signature_delta" => sign(key, delta.word("signature"), draft),
        "input_json_delta" => {
            if let Some(at) = draft.find(key) {
                draft.args(at, &delta.text("partial_json").unwrap_or_default());
            }
        }
        kind => draft.ignore(kind),
    }
}

fn sign(key: Key, signature: Option<String>, draft: &mut Draft) {
    if let (Some(reasoning), Some(_)) = (draft.reasoning_at(key), &signature) {
        reasoning.signature = signature;
    }
}

fn tool_use(key: Key, block: &Object<'_>, native: Option<Json>, draft: &mut Draft) {
    let at = draft.find(key).unwrap_or_else(|| draft.new_call(Some(key)));
    draft.native_call(at, native);
    draft.name_call(at, &block.word("id").unwrap_or_default(), &block.word("name").unwrap_or_default());
    // In a stream the input begins as `{}` and follows as text; no text at all means that it is empty.
    if let Some(input) = block.get("input").filter(|input| input.get() != "{}") {
        draft.whole_args(at, input.get());
    }
}

fn tool_result(block: &Object<'_>, native: Option<Json>, draft: &mut Draft) {
    let failed = block.object("content").and_then(|content| content.word("type")).is_some_and(|kind| kind.ends_with("_error"));
    draft.part(Part::ToolResult(ToolResult {
        id: block.word("tool_use_id").unwrap_or_default(),
        name: None,
        content: ResultContent::Text(readable(block)),
        is_error: failed || block.is_true("is_error"),
        included: false,
        native,
    }));
}

/// What a person or another model can read of a result whose true form is the provider's block.
fn readable(block: &Object<'_>) -> String {
    if let Some(text) = block.text("content") {
        return text;
    }
    let items = block.objects("content");
    if items.is_empty() {
        return block.get("content").map(|raw| raw.get().to_owned()).unwrap_or_default();
    }
    let line = |item: &Object<'_>| item.text("text").or_else(|| Some(format!("{} {}", item.text("title")?, item.text("url")?)));
    items.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// The end of a stream repeats some counts of its beginning and adds the rest: a later count replaces an earlier one.
fn usage_of(object: &Object<'_>, draft: &mut Draft) {
    let Some(new) = object.json("usage").filter(|usage| usage.text().len() <= LARGEST_USAGE) else { return };
    let raw = draft.raw_usage().and_then(|old| overlaid(old, &new)).unwrap_or(new);
    let usage = usage::normalise(&raw, Dialect::Anthropic);
    draft.usage(raw, usage);
}

fn overlaid(old: &Json, new: &Json) -> Option<Json> {
    let (old, new) = (Object::parse(old.text()).ok()?, Object::parse(new.text()).ok()?);
    let mut fields: Vec<(&str, &RawValue)> = old.fields().collect();
    for (key, value) in new.fields() {
        match fields.iter_mut().find(|(known, _)| *known == key) {
            Some(_) if value.get() == "null" => {}
            Some(field) => field.1 = value,
            None => fields.push((key, value)),
        }
    }
    let text = |(key, value): &(&str, &RawValue)| format!("{}:{}", Json::string(key).text(), value.get());
    let texts: Vec<String> = fields.iter().map(text).collect();
    sound(&format!("{{{}}}", texts.join(","))).filter(|usage| usage.text().len() <= LARGEST_USAGE)
}
