//! A whole body: its objects, each taken by the dialect, in one draft.

use super::{
    DecodeError, Limits, ProviderError, Reply, Stop, anthropic, completions,
    draft::{Draft, Key},
    fault, gemini, neutral,
    object::Object,
    ollama, openai, responses,
};
use crate::dialect::Dialect;

/// Decodes the body of a successful answer that was not streamed.
pub fn decode(body: &[u8], dialect: Dialect) -> Result<Reply, DecodeError> {
    let limit = Limits::DEFAULT.body;
    if body.len() > limit {
        return Err(DecodeError::TooLarge { limit });
    }
    let text = String::from_utf8_lossy(body);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    if text.trim().is_empty() {
        return Err(DecodeError::Empty);
    }
    let mut draft = Draft::default();
    if dialect == Dialect::Text {
        draft.text(Key::Text, text);
        return Ok(draft.into_reply(Stop::End));
    }
    let mut known = false;
    for object in objects(text)? {
        known |= take_or_error(dialect, &object, &mut draft)?;
    }
    if !known {
        let what = format!("this is no reply of the dialect {:?}", dialect.word());
        return Err(DecodeError::Malformed { offset: 0, what });
    }
    Ok(draft.into_reply(Stop::End))
}

/// Gives one object to the dialect; false if the dialect does not know it.
pub(super) fn take(dialect: Dialect, object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    match dialect {
        Dialect::OpenAi => openai::take(object, draft),
        Dialect::Responses => responses::take(object, draft),
        Dialect::Anthropic => anthropic::take(object, draft),
        Dialect::Gemini => gemini::take(object, draft),
        Dialect::Ollama => ollama::take(object, draft),
        Dialect::Completions => completions::take(object, draft),
        Dialect::AiSdk | Dialect::Messages => neutral::take(object, draft),
        Dialect::Text => Ok(false),
    }
}

/// The same for a document: there, an object that no reply looks like may be an error in a shape of its own.
pub(super) fn take_or_error(dialect: Dialect, object: &Object<'_>, draft: &mut Draft) -> Result<bool, ProviderError> {
    let known = take(dialect, object, draft)?;
    match fault::error_of(object).filter(|_| !known) {
        Some(error) => Err(error),
        None => Ok(known),
    }
}

/// One object, or the objects of an array: Gemini answers with either.
fn objects(text: &str) -> Result<Vec<Object<'_>>, DecodeError> {
    let parsed = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
    } else {
        Object::parse(text).map(|object| vec![object])
    };
    parsed.map_err(|error| malformed(text, &error))
}

fn malformed(text: &str, error: &serde_json::Error) -> DecodeError {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let offset = (before + error.column().saturating_sub(1)) as u64;
    DecodeError::Malformed { offset, what: error.to_string() }
}
