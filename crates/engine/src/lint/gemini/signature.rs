//! Thought signatures, which Gemini 3 wants back on the calls of the current turn.

use serde_json::Value;

use crate::lint::finding::Findings;
use crate::lint::model::{GEMINI_SIGNED_CALLS, version};
use crate::lint::path::At;
use crate::lint::rule::Rule;

/// Whether `model` checks them; image models of the same generation do not.
pub(super) fn required(model: &str) -> bool {
    version(model, "gemini").is_some_and(|version| version >= GEMINI_SIGNED_CALLS) && !model.contains("image")
}

/// Gemini 3 checks the current turn, which begins at the last user content that is more than responses: the first call
/// of each of its steps carries the signature it came with (dify-official-plugins#2088, peers 29).
pub(super) fn lint(list: &[Value], at: &At, out: &mut Findings) {
    let begin = list.iter().rposition(speaks).unwrap_or(0);
    for (i, content) in list.iter().enumerate().skip(begin) {
        let parts = content.get("parts").and_then(Value::as_array);
        let calls = |part: &&Value| either(part, "functionCall", "function_call").is_some();
        let first = parts.and_then(|parts| {
            let place = parts.iter().position(|part| calls(&part))?;
            Some((place, &parts[place]))
        });
        let Some((j, part)) = first else {
            continue;
        };
        let signature = either(part, "thoughtSignature", "thought_signature");
        if signature.and_then(Value::as_str).is_none_or(str::is_empty) {
            let part = at.index(i);
            let parts = part.key("parts");
            missing(&parts.index(j), out);
        }
    }
}

fn missing(at: &At, out: &mut Findings) {
    out.error(
        &at.key("thoughtSignature"),
        Rule::MissingThoughtSignature,
        "the first call of a step of the current turn is not signed".to_owned(),
        "send the part as it was received, or sign it \"skip_thought_signature_validator\"",
    );
}

fn speaks(content: &Value) -> bool {
    let parts = content.get("parts").and_then(Value::as_array);
    let user = content.get("role").is_none_or(|role| role == "user");
    let response = |part: &Value| either(part, "functionResponse", "function_response").is_some();
    user && parts.is_some_and(|parts| parts.iter().any(|part| !response(part)))
}

fn either<'v>(part: &'v Value, camel: &str, snake: &str) -> Option<&'v Value> {
    part.get(camel).or_else(|| part.get(snake))
}
