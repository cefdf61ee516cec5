//! Plain text completion: `/v1/completions`, and Ollama's raw generation.

use super::{
    ProviderError,
    draft::{Draft, Key},
    fault,
    object::Object,
    ollama, openai,
};

/// Takes a chunk or a body; false if it is neither.
pub(super) fn take(object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    if let Some(error) = fault::error_in(object) {
        return Err(error);
    }
    if let Some(piece) = object.text("response") {
        draft.text(Key::Text, &piece);
        ollama::head(object, draft);
        return Ok(true);
    }
    openai::head(object, draft);
    let choices = object.objects("choices");
    if let Some(choice) = choices.iter().find(|choice| choice.number("index").unwrap_or(0) == 0) {
        draft.text(Key::Text, &choice.text("text").unwrap_or_default());
        if let Some(reason) = choice.word("finish_reason") {
            draft.stop = Some(openai::stop(&reason));
            draft.stop_reason = Some(reason);
        }
    }
    Ok(!choices.is_empty())
}
