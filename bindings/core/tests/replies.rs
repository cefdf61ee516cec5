//! Every recorded stream as the reply that both languages give: `replies.json`, which their tests read too.
//!
//! `WEFT_BLESS=1 cargo test -p weftwork-bindings --test replies` writes the file anew.

use serde_json::{Map, Value, json};
use std::path::Path;
use weftwork_bindings::Stream;

fn reply(dialect: &str, bytes: &[u8]) -> Value {
    let mut stream = Stream::new(dialect).expect("a dialect");
    for chunk in bytes.chunks(7) {
        // An error is told by finish too.
        let _ = stream.push(chunk);
    }
    match stream.finish() {
        Ok(reply) => serde_json::from_str(&reply).expect("JSON"),
        Err(fault) => json!({"error": fault.name(), "facts": fault.facts()}),
    }
}

#[test]
fn every_stream_is_the_reply_that_is_written_down() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../crates/engine/tests/fixtures/streams");
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).expect("streams").flatten().map(|entry| entry.file_name().display().to_string()).collect();
    names.sort();
    let mut replies = Map::new();
    for name in names {
        let dialect = if name.starts_with("ai-sdk") { "ai-sdk" } else { name.split('-').next().unwrap_or_default() };
        let bytes = std::fs::read(folder.join(&name)).expect("a stream");
        let told = reply(dialect, &bytes);
        let case = json!({"dialect": dialect, "reply": told});
        replies.insert(name, case);
    }
    let path = here.join("tests/replies.json");
    let text = format!("{:#}\n", Value::Object(replies));
    if std::env::var_os("WEFT_BLESS").is_some() {
        std::fs::write(&path, &text).expect("golden files can be written");
    }
    assert!(text == std::fs::read_to_string(&path).unwrap_or_default(), "tests/replies.json is not what is decoded");
}
