//! A provider's error, out of any of the shapes they come in, and what kind it is.
//!
//! Overflow is told by documented codes and by whole phrases only, and never from a text about rates: "request too large"
//! in a rate limit asks for patience, not for a smaller prompt.

use super::{
    ErrorKind, ProviderError,
    object::{Object, string},
};

const LONGEST_MESSAGE: usize = 2_000;

/// Reads the body of an answer whose HTTP status is not a success.
pub fn provider_error(status: u16, body: &[u8]) -> ProviderError {
    let text = String::from_utf8_lossy(body);
    let list: Option<Vec<Object<'_>>> = serde_json::from_str(&text).ok();
    let object = list.and_then(|list| list.into_iter().next()).or_else(|| Object::parse(&text).ok());
    let found = object.and_then(|object| reported(&object).or_else(|| bare(&object)));
    let message = if text.trim().is_empty() { format!("status {status} without a body") } else { text.trim().to_owned() };
    let raw = found.unwrap_or(Raw { name: None, code: None, message });
    classify(raw, Some(status))
}

/// The error that an object of a stream or body reports in its `error` field or as its kind, if it does.
pub(super) fn error_in(object: &Object<'_>) -> Option<ProviderError> {
    reported(object).map(|raw| classify(raw, None))
}

/// The error that an event named so holds, whatever its shape.
pub(super) fn error_of(object: &Object<'_>) -> Option<ProviderError> {
    reported(object).or_else(|| bare(object)).map(|raw| classify(raw, None))
}

/// An error in a provider's words.
struct Raw {
    name: Option<String>,
    code: Option<String>,
    message: String,
}

fn reported(object: &Object<'_>) -> Option<Raw> {
    // vLLM says inside a stream: {"object":"error","message":…}.
    if object.word("object").as_deref() == Some("error") {
        return bare(object);
    }
    let field = object.get("error")?;
    match object.object("error") {
        Some(error) => Some(Raw {
            name: error.word("type").or_else(|| error.word("status")),
            code: error.label("code"),
            message: error.word("message").unwrap_or_else(|| field.get().to_owned()),
        }),
        None => string(field).map(|message| Raw { name: object.word("type"), code: object.label("code"), message }),
    }
}

/// An error without an `error` field: `{"message": …}`, or `{"detail": …}` of FastAPI servers.
fn bare(object: &Object<'_>) -> Option<Raw> {
    let detail = || object.get("detail").map(|raw| string(raw).unwrap_or_else(|| raw.get().to_owned()));
    let message = object.word("message").or_else(detail)?;
    Some(Raw { name: object.word("type"), code: object.label("code"), message })
}

fn classify(raw: Raw, status: Option<u16>) -> ProviderError {
    let status = status.or_else(|| raw.code.as_deref()?.parse().ok().filter(|code| (400..600).contains(code)));
    let kind = kind(&raw, status);
    let message = shortened(raw.message);
    ProviderError { kind, status, name: raw.name, code: raw.code, message }
}

fn kind(raw: &Raw, status: Option<u16>) -> ErrorKind {
    let message = raw.message.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
    let names: Vec<String> = [&raw.name, &raw.code].into_iter().flatten().map(|name| name.to_lowercase()).collect();
    let is = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));

    if status == Some(402) || is(QUOTA_NAMES) || says(QUOTA_PHRASES) {
        ErrorKind::Quota
    } else if status == Some(429) || is(RATE_NAMES) || says(RATE_PHRASES) {
        ErrorKind::RateLimit
    } else if status == Some(413)
        || is(OVERFLOW_NAMES)
        || says(OVERFLOW_PHRASES)
        || OVERFLOW_PAIRS.iter().any(|(a, b)| says(&[a]) && says(&[b]))
    {
        ErrorKind::Overflow
    } else if matches!(status, Some(401 | 403)) || is(AUTH_NAMES) {
        ErrorKind::Auth
    } else if matches!(status, Some(503 | 529)) || is(BUSY_NAMES) || says(&["overloaded"]) {
        ErrorKind::Overloaded
    } else {
        ErrorKind::Other
    }
}

const QUOTA_NAMES: &[&str] =
    &["insufficient_quota", "billing_error", "billing_hard_limit_reached", "enforced_spend_limit_reached", "402"];
const QUOTA_PHRASES: &[&str] = &["spend limit", "spending limit", "credit balance is too low"]; // Anthropic says so with a 400
const RATE_NAMES: &[&str] = &["rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "too_many_requests", "429"];
const RATE_PHRASES: &[&str] =
    &["rate limit", "rate_limit", "tokens per min", "requests per min", "per minute", "too many requests"];
const AUTH_NAMES: &[&str] =
    &["authentication_error", "permission_error", "invalid_api_key", "unauthenticated", "permission_denied", "401", "403"];
const BUSY_NAMES: &[&str] = &[
    "overloaded_error",
    "unavailable",
    "unavailable_error",
    "server_overloaded",
    "server_is_overloaded",
    "slow_down",
    "503",
    "529",
];
const OVERFLOW_NAMES: &[&str] = &[
    "context_length_exceeded",       // OpenAI, llama-cpp-python, vLLM behind gateways
    "exceed_context_size_error",     // llama-server
    "model_context_window_exceeded", // z.ai
    "request_too_large",             // Anthropic: over 32 MB
];
const OVERFLOW_PHRASES: &[&str] = &[
    "maximum context length",                 // OpenAI Chat, vLLM, OpenRouter
    "exceeds the context window",             // OpenAI Responses
    "exceed context window",                  // llama-cpp-python
    "prompt is too long",                     // Anthropic
    "exceed context limit",                   // Anthropic: input length and max_tokens
    "exceeds the available context size",     // llama-server
    "context size has been exceeded",         // llama.cpp while it writes
    "greater than the context length",        // LM Studio
    "longer than the model's context length", // Together
    "exceeds the context length",             // Ollama
    "exceeded max context length",            // Ollama
    "maximum prompt length is",               // xAI
    "input is too long for requested model",  // Bedrock
    "exceeded model token limit",             // Moonshot
    "reduce the length of the messages",      // Groq
    "context window exceeds limit",           // MiniMax
    "tokens, too large for model with",       // Mistral
];
const OVERFLOW_PAIRS: &[(&str, &str)] = &[
    ("input token count", "exceeds the maximum number of tokens"), // Gemini
    ("prompt token count of", "exceeds the limit of"),             // Copilot
];

fn shortened(mut message: String) -> String {
    if message.len() > LONGEST_MESSAGE {
        message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
        message.push('…');
    }
    message
}
