//! Why there is no whole reply.

use crate::outcome::Outcome;
use std::time::Duration;
use weftwork::decode::ProviderError;
use weftwork::dialect::Dialect;

/// Why there is no whole reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The request does not fit into the model's window. The same bytes are never sent again: assemble smaller.
    #[error("the request does not fit into the model's window{}", said(error.as_ref()))]
    Overflow {
        /// What the server said; none if it answered with success and nothing, as some do to a prompt that is too long.
        error: Option<ProviderError>,
    },
    /// Too many requests in a span of time.
    #[error("rate limit{}: {}", wait(*retry_after), error.message)]
    RateLimit {
        /// What the server said.
        error: ProviderError,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// The account's money or quota is used up. Waiting does not help.
    #[error("the account's quota or spend limit is used up: {}", error.message)]
    Quota {
        /// What the server said.
        error: ProviderError,
    },
    /// The key is missing, wrong or not allowed to do this.
    #[error("the provider refuses the key: {}", error.message)]
    Auth {
        /// What the server said.
        error: ProviderError,
    },
    /// The server is too busy.
    #[error("the provider is overloaded: {}", error.message)]
    Overloaded {
        /// What the server said.
        error: ProviderError,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server failed.
    #[error("the provider failed{}: {}", status(error.status), error.message)]
    Server {
        /// What the server said.
        error: ProviderError,
    },
    /// The server does not accept the request as it is.
    #[error("the provider refuses the request{}: {}", status(error.status), error.message)]
    Refused {
        /// What the server said.
        error: ProviderError,
    },
    /// The server wants the request elsewhere. It is not sent there: a key goes only where its owner sent it.
    #[error(
        "the provider answers {status} and points to {to:?}, which is not followed: put the right base_url into the configuration"
    )]
    Redirected {
        /// The status.
        status: u16,
        /// The host and path it points to.
        to: String,
    },
    /// No connection, or one that broke before the answer began.
    #[error("{host} cannot be reached: {why}")]
    Unreachable {
        /// The server.
        host: String,
        /// What went wrong.
        why: String,
    },
    /// The reply broke off.
    #[error("the reply broke off after {bytes} bytes: {why}")]
    Cut {
        /// How much had come.
        bytes: u64,
        /// What went wrong.
        why: String,
    },
    /// Nothing came for too long.
    #[error("nothing came for {} s", silent.as_secs_f64())]
    Stalled {
        /// How long.
        silent: Duration,
    },
    /// The reply took too long as a whole.
    #[error("the reply was not finished after {} s", allowed.as_secs_f64())]
    TooSlow {
        /// How long it was given.
        allowed: Duration,
    },
    /// The reply is larger than allowed.
    #[error("the reply is larger than {limit} bytes")]
    TooLarge {
        /// The limit it went over.
        limit: usize,
    },
    /// The reply is not what the API sends.
    #[error("the answer is not one of this API: {what}")]
    Malformed {
        /// What is wrong.
        what: String,
    },
    /// The provider cannot be asked in this dialect.
    #[error("{provider} does not take requests in the dialect {dialect}")]
    WrongDialect {
        /// The provider.
        provider: String,
        /// The dialect of the request.
        dialect: Dialect,
    },
    /// The caller canceled.
    #[error("canceled")]
    Canceled,
}

impl SendError {
    /// Whether a smaller request may succeed where this one failed.
    pub fn is_overflow(&self) -> bool {
        matches!(self, SendError::Overflow { .. })
    }
}

fn said(error: Option<&ProviderError>) -> String {
    match error {
        Some(error) => format!(": {}", error.message),
        None => ", it seems: the answer was a success without any content".to_owned(),
    }
}

fn wait(retry_after: Option<Duration>) -> String {
    retry_after.map_or_else(String::new, |wait| format!(", to be tried again in {} s", wait.as_secs_f64().ceil()))
}

fn status(status: Option<u16>) -> String {
    status.map_or_else(String::new, |status| format!(" with status {status}"))
}

/// A send that gave no whole reply, with all that came.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// Why.
    #[source]
    pub error: SendError,
    /// What came before it. Its reply is cut: no tool call in it is complete.
    pub outcome: Outcome,
}
