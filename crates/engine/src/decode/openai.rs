//! Chat Completions: chunks of a stream and whole bodies, which differ only in `delta` and `message`.

use super::{
    ProviderError, Stop,
    draft::{At, Draft, Key},
    fault,
    object::Object,
};
use crate::{dialect::Dialect, usage};

/// Takes a chunk or a body; false if it is neither.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    head(object, draft);
    let choices = object.objects("choices");
    // A request asks for one choice; of more only the first is the reply.
    if let Some(choice) = choices.iter().find(|choice| choice.number("index").unwrap_or(0) == 0) {
        if let Some(error) = fault::error_in(choice) {
            return Err(error);
        }
        if let Some(message) = choice.object("delta").or_else(|| choice.object("message")) {
            self::message(&message, draft);
        }
        if let Some(reason) = choice.word("finish_reason") {
            draft.stop = Some(stop(&reason));
            draft.stop_reason = Some(reason);
        }
    }
    Ok(!choices.is_empty())
}

/// What chunks of Chat and of text completion have in common: id, model, usage.
pub(super) fn head(object: &Object<'_>, draft: &mut Draft) {
    if draft.id.is_none() {
        draft.id = object.word("id");
        draft.seed.clone_from(&draft.id);
    }
    draft.model = draft.model.take().or_else(|| object.word("model"));
    // Groq puts the usage of a stream into a field of its own.
    let raw = object.json("usage").or_else(|| object.object("x_groq")?.json("usage"));
    if let Some(raw) = raw {
        let usage = usage::normalise(&raw, Dialect::OpenAi);
        draft.usage(raw, usage);
    }
}

pub(super) fn stop(reason: &str) -> Stop {
    match reason {
        "stop" | "eos" => Stop::End,
        "length" => Stop::MaxTokens,
        "tool_calls" | "function_call" => Stop::ToolCalls,
        "content_filter" => Stop::Refused,
        _ => Stop::Other,
    }
}

fn message(message: &Object<'_>, draft: &mut Draft) {
    // DeepSeek and older vLLM say `reasoning_content`, OpenRouter, Groq and newer vLLM `reasoning`; some send both, equal.
    if let Some(piece) = message.word("reasoning_content").or_else(|| message.word("reasoning")) {
        draft.reasoning(Key::Reasoning, &piece);
    }
    match message.text("content") {
        Some(piece) => draft.text(Key::Text, &piece),
        None => message.objects("content").iter().for_each(|part| content_part(part, draft)),
    }
    if let Some(piece) = message.word("refusal") {
        draft.refused = true;
        draft.text(Key::Text, &piece);
    }
    let calls = message.objects("tool_calls");
    for call in &calls {
        tool_call(call, draft);
    }
    // llama-cpp-python sends the same call once more in the form of 2023.
    if let Some(call) = message.object("function_call").filter(|_| calls.is_empty()) {
        let at = draft.find(Key::Call(0)).unwrap_or_else(|| draft.new_call(Some(Key::Call(0))));
        function(&call, "", at, draft);
    }
}

fn content_part(part: &Object<'_>, draft: &mut Draft) {
    if let Some(text) = part.text("text") {
        draft.text(Key::Text, &text);
    } else if let Some(text) = part.text("refusal") {
        draft.refused = true;
        draft.text(Key::Text, &text);
    } else {
        draft.ignore(&part.word("type").unwrap_or_default());
    }
}

fn tool_call(call: &Object<'_>, draft: &mut Draft) {
    let id = call.word("id").unwrap_or_default();
    let function_object = call.object("function");
    let name = function_object.as_ref().and_then(|function| function.word("name")).unwrap_or_default();
    let at = which(call.number("index"), &id, &name, draft);
    if let Some(object) = function_object {
        function(&object, &id, at, draft);
    }
    // Gemini behind this API signs its calls; without the signature they cannot be sent back.
    let google = call.object("extra_content").and_then(|extra| extra.object("google"));
    draft.sign_call(at, google.and_then(|google| google.word("thought_signature")));
}

fn function(function: &Object<'_>, id: &str, at: At, draft: &mut Draft) {
    draft.name_call(at, id, &function.word("name").unwrap_or_default());
    match function.text("arguments") {
        Some(piece) => draft.args(at, &piece),
        // Some servers send the object itself.
        None => function.get("arguments").into_iter().for_each(|raw| draft.whole_args(at, raw.get())),
    }
}

/// The call that a piece belongs to. The index says it, except where a server gives none, or 0 to every call.
fn which(index: Option<u64>, id: &str, name: &str, draft: &mut Draft) -> At {
    let by_id = draft.call_by_id(id).filter(|_| !id.is_empty());
    let Some(index) = index else {
        let last = draft.last_call().filter(|last| id.is_empty() && (name.is_empty() || !draft.call_is_named(*last)));
        return by_id.or(last).unwrap_or_else(|| draft.new_call(None));
    };
    let key = Key::Call(index);
    match draft.find(key) {
        Some(at) if id.is_empty() || draft.call_id(at).is_empty() || draft.call_id(at) == id => at,
        Some(_) => {
            let at = by_id.unwrap_or_else(|| draft.new_call(None));
            draft.rebind(key, at);
            at
        }
        None => draft.new_call(Some(key)),
    }
}
