//! The same prompt gives the same bytes, in every dialect, today and tomorrow.
//!
//! `WEFT_BLESS=1 cargo test --test render_golden` writes the files anew; the difference is then read before it is kept.

#[path = "golden/prompt.rs"]
mod prompt;

use prompt::{Rich, model};
use std::path::PathBuf;
use weftwork::dialect::{Dialect, render};

fn model_for(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi | Dialect::Responses => "openai/gpt-5",
        Dialect::Anthropic | Dialect::AiSdk | Dialect::Messages => "anthropic/claude-opus-4-5",
        Dialect::Gemini => "google/gemini-3-pro-preview",
        Dialect::Ollama => "ollama/qwen3",
        Dialect::Completions | Dialect::Text => "local/base",
    }
}

#[test]
fn the_rich_prompt_renders_to_exactly_these_bytes() {
    for &dialect in Dialect::ALL {
        let (rich, model) = (Rich::new(), model(model_for(dialect)));
        let body = render(&rich.prompt(&model), dialect);
        let kind = if dialect == Dialect::Text { "txt" } else { "json" };
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{dialect}.{kind}"));
        if std::env::var_os("WEFT_BLESS").is_some() {
            std::fs::write(&path, &body).expect("golden files can be written");
        }
        let golden = std::fs::read(&path).expect("a golden file for every dialect");
        assert_eq!(String::from_utf8_lossy(&body), String::from_utf8_lossy(&golden), "{dialect}");
    }
}

#[test]
fn all_but_text_are_json_and_compact() {
    for &dialect in Dialect::ALL.iter().filter(|dialect| **dialect != Dialect::Text) {
        let (rich, model) = (Rich::new(), model(model_for(dialect)));
        let body = prompt::text(&rich.prompt(&model), dialect);
        let value: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        // Arguments keep their own spelling of numbers, which a parsed value does not.
        assert_eq!(body.replace("1.10", "1.1"), value.to_string().replace("1.10", "1.1"), "{dialect}");
    }
}
