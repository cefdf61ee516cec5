//! Asking a server: one request, its answer read or its fault told.
//!
//! The token goes to the one address that was named and nowhere else: no redirect is followed. A POST carries a key of its own,
//! so that it is done once however often it is sent.

use super::refused::Refused;
use super::server::Server;
use anyhow::{Context, Result, anyhow, bail};
use reqwest::{Method, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// How often something is asked again that the server has no room for.
const TRIES: u32 = 6;
/// Seconds that a server can make us wait each time.
const PATIENCE: u64 = 10;

/// What a request carries.
pub(super) enum Body {
    Nothing,
    Json(Value),
    File(Vec<u8>),
    /// Bytes that are signed, and what they are signed with.
    Signed(Vec<u8>, Vec<(&'static str, String)>),
}

/// A request: the path below `/api`, a segment each, and a query.
pub(super) struct Request<'r> {
    pub(super) method: Method,
    pub(super) path: &'r [&'r str],
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) body: Body,
}

impl Server {
    /// What is at a path.
    pub(super) fn get<T: DeserializeOwned>(&self, path: &[&str], query: Vec<(&'static str, String)>) -> Result<T> {
        read(&self.ask(&Request { method: Method::GET, path, query, body: Body::Nothing })?)
    }

    /// What is at a path, if the asker may see it.
    pub(super) fn look<T: DeserializeOwned>(&self, path: &[&str]) -> Result<Option<T>> {
        match self.get(path, Vec::new()) {
            Err(error) if is_missing(&error) => Ok(None),
            result => result.map(Some),
        }
    }

    /// Does something, and reads what came of it.
    pub(super) fn act<T: DeserializeOwned>(&self, method: Method, path: &[&str], body: Value) -> Result<T> {
        read(&self.ask(&Request { method, path, query: Vec::new(), body: Body::Json(body) })?)
    }

    /// Does something of which there is nothing more to say.
    pub(super) fn act_only(&self, method: Method, path: &[&str], body: Body) -> Result<()> {
        self.ask(&Request { method, path, query: Vec::new(), body }).map(drop)
    }

    /// The bytes of an answer.
    pub(super) fn ask(&self, request: &Request<'_>) -> Result<Vec<u8>> {
        let key = format!("cli-{}", super::server::random()?);
        let mut tries = 1;
        loop {
            match self.runtime.block_on(self.once(request, &key)) {
                Err(error) if tries < TRIES => match error.downcast_ref::<Refused>().filter(|refused| refused.is_passing()) {
                    Some(refused) => {
                        std::thread::sleep(Duration::from_secs(refused.after.unwrap_or(1).clamp(1, PATIENCE)));
                        tries += 1;
                    }
                    None => return Err(error),
                },
                result => return result,
            }
        }
    }

    async fn once(&self, request: &Request<'_>, key: &str) -> Result<Vec<u8>> {
        // These lead to other paths, whatever is done to them.
        if request.path.iter().any(|segment| matches!(*segment, "" | "." | "..")) {
            return Err(Refused::nameless().into());
        }
        let mut url = self.base.clone();
        {
            let mut path = url.path_segments_mut().map_err(|()| anyhow!("{} has no paths", self.address()))?;
            path.pop_if_empty().push("api").extend(request.path);
        }
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        let mut asked = self.http.request(request.method.clone(), url).bearer_auth(&self.token);
        if request.method == Method::POST {
            asked = asked.header("idempotency-key", key);
        }
        let asked = match &request.body {
            Body::Nothing => asked,
            Body::Json(body) => asked.header(header::CONTENT_TYPE, "application/json").body(serde_json::to_vec(body)?),
            Body::File(bytes) => asked.header(header::CONTENT_TYPE, "application/octet-stream").body(bytes.clone()),
            Body::Signed(bytes, headers) => {
                let signed = asked.header(header::CONTENT_TYPE, "application/json").body(bytes.clone());
                headers.iter().fold(signed, |signed, (name, value)| signed.header(*name, value))
            }
        };
        let answer = asked.send().await.map_err(|error| self.unreachable(&error))?;
        self.taken(answer).await
    }

    pub(super) async fn taken(&self, answer: reqwest::Response) -> Result<Vec<u8>> {
        let status = answer.status();
        if status.is_redirection() {
            let to = answer.headers().get(header::LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("elsewhere");
            bail!("{} leads to {to}: give the address of the server itself with --server", self.address());
        }
        let after = answer.headers().get(header::RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
        let body = answer.bytes().await.map_err(|error| self.unreachable(&error))?;
        if status.is_success() {
            return Ok(body.to_vec());
        }
        let refused = Refused::read(status.as_u16(), after, &body).ok_or_else(|| self.no_weft(status))?;
        Err(match status {
            StatusCode::UNAUTHORIZED if refused.is_stranger() => self.not_let_in(refused),
            _ => refused.into(),
        })
    }

    pub(super) fn unreachable(&self, error: &reqwest::Error) -> anyhow::Error {
        let mut why: &dyn std::error::Error = error;
        while let Some(deeper) = why.source() {
            why = deeper;
        }
        let words = match error {
            error if error.is_connect() => "nobody answers there: is weft serve running?",
            error if error.is_timeout() => "it takes too long to answer",
            _ => "the connection broke off",
        };
        anyhow!("{}: {words} ({why})", self.address())
    }

    fn no_weft(&self, status: StatusCode) -> anyhow::Error {
        anyhow!("{} is no Weft server, or something stands before it: it answered {status}", self.address())
    }
}

/// Whether an error says that there is no such thing.
pub(crate) fn is_missing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Refused>().is_some_and(Refused::is_missing)
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let bytes: &[u8] = if bytes.is_empty() { b"null" } else { bytes };
    serde_json::from_slice(bytes)
        .context("the answer cannot be read: is that a Weft server, and of this version (weft --version)?")
}

/// A query without what is not asked for.
pub(super) fn query<const N: usize>(pairs: [(&'static str, Option<String>); N]) -> Vec<(&'static str, String)> {
    pairs.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
