//! Why there is no reply.

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The provider answered with an error, possibly in the middle of a stream.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The bytes are not what the dialect sends.
    #[error("malformed reply at byte {offset}: {what}")]
    Malformed {
        /// Where, in bytes from the start of the body; in a stream, where the event, line or object begins.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// The reply, or one event of it, is larger than allowed.
    #[error("the reply is larger than {limit} bytes")]
    TooLarge {
        /// The limit it went over.
        limit: usize,
    },
    /// The answer was a success without any content. Some servers answer a prompt that is too long like this.
    #[error("the reply is empty: no event and no end mark came; the prompt may be too long for this server")]
    Empty,
}

impl DecodeError {
    /// Whether a smaller request may succeed where this one failed.
    pub fn may_be_overflow(&self) -> bool {
        match self {
            DecodeError::Empty => true,
            DecodeError::Provider(error) => error.kind == ErrorKind::Overflow,
            DecodeError::Malformed { .. } | DecodeError::TooLarge { .. } => false,
        }
    }
}

/// An error in the provider's own words, and what kind it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the provider answered with an error: {message}")]
pub struct ProviderError {
    /// What kind it is.
    pub kind: ErrorKind,
    /// The HTTP status it came with, or names itself.
    pub status: Option<u16>,
    /// Its type, as `overloaded_error` or `RESOURCE_EXHAUSTED`.
    pub name: Option<String>,
    /// Its code, as `context_length_exceeded`.
    pub code: Option<String>,
    /// Its text, shortened if it is long.
    pub message: String,
}

/// What kind of error a provider reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request does not fit into the model's window or the API's size limit.
    Overflow,
    /// Too many requests or tokens in a span of time.
    RateLimit,
    /// The account's money or quota is used up; waiting does not help.
    Quota,
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// The provider is too busy.
    Overloaded,
    /// None of these.
    Other,
}
