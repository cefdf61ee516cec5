//! Usage in each API's own counts: OpenAI's prompt counts hold the cached tokens, Anthropic's are disjoint as ours are.

use crate::decode::{Reply, object::Object};
use crate::dialect::json::Writer;
use crate::model::Usage;

/// The value of `usage` in Chat Completions.
pub(super) fn chat(w: &mut Writer, usage: Usage, reply: &Reply) {
    openai(w, usage, reply, ["prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details"]);
}

/// The value of `usage` in Responses.
pub(super) fn responses(w: &mut Writer, usage: Usage, reply: &Reply) {
    openai(w, usage, reply, ["input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details"]);
}

fn openai(w: &mut Writer, usage: Usage, reply: &Reply, [prompt, output, of_prompt, of_output]: [&'static str; 4]) {
    w.object(|w| {
        w.integer(prompt, Some(usage.prompt()));
        w.key(of_prompt).object(|w| {
            w.integer("cached_tokens", Some(usage.cache_read));
            // No count of OpenAI's, but one that gateways write, and without it the rest could not be told apart.
            w.integer("cache_write_tokens", Some(usage.cache_write).filter(|written| *written > 0));
        });
        w.integer(output, Some(usage.output));
        w.key(of_output).object(|w| w.integer("reasoning_tokens", Some(reasoning(reply))));
        w.integer("total_tokens", Some(usage.total()));
    });
}

/// The value of `usage` in Anthropic Messages.
pub(super) fn messages(w: &mut Writer, usage: Usage) {
    w.object(|w| {
        w.integer("input_tokens", Some(usage.input));
        w.integer("cache_creation_input_tokens", Some(usage.cache_write));
        w.integer("cache_read_input_tokens", Some(usage.cache_read));
        w.integer("output_tokens", Some(usage.output));
    });
}

/// How much of the output was thinking, where the provider said so.
fn reasoning(reply: &Reply) -> u64 {
    let Some(raw) = reply.raw_usage.as_ref().and_then(|raw| Object::parse(raw.text()).ok()) else { return 0 };
    let details = ["completion_tokens_details", "output_tokens_details"];
    let told = details.iter().find_map(|key| raw.object(key)?.number("reasoning_tokens"));
    told.or_else(|| raw.number("thoughtsTokenCount")).unwrap_or(0)
}
