//! Keys of providers, kept by the server.

use super::ask::Body;
use super::server::Server;
use anyhow::Result;
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct ProviderList {
    providers: Vec<ShownProvider>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownProvider {
    name: String,
    key_kept: bool,
}

impl Server {
    /// The providers that a key is kept for.
    pub(crate) fn keys(&self) -> Result<Vec<String>> {
        let all: ProviderList = self.get(&["providers"], Vec::new())?;
        Ok(all.providers.into_iter().filter(|provider| provider.key_kept).map(|provider| provider.name).collect())
    }

    /// Keeps a provider's key.
    pub(crate) fn keep_key(&self, provider: &str, key: &str) -> Result<()> {
        self.act_only(Method::PUT, &["providers", provider, "key"], Body::Json(json!({"key": key})))
    }

    /// Forgets a provider's key.
    pub(crate) fn forget_key(&self, provider: &str) -> Result<()> {
        self.act_only(Method::DELETE, &["providers", provider, "key"], Body::Nothing)
    }
}
