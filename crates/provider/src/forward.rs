//! Requests passed on as they are, for paths that are none of ours and for callers who want nothing changed.
//!
//! The bytes are not touched, in neither direction. The key is replaced, cookies and what belongs to one connection stay,
//! the path stays below the provider's address, a redirect is not followed, and both bodies are bounded.

use crate::client::because;
use crate::error::SendError;
use crate::head::{self, Head};
use crate::key::Key;
use crate::load::{Fault, Load, Progress, TooMuch};
use crate::path::BadPath;
use crate::patience::{Patience, Watch};
use crate::provider::Provider;
use crate::providers::Providers;
use bytes::Bytes;
use futures_core::Stream;
use http_body::Body as _;
use reqwest::Method;
use reqwest::header::HeaderMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

/// A request that is passed on as it is.
#[derive(Debug)]
pub struct Passage {
    /// To whom.
    pub provider: Arc<Provider>,
    /// The method; only those that ask a server for something.
    pub method: Method,
    /// The path and query as the caller wrote them, from their first slash.
    pub path: String,
    /// The caller's headers. Which of them go is decided here.
    pub headers: HeaderMap,
    /// The body.
    pub load: Load,
    /// A key for this request alone, in place of the provider's own.
    pub key: Option<Key>,
    /// How many bytes the request may have.
    pub largest_request: u64,
    /// How many bytes the answer may have.
    pub largest_answer: u64,
    /// How long to wait; the provider's own patience at first.
    pub patience: Patience,
}

/// Why a request was not passed on, or not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForwardError {
    /// The path is not one below the provider's address.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// The method is not passed on.
    #[error("the method {method} is not passed on")]
    Method {
        /// The method.
        method: Method,
    },
    /// The provider is the model on board, which has no paths.
    #[error("{provider} has no address: nothing can be passed on to it")]
    NoAddress {
        /// The provider.
        provider: String,
    },
    /// The request is too large.
    #[error("the request is larger than {limit} bytes")]
    TooLarge {
        /// What is allowed.
        limit: u64,
    },
    /// The caller's own bytes broke off.
    #[error("the request broke off before its end")]
    Broken,
    /// There is no answer.
    #[error(transparent)]
    Unanswered(#[from] SendError),
}

/// The answer to a request that was passed on.
#[derive(Debug)]
pub struct Passed {
    /// How it begins: any status but a redirect.
    pub head: Head,
    /// Its bytes.
    pub body: PassedBody,
}

/// The bytes of an answer, as they come. Dropping it closes the connection.
pub struct PassedBody {
    body: reqwest::Body,
    watch: Watch,
    came: u64,
    limit: u64,
    ended: bool,
}

impl Passage {
    /// A request without headers, body or key of its own.
    pub fn new(provider: Arc<Provider>, method: Method, path: &str) -> Self {
        const LARGEST: u64 = 128 << 20;
        Self {
            patience: provider.patience,
            provider,
            method,
            path: path.to_owned(),
            headers: HeaderMap::new(),
            load: Load::Nothing,
            key: None,
            largest_request: LARGEST,
            largest_answer: LARGEST,
        }
    }
}

impl Providers {
    /// Passes a request on, and gives the answer when it begins. Nothing is sent a second time.
    pub async fn forward(&self, passage: Passage) -> Result<Passed, ForwardError> {
        let Passage { provider, method, path, headers, load, key, largest_request, largest_answer, patience } = passage;
        let Some(address) = &provider.address else {
            return Err(ForwardError::NoAddress { provider: provider.name.clone() });
        };
        if !matches!(method, Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::PATCH | Method::DELETE) {
            return Err(ForwardError::Method { method });
        }
        let url = address.below(&path)?;
        let progress = Arc::new(Progress::default());
        let body = load.body(largest_request, &progress).map_err(|TooMuch { limit }| ForwardError::TooLarge { limit })?;
        let mut all = provider.headers(key.as_ref());
        all.extend(head::outgoing(&headers));
        let mut request = self.clients.reaching(address).request(method, url).headers(all);
        if let Some(body) = body {
            request = request.body(body);
        }
        let mut watch = Watch::new(self.clock.clone(), patience);
        let answer = until_answered(request.send(), &mut watch, &progress).await?;
        let answer = answer.map_err(|error| unsent(&error, &progress, address))?;
        if answer.status().is_redirection() {
            return Err(crate::drive::redirected(answer.status().as_u16(), answer.headers()).into());
        }
        let head = Head::of(answer.status(), answer.headers());
        let body = reqwest::Body::from(answer);
        Ok(Passed { head, body: PassedBody { body, watch, came: 0, limit: largest_answer, ended: false } })
    }
}

/// Waits for the answer to begin. Sending a large body takes its time: as long as it goes on, nothing is overdue but the whole.
async fn until_answered<T>(sending: impl Future<Output = T>, watch: &mut Watch, progress: &Progress) -> Result<T, SendError> {
    let mut sending = std::pin::pin!(sending);
    let mut seen = 0;
    loop {
        let error = tokio::select! {
            biased;
            answer = &mut sending => return Ok(answer),
            error = watch.overdue() => error,
        };
        let so_far = progress.taken.load(Ordering::Relaxed);
        match error {
            SendError::Stalled { .. } if so_far > seen => watch.go_on(),
            error => return Err(error),
        }
        seen = so_far;
    }
}

/// Whose fault it is that a request did not get through.
fn unsent(error: &reqwest::Error, progress: &Progress, address: &crate::Address) -> ForwardError {
    match progress.fault.get() {
        Some(Fault::TooMuch(TooMuch { limit })) => ForwardError::TooLarge { limit: *limit },
        Some(Fault::Broken) => ForwardError::Broken,
        None => SendError::Unreachable { host: address.to_string(), why: because(error) }.into(),
    }
}

impl PassedBody {
    /// The next bytes; none at the end, and none after an error.
    pub async fn next(&mut self) -> Option<Result<Bytes, SendError>> {
        std::future::poll_fn(|context| self.poll_bytes(context)).await
    }

    fn poll_bytes(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, SendError>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        loop {
            let next = match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(None) => None,
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => Some(self.count(bytes)),
                    // Trailers belong to the connection.
                    Err(_) => continue,
                },
                Poll::Ready(Some(Err(error))) => Some(Err(SendError::Cut { bytes: self.came, why: because(&error) })),
                Poll::Pending => match self.watch.poll_overdue(context) {
                    Poll::Ready(error) => Some(Err(error)),
                    Poll::Pending => return Poll::Pending,
                },
            };
            self.ended = !matches!(next, Some(Ok(_)));
            return Poll::Ready(next);
        }
    }

    fn count(&mut self, bytes: Bytes) -> Result<Bytes, SendError> {
        self.watch.hear();
        self.came += bytes.len() as u64;
        if self.came > self.limit { Err(SendError::TooLarge { limit: self.limit as usize }) } else { Ok(bytes) }
    }
}

impl Stream for PassedBody {
    type Item = Result<Bytes, SendError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_bytes(context)
    }
}

impl std::fmt::Debug for PassedBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PassedBody").field("came", &self.came).finish_non_exhaustive()
    }
}
