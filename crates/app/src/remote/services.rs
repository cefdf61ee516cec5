//! Programs elsewhere that wake agents by signed webhooks.

use super::ask::{Body, Request};
use super::server::Server;
use anyhow::{Result, anyhow};
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;
use weftwork::model::{EntityId, Timestamp};
use weftwork_gateway::services::{Headers, ID, SIGNATURE, Service, TIMESTAMP};
use weftwork_store::runs::RunId;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownService {
    name: String,
    agent: EntityId,
    secret_ends: String,
    created_at: Option<Timestamp>,
    rotated_at: Option<Timestamp>,
    old_until: Option<Timestamp>,
    secret: Option<String>,
}

impl From<ShownService> for Service {
    fn from(shown: ShownService) -> Service {
        let ShownService { name, agent, secret_ends, created_at, rotated_at, old_until, .. } = shown;
        let millis = |time: Option<Timestamp>| time.map(|time| time.millis());
        let created_at = millis(created_at).unwrap_or_default();
        Service { name, agent, hint: secret_ends, created_at, rotated_at: millis(rotated_at), old_until: millis(old_until) }
    }
}

#[derive(Deserialize)]
struct Delivered {
    run: String,
}

impl Server {
    /// The services, by name.
    pub(crate) fn services(&self) -> Result<Vec<Service>> {
        let all: Vec<ShownService> = self.get(&["services"], Vec::new())?;
        Ok(all.into_iter().map(Service::from).collect())
    }

    /// Lets a service wake an agent; gives its secret.
    pub(crate) fn add_service(&self, name: &str, agent: &EntityId) -> Result<String> {
        secret(self.act(Method::POST, &["services"], json!({"name": name, "agent": agent}))?)
    }

    /// Gives a service another secret.
    pub(crate) fn rotate_service(&self, name: &str, keep_old_hours: i64) -> Result<String> {
        secret(self.act(Method::POST, &["services", name, "rotate"], json!({"keepOldHours": keep_old_hours}))?)
    }

    /// Takes a service away.
    pub(crate) fn remove_service(&self, name: &str) -> Result<()> {
        self.act_only(Method::DELETE, &["services", name], Body::Nothing)
    }

    /// Hands over what a service sent. What is signed needs no token.
    pub(crate) fn deliver(&self, name: &str, headers: &Headers, body: Vec<u8>) -> Result<RunId> {
        let pairs = [(ID, &headers.id), (TIMESTAMP, &headers.timestamp), (SIGNATURE, &headers.signature)];
        let signed = pairs.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect();
        let path = ["services", name];
        let body = Body::Signed(body, signed);
        let answer = self.ask(&Request { method: Method::POST, path: &path, query: Vec::new(), body })?;
        Ok(RunId::from(serde_json::from_slice::<Delivered>(&answer)?.run.as_str()))
    }
}

fn secret(shown: ShownService) -> Result<String> {
    shown.secret.ok_or_else(|| anyhow!("the server does not tell the secret a second time: give it another with rotate"))
}
