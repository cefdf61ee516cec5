//! Looking models up.

use weftwork::catalogue::{Catalogue, VocabularyOf, find};

/// Name asked for, name given back, window, whether a price is known.
const FOUND: &[(&str, &str, u64, bool)] = &[
    ("openai/gpt-4o", "openai/gpt-4o", 128_000, true),
    ("gpt-4o", "openai/gpt-4o", 128_000, true),
    ("gpt-4o-2024-08-06", "openai/gpt-4o-2024-08-06", 128_000, true),
    ("gpt-4o-audio-preview", "openai/gpt-4o-audio-preview", 128_000, false),
    ("azure/gpt-4o", "azure/gpt-4o", 128_000, false),
    ("gpt-4o-mini-2024-07-18", "openai/gpt-4o-mini-2024-07-18", 128_000, true),
    ("gpt-4", "openai/gpt-4", 8_192, true),
    ("gpt-4-0613", "openai/gpt-4-0613", 8_192, true),
    ("gpt-4.1", "openai/gpt-4.1", 1_047_576, true),
    ("gpt-5-pro", "openai/gpt-5-pro", 400_000, false),
    ("claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5-20250929", 200_000, true),
    ("claude-sonnet-4-20250514", "anthropic/claude-sonnet-4-20250514", 200_000, true),
    ("claude-3-5-haiku-latest", "anthropic/claude-3-5-haiku-latest", 200_000, true),
    ("openrouter/anthropic/claude-opus-5.5", "openrouter/anthropic/claude-opus-5.5", 1_000_000, false),
    ("google/gemini-2.5-flash-preview-09-2025", "google/gemini-2.5-flash-preview-09-2025", 1_048_576, false),
    ("ollama/llama3.1:8b", "ollama/llama3.1:8b", 131_072, false),
    ("llama3:8b", "ollama/llama3:8b", 8_192, false),
    ("groq/Llama-3.3-70b-versatile", "groq/Llama-3.3-70b-versatile", 131_072, false),
    ("ollama/gemma4:31b", "ollama/gemma4:31b", 131_072, false),
];

#[test]
fn a_name_is_found_whole_then_as_a_variant_then_by_family() {
    for &(asked, name, window, priced) in FOUND {
        let model = find(asked).unwrap_or_else(|| panic!("{asked} is known"));
        assert_eq!((model.name.as_str(), model.context_length, model.prices.is_some()), (name, Some(window), priced), "{asked}");
    }
}

#[test]
fn another_version_is_another_model() {
    for asked in [
        "gpt-5.9",
        "openai/gpt-4.7-turbo",
        "claude-opus-9",
        "claude-sonnet-4-9",
        "gemini-9-pro",
        "gpt-45",
        "",
        "/",
        "nobody/nothing",
    ] {
        assert_eq!(find(asked), None, "{asked:?}");
    }
}

#[test]
fn vocabularies_factors_and_cache_rules_are_data() {
    let model = |name| find(name).expect("known");
    assert_eq!(model("gpt-5").vocabulary, VocabularyOf::O200k);
    assert_eq!(model("gpt-3.5-turbo").vocabulary, VocabularyOf::Cl100k);
    assert_eq!(model("claude-opus-4-6").vocabulary, VocabularyOf::Estimated(1180));
    assert_eq!(model("claude-opus-4-7").vocabulary, VocabularyOf::Estimated(1530));
    let shortest: Vec<_> = ["claude-opus-5-5", "claude-sonnet-4-5", "claude-opus-4-7", "claude-haiku-4-5"]
        .map(|name| model(name).min_cacheable)
        .into();
    assert_eq!(shortest, [Some(512), Some(1024), Some(2048), Some(4096)]);
    assert!(model("ollama/gemma2:9b").no_system && model("o1-mini").no_system && !model("o1").no_system);
}

#[test]
fn a_user_can_add_and_replace() {
    let mut catalogue = Catalogue::built_in();
    let own = r#"{"models":[
        {"name":"local/tiny","contextLength":1024,"vocabulary":{"o200kTimes":1200}},
        {"name":"openai/gpt-4o","contextLength":64000,"vocabulary":"o200k"},
        {"name":"other/tiny","contextLength":2048,"vocabulary":"cl100k"}]}"#;
    catalogue.extend(Catalogue::parse(own).expect("valid"));
    assert_eq!(catalogue.find("local/tiny").map(|model| model.context_length), Some(Some(1024)));
    assert_eq!(catalogue.find("gpt-4o").map(|model| model.context_length), Some(Some(64_000)));
    assert_eq!(catalogue.find("tiny"), None, "two of that name: say whose");
    assert!(Catalogue::parse(r#"{"model":[]}"#).is_err());
}

#[test]
fn prices_are_in_order() {
    for &(asked, ..) in FOUND {
        let Some(prices) = find(asked).and_then(|model| model.prices) else { continue };
        assert!(prices.input < prices.output, "{asked}");
        assert!(prices.cache_read.is_none_or(|read| read < prices.input), "{asked}");
        assert!(prices.cache_write.is_none_or(|write| write > prices.input), "{asked}");
    }
}

#[test]
fn a_model_is_sent_under_the_name_its_server_knows() {
    let mut model = weftwork::catalogue::Model::unlisted("box/tiny");
    assert_eq!(model.wire_name(), "box/tiny");
    model.served_as = Some("tiny".into());
    assert_eq!(model.wire_name(), "tiny");
}
