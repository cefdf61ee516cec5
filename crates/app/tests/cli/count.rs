//! `weft count`: tokens per message and in total.

use crate::run::{RESEARCH, chat, node, piped, weft};
use serde_json::json;

#[test]
fn counts_are_json_on_request() {
    let file = chat(&[node("n1", "", "h", "12345678"), node("n2", "n1", "a", "123")].join(","));
    let counted = piped(&["count", "--counter", "chars4", "--json"], file.as_str());
    let messages = json!([{"node": "n1", "tokens": 2}, {"node": "n2", "tokens": 1}]);
    assert_eq!(counted.json(), json!({"counter": "chars4", "messages": messages, "total": 3}));
}

/// Arguments and the counter's name.
#[test]
fn the_counter_is_chosen_or_follows_the_model() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "o200k"),
        (&["--counter", "auto"], "o200k"),
        (&["--counter", "cl100k"], "cl100k"),
        (&["--counter", "tokenx"], "tokenx"),
        (&["--model", "openai/gpt-4o"], "o200k"),
        (&["--model", "anthropic/claude-sonnet-4-5", "--counter", "chars4"], "chars4"),
    ];
    for (args, name) in cases {
        let ran = weft(&[&["count", RESEARCH, "--json"], *args].concat());
        assert_eq!(ran.json()["counter"], *name, "{args:?}");
    }
}

#[test]
fn only_the_path_to_the_head_is_counted() {
    let nodes = |args: &[&str]| {
        let ran = weft(&[&["count", RESEARCH, "--json"], args].concat());
        ran.json()["messages"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((nodes(&[]), nodes(&["--head", "n19b"]), nodes(&["--head", "n1"])), (32, 19, 1));
    assert_eq!(weft(&["count", RESEARCH, "--head", "zz"]).code, 2);
}

#[test]
fn a_table_is_for_people() {
    let file = chat(&[node("n1", "", "h", "こんにちは"), node("n2", "n1", "a", "Hello\\nagain")].join(","));
    let ran = piped(&["count", "--counter", "chars4"], file);
    let expected = [
        "  node   author  tokens  text",
        "  n1     Hana         2  \"こんにちは\"",
        "  n2     Ada          3  \"Hello\\nagain\"",
        "  total               5  chars4, estimated",
    ];
    assert_eq!((ran.code, ran.stdout.lines().collect::<Vec<_>>().as_slice()), (0, expected.as_slice()));
}
