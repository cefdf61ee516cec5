//! Large, deep and odd inputs: linear, never a panic, one odd message never costs the others.

use super::{bytes, lines, read};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write;
use std::time::{Duration, Instant};
use weftwork::ask::Check;
use weftwork::formats::{Format, ImportError, import};
use weftwork::model::Conversation;

/// Far more than a linear reader needs, far less than a quadratic one.
const SOON: Duration = Duration::from_secs(60);
const MANY: usize = 100_000;

#[test]
fn a_hundred_thousand_messages_are_read_in_linear_time() {
    let chain = |entry: &dyn Fn(usize) -> String| (0..MANY).map(entry).collect::<Vec<_>>();
    let mapping = chain(&|n| {
        let parent = n.checked_sub(1).map_or("null".into(), |parent| format!("\"m{parent}\""));
        format!(
            r#""m{n}":{{"id":"m{n}","parent":{parent},"children":[],"message":{{"author":{{"role":"user"}},"content":{{"content_type":"text","parts":["x"]}}}}}}"#
        )
    });
    let flat = chain(&|n| {
        format!(r#"{{"messageId":"m{n}","parentMessageId":"m{}","text":"x","isCreatedByUser":true}}"#, n.wrapping_sub(1))
    });
    let log = chain(&|n| {
        format!(
            r#"{{"type":"user","uuid":"m{n}","parentUuid":"m{}","sessionId":"s","message":{{"role":"user","content":"x"}}}}"#,
            n.wrapping_sub(1)
        )
    });
    for (name, text) in [
        ("chatgpt", format!(r#"[{{"mapping":{{{}}}}}]"#, mapping.join(","))),
        ("librechat", format!(r#"{{"conversationId":"c","messages":[{}]}}"#, flat.join(","))),
        ("claude-code", log.join("\n")),
    ] {
        let start = Instant::now();
        let import = read(text);
        assert_eq!(import.conversations[0].nodes.len(), MANY, "{name}");
        assert!(start.elapsed() < SOON, "{name} took {:?}", start.elapsed());
    }
}

#[test]
fn librechat_nested_deeper_than_a_parser_goes() {
    const DEEP: usize = 20_000;
    let mut text = r#"{"conversationId":"c","recursive":true,"messages":["#.to_owned();
    for n in 0..DEEP {
        write!(text, r#"{{"messageId":"m{n}","text":"x","isCreatedByUser":true,"children":["#).expect("string");
    }
    text.push_str(&"]}".repeat(DEEP));
    text.push_str("]}");
    let import = read(text);
    let nodes = &import.conversations[0].nodes;
    assert_eq!(nodes.len(), DEEP);
    let chained = nodes.windows(2).all(|pair| pair[1].parent.as_ref() == Some(&pair[0].id));
    assert!(chained, "each message answers the one it was nested in");
}

#[test]
fn circles_and_missing_parents_are_cut_and_reported() {
    let log = |pairs: &[(&str, &str)]| {
        let line = |(id, parent): &(&str, &str)| {
            format!(
                r#"{{"type":"user","uuid":"{id}","parentUuid":"{parent}","sessionId":"s","message":{{"role":"user","content":"x"}}}}"#
            )
        };
        pairs.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    for (pairs, expected) in [
        (&[("a", "b"), ("b", "a")][..], "a user \"x\"\nb<a user \"x\""),
        (&[("a", "gone"), ("b", "a")][..], "a user \"x\"\nb<a user \"x\""),
        (&[("a", "a")][..], "a user \"x\""),
    ] {
        assert_eq!(lines(log(pairs)), expected);
        assert!(read(log(pairs)).loss.lines.iter().any(|line| line.what == "parentUuid" && line.note.contains("circle")));
    }
}

const FIXTURES: &[(Format, &str)] = &[
    (Format::Deepchat, "deepchat/records.json"),
    (Format::Superdesign, "superdesign/history.json"),
    (Format::Netdata, "netdata/chat.json"),
    (Format::Aspen, "aspen/tree.json"),
    (Format::ChatGpt, "chatgpt/conversations.json"),
    (Format::Claude, "claude/conversations.json"),
    (Format::OpenWebUi, "open-webui/chats.json"),
    (Format::LibreChat, "librechat/tree.json"),
    (Format::ClaudeCode, "claude-code/session.jsonl"),
    (Format::Codex, "codex/rollout.jsonl"),
];

/// What stands where something else should.
fn odd() -> Vec<Value> {
    vec![Value::Null, json!(true), json!(1e300), json!("\u{0}é{[\""), json!([null, [1]]), json!({"a": {"b": [2]}})]
}

/// Puts an odd value in the place of the leaf or branch with this number.
fn put(document: &mut Value, number: &mut usize, value: &Value) {
    if *number == 0 {
        *document = value.clone();
    }
    *number = number.wrapping_sub(1);
    match document {
        Value::Array(items) => items.iter_mut().for_each(|item| put(item, number, value)),
        Value::Object(entries) => entries.values_mut().for_each(|entry| put(entry, number, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn size(document: &Value) -> usize {
    1 + match document {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(entries) => entries.values().map(size).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Whether an error is about the file as a whole: what it is, or the list of its messages.
fn is_about_the_whole(error: &ImportError) -> bool {
    match error {
        ImportError::Field { path, .. } => path.matches(['.', '[']).count() <= 1,
        ImportError::Empty => true,
        _ => false,
    }
}

/// What would make a history refuse the conversation, or a ledger lose a call.
fn faults(conversation: &Conversation) -> Vec<String> {
    let entities: HashSet<_> = conversation.entities.iter().map(|entity| &entity.id).collect();
    let (mut nodes, mut calls, mut faults) = (HashSet::new(), HashSet::new(), Vec::new());
    for node in &conversation.nodes {
        let parent =
            node.parent.iter().filter(|parent| !nodes.contains(parent)).map(|parent| format!("{}: parent {parent}", node.id));
        faults.extend(parent);
        faults.extend((!entities.contains(&node.author)).then(|| format!("{}: author {}", node.id, node.author)));
        faults.extend((!nodes.insert(&node.id)).then(|| format!("{} twice", node.id)));
    }
    faults.extend((entities.len() < conversation.entities.len()).then(|| "an entity twice".to_owned()));
    let sources = conversation.nodes.iter().flat_map(|node| node.sources.iter().map(|source| &source.node));
    let others = conversation.nodes.iter().flat_map(|node| node.edited_from.iter().chain(&node.cache_marks));
    let heads = conversation.head.iter().chain(conversation.calls.iter().filter_map(|call| call.node.as_ref()));
    faults.extend(sources.chain(others).chain(heads).filter(|id| !nodes.contains(id)).map(|id| format!("{id} is not there")));
    faults.extend(conversation.calls.iter().filter(|call| !calls.insert(&call.id)).map(|call| format!("call {} twice", call.id)));
    faults
}

#[test]
fn an_odd_value_anywhere_is_left_out_and_the_rest_is_whole() {
    for (format, name) in FIXTURES {
        let text = String::from_utf8(bytes(name)).expect("UTF-8");
        let whole = serde_json::from_str(&text).map(|document| vec![document]);
        let documents: Vec<Value> =
            whole.unwrap_or_else(|_| text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect());
        for (place, document) in documents.iter().enumerate() {
            for number in 0..size(document) {
                for value in odd().into_iter().cycle().skip(number % 6).take(2) {
                    let mut changed = documents.clone();
                    put(&mut changed[place], &mut number.clone(), &value);
                    let text: Vec<String> = changed.iter().map(Value::to_string).collect();
                    let result = import(text.join("\n").as_bytes(), Some(*format), Check::Repair);
                    assert!(result.as_ref().err().is_none_or(is_about_the_whole), "{name} {number} {value}: {result:?}");
                    let faults: Vec<String> = result.iter().flat_map(|import| &import.conversations).flat_map(faults).collect();
                    assert!(faults.is_empty(), "{name} {number} {value}: {faults:#?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_file_cut_anywhere_never_panics(which in 0..FIXTURES.len(), share in 0.0..1.0f64) {
        let (format, name) = FIXTURES[which];
        let text = bytes(name);
        let end = (text.len() as f64 * share) as usize;
        let _ = import(&text[..end], Some(format), Check::Repair);
        let _ = import(&text[..end], None, Check::Strict);
    }
}
