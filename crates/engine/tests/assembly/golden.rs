//! Whole assemblies by the hash of their bytes, from `golden/cases.json`: the Python and the Node package go through the same file.
//!
//! `WEFT_BLESS=1 cargo test --test assembly golden` writes the file anew; the difference is then read before it is kept.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use weftwork::ask::{Ask, Check};
use weftwork::dialect::Dialect;
use weftwork::{History, assemble, catalogue, formats};

/// What each file is assembled with.
fn options() -> [Value; 3] {
    [
        json!({"contextLength": 20_000}),
        json!({"contextLength": 700, "maxTokens": 40, "strategy": "dropOldest", "unit": "message", "model": "gpt-4o"}),
        json!({"contextLength": 900, "lowWater": 0.6, "input": "And then?", "model": "anthropic/claude-sonnet-4-5"}),
    ]
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files() -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for folder in ["examples", "crates/engine/tests/golden"] {
        files.extend(in_folder(folder));
    }
    for entry in std::fs::read_dir(root().join("crates/engine/tests/fixtures/formats")).expect("fixtures").flatten() {
        files.extend(in_folder(&format!("crates/engine/tests/fixtures/formats/{}", entry.file_name().display())));
    }
    files.retain(|file| history(file).is_some());
    files.sort();
    files
}

fn in_folder(folder: &str) -> Vec<String> {
    let names = std::fs::read_dir(root().join(folder)).expect("a folder").flatten();
    names.map(|entry| format!("{folder}/{}", entry.file_name().display())).collect()
}

/// The history in a file, if it is one conversation.
fn history(file: &str) -> Option<History> {
    let bytes = std::fs::read(root().join(file)).expect("a file");
    let mut found = formats::import(&bytes, None, Check::Repair).ok()?.conversations;
    (found.len() == 1).then(|| found.swap_remove(0)).and_then(|one| History::new(one).ok())
}

/// The ask that a case means: its options by the names they have in an ask.
fn ask(to: Dialect, options: &Value) -> Ask {
    let model = options["model"].as_str().and_then(catalogue::find);
    let mut settings = options.clone();
    let fields = settings.as_object_mut().expect("an object");
    fields.remove("model");
    let input = fields.remove("input").map_or(json!("none"), |text| json!({"new": [{"type": "text", "text": text}]}));
    serde_json::from_value(json!({"dialect": to, "model": model, "input": input, "settings": settings})).expect("an ask")
}

fn outcome(file: &str, to: Dialect, options: &Value) -> Value {
    let history = history(file).expect("one conversation");
    match assemble(&history, &ask(to, options)) {
        Ok(assembly) => json!({"file": file, "to": to, "options": options, "hash": assembly.report.hash}),
        Err(error) => json!({"file": file, "to": to, "options": options, "error": error.to_string()}),
    }
}

/// Every file with every choice of options in every dialect.
fn all() -> Vec<Value> {
    let mut cases = Vec::new();
    for file in files() {
        for options in options() {
            cases.extend(Dialect::ALL.iter().map(|&to| outcome(&file, to, &options)));
        }
    }
    cases
}

#[test]
fn every_case_gives_the_bytes_that_are_written_down() {
    let path = root().join("crates/engine/tests/golden/cases.json");
    if std::env::var_os("WEFT_BLESS").is_some() {
        let lines: Vec<String> = all().iter().map(Value::to_string).collect();
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).expect("golden files can be written");
    }
    let golden: Vec<Value> = serde_json::from_slice(&std::fs::read(&path).expect("golden cases")).expect("JSON");
    assert!(golden.len() > 500, "{} cases", golden.len());
    for case in golden {
        let (file, to) = (case["file"].as_str().expect("a file"), case["to"].as_str().expect("a dialect"));
        assert_eq!(outcome(file, to.parse().expect("a dialect"), &case["options"]), case);
    }
}
