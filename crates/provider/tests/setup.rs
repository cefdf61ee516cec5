//! Configuration, environment and names: which providers there are, and which model a name means.

use weftwork::catalogue::{Catalogue, VocabularyOf};
use weftwork::dialect::Dialect;
use weftwork_provider::{Config, Key, Kind, Payer, Providers, ResolveError, SetupError};

fn providers(config: &str, env: &[(&str, &str)]) -> Result<Providers, SetupError> {
    let config = Config::parse(config).expect("a configuration");
    let value = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    Providers::new(&config, Catalogue::built_in(), value)
}

fn names(providers: &Providers) -> Vec<String> {
    providers.all().iter().map(|provider| provider.name().to_owned()).collect()
}

const LOCAL: &str = r#"
[providers.local]
kind = "openai"
base_url = "http://127.0.0.1:8080/v1"
api_key_env = "LOCAL_API_KEY"
[providers.local.models.tiny]
context_length = 1024
max_output = 256
prices = { input = 1.0, output = 2.0 }
vocabulary = "cl100k"
[mcp.files]
command = ["my-mcp-server", "--stdio"]
"#;

#[test]
fn services_are_there_when_their_key_is() {
    assert_eq!(names(&providers("", &[]).expect("providers")), ["offline", "ollama"]);
    let env = [("OPENAI_API_KEY", "a"), ("ANTHROPIC_API_KEY", "b"), ("GOOGLE_API_KEY", "c")];
    assert_eq!(names(&providers("", &env).expect("providers")), ["anthropic", "gemini", "offline", "ollama", "openai"]);
    assert_eq!(names(&providers("", &[("OPENAI_API_KEY", " ")]).expect("providers")), ["offline", "ollama"]);
}

#[test]
fn a_configured_model_is_what_its_owner_says() {
    let providers = providers(LOCAL, &[("LOCAL_API_KEY", "k")]).expect("providers");
    for name in ["local/tiny", "tiny"] {
        let target = providers.resolve(name).expect(name);
        let model = &target.model;
        assert_eq!((model.name.as_str(), model.wire_name()), ("local/tiny", "tiny"));
        assert_eq!((model.context_length, model.max_output, model.vocabulary), (Some(1024), Some(256), VocabularyOf::Cl100k));
        assert_eq!(model.prices.map(|prices| prices.output), Some(2.0));
        assert_eq!((target.dialect(), target.buffer_dialect()), (Dialect::OpenAi, Dialect::Completions));
    }
    let unlisted = providers.resolve("local/meta-llama/Llama-3").expect("any model of a provider");
    assert_eq!(unlisted.model.wire_name(), "meta-llama/Llama-3");
}

#[test]
fn a_provider_of_any_name_sends_the_name_its_server_knows() {
    let text = "[providers.box]\nkind = \"ollama\"\nbase_url = \"http://10.0.0.2:11434\"";
    let target = providers(text, &[]).expect("providers").resolve("box/qwen3:8b").expect("a model");
    assert_eq!(target.model.wire_name(), "qwen3:8b");
}

