//! An answer that its client reads. One that is not read is let go with all it holds: what was asked, the room that takes, and
//! the connection to the provider.

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio::time::Instant;

/// A client that reads nothing for so long has gone.
pub(super) const UNREAD: Duration = Duration::from_secs(60);

/// Bytes of one piece: a slow client that takes long for a large answer is seen to read.
const PIECE: usize = 64 << 10;

/// What is left of an answer: what came and was not read, and what is still to come.
struct Rest<S> {
    came: Bytes,
    answer: S,
    since: Instant,
}

/// An answer between two reads; nothing while a piece of it is awaited.
struct Laid<S>(Mutex<Option<Rest<S>>>);

impl<S> Laid<S> {
    fn put(&self, came: Bytes, answer: S) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Rest { came, answer, since: Instant::now() });
    }

    fn take(&self) -> Option<Rest<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn let_go(&self, patience: Duration) {
        let mut laid = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unread = laid.take_if(|rest| rest.since.elapsed() >= patience);
        drop(laid);
        drop(unread);
    }
}

struct Reading<S> {
    laid: Arc<Laid<S>>,
    looking: AbortHandle,
}

impl<S> Drop for Reading<S> {
    fn drop(&mut self) {
        self.looking.abort();
    }
}

/// The answer for as long as it is read: nobody asking for its next piece for as long as `patience`, or half of that longer,
/// ends it. However long a piece is awaited does not count.
pub(super) fn read<S, E>(answer: S, patience: Duration) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: std::error::Error + Send + Sync + 'static,
{
    let laid = Arc::new(Laid(Mutex::new(None)));
    laid.put(Bytes::new(), Box::pin(answer));
    let watched = Arc::downgrade(&laid);
    let looking = tokio::spawn(async move {
        loop {
            tokio::time::sleep(patience / 2).await;
            let Some(laid) = watched.upgrade() else { return };
            laid.let_go(patience);
        }
    });
    let reading = Reading { laid, looking: looking.abort_handle() };
    stream::unfold(Some(reading), |reading| async move {
        let reading = reading?;
        let Some(Rest { mut came, mut answer, .. }) = reading.laid.take() else {
            return Some((Err(io::Error::from(io::ErrorKind::TimedOut)), None));
        };
        if came.is_empty() {
            match answer.next().await? {
                Ok(more) => came = more,
                Err(error) => return Some((Err(io::Error::other(error)), None)),
            }
        }
        let piece = came.split_to(came.len().min(PIECE));
        reading.laid.put(came, answer);
        Some((Ok(piece), Some(reading)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Three pieces of which the last takes its time, holding something.
    fn answer(held: Arc<()>, slow: Duration) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold((0, held), move |(at, held)| async move {
            tokio::time::sleep(if at == 2 { slow } else { Duration::ZERO }).await;
            (at < 3).then(|| (Ok(Bytes::from_static(b"piece")), (at + 1, held)))
        })
    }

    #[tokio::test]
    async fn what_nobody_reads_is_let_go_and_what_takes_long_is_not() {
        let patience = Duration::from_millis(40);
        let held = Arc::new(());
        let mut all = Box::pin(read(answer(held.clone(), patience * 5), patience));
        for _ in 0..3 {
            assert!(all.next().await.is_some_and(|piece| piece.is_ok()));
        }
        assert!(all.next().await.is_none());
        let mut left = Box::pin(read(answer(held.clone(), Duration::ZERO), patience));
        assert!(left.next().await.is_some_and(|piece| piece.is_ok()));
        let began = Instant::now();
        while Arc::strong_count(&held) > 1 {
            assert!(began.elapsed() < Duration::from_secs(20), "it is still held");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(left.next().await.is_some_and(|piece| piece.is_err()));
        assert!(left.next().await.is_none());
    }
}
