//! Facts of calls, in the words of several apps: what was used, how long it took, what it cost.
//!
//! They go to `calls` and never into text. Counts are made disjoint here: OpenAI and Gemini count cached tokens among
//! the prompt's, Anthropic does not.

use super::item::{Fields, Item};
use super::lenient::MOST;
use crate::model::{Call, NodeId, Usage};

/// A call with an id and nothing else yet.
pub(super) fn call(id: impl Into<String>, node: Option<&NodeId>) -> Call {
    Call { node: node.cloned(), ..Call::new(id) }
}

/// Whether anything but ids is known of a call.
pub(super) fn says_something(call: &Call) -> bool {
    call.usage.is_some() || call.duration_ms.is_some() || call.cost_usd.is_some()
}

/// Usage where the prompt's count includes the tokens read from the cache.
pub(super) fn inclusive(prompt: u64, cached: u64, output: u64) -> Usage {
    Usage { input: prompt.saturating_sub(cached), output, cache_read: cached.min(prompt), cache_write: 0 }
}

/// Anthropic's usage object; the item itself is to be kept as the raw usage.
pub(super) fn anthropic(item: &Item<'_>) -> Option<Usage> {
    let fields = item.fields().ok()?;
    let count = |key: &str| peek_count(&fields, key);
    Some(Usage {
        input: count("input_tokens")?,
        output: count("output_tokens").unwrap_or(0),
        cache_read: count("cache_read_input_tokens").unwrap_or(0),
        cache_write: count("cache_creation_input_tokens").unwrap_or(0),
    })
}

/// OpenAI's usage object, of Chat Completions or Responses, or Ollama's; the item itself is to be kept as the raw usage.
pub(super) fn openai(item: &Item<'_>) -> Option<Usage> {
    let fields = item.fields().ok()?;
    let count = |keys: &[&str]| keys.iter().find_map(|key| peek_count(&fields, key));
    let details = ["prompt_tokens_details", "input_tokens_details"].iter().find_map(|key| fields.peek(key)?.fields().ok());
    let cached = details.and_then(|details| peek_count(&details, "cached_tokens")).unwrap_or(0);
    let prompt = count(&["prompt_tokens", "input_tokens", "prompt_eval_count"])?;
    Some(inclusive(prompt, cached, count(&["completion_tokens", "output_tokens", "eval_count"]).unwrap_or(0)))
}

pub(super) fn peek_count(fields: &Fields<'_>, key: &str) -> Option<u64> {
    let number = fields.peek(key)?.number().ok()?;
    (0.0..=MOST).contains(&number).then_some(number as u64)
}

/// `provider/model`, or the bare name where the provider is not known.
pub(super) fn model_name(provider: Option<&str>, model: &str) -> String {
    match provider.filter(|provider| !provider.is_empty()) {
        Some(provider) => format!("{}/{model}", provider.to_lowercase()),
        None => model.to_owned(),
    }
}
