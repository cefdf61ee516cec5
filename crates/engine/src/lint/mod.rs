//! Lint: the wire rules of each API as code, so that a request can be proved valid offline.
//!
//! One file per API, each a single pass over the body; what they share (paths, shapes, pairing, tools, pictures) has a
//! file of its own. Invariants: no body of any shape makes a rule panic, the work is linear in the size of the body, and
//! a finding with severity error is a request that the API is documented or was seen to refuse.

mod ai_sdk;
mod anthropic;
mod arguments;
mod completions;
mod finding;
mod gemini;
mod messages;
pub(crate) mod model;
mod ollama;
mod openai;
mod pairs;
mod path;
mod picture;
mod responses;
mod rule;
mod shape;
mod text;
mod tools;

#[cfg(test)]
mod tests;

use crate::dialect::Dialect;
use serde_json::Value;

pub use finding::{Finding, Severity};
pub use rule::Rule;

use finding::Findings;
use path::At;

/// Every rule of the API behind `dialect` that `body` breaks; without an error among them the body is valid.
///
/// In the order of the walk: a call without a result is found where its exchange closes.
pub fn lint(body: &Value, dialect: Dialect) -> Vec<Finding> {
    let mut out = Findings::default();
    match dialect {
        Dialect::OpenAi => openai::lint(body, &At::ROOT, &mut out),
        Dialect::Responses => responses::lint(body, &At::ROOT, &mut out),
        Dialect::Anthropic => anthropic::lint(body, &At::ROOT, &mut out),
        Dialect::Gemini => gemini::lint(body, &At::ROOT, &mut out),
        Dialect::Ollama => ollama::lint(body, &At::ROOT, &mut out),
        Dialect::Completions => completions::lint(body, &At::ROOT, &mut out),
        Dialect::AiSdk => ai_sdk::lint(body, &At::ROOT, &mut out),
        Dialect::Text => text::lint(body, &At::ROOT, &mut out),
        Dialect::Messages => messages::lint(body, &At::ROOT, &mut out),
    }
    out.into_vec()
}
