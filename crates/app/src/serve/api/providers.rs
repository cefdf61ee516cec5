//! Which models there are, who has them, and the keys they are asked with. A key comes in and never goes out.

use crate::serve::web::{About, Answer, Api, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use weftwork::catalogue::Prices;
use weftwork::model::Timestamp;
use weftwork_gateway::keep_key;
use weftwork_provider::Providers;

const GROUP: &str = "Models";
/// How long servers are waited for that were never asked.
const PATIENCE: Duration = Duration::from_millis(800);
const LONGEST_KEY: usize = 16 << 10;
const NEXT_REQUEST: &str = "it holds from the next request, at other processes of this database within seconds";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Get,
        "/api/models",
        about("models", Need::Read, "Every model that can be asked, with its window and prices."),
        models,
    )
    .on(Verb::Get, "/api/providers", about("providers", Need::Read, "Who has models, and whether they can be asked."), providers)
    .on(
        Verb::Put,
        "/api/providers/{name}/key",
        about("keepKey", Need::Owner, "Keep a provider's key, sealed. One in the environment is stronger."),
        keep,
    )
    .on(Verb::Delete, "/api/providers/{name}/key", about("forgetKey", Need::Owner, "Forget a provider's key."), forget)
}

/// A model.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ListedModel")]
struct ShownModel {
    /// Its name, as provider/model.
    id: String,
    /// The provider.
    provider: String,
    /// What that is.
    kind: &'static str,
    /// Tokens of its window, if known.
    context_length: Option<u64>,
    /// Tokens it can write, if known.
    max_output: Option<u64>,
    /// US dollars for a million tokens, if known.
    prices: Option<Prices>,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
}

/// Every model.
#[derive(Serialize, JsonSchema)]
struct ModelList {
    models: Vec<ShownModel>,
}

async fn models(cx: Cx, _: Input) -> Done<ModelList> {
    let providers = cx.house.gateway.providers();
    let prices: BTreeMap<String, Option<Prices>> =
        providers.models().into_iter().map(|model| (model.name, model.prices)).collect();
    let shown = |model: weftwork_provider::ListedModel| ShownModel {
        prices: prices.get(&model.id).copied().flatten(),
        created_at: model.created.and_then(|seconds| Timestamp::from_millis(seconds.saturating_mul(1000))),
        kind: model.kind.word(),
        id: model.id,
        provider: model.provider,
        context_length: model.context_length,
        max_output: model.max_output,
    };
    Ok(ModelList { models: providers.listed(PATIENCE).await.into_iter().map(shown).collect() }.into())
}

/// Somebody who has models.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownProvider {
    name: String,
    /// What it is: openai, anthropic, gemini, ollama, …
    kind: &'static str,
    /// Whether it can be asked now: it has a key, or needs none.
    ready: bool,
    /// Whether a key is kept for it here, sealed.
    key_kept: bool,
}

/// Everybody who has models.
#[derive(Serialize, JsonSchema)]
struct ProviderList {
    providers: Vec<ShownProvider>,
}

async fn providers(cx: Cx, _: Input) -> Done<ProviderList> {
    let kept: BTreeSet<String> = cx.house.stored(|store| store.secrets()).await?.into_iter().map(|secret| secret.name).collect();
    let mut all: BTreeMap<String, ShownProvider> = BTreeMap::new();
    for (name, kind) in Providers::services() {
        let (kind, key_kept) = (kind.word(), kept.contains(name));
        all.insert(name.to_owned(), ShownProvider { name: name.to_owned(), kind, ready: false, key_kept });
    }
    for provider in cx.house.gateway.providers().all() {
        let name = provider.name().to_owned();
        let (kind, ready, key_kept) = (provider.kind().word(), provider.missing_key().is_none(), kept.contains(&name));
        all.insert(name.clone(), ShownProvider { name, kind, ready, key_kept });
    }
    Ok(ProviderList { providers: all.into_values().collect() }.into())
}

/// A provider.
#[derive(Deserialize, JsonSchema)]
struct ProviderPath {
    /// Its name.
    name: String,
}

/// A key.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewKey {
    /// The key itself.
    #[schemars(length(min = 1, max = 16384))]
    key: String,
}

/// What became of a key.
#[derive(Serialize, JsonSchema)]
struct KeyChanged {
    /// Whether one is kept now.
    kept: bool,
    /// From when it holds.
    note: &'static str,
}

async fn keep(cx: Cx, input: Input<ProviderPath, (), NewKey>) -> Done<KeyChanged> {
    let (name, key) = (input.path.name, input.body.key);
    let known = Providers::services().any(|(service, _)| service == name);
    if !known && !cx.house.gateway.providers().all().iter().any(|provider| provider.name() == name) {
        return Err(Problem::not_found());
    }
    if key.len() > LONGEST_KEY {
        return Err(Problem::bad("key", format!("at most {LONGEST_KEY} bytes")));
    }
    let (store, now) = (cx.house.gateway.store().clone(), cx.house.gateway.now());
    // The seal is a file, and waits for the disk like the store does.
    let kept = tokio::task::spawn_blocking(move || {
        let seal = crate::key::seal().map_err(|error| Problem::internal(&error))?;
        keep_key(&store, &seal, &name, key.trim(), now).map_err(Problem::from)
    });
    kept.await.map_err(|error| Problem::internal(&error))??;
    renew(&cx).await;
    Ok(Answer::from(KeyChanged { kept: true, note: NEXT_REQUEST }))
}

/// It was kept or forgotten; that another's key cannot be opened is for the log.
async fn renew(cx: &Cx) {
    if let Err(error) = cx.house.gateway.renew_keys().await {
        tracing::warn!(%error, "a key of a provider cannot be used");
    }
}

async fn forget(cx: Cx, input: Input<ProviderPath>) -> Done<KeyChanged> {
    let name = input.path.name;
    // Other secrets have a slash in their name, and are not for here.
    if name.contains('/') || !cx.house.stored(move |store| store.remove_secret(&name)).await? {
        return Err(Problem::not_found());
    }
    renew(&cx).await;
    Ok(KeyChanged { kept: false, note: NEXT_REQUEST }.into())
}
