//! Gemini generateContent: every chunk of a stream has the shape of a whole body.
//!
//! A signature belongs to the exact part it came on: a signed part is never joined with another.

use super::{
    ProviderError, Stop,
    draft::Draft,
    fault,
    object::{Object, sound},
};
use crate::{
    dialect::Dialect,
    model::{File, Image, Json, Media, Part, ResultContent, ToolResult},
    usage,
};
use serde_json::value::RawValue;

/// Takes a chunk or a body; false if it is neither.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    if draft.id.is_none() {
        draft.id = object.word("responseId");
        draft.seed.clone_from(&draft.id);
    }
    draft.model = draft.model.take().or_else(|| object.word("modelVersion"));
    let candidates = object.objects("candidates");
    let feedback = object.object("promptFeedback");
    if let Some(reason) = feedback.as_ref().and_then(|feedback| feedback.word("blockReason")) {
        draft.stop = Some(Stop::Refused);
        draft.stop_reason = Some(reason);
    }
    if let Some(candidate) = candidates.iter().find(|candidate| candidate.number("index").unwrap_or(0) == 0) {
        self::candidate(candidate, draft);
    }
    if let Some(raw) = object.json("usageMetadata") {
        let usage = usage::normalise(&raw, Dialect::Gemini);
        draft.usage(raw, usage);
    }
    Ok(!candidates.is_empty() || feedback.is_some())
}

fn candidate(candidate: &Object<'_>, draft: &mut Draft) {
    if let Some(content) = candidate.object("content") {
        for raw in content.items("parts") {
            part(raw, draft);
        }
    }
    if let Some(reason) = candidate.word("finishReason") {
        draft.stop = Some(stop(&reason));
        draft.stop_reason = Some(reason);
    }
}

fn stop(reason: &str) -> Stop {
    match reason {
        "STOP" => Stop::End,
        "MAX_TOKENS" => Stop::MaxTokens,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" | "IMAGE_SAFETY" => Stop::Refused,
        // MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL and what comes next: no end the model chose.
        _ => Stop::Other,
    }
}

fn part(raw: &RawValue, draft: &mut Draft) {
    let Ok(part) = Object::parse(raw.get()) else { return };
    let signature = part.word("thoughtSignature").or_else(|| part.word("thought_signature"));
    if let Some(call) = part.object("functionCall") {
        function_call(&call, signature, draft);
    } else if let Some(text) = part.text("text") {
        if part.is_true("thought") {
            draft.reasoning_run(&text, signature);
        } else {
            draft.text_run(&text, signature);
        }
    } else if let Some(data) = part.object("inlineData") {
        inline_data(&data, draft);
    } else if let Some(code) = part.object("executableCode") {
        let at = draft.new_call(None);
        draft.native_call(at, sound(raw.get()));
        draft.name_call(at, &code.word("id").unwrap_or_default(), "code_execution");
        draft.whole_args(at, part.get("executableCode").map_or("{}", |raw| raw.get()));
        draft.sign_call(at, signature);
        draft.close_call(at);
    } else if let Some(result) = part.object("codeExecutionResult") {
        code_result(&result, sound(raw.get()), draft);
    } else {
        part.fields().for_each(|(kind, _)| draft.ignore(kind));
    }
}

fn function_call(call: &Object<'_>, signature: Option<String>, draft: &mut Draft) {
    let at = draft.new_call(None);
    draft.name_call(at, &call.word("id").unwrap_or_default(), &call.word("name").unwrap_or_default());
    draft.sign_call(at, signature);
    // Arguments in pieces come as paths and values, not as text: such a call is kept, but it is not an object and never runs.
    let whole = !call.is_true("willContinue") && call.get("partialArgs").is_none();
    let (field, absent) = if whole { ("args", "{}") } else { ("partialArgs", "[]") };
    draft.whole_args(at, call.get(field).map_or(absent, |raw| raw.get()));
    draft.close_call(at);
}

fn inline_data(data: &Object<'_>, draft: &mut Draft) {
    let media_type = data.word("mimeType").unwrap_or_default();
    let media = Media::Data(data.text("data").unwrap_or_default());
    draft.part(if media_type.starts_with("image/") {
        Part::Image(Image { media_type, media, width: None, height: None })
    } else {
        Part::File(File { name: String::new(), media_type, media })
    });
}

/// The answer of the code that the provider ran: it belongs to the call before it.
fn code_result(result: &Object<'_>, native: Option<Json>, draft: &mut Draft) {
    let before = draft.last_call().map(|at| draft.call_id(at).to_owned()).unwrap_or_default();
    draft.part(Part::ToolResult(ToolResult {
        id: result.word("id").unwrap_or(before),
        name: Some("code_execution".to_owned()),
        content: ResultContent::Text(result.text("output").unwrap_or_default()),
        is_error: result.word("outcome").is_some_and(|outcome| outcome != "OUTCOME_OK"),
        included: false,
        native,
    }));
}