#[test]
fn bare_names_of_services_resolve_and_keep_their_prices() {
    let env = [("OPENAI_API_KEY", "a"), ("GEMINI_API_KEY", "c")];
    let providers = providers("", &env).expect("providers");
    for (name, whole) in [
        ("gpt-4o", "openai/gpt-4o"),
        ("gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("google/gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("openai/gpt-4o-2024-08-06", "openai/gpt-4o-2024-08-06"),
        ("gpt-4o-2024-08-06", "openai/gpt-4o-2024-08-06"),
        ("offline", "offline/offline"),
        ("offline/offline", "offline/offline"),
    ] {
        assert_eq!(providers.resolve(name).expect(name).model.name, whole);
    }
    assert!(providers.resolve("gemini-2.5-pro").expect("a model").model.prices.is_some());
}

#[test]
fn an_error_of_a_name_says_what_to_do() {
    let two = "[providers.a]\nkind=\"openai\"\nbase_url=\"http://h/v1\"\n[providers.a.models.same]\n[providers.b]\nkind=\"openai\"\nbase_url=\"http://h/v1\"\n[providers.b.models.same]";
    let two = providers(two, &[]).expect("providers");
    let choices = vec!["a/same".to_owned(), "b/same".to_owned()];
    assert_eq!(two.resolve("same").err(), Some(ResolveError::Ambiguous { name: "same".into(), choices }));

    let none = providers(LOCAL, &[]).expect("providers");
    let text = |name: &str| none.resolve(name).expect_err(name).to_string();
    assert!(text("anthropic/claude-sonnet-4-5").contains("ANTHROPIC_API_KEY"));
    assert!(text("claude-sonnet-4-5").contains("ANTHROPIC_API_KEY"));
    assert!(text("google/gemini-2.5-pro").contains("GEMINI_API_KEY"));
    assert!(text("local/tiny").contains("LOCAL_API_KEY"));
    assert!(text("tiny-chat").contains("did you mean local/tiny?"), "{}", text("tiny-chat"));
    assert!(text("nothing").contains("providers here: local, offline, ollama"));
}

#[test]
fn keys_never_print() {
    let env = [("OPENAI_API_KEY", "sk-secret"), ("LOCAL_API_KEY", "k-secret")];
    let text = "[providers.other]\nkind = \"openai\"\nbase_url = \"http://10.0.0.9/v1\"";
    let all = providers(&format!("{LOCAL}{text}"), &env).expect("providers");
    let shown = format!("{all:?}");
    assert!(!shown.contains("sk-secret") && !shown.contains("k-secret"), "{shown}");
    assert!(all.resolve("other/m").is_ok(), "a server without api_key_env is asked without a key");
}

#[test]
fn a_configuration_that_cannot_be_meant_is_refused() {
    for (text, expected) in [
        ("[providers.offline]\nkind = \"openai\"", SetupError::Taken { kind: Kind::OpenAi }),
        ("[providers.\"a/b\"]\nkind = \"openai\"", SetupError::BadName { name: "a/b".into() }),
        ("[providers.base]\nkind = \"completions\"", SetupError::NoAddress { name: "base".into(), kind: Kind::Completions }),
    ] {
        assert_eq!(providers(text, &[]).err(), Some(expected), "{text}");
    }
    for text in ["[providers.a]\nkind = \"openai\"\nbaseurl = \"x\"", "[providers.a]\nkind = \"opnai\"", "[providers.a]"] {
        let error = Config::parse(text).expect_err(text);
        assert!(error.what.contains("line"), "{error}");
    }
}

#[test]
fn a_configured_service_takes_the_place_of_the_built_in_one() {
    let env = [("OPENAI_API_KEY", "a")];
    let all = providers("[providers.openai]\nkind = \"responses\"", &env).expect("providers");
    assert_eq!(all.resolve("gpt-4o").expect("a model").dialect(), Dialect::Responses);
}

#[test]
fn a_key_from_elsewhere_makes_a_provider_usable() {
    let all = providers(LOCAL, &[]).expect("providers");
    let key = || Key::new("k").ok();
    assert!(all.set_key("local", key()) && all.resolve("tiny").is_ok());
    assert!(!all.set_key("nobody", key()));
    // A service is there as soon as it has one, and cannot be asked when it is taken back.
    assert!(all.resolve("gpt-4o").is_err());
    assert!(all.set_key("openai", key()) && all.resolve("gpt-4o").is_ok());
    assert!(all.set_key("openai", None) && all.resolve("gpt-4o").is_err());
}

#[test]
fn who_brings_a_key_reaches_services_that_have_none_of_ours() {
    let providers = providers("", &[]).expect("providers");
    for (name, whole) in [("openai/gpt-4o", "openai/gpt-4o"), ("claude-sonnet-4-5", "anthropic/claude-sonnet-4-5")] {
        assert!(matches!(providers.resolve(name), Err(ResolveError::NoKey { .. })), "{name}");
        let target = providers.resolve_for(name, Payer::Caller).expect(name);
        assert_eq!((target.model.name.as_str(), target.provider().missing_key().is_some()), (whole, true));
    }
    assert_eq!(names(&providers), ["offline", "ollama"], "such a provider is not kept");
    assert!(matches!(providers.resolve_for("nobody/x", Payer::Caller), Err(ResolveError::Unknown { .. })));
    assert!(matches!(providers.provider("openai", Payer::Owner), Err(ResolveError::NoKey { .. })));
    assert_eq!(providers.provider("anthropic", Payer::Caller).expect("a service").name(), "anthropic");
    assert!(matches!(providers.provider("nobody", Payer::Caller), Err(ResolveError::NoProvider { .. })));
}
