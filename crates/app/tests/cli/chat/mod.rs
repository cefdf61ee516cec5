//! `weft chat`, with the offline model.

mod piped;
mod terminal;

use crate::keep::Db;
use crate::run::Ran;
use serde_json::Value;

/// A chat with these lines typed into a pipe.
fn chat(db: &Db, args: &[&str], lines: &[&str]) -> Ran {
    db.piped(&[&["chat", "--model", "offline"], args].concat(), lines.join("\n") + "\n")
}

/// The same, which must end well; what it printed.
fn said(db: &Db, args: &[&str], lines: &[&str]) -> String {
    let ran = chat(db, args, lines);
    assert_eq!(ran.code, 0, "{lines:?}: {}", ran.stderr);
    ran.stdout
}

/// The only space of the database.
fn kept(db: &Db) -> Value {
    serde_json::from_str(&db.all()).expect("one space")
}

/// The texts of the messages that were said, with a sign for what was stopped or failed.
fn messages(file: &Value) -> Vec<String> {
    let nodes = file["nodes"].as_array().expect("nodes").iter().filter(|node| node["kind"].is_null());
    let text = |node: &Value| {
        let parts = node["parts"].as_array().expect("parts").iter().filter_map(|part| part["text"].as_str());
        let broken = if node["status"] == "error" { " [broken]" } else { "" };
        parts.collect::<String>() + broken
    };
    nodes.map(text).collect()
}
