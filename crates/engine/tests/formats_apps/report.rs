//! The loss report names every leaf of every fixture: kept, mapped or left out.

use super::{bytes, read};
use serde_json::Value;
use weftwork::formats::{Import, Outcome};

/// Fixtures of the apps. `librechat/tree.json` says the same as `flat.json`, under paths of its own.
const FIXTURES: &[&str] = &[
    "deepchat/records.json",
    "deepchat/session.json",
    "superdesign/history.json",
    "netdata/chat.json",
    "aspen/tree.json",
    "chatgpt/conversations.json",
    "claude/conversations.json",
    "open-webui/chats.json",
    "librechat/flat.json",
    "claude-code/session.jsonl",
    "codex/rollout.jsonl",
    "codex/old.jsonl",
];

#[test]
fn every_leaf_is_named_or_lies_in_something_left_out_or_is_in_the_result() {
    let of = |name: &&str| {
        let text = String::from_utf8(bytes(name)).expect("UTF-8");
        missing(&text, &read(&text)).into_iter().map(move |leaf| format!("{name}: {leaf}")).collect::<Vec<_>>()
    };
    let missing: Vec<String> = FIXTURES.iter().flat_map(of).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

fn missing(text: &str, import: &Import) -> Vec<String> {
    let whole = serde_json::from_str(text).map(|document| vec![document]);
    let documents: Vec<Value> =
        whole.unwrap_or_else(|_| text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect());
    let mut result = Vec::new();
    for conversation in &import.conversations {
        leaves(&serde_json::to_value(conversation).expect("plain data"), String::new(), &mut |_, leaf| result.push(leaf));
    }
    let mut missing = Vec::new();
    for document in &documents {
        leaves(document, String::new(), &mut |kind, leaf| {
            let named = import.loss.lines.iter().any(|line| match line.outcome {
                Outcome::Dropped => covers(&line.what, &kind, false),
                Outcome::Kept | Outcome::Mapped => covers(&line.what, &kind, true),
            });
            if !named && !result.contains(&leaf) {
                missing.push(format!("{kind} = {leaf}"));
            }
        });
    }
    missing
}

/// Every value that is no list or object, with its path without numbers.
fn leaves(document: &Value, kind: String, found: &mut dyn FnMut(String, String)) {
    match document {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, format!("{kind}[]"), found)),
        Value::Object(entries) => {
            for (key, value) in entries {
                leaves(value, if kind.is_empty() { key.clone() } else { format!("{kind}.{key}") }, found);
            }
        }
        Value::String(text) => {
            // JSON that became text, as results do, and text that was JSON.
            if let Ok(inner @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
                leaves(&inner, kind.clone(), found);
            }
            found(kind, text.clone());
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => found(kind, document.to_string()),
    }
}

/// Whether a line about `what` is about this leaf or, unless `exactly`, about something it lies in.
fn covers(what: &str, kind: &str, exactly: bool) -> bool {
    let split = |text: &str| text.replace("[]", ".[]").split('.').map(str::to_owned).collect::<Vec<_>>();
    let (what, mut kind) = (split(what), split(kind));
    // A list is named by its field.
    while exactly && kind.len() > what.len() && kind.last().is_some_and(|step| step == "[]") {
        kind.pop();
    }
    let fits = if exactly { what.len() == kind.len() } else { what.len() <= kind.len() };
    fits && what.iter().zip(&kind).all(|(what, kind)| what == kind || what == "*")
}
