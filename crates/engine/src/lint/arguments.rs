//! Arguments of a call: an object, or the text of one.

use serde_json::Value;
use serde_json::value::RawValue;

use super::finding::{Findings, shown};
use super::path::At;
use super::rule::Rule;

const FIX: &str = "send a complete JSON object, {} if the arguments are lost";

/// Check arguments that travel as a JSON string.
///
/// OpenAI itself does not read them again, the gateways behind its dialect do: one truncated object in the history
/// fails every later request (wisp-science#775, peers 24).
pub(super) fn text(arguments: &str, at: &At, out: &mut Findings) {
    let object = serde_json::from_str::<&RawValue>(arguments).is_ok_and(|raw| raw.get().trim_start().starts_with('{'));
    if !object {
        out.error(at, Rule::BadArguments, format!("arguments {} are not a JSON object", shown(arguments)), FIX);
    }
}

/// Check arguments that travel as JSON: Anthropic, Gemini and Ollama refuse a string that holds the object.
pub(super) fn object(arguments: Option<&Value>, at: &At, out: &mut Findings) {
    if arguments.is_some_and(Value::is_object) {
        return;
    }
    let found = match arguments {
        None => "are missing",
        Some(Value::String(_)) => "are a string",
        Some(_) => "are not an object",
    };
    out.error(at, Rule::BadArguments, format!("arguments {found}"), FIX);
}
