//! Finds what an import lost without a word: every leaf of the source must be in the result or in the loss report.

use serde_json::Value;
use weftwork::formats::Import;

/// The leaves of `text` that neither the conversations nor the loss report hold.
pub(crate) fn vanished(text: &str, import: &Import) -> Vec<String> {
    let documents: Vec<Value> = match serde_json::from_str(text) {
        Ok(document) => vec![document],
        Err(_) => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    let mentioned: Vec<&str> = import.loss.lines.iter().map(|line| line.what.as_str()).collect();
    let mut result = Vec::new();
    for conversation in &import.conversations {
        leaves(&serde_json::to_value(conversation).expect("plain data"), String::new(), &mut Vec::new(), &mut |leaf| {
            result.push(leaf.text);
        });
    }
    let mut vanished = Vec::new();
    for document in &documents {
        leaves(document, String::new(), &mut Vec::new(), &mut |leaf| {
            let said = leaf.sorts.iter().any(|sort| mentioned.contains(&sort.as_str()))
                || mentioned.iter().any(|what| covers(what, &leaf.kind));
            if !said && !result.contains(&leaf.text) {
                vanished.push(format!("{} = {}", leaf.kind, leaf.text));
            }
        });
    }
    vanished
}

struct Leaf {
    /// `messages[].content[].text`.
    kind: String,
    /// Names of the sorts of things it lies in: `messages[].content[] "image"`.
    sorts: Vec<String>,
    text: String,
}

fn leaves(value: &Value, kind: String, sorts: &mut Vec<String>, found: &mut dyn FnMut(Leaf)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, format!("{kind}[]"), sorts, found)),
        Value::Object(entries) => {
            let before = sorts.len();
            let words = entries.values().filter_map(Value::as_str);
            sorts.extend(words.map(|word| format!("{kind} {word:?}").trim_start().to_owned()));
            for (key, value) in entries {
                let kind = if kind.is_empty() { key.clone() } else { format!("{kind}.{key}") };
                leaves(value, kind, sorts, found);
            }
            sorts.truncate(before);
        }
        Value::String(text) => found(Leaf { kind, sorts: sorts.clone(), text: text.clone() }),
        Value::Null | Value::Bool(_) | Value::Number(_) => found(Leaf { kind, sorts: sorts.clone(), text: value.to_string() }),
    }
}

/// Whether a line about `what` is about the leaf, or about something the leaf lies in. `*` stands for any key.
fn covers(what: &str, kind: &str) -> bool {
    let split = |text: &str| text.replace("[]", ".[]").split('.').map(str::to_owned).collect::<Vec<_>>();
    let (what, kind) = (split(what), split(kind));
    what.len() <= kind.len() && what.iter().zip(&kind).all(|(what, kind)| what == kind || what == "*")
}

/// Where each value stands after a key or in a list: start and end in `text`.
pub(crate) fn values(text: &str) -> Vec<(usize, usize)> {
    let starts = text.char_indices().filter(|(_, c)| [':', '[', ','].contains(c)).map(|(at, _)| at + 1);
    let value = |start: usize| {
        let blank = text[start..].len() - text[start..].trim_start().len();
        let rest = &text[start + blank..];
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        stream.next()?.ok()?;
        Some((start + blank, start + blank + stream.byte_offset()))
    };
    starts.filter_map(value).collect()
}
