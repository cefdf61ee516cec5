//! Ollama's chat: one object per line, the last with `done`. Tool calls come whole, and before 2025 without ids.

use super::{
    ProviderError, Stop,
    draft::{Draft, Key},
    fault,
    object::Object,
};
use crate::{dialect::Dialect, model::Json, usage};

/// Takes a line or a body; false if it is neither.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    let message = object.object("message");
    if draft.seed.is_none() {
        draft.seed = object.word("created_at");
    }
    if let Some(message) = &message {
        if let Some(piece) = message.word("thinking") {
            draft.reasoning(Key::Reasoning, &piece);
        }
        draft.text(Key::Text, &message.text("content").unwrap_or_default());
        for call in message.objects("tool_calls") {
            tool_call(&call, draft);
        }
    }
    head(object, draft);
    Ok(message.is_some() || object.is_true("done"))
}

/// What lines of chat and of raw generation have in common: model, end, counts.
pub(super) fn head(object: &Object<'_>, draft: &mut Draft) {
    draft.model = draft.model.take().or_else(|| object.word("model"));
    if !object.is_true("done") {
        return;
    }
    draft.stop_reason = object.word("done_reason");
    draft.stop = Some(match draft.stop_reason.as_deref() {
        None | Some("stop" | "load" | "unload") => Stop::End,
        Some("length") => Stop::MaxTokens,
        Some(_) => Stop::Other,
    });
    let counts: Vec<String> = ["prompt_eval_count", "eval_count"]
        .into_iter()
        .filter_map(|key| object.number(key).map(|count| format!("\"{key}\":{count}")))
        .collect();
    if let Ok(raw) = Json::parse(format!("{{{}}}", counts.join(",")))
        && !counts.is_empty()
    {
        let usage = usage::normalise(&raw, Dialect::Ollama);
        draft.usage(raw, usage);
    }
}

fn tool_call(call: &Object<'_>, draft: &mut Draft) {
    let Some(function) = call.object("function") else { return };
    let at = draft.new_call(None);
    draft.name_call(at, &call.word("id").unwrap_or_default(), &function.word("name").unwrap_or_default());
    match function.text("arguments") {
        Some(text) => draft.whole_args(at, &text),
        None => draft.whole_args(at, function.get("arguments").map_or("{}", |raw| raw.get())),
    }
    draft.close_call(at);
}
