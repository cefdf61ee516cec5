//! A server that nobody here wrote: llama.cpp's, from its Python package, with a tiny model of random weights.
//!
//! `make llama` installs and starts it and sets `WEFT_LLAMA_URL`; these tests are not part of `make test`.

use weftwork::ask::{Ask, Check, Settings};
use weftwork::catalogue::Catalogue;
use weftwork::count::Kind;
use weftwork::decode::Delta;
use weftwork::model::Sampling;
use weftwork::{History, assemble, formats};
use weftwork_provider::{Config, Event, Order, Outcome, Providers, SendError};

fn providers(kind: &str) -> Providers {
    let address = std::env::var("WEFT_LLAMA_URL").expect("WEFT_LLAMA_URL: run these tests by `make llama`");
    let text = format!(
        "[providers.llama]\nkind = \"{kind}\"\nbase_url = \"{address}\"\n[providers.llama.models.\"tiny.gguf\"]\ncontext_length = 1024"
    );
    Providers::new(&Config::parse(&text).expect("a configuration"), Catalogue::built_in(), |_| None).expect("providers")
}

/// A request of our own making, for a window of `context_length`.
fn order(providers: &Providers, text: &str, context_length: u64) -> Order {
    let target = providers.resolve("llama/tiny.gguf").expect("a model");
    let chat = serde_json::json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]);
    let import = formats::import(chat.to_string().as_bytes(), None, Check::Repair).expect("a chat");
    let history = History::new(import.conversations.into_iter().next().expect("one chat")).expect("a history");
    let settings = Settings { context_length: Some(context_length), max_tokens: Some(16), ..Settings::default() };
    let sampling = Some(Sampling { temperature: Some(0.0), seed: Some(1), ..Sampling::default() });
    let (model, dialect) = (Some(target.model.clone()), Some(target.dialect()));
    let request = assemble(&history, &Ask { model, dialect, settings, sampling, ..Ask::default() }).expect("a request").request;
    let dialect = target.dialect();
    Order::new(target, dialect, request)
}

async fn reply(kind: &str) -> (usize, Outcome) {
    let providers = providers(kind);
    let mut sending = providers.send(order(&providers, "Hello", 1024));
    let mut texts = 0;
    while let Some(event) = sending.next().await {
        texts += usize::from(matches!(event, Event::Delta(Delta::Text(_))));
    }
    (texts, sending.finish().await.unwrap_or_else(|failure| panic!("{failure:?}")))
}

#[tokio::test]
async fn it_answers_a_chat_and_continues_a_text() {
    for kind in ["openai", "completions"] {
        let (texts, outcome) = reply(kind).await;
        assert!(texts > 0 && !outcome.reply.text().is_empty(), "{kind}: {outcome:?}");
        let usage = outcome.usage.expect("usage");
        assert!(usage.kind == Kind::Estimated && usage.usage.output > 0, "{kind}: this server reports none: {usage:?}");
    }
}

#[tokio::test]
async fn it_lists_its_model() {
    let providers = providers("openai");
    let found = providers.discover().await;
    let own = found.iter().find(|found| found.provider == "llama").expect("asked");
    let models = own.models.as_ref().expect("models");
    assert!(models.iter().any(|model| model.name.ends_with("tiny.gguf")), "{models:?}");
}

#[tokio::test]
async fn a_prompt_too_long_for_it_is_an_overflow() {
    let providers = providers("openai");
    let sending = providers.send(order(&providers, &"word ".repeat(2000), 100_000));
    let failure = sending.finish().await.expect_err("it does not fit");
    assert!(matches!(failure.error, SendError::Overflow { .. }), "{:?}", failure.error);
    assert_eq!(failure.outcome.attempts, 1, "the same bytes are not sent again");
}
