//! Tokens: of a text, and of each message of a conversation.

use crate::{Fault, Handle, Options};
use serde_json::json;
use weftwork::count::{Meter, Tally};
use weftwork::model::Node;

fn meter(options: &Options) -> Meter {
    Meter::new(options.counter(), options.named_model().as_ref())
}

/// Tokens of one text, as JSON: `{"counter","kind","messages":[],"total"}`.
pub fn count_text(text: &str, options: &Options) -> String {
    let meter = meter(options);
    let total = meter.scale(meter.raw(text));
    json!({"counter": meter.name(), "kind": meter.kind(), "messages": [], "total": total}).to_string()
}

/// Tokens of each message on the path to the head, as JSON: `{"counter","kind","messages":[{"node","tokens"}],"total"}`.
pub fn count(handle: &Handle, options: &Options) -> Result<String, Fault> {
    let meter = meter(options);
    let history = &handle.history;
    let up = |node: &&Node| history.node(node.parent.as_ref()?.as_str());
    let mut path: Vec<&Node> = std::iter::successors(history.head(), up).collect();
    path.reverse();
    let cost = |node: &&Node| meter.scale(Tally::of(&node.parts, meter.base()).spoken(meter.base()));
    let counts: Vec<u64> = path.iter().map(cost).collect();
    let messages: Vec<_> = path.iter().zip(&counts).map(|(node, tokens)| json!({"node": node.id, "tokens": tokens})).collect();
    let total: u64 = counts.iter().sum();
    Ok(json!({"counter": meter.name(), "kind": meter.kind(), "messages": messages, "total": total}).to_string())
}
