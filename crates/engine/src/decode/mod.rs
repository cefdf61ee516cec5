//! Replies: what a model answered, from a whole body or from a stream cut anywhere.
//!
//! Bytes become frames ([`SseDecoder`], [`LineDecoder`], JSON values), frames become entries of one draft, the draft becomes
//! a [`Reply`]. The draft only ever sees whole frames, so the reply and the deltas cannot depend on where the bytes were
//! cut. Foreign data never panics, never recurses deeper than a fixed depth, and is bounded by [`Limits`].

mod anthropic;
mod args;
mod call;
mod completions;
mod draft;
mod error;
mod fault;
mod frames;
mod gemini;
mod lines;
mod neutral;
pub(crate) mod object;
mod ollama;
mod openai;
mod reply;
mod responses;
mod scan;
mod sse;
mod stream;
mod utf8;
mod values;
mod whole;

pub use error::{DecodeError, ErrorKind, ProviderError};
pub use fault::provider_error;
pub use lines::{Line, LineDecoder};
pub use reply::{CallState, Delta, Reply, Stop};
pub use sse::{Event, Pending, SseDecoder};
pub use stream::StreamDecoder;
pub use whole::decode;

/// How much a provider may send. A reply beyond it is an error, never a growing buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one event or line; a generated picture is one event.
    pub event: usize,
    /// Bytes of the whole reply.
    pub body: usize,
}

impl Limits {
    /// What replies are held to when a caller does not say.
    pub const DEFAULT: Limits = Limits { event: 32 << 20, body: 128 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
