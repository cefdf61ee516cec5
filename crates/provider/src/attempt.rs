//! Whether a failed attempt is made again, and when. Pure: what happened and a number of chance go in, a step comes out.
//!
//! Never again: what the same bytes cannot change (overflow, keys, quota, a refused request), and anything after content
//! was handed on, unless the caller said that it can take a reply from its beginning once more.

use crate::error::SendError;
use std::time::Duration;
use weftwork::decode::{ErrorKind, ProviderError};

/// How often and how patiently to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How many attempts may follow the first.
    pub most: u32,
    /// The longest wait before the second attempt; it doubles with each.
    pub base: Duration,
    /// What doubling ends at.
    pub cap: Duration,
    /// The longest wait a server may ask for. Beyond it the caller decides.
    pub longest: Duration,
}

impl Retry {
    /// Five more attempts, within about half a minute.
    pub const DEFAULT: Retry =
        Retry { most: 5, base: Duration::from_millis(500), cap: Duration::from_secs(16), longest: Duration::from_secs(60) };

    /// One attempt only.
    pub const NEVER: Retry = Retry { most: 0, ..Retry::DEFAULT };
}

/// Whether a reply may begin anew after some of it was handed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resend {
    /// Only as long as nothing was handed on.
    #[default]
    BeforeContent,
    /// Also later: the caller throws away what it had when it is told that another attempt begins.
    Anytime,
}

/// Whether content of an attempt was handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarded {
    /// Nothing.
    Nothing,
    /// Some.
    Content,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send the same bytes again after a wait.
    Again {
        /// How long to wait.
        after: Duration,
    },
    /// Tell the caller.
    GiveUp,
}

/// The attempts of one send.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    retry: Retry,
    resend: Resend,
    failed: u32,
}

/// What waiting can do about an error.
enum Remedy {
    None,
    Wait { at_least: Option<Duration> },
}

impl Attempt {
    /// The first.
    pub fn first(retry: Retry, resend: Resend) -> Self {
        Self { retry, resend, failed: 0 }
    }

    /// How many were made, the one under way included.
    pub fn number(&self) -> u32 {
        self.failed + 1
    }

    /// What follows the failure of this one. `dice` is from 0 to 1.
    pub fn failed(&mut self, error: &SendError, forwarded: Forwarded, dice: f64) -> Step {
        let ceiling = self.retry.base.saturating_mul(1 << self.failed.min(16)).min(self.retry.cap);
        self.failed += 1;
        let too_late = forwarded == Forwarded::Content && self.resend == Resend::BeforeContent;
        if too_late || self.failed > self.retry.most {
            return Step::GiveUp;
        }
        let jitter = ceiling.mul_f64(dice.clamp(0.0, 1.0));
        match remedy(error) {
            Remedy::Wait { at_least: Some(wait) } if wait > self.retry.longest => Step::GiveUp,
            // A little later than asked: many were told the same moment.
            Remedy::Wait { at_least: Some(wait) } => Step::Again { after: wait + jitter.min(self.retry.base) },
            Remedy::Wait { at_least: None } => Step::Again { after: jitter },
            Remedy::None => Step::GiveUp,
        }
    }
}

fn remedy(error: &SendError) -> Remedy {
    match error {
        SendError::RateLimit { retry_after, .. } | SendError::Overloaded { retry_after, .. } => {
            Remedy::Wait { at_least: *retry_after }
        }
        SendError::Server { .. } | SendError::Unreachable { .. } | SendError::Cut { .. } | SendError::Stalled { .. } => {
            Remedy::Wait { at_least: None }
        }
        SendError::Overflow { .. }
        | SendError::Quota { .. }
        | SendError::Auth { .. }
        | SendError::Refused { .. }
        | SendError::Redirected { .. }
        | SendError::TooSlow { .. }
        | SendError::TooLarge { .. }
        | SendError::Malformed { .. }
        | SendError::WrongDialect { .. }
        | SendError::Canceled => Remedy::None,
    }
}

/// What an error in a provider's words is.
pub fn classify(error: ProviderError, retry_after: Option<Duration>) -> SendError {
    match error.kind {
        ErrorKind::Overflow => SendError::Overflow { error: Some(error) },
        ErrorKind::RateLimit => SendError::RateLimit { error, retry_after },
        ErrorKind::Quota => SendError::Quota { error },
        ErrorKind::Auth => SendError::Auth { error },
        ErrorKind::Overloaded => SendError::Overloaded { error, retry_after },
        ErrorKind::Other if is_fault_of_server(&error) => SendError::Server { error },
        ErrorKind::Other => SendError::Refused { error },
    }
}

/// Whether the server says that it failed, by status or, after a 200, by name. An error after a 200 that has no name
/// (Ollama's) is a failure too: the request was taken. 501 and 505 will not change.
fn is_fault_of_server(error: &ProviderError) -> bool {
    const NAMES: &[&str] = &["api_error", "server_error", "internal_error", "internal", "internalservererror", "timeout_error"];
    let mut names = [&error.name, &error.code].into_iter().flatten().peekable();
    let nameless = names.peek().is_none();
    let named = names.any(|name| NAMES.contains(&name.to_lowercase().as_str()));
    match error.status {
        Some(status) => matches!(status, 408 | 500 | 502 | 503 | 504 | 520..=524 | 529),
        None => named || nameless,
    }
}
