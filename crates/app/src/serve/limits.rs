//! How much at once: for each account, and for the whole house. Refused before anything is done.

use super::web::{Code, Hands, Load, Problem};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use weftwork::model::EntityId;

/// Accounts that are remembered before those that rest are forgotten.
const REMEMBERED: usize = 10_000;

/// What is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Allowed {
    /// Requests of one account in a second, in the long run.
    pub(super) per_second: f64,
    /// Requests of one account at once.
    pub(super) burst: f64,
    /// Requests of everybody under way at once.
    pub(super) under_way: usize,
    /// Event streams of everybody.
    pub(super) streams: usize,
    /// Mebibytes of large requests in hand at once, of everybody.
    pub(super) bodies: usize,
}

/// Mebibytes of files that come in.
const FILES: usize = 512;
/// Files that are read at once: each takes several times its size.
const READ_AT_ONCE: usize = 2;

impl Default for Allowed {
    fn default() -> Allowed {
        Allowed { per_second: 100.0, burst: 400.0, under_way: 512, streams: 4096, bodies: 256 }
    }
}

/// What was used of it.
pub(super) struct Limits {
    allowed: Allowed,
    accounts: Mutex<HashMap<EntityId, Bucket>>,
    under_way: Arc<Semaphore>,
    /// What those may take of it who show nothing.
    strangers: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    watching: Arc<Mutex<HashMap<EntityId, usize>>>,
    bodies: Hands,
    files: Hands,
}

/// Which part of the room is for those who show nothing: one of so many.
const STRANGERS: usize = 8;

/// Whether a request shows a token or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comes {
    WithSomething,
    WithNothing,
}

/// Room for one request, for as long as it is held.
pub(super) struct Room {
    _room: OwnedSemaphorePermit,
    _stranger: Option<OwnedSemaphorePermit>,
}

/// Room for one stream of events, for as long as it is held.
pub(super) struct StreamRoom {
    _room: OwnedSemaphorePermit,
    who: EntityId,
    watching: Arc<Mutex<HashMap<EntityId, usize>>>,
}

impl Drop for StreamRoom {
    fn drop(&mut self) {
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = watching.get_mut(&self.who) {
            *open -= 1;
            if *open == 0 {
                watching.remove(&self.who);
            }
        }
    }
}

/// A bucket that fills by itself.
struct Bucket {
    left: f64,
    at: Instant,
}

impl Limits {
    pub(super) fn new(allowed: Allowed) -> Limits {
        Limits {
            allowed,
            accounts: Mutex::default(),
            under_way: Arc::new(Semaphore::new(allowed.under_way)),
            strangers: Arc::new(Semaphore::new((allowed.under_way / STRANGERS).max(1))),
            streams: Arc::new(Semaphore::new(allowed.streams)),
            watching: Arc::default(),
            bodies: Hands::new(allowed.bodies),
            files: Hands::new(FILES).working(READ_AT_ONCE),
        }
    }

    /// Room for bodies.
    pub(super) fn hands(&self, load: Load) -> &Hands {
        match load {
            Load::Usual => &self.bodies,
            Load::File => &self.files,
        }
    }

    /// Counts a request of an account.
    pub(super) fn admit(&self, who: &EntityId) -> Result<(), Problem> {
        self.admit_at(who, Instant::now())
    }

    fn admit_at(&self, who: &EntityId, now: Instant) -> Result<(), Problem> {
        let Allowed { per_second, burst, .. } = self.allowed;
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = |bucket: &Bucket| (bucket.left + now.duration_since(bucket.at).as_secs_f64() * per_second).min(burst);
        if accounts.len() >= REMEMBERED {
            accounts.retain(|_, bucket| filled(bucket) < burst);
        }
        let bucket = accounts.entry(who.clone()).or_insert(Bucket { left: burst, at: now });
        let left = filled(bucket);
        if left < 1.0 {
            let wait = ((1.0 - left) / per_second).ceil().max(1.0) as u32;
            return Err(Problem::new(Code::TooMany, "too many requests of this account: wait a little").after(wait));
        }
        *bucket = Bucket { left: left - 1.0, at: now };
        Ok(())
    }

    /// Requests under way and streams that are open.
    pub(super) fn taken(&self) -> (usize, usize) {
        let Allowed { under_way, streams, .. } = self.allowed;
        (under_way - self.under_way.available_permits(), streams - self.streams.available_permits())
    }

    /// Room for a request, for as long as it is held. Whoever shows nothing at the door leaves most of it to others.
    pub(super) fn room(&self, who: Comes) -> Result<Room, Problem> {
        const FULL: &str = "the server has more to do than it can: try again";
        let stranger = match who {
            Comes::WithNothing => Some(taken(&self.strangers, FULL)?),
            Comes::WithSomething => None,
        };
        Ok(Room { _room: taken(&self.under_way, FULL)?, _stranger: stranger })
    }

    /// Room for a stream of events.
    pub(super) fn stream(&self, who: &EntityId) -> Result<StreamRoom, Problem> {
        const FULL: &str = "there are as many streams as there may be: close one";
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        let open = watching.get(who).copied().unwrap_or_default();
        // One account leaves room for others.
        if open * 2 >= self.allowed.streams.max(2) {
            return Err(Problem::new(Code::TooMany, FULL).after(5));
        }
        let room = taken(&self.streams, FULL)?;
        watching.insert(who.clone(), open + 1);
        Ok(StreamRoom { _room: room, who: who.clone(), watching: self.watching.clone() })
    }
}

fn taken(room: &Arc<Semaphore>, full: &str) -> Result<OwnedSemaphorePermit, Problem> {
    room.clone().try_acquire_owned().map_err(|_| Problem::new(Code::Busy, full).after(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn whoever_shows_nothing_leaves_room_for_others() {
        let limits = Limits::new(Allowed { under_way: 16, ..Allowed::default() });
        let strangers: Vec<_> = (0..16).filter_map(|_| limits.room(Comes::WithNothing).ok()).collect();
        let others: Vec<_> = (0..16).filter_map(|_| limits.room(Comes::WithSomething).ok()).collect();
        assert_eq!((strangers.len(), others.len()), (2, 14));
        drop((strangers, others));
        assert!(limits.room(Comes::WithNothing).is_ok());
    }

    #[test]
    fn of_a_stream_that_ended_or_never_began_nothing_is_left() {
        let limits = Limits::new(Allowed { streams: 2, ..Allowed::default() });
        let streams = ["a", "b", "c"].map(|who| limits.stream(&EntityId::from(who)));
        assert_eq!(streams.each_ref().map(Result::is_ok), [true, true, false]);
        drop(streams);
        assert!(limits.watching.lock().is_ok_and(|watching| watching.is_empty()));
    }

    #[test]
    fn an_account_may_burst_then_waits_and_hinders_no_other() {
        let limits = Limits::new(Allowed { per_second: 2.0, burst: 3.0, ..Allowed::default() });
        let (a, b, start) = (EntityId::from("a"), EntityId::from("b"), Instant::now());
        let ok = |who: &EntityId, after: u64| limits.admit_at(who, start + Duration::from_millis(after)).is_ok();
        assert_eq!([ok(&a, 0), ok(&a, 0), ok(&a, 0), ok(&a, 0), ok(&b, 0)], [true, true, true, false, true]);
        assert_eq!([ok(&a, 400), ok(&a, 500), ok(&a, 600)], [false, true, false]);
    }
}
