//! Token counts against the originals, as `scripts/count_peers.py golden` recorded them.

use serde_json::Value;
use weftwork::count::{Vocabulary, chars4, tokenx};

fn recorded() -> Vec<Value> {
    serde_json::from_str(include_str!("data/token-counts.json")).unwrap()
}

fn agrees(name: &str, count: impl Fn(&str) -> u32) {
    for row in recorded() {
        let text = row["text"].as_str().unwrap();
        assert_eq!(u64::from(count(text)), row[name].as_u64().unwrap(), "{name} of {text:?}");
    }
}

#[test]
fn o200k_agrees_with_tiktoken() {
    agrees("o200k", |text| Vocabulary::O200k.count(text));
}

#[test]
fn cl100k_agrees_with_tiktoken() {
    agrees("cl100k", |text| Vocabulary::Cl100k.count(text));
}

#[test]
fn tokenx_agrees_with_the_original() {
    agrees("tokenx", tokenx);
}

#[test]
fn chars4_agrees_with_its_definition() {
    agrees("chars4", chars4);
}

/// The number of tokens of endless text is known: the longest token of its kind, over and over.
#[test]
fn endless_runs_are_counted() {
    for (unit, repeats, o200k, cl100k) in [
        (" ", 1_000_000, 7813, 7813),
        ("-", 1_000_000, 15625, 15625),
        ("a", 1_000_000, 125_000, 125_000),
        ("\n", 1_000_000, 62500, 31250),
        ("1", 1_000_000, 333_334, 333_334),
        ("你好", 166_666, 166_666, 333_332),
        ("👍", 250_000, 250_000, 750_000),
        ("\0", 1_000_000, 500_000, 1_000_000),
    ] {
        let text = unit.repeat(repeats);
        assert_eq!(Vocabulary::O200k.count(&text), o200k, "{unit:?} in o200k");
        assert_eq!(Vocabulary::Cl100k.count(&text), cl100k, "{unit:?} in cl100k");
    }
}
