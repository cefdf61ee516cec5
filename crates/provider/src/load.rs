//! The body of a request that is passed on: read as it is sent, and no further than its bound.

use bytes::Bytes;
use futures_core::Stream;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};

/// Why the bytes of a body did not come.
pub type BrokenBody = Box<dyn std::error::Error + Send + Sync>;
/// Bytes as they come.
pub type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, BrokenBody>> + Send>>;

/// The body of a request.
pub enum Load {
    /// None.
    Nothing,
    /// All of it is here.
    Bytes(Bytes),
    /// It is read while it is sent.
    Stream {
        /// Its bytes.
        pieces: Pieces,
        /// How many they will be, if that is known.
        length: Option<u64>,
    },
}

/// More came than was allowed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the request is larger than {limit} bytes")]
pub(crate) struct TooMuch {
    pub(crate) limit: u64,
}

/// How far a body was read, and whether it ended badly: the client that sends it tells neither.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) taken: AtomicU64,
    pub(crate) fault: OnceLock<Fault>,
}

impl Progress {
    /// The first fault is the one that counts.
    fn ended_by(&self, fault: Fault) {
        self.fault.get_or_init(|| fault);
    }
}

/// Why a body ended before its end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    TooMuch(TooMuch),
    Broken,
}

impl Load {
    /// The body to be sent. What is taken of it is told to `progress`.
    pub(crate) fn body(self, limit: u64, progress: &Arc<Progress>) -> Result<Option<reqwest::Body>, TooMuch> {
        let length = match &self {
            Load::Nothing => None,
            Load::Bytes(bytes) => Some(bytes.len() as u64),
            Load::Stream { length, .. } => *length,
        };
        if length.is_some_and(|length| length > limit) {
            return Err(TooMuch { limit });
        }
        Ok(match self {
            Load::Nothing => None,
            Load::Bytes(bytes) => Some(bytes.into()),
            Load::Stream { pieces, length } => {
                let pieces = Mutex::new(pieces);
                Some(reqwest::Body::wrap(Bounded { pieces, length, limit, taken: 0, progress: progress.clone() }))
            }
        })
    }
}

impl std::fmt::Debug for Load {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Load::Nothing => f.write_str("Nothing"),
            Load::Bytes(bytes) => write!(f, "Bytes({})", bytes.len()),
            Load::Stream { length, .. } => write!(f, "Stream({length:?})"),
        }
    }
}

struct Bounded {
    /// Never locked: only a body that can be shared can be sent, and ours is not shared.
    pieces: Mutex<Pieces>,
    length: Option<u64>,
    limit: u64,
    taken: u64,
    progress: Arc<Progress>,
}

impl Bounded {
    fn take(&mut self, piece: Result<Bytes, BrokenBody>) -> Result<Frame<Bytes>, BrokenBody> {
        let piece = piece.inspect_err(|_| self.progress.ended_by(Fault::Broken))?;
        self.taken += piece.len() as u64;
        self.progress.taken.store(self.taken, Ordering::Relaxed);
        if self.taken <= self.limit {
            return Ok(Frame::data(piece));
        }
        let too_much = TooMuch { limit: self.limit };
        self.progress.ended_by(Fault::TooMuch(too_much));
        Err(too_much.into())
    }
}

impl http_body::Body for Bounded {
    type Data = Bytes;
    type Error = BrokenBody;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BrokenBody>>> {
        let pieces = self.pieces.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Poll::Ready(piece) = pieces.as_mut().poll_next(context) else { return Poll::Pending };
        Poll::Ready(piece.map(|piece| self.take(piece)))
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::default, |length| SizeHint::with_exact(length.saturating_sub(self.taken)))
    }
}
