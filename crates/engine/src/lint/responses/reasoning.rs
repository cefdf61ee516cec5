//! Reasoning: sealed, whole, and next to what it led to.

use serde_json::Value;

use super::{Item, Setup};
use crate::lint::finding::Findings;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object};

/// `summary` is required even when empty; text in the clear is refused (peers 32); without a store there must be
/// something to read the reasoning from (peers 30).
pub(super) fn lint(item: &Object, setup: &Setup, out: &mut Findings) {
    if item.list("summary", Need::Optional, out).is_none() && item.value("summary").is_none() {
        out.error(
            &item.at.key("summary"),
            Rule::MissingSummary,
            "reasoning without its summary".to_owned(),
            "send `summary`, [] if it is empty",
        );
    }
    let content = item.list("content", Need::Optional, out);
    if content.is_some_and(|content| !content.is_empty()) {
        out.error(
            &item.at.key("content"),
            Rule::PlaintextReasoning,
            "reasoning text is not taken back".to_owned(),
            "leave `content` out, keep `encrypted_content`",
        );
    }
    let sealed = item.string("encrypted_content", Need::Optional, out);
    let named = item.value("id").is_some();
    if sealed.is_none() && (setup.unstored || !named) {
        out.error(
            &item.at,
            Rule::UnresolvableReasoning,
            "the reasoning has neither its content nor a stored id".to_owned(),
            "send `encrypted_content`, or drop the item",
        );
    }
}

/// Reasoning without what it led to is refused (openai-dotnet#1050, peers 31).
pub(super) fn followed(next: Option<&Value>, item: &Object, out: &mut Findings) {
    let own = match next.and_then(Item::of) {
        Some(Item::Reasoning | Item::Call | Item::Opaque) => true,
        Some(Item::Message) => {
            let role = next.and_then(|next| next.get("role")?.as_str());
            role == Some("assistant")
        }
        Some(Item::Output) | None => false,
    };
    if !own {
        out.error(
            &item.at,
            Rule::ReasoningWithoutItem,
            "the reasoning is not followed by the item it led to".to_owned(),
            "keep the item behind it, or drop the reasoning",
        );
    }
}
