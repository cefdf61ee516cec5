//! The model on board: deterministic, needs nothing, and says of itself that it is offline.
//!
//! It reads the very bytes that a server would get, decides what to do ([`mind`]) and performs it as a stream of bytes in
//! the request's dialect. So everything behind it (decoding, retry, stalls, cancellation) is what a real server meets.
//! `docs/offline.md` lists its directives.

mod directive;
mod given;
mod mind;
mod occasion;
mod play;
mod words;

pub(crate) use play::Performance;

/// Whose directives the model follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Obedience {
    /// Those of the last message it was given.
    #[default]
    LastMessage,
    /// Those of any text in the request, tool results and quotes included, the last one first; and it calls tools that it
    /// was not given. For tests of what stands between a fooled model and the world.
    AnyText,
}
