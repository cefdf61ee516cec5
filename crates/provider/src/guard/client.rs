//! The client for addresses that did not come from the owner.
//!
//! It uses no proxy, follows nothing by itself, reads no more than it was told, and looks at who answered before it reads.

use super::error::{GuardError, Refused};
use super::names::{Checked, Names, SystemNames};
use super::rules::Guard;
use crate::client::because;
use bytes::Bytes;
use reqwest::header::{ACCEPT, HeaderMap, LOCATION};
use reqwest::{Method, Response, StatusCode, Url};
use std::sync::Arc;
use std::time::Duration;

/// How often a fetch is pointed on.
pub const MOST_REDIRECTS: usize = 3;

/// How much, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of an answer.
    pub largest: usize,
    /// To be connected, the name's resolution included.
    pub connect: Duration,
    /// From the request to the last byte.
    pub total: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { largest: 8 << 20, connect: Duration::from_secs(5), total: Duration::from_secs(20) }
    }
}

/// A request to an address that did not come from the owner.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The address.
    pub address: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// From where, after redirects.
    pub address: Url,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    guard: Arc<Guard>,
    bounds: Bounds,
}

impl Client {
    /// A client that keeps these rules.
    pub fn new(guard: Guard, bounds: Bounds) -> Result<Self, GuardError> {
        Self::with_names(guard, bounds, Arc::new(SystemNames))
    }

    /// The same, with names from elsewhere.
    pub fn with_names(guard: Guard, bounds: Bounds, names: Arc<dyn Names>) -> Result<Self, GuardError> {
        let guard = Arc::new(guard);
        let http = reqwest::Client::builder()
            .user_agent(concat!("weft/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(Arc::new(Checked { guard: guard.clone(), names }))
            // A proxy would connect for us, to wherever it is told.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .connect_timeout(bounds.connect)
            .build()
            .map_err(|error| GuardError::Client { why: because(&error) })?;
        Ok(Self { http, guard, bounds })
    }

    /// Reads an address and holds it against the rules, as far as that can be done without resolving its name.
    pub fn check(&self, address: &str) -> Result<Url, Refused> {
        self.guard.check(address)
    }

    /// A client for a library that speaks HTTP by itself, for this address and no other: names are resolved by the rules,
    /// literal addresses are checked here.
    pub fn lent_for(&self, address: &str) -> Result<reqwest::Client, Refused> {
        self.check(address).map(|_| self.http.clone())
    }

    /// Sends a request. A redirect is an answer like any other.
    pub async fn send(&self, request: Request) -> Result<Answer, GuardError> {
        let url = self.check(&request.address)?;
        let within = self.exchange(url.clone(), request.method, request.headers, request.body);
        self.in_time(&url, within).await
    }

    /// Fetches what is at an address, through [`MOST_REDIRECTS`] redirects at most, each held against the rules. Of the
    /// headers only `Accept` is sent to where a redirect points.
    pub async fn fetch(&self, address: &str, headers: HeaderMap) -> Result<Answer, GuardError> {
        let url = self.check(address)?;
        self.in_time(&url, self.follow(url.clone(), headers)).await
    }

    async fn follow(&self, mut url: Url, mut headers: HeaderMap) -> Result<Answer, GuardError> {
        for _ in 0..=MOST_REDIRECTS {
            let answer = self.exchange(url.clone(), Method::GET, headers.clone(), Bytes::new()).await?;
            match self.next(&url, &answer)? {
                Some(next) => url = next,
                None => return Ok(answer),
            }
            headers = headers.remove(ACCEPT).map(|accept| (ACCEPT, accept)).into_iter().collect();
        }
        Err(GuardError::TooManyRedirects)
    }

    /// Where an answer points to, if it does.
    fn next(&self, from: &Url, answer: &Answer) -> Result<Option<Url>, Refused> {
        let points = matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308);
        let Some(to) = answer.headers.get(LOCATION).filter(|_| points) else { return Ok(None) };
        let unreadable = |why: String| Refused::Unreadable { why };
        let to = to.to_str().map_err(|error| unreadable(error.to_string()))?;
        let to = from.join(to).map_err(|error| unreadable(error.to_string()))?;
        self.guard.check_url(&to)?;
        if from.scheme() == "https" && to.scheme() == "http" {
            return Err(Refused::Downgrade { host: host(&to) });
        }
        Ok(Some(to))
    }

    async fn exchange(&self, url: Url, method: Method, headers: HeaderMap, body: Bytes) -> Result<Answer, GuardError> {
        let sent = self.http.request(method, url.clone()).headers(headers).body(body).send().await;
        let mut response = sent.map_err(|error| failed(&url, &error))?;
        self.check_peer(&url, &response)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(&url, &error))? {
            if bytes.len() + chunk.len() > self.bounds.largest {
                return Err(GuardError::TooLarge { limit: self.bounds.largest });
            }
            bytes.extend_from_slice(&chunk);
        }
        let status = response.status();
        Ok(Answer { address: url, status, headers: std::mem::take(response.headers_mut()), body: bytes.into() })
    }

    /// The last word has the socket.
    fn check_peer(&self, url: &Url, response: &Response) -> Result<(), GuardError> {
        let host = host(url);
        let Some(peer) = response.remote_addr() else { return Err(GuardError::UnknownPeer { host }) };
        match self.guard.judge(peer.ip(), &host) {
            Ok(()) => Ok(()),
            Err(Refused::NotPublic { host, class }) => Err(GuardError::Peer { host, class }),
            Err(other) => Err(other.into()),
        }
    }

    async fn in_time<T>(&self, url: &Url, work: impl Future<Output = Result<T, GuardError>>) -> Result<T, GuardError> {
        let late = |_| GuardError::TimedOut { host: host(url) };
        tokio::time::timeout(self.bounds.total, work).await.map_err(late)?
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("guard::Client").field("guard", &self.guard).finish_non_exhaustive()
    }
}

fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// What went wrong: a name whose addresses were refused comes back through the connector.
fn failed(url: &Url, error: &reqwest::Error) -> GuardError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(this) = cause {
        if let Some(refused) = this.downcast_ref::<Refused>() {
            return refused.clone().into();
        }
        cause = this.source();
    }
    match error.is_timeout() {
        true => GuardError::TimedOut { host: host(url) },
        false => GuardError::Unreachable { host: host(url), why: because(error) },
    }
}
