//! Room for bodies: what is in hand of all of them is bounded in its sum, as it comes, so that a slow one holds no more than
//! what it sent. What is small always has room: how many requests there are is bounded elsewhere. One account leaves half of
//! the room to others.

use super::body::{announced, gathered, spill};
use super::problem::{Code, Problem};
use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use weftwork::model::EntityId;

/// Bytes of a body that take no room.
const SMALL: usize = 128 << 10;
/// How long a body that has come waits to be worked on.
const QUEUED: Duration = Duration::from_secs(30);

/// Room for bodies of one kind.
#[derive(Clone, Debug)]
pub(in crate::serve) struct Hands {
    most: usize,
    held: Arc<Mutex<Held>>,
    /// Those that are worked on, where it takes several times their size.
    working: Option<Arc<Semaphore>>,
}

/// Bytes that are in hand.
#[derive(Debug, Default)]
struct Held {
    all: usize,
    of: HashMap<EntityId, usize>,
}

/// What a body takes, for as long as something is done with it.
#[derive(Debug)]
pub(in crate::serve) struct InHand {
    hands: Hands,
    who: EntityId,
    bytes: usize,
    _working: Option<OwnedSemaphorePermit>,
}

impl Hands {
    /// Room for `mebibytes` of bodies.
    pub(in crate::serve) fn new(mebibytes: usize) -> Hands {
        Hands { most: mebibytes << 20, held: Arc::default(), working: None }
    }

    /// With so many worked on at once.
    pub(in crate::serve) fn working(mut self, at_once: usize) -> Hands {
        self.working = Some(Arc::new(Semaphore::new(at_once)));
        self
    }

    /// Bytes that are in hand.
    pub(in crate::serve) fn taken(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// What one account may hold.
    fn share(&self) -> usize {
        self.most / 2
    }

    /// A body of somebody, of at most so many bytes, when it is its turn.
    pub(in crate::serve) async fn read(
        &self,
        who: &EntityId,
        body: Body,
        headers: &HeaderMap,
        most: usize,
    ) -> Result<(Bytes, InHand), Problem> {
        let mut hand = InHand { hands: self.clone(), who: who.clone(), bytes: 0, _working: None };
        // What could never have room is too large, whenever it is tried again.
        let most = most.min(self.share() + SMALL);
        if let Some(said) = announced(headers).filter(|said| *said <= most)
            && let Err(problem) = self.fits(who, said.saturating_sub(SMALL))
        {
            spill(body, headers);
            return Err(problem);
        }
        let bytes = gathered(body, headers, most, |came| hand.hold(came.saturating_sub(SMALL))).await?;
        if let Some(working) = &self.working {
            let turn = tokio::time::timeout(QUEUED, working.clone().acquire_owned()).await;
            hand._working = Some(turn.ok().and_then(Result::ok).ok_or_else(full)?);
        }
        Ok((bytes, hand))
    }

    /// Whether there would be room now: whoever says how much comes need not send it first.
    fn fits(&self, who: &EntityId, more: usize) -> Result<(), Problem> {
        self.check(&self.held.lock().unwrap_or_else(PoisonError::into_inner), who, more)
    }

    fn check(&self, held: &Held, who: &EntityId, more: usize) -> Result<(), Problem> {
        let theirs = held.of.get(who).copied().unwrap_or_default();
        match more {
            0 => Ok(()),
            _ if theirs + more > self.share() => Err(share_taken()),
            _ if held.all + more > self.most => Err(full()),
            _ => Ok(()),
        }
    }
}

impl InHand {
    /// Holds room for so many bytes in all.
    fn hold(&mut self, bytes: usize) -> Result<(), Problem> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let mut held = self.hands.held.lock().unwrap_or_else(PoisonError::into_inner);
        self.hands.check(&held, &self.who, more)?;
        held.all += more;
        *held.of.entry(self.who.clone()).or_default() += more;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.hands.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.all -= self.bytes;
        if let Some(theirs) = held.of.get_mut(&self.who) {
            *theirs -= self.bytes;
            if *theirs == 0 {
                held.of.remove(&self.who);
            }
        }
    }
}

fn full() -> Problem {
    Problem::new(Code::Busy, "other large requests are being worked on: try again in a moment").after(5)
}

fn share_taken() -> Problem {
    Problem::new(Code::TooMany, "other large requests of this account are being worked on: wait for them").after(5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::web::body::tests::body;

    async fn read(hands: &Hands, who: &str, size: usize) -> Result<(Bytes, InHand), Problem> {
        hands.read(&EntityId::from(who), body(1, size, Duration::ZERO), &HeaderMap::new(), 1 << 20).await
    }

    #[tokio::test]
    async fn a_large_body_takes_room_as_it_comes() {
        let hands = Hands::new(1);
        let slow = hands.clone();
        let slow =
            tokio::spawn(async move { slow.read(&"a".into(), body(9, 1, Duration::from_secs(1)), &HeaderMap::new(), 9).await });
        let code = |read: &Result<(Bytes, InHand), Problem>| read.as_ref().err().map(Problem::code);
        // Who sends what, and what they are told. What they sent is in hand until the end.
        let mut held = Vec::new();
        for (who, kibibytes, told) in [
            ("a", 500, None),
            ("a", 300, Some(Code::TooMany)),
            ("b", 500, None),
            ("c", 500, Some(Code::Busy)),
            ("a", 128, None),
            ("c", 128, None),
            ("c", 641, Some(Code::TooLarge)),
        ] {
            let read = read(&hands, who, kibibytes << 10).await;
            assert_eq!(code(&read), told, "{who} {kibibytes}");
            held.push(read);
        }
        assert_eq!(hands.taken(), (2 * (500 - 128)) << 10);
        drop(held);
        assert_eq!((hands.taken(), code(&read(&hands, "c", 500 << 10).await)), (0, None));
        slow.abort();
    }

    #[tokio::test]
    async fn what_is_announced_and_has_no_room_is_not_waited_for() {
        let hands = Hands::new(1);
        let _held = read(&hands, "a", 600 << 10).await;
        let headers = HeaderMap::from_iter([(http::header::CONTENT_LENGTH, http::HeaderValue::from(600 << 10))]);
        let never = body(1, 0, Duration::from_secs(3600));
        let refused = hands.read(&"a".into(), never, &headers, 1 << 20).await;
        assert_eq!(refused.err().map(|problem| problem.code()), Some(Code::TooMany));
    }

    #[tokio::test]
    async fn so_many_are_worked_on_and_others_wait() {
        let hands = Hands::new(1).working(1);
        let first = read(&hands, "a", 9).await;
        let (second, _) = tokio::join!(read(&hands, "b", 9), async {
            tokio::task::yield_now().await;
            drop(first);
        });
        assert!(second.is_ok());
    }
}
