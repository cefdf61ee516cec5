//! Which models servers have: Ollama's tags, `/models` of the others.

use crate::attempt::classify;
use crate::client::because;
use crate::error::SendError;
use crate::providers::Providers;
use crate::{Kind, Provider};
use reqwest::{Client, Method, Url};
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use weftwork::decode::provider_error;

/// How long a server may take to say what it has.
const PATIENCE: Duration = Duration::from_secs(3);
/// The largest list that is read.
const LARGEST: usize = 16 << 20;
/// How many of Ollama's models are asked for their windows.
const MOST_SHOWN: usize = 64;

/// A model that a server says it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundModel {
    /// What the server calls it.
    pub name: String,
    /// Tokens of its window, where the server says.
    pub context_length: Option<u64>,
    /// Tokens it can write, where the server says.
    pub max_output: Option<u64>,
    /// When it was made, in seconds since 1970, where the server says.
    pub created: Option<i64>,
}

/// What one server said.
#[derive(Debug)]
pub struct Discovery {
    /// The provider.
    pub provider: String,
    /// Its models, or why they are not known.
    pub models: Result<Vec<FoundModel>, SendError>,
}

impl Providers {
    /// Asks every server that can be asked which models it has, all at once, and remembers what they say. A server that does
    /// not answer keeps what it said before.
    pub async fn discover(&self) -> Vec<Discovery> {
        let mut asked = JoinSet::new();
        for provider in self.list().values().filter(|provider| provider.missing_key().is_none()) {
            if let Some(address) = &provider.address {
                asked.spawn(ask(provider.clone(), self.clients.reaching(address).clone()));
            }
        }
        let mut all = asked.join_all().await;
        all.sort_by(|a, b| a.provider.cmp(&b.provider));
        let mut found = self.found.write().unwrap_or_else(PoisonError::into_inner);
        for discovery in &all {
            if let Ok(models) = &discovery.models {
                found.insert(discovery.provider.clone(), models.clone());
            }
        }
        all
    }
}

async fn ask(provider: Arc<Provider>, client: Client) -> Discovery {
    let server = Server { provider: &provider, client };
    let models = match provider.kind {
        Kind::Ollama => server.ollama().await,
        Kind::OpenAi | Kind::Responses | Kind::Completions | Kind::Anthropic | Kind::Gemini => server.listed().await,
        Kind::Offline => Ok(Vec::new()),
    };
    Discovery { provider: provider.name.clone(), models }
}

struct Server<'p> {
    provider: &'p Provider,
    client: Client,
}

impl Server<'_> {
    async fn ollama(&self) -> Result<Vec<FoundModel>, SendError> {
        let tags = self.fetch(Method::GET, "api/tags", None).await?;
        let named = |model| Some((model, Value::get(model, "name")?.as_str()?));
        let mut models = Vec::new();
        for (at, (model, name)) in items(&tags, "models").iter().filter_map(named).enumerate() {
            let shown = match at < MOST_SHOWN {
                true => self.fetch(Method::POST, "api/show", Some(json!({"model": name}))).await.ok(),
                false => None,
            };
            let context_length = shown.as_ref().and_then(window);
            models.push(FoundModel { name: name.to_owned(), context_length, max_output: None, created: moment(model) });
        }
        Ok(models)
    }

    async fn listed(&self) -> Result<Vec<FoundModel>, SendError> {
        let path = match self.provider.kind {
            Kind::Anthropic => "v1/models",
            Kind::OpenAi | Kind::Responses | Kind::Completions | Kind::Gemini | Kind::Ollama | Kind::Offline => "models",
        };
        let list = self.fetch(Method::GET, path, None).await?;
        let key = if self.provider.kind == Kind::Gemini { "models" } else { "data" };
        Ok(items(&list, key).iter().filter_map(listed_model).collect())
    }

    async fn fetch(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, SendError> {
        let address = self.provider.address.as_ref().expect("only servers are asked");
        let url: Url = address.join(path);
        let failed = |error: reqwest::Error| SendError::Unreachable { host: address.to_string(), why: because(&error) };
        let mut request = self.client.request(method, url).headers(self.provider.headers(None)).timeout(PATIENCE);
        if let Some(body) = body {
            request = request.header(reqwest::header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let mut response = request.send().await.map_err(failed)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > LARGEST {
                return Err(SendError::TooLarge { limit: LARGEST });
            }
            bytes.extend_from_slice(&chunk);
        }
        if !response.status().is_success() {
            return Err(classify(provider_error(response.status().as_u16(), &bytes), None));
        }
        serde_json::from_slice(&bytes).map_err(|error| SendError::Malformed { what: error.to_string() })
    }
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The window of an Ollama model: what its file sets, else what it was trained for. The key begins with the architecture.
fn window(shown: &Value) -> Option<u64> {
    let parameters = shown.get("parameters").and_then(Value::as_str).unwrap_or_default();
    let set = parameters.lines().find_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok());
    let trained = || {
        let info = shown.get("model_info")?.as_object()?;
        info.iter().find(|(key, _)| key.ends_with(".context_length")).and_then(|(_, value)| value.as_u64())
    };
    set.or_else(trained)
}

/// When a model was made: a number of seconds, a date, or Ollama's date of its file.
fn moment(entry: &Value) -> Option<i64> {
    let date = |key: &str| entry.get(key)?.as_str()?.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    entry.get("created").and_then(Value::as_i64).or_else(|| date("created_at")).or_else(|| date("modified_at"))
}

/// One entry of a list: every server has its own word for the window, most say nothing.
fn listed_model(entry: &Value) -> Option<FoundModel> {
    let name = entry.get("id").or_else(|| entry.get("name"))?.as_str()?;
    let number = |keys: &[&str]| keys.iter().find_map(|key| entry.pointer(key)?.as_u64());
    Some(FoundModel {
        name: name.strip_prefix("models/").unwrap_or(name).to_owned(),
        // vLLM, OpenRouter, llama-server, Anthropic, Gemini.
        context_length: number(&[
            "/max_model_len",
            "/context_length",
            "/meta/n_ctx",
            "/meta/n_ctx_train",
            "/max_input_tokens",
            "/inputTokenLimit",
        ]),
        max_output: number(&["/max_tokens", "/outputTokenLimit", "/top_provider/max_completion_tokens"]),
        created: moment(entry),
    })
}
