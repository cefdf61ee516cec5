//! Ways in: tokens of one's own, and for an owner those of others.

use super::ask::Body;
use super::server::Server;
use anyhow::{Result, anyhow};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use weftwork::model::{EntityId, Timestamp};

/// A token, without its secret.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownToken {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) entity: Option<EntityId>,
    pub(crate) scopes: Vec<String>,
    pub(crate) used_at: Option<Timestamp>,
    secret: Option<String>,
}

impl Server {
    /// One's tokens.
    pub(crate) fn tokens(&self) -> Result<Vec<ShownToken>> {
        self.get(&["tokens"], Vec::new())
    }

    /// Makes a token, and gives it.
    pub(crate) fn make_token(&self, name: &str, who: Option<&EntityId>, scopes: &[String], days: Option<u32>) -> Result<String> {
        let mut body = Map::from_iter([("name".to_owned(), json!(name))]);
        let fields = [
            ("entity", who.map(|who| json!(who))),
            ("scopes", (!scopes.is_empty()).then(|| json!(scopes))),
            ("expiresInDays", days.map(|days| json!(days))),
        ];
        body.extend(fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        shown_once(self.act(Method::POST, &["tokens"], Value::Object(body))?)
    }

    /// Revokes a token.
    pub(crate) fn revoke_token(&self, id: &str) -> Result<()> {
        self.act_only(Method::DELETE, &["tokens", id], Body::Nothing)
    }

    /// A link that lets somebody sign in again, once.
    pub(crate) fn link(&self, who: &EntityId, hours: i64) -> Result<String> {
        let body = json!({"entity": who, "name": "signing in again", "expiresInHours": hours});
        shown_once(self.act(Method::POST, &["invitations"], body)?)
    }
}

fn shown_once(made: ShownToken) -> Result<String> {
    made.secret.ok_or_else(|| anyhow!("the server does not tell what it made"))
}
