//! The guard of every write: a run is written by whoever holds its newest claim.

use super::row::{RunId, RunRow, run_row};
use crate::error::Result;
use crate::sql::{Tx, args};

/// A claim on a run. Every write names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The run.
    pub run: RunId,
    /// The epoch of the claim.
    pub epoch: i64,
}

/// What came of a guarded write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a lost claim means: stop"]
pub enum Guarded<T> {
    /// It was done.
    Held(T),
    /// The claim is no longer ours: stop, drop the stream, do nothing more. Nothing was written.
    Lost,
}

impl<T> Guarded<T> {
    /// What was done, if it was.
    pub fn held(self) -> Option<T> {
        match self {
            Guarded::Held(value) => Some(value),
            Guarded::Lost => None,
        }
    }

    /// Whether the claim is gone.
    pub fn is_lost(&self) -> bool {
        matches!(self, Guarded::Lost)
    }
}

/// Whether a lease that has run out, but that nobody took away yet, still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lease {
    /// It must be alive: something new is about to happen.
    Alive(i64),
    /// Nobody else has claimed it: that is enough to end a run in order.
    Ours,
}

/// The run if the claim still holds, locked until the transaction ends.
pub(super) fn hold(tx: &mut Tx<'_>, guard: &Guard, lease: Lease) -> Result<Option<RunRow>> {
    const SQL: &str = "SELECT no, id, agent, space, root, depth, state, reason, waits, cancel FROM runs \
                       WHERE id = ?1 AND state = 1 AND epoch = ?2 AND lease > ?3 /*pg FOR UPDATE*/";
    let after = match lease {
        Lease::Alive(now) => now,
        Lease::Ours => i64::MIN,
    };
    tx.first(SQL, args![guard.run.as_str(), guard.epoch, after], run_row)
}
