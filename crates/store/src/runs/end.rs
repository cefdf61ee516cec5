//! How a run ends, stands still, or is tried again.

use super::due::announce;
use super::guard::{Guard, Guarded, Lease, hold};
use super::row::{RunId, RunRow, lock_run};
use super::state::{ParkReason, RunState, number};
use super::step::abandon;
use super::wait::{Ending, WaitCancel, close, lock_open_of};
use crate::error::{Result, StoreError};
use crate::sql::{Tx, args};
use crate::store::Store;

/// Whether another attempt counts towards poison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The run itself is to blame, perhaps.
    Counted,
    /// It is not: a provider asked for patience.
    Uncounted,
}

/// What came of asking a run to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Canceled {
    /// It has ended.
    Now,
    /// It is at work, and will learn of it with its next heartbeat.
    Asked,
    /// It had ended before.
    Over,
}

impl Store {
    /// Ends a run well, and moves its agent's cursors to what it has read. A run that was asked to stop ends canceled
    /// instead. Says how it ended.
    pub fn complete(&self, guard: &Guard, now: i64) -> Result<Guarded<RunState>> {
        self.ending(guard, |tx, run| {
            if run.cancel {
                terminal(tx, run.no, number::CANCELED, None, now)?;
                return Ok(RunState::Canceled);
            }
            move_cursors(tx, run)?;
            terminal(tx, run.no, number::COMPLETED, None, now)?;
            Ok(RunState::Completed)
        })
    }

    /// Ends a run badly.
    pub fn fail(&self, guard: &Guard, why: &str, now: i64) -> Result<Guarded<RunState>> {
        self.ending(guard, |tx, run| {
            terminal(tx, run.no, number::FAILED, Some(why), now)?;
            Ok(RunState::Failed)
        })
    }

    /// Ends a run that was asked to stop, by whoever works on it.
    pub fn stop(&self, guard: &Guard, now: i64) -> Result<Guarded<RunState>> {
        self.ending(guard, |tx, run| {
            terminal(tx, run.no, number::CANCELED, None, now)?;
            Ok(RunState::Canceled)
        })
    }

    /// Lets a run be claimed again, not before a time.
    pub fn retry(&self, guard: &Guard, available_at: i64, again: Again, why: &str, now: i64) -> Result<Guarded<RunState>> {
        let free = i64::from(again == Again::Uncounted);
        self.ending(guard, |tx, run| {
            if run.cancel {
                terminal(tx, run.no, number::CANCELED, None, now)?;
                return Ok(RunState::Canceled);
            }
            tx.run(
                "UPDATE runs SET state = ?2, owner = NULL, lease = NULL, available_at = ?3, error = ?5, changed_at = ?6, \
                 claims = CASE WHEN claims > 0 THEN claims - ?4 ELSE 0 END WHERE no = ?1",
                args![run.no, number::QUEUED, available_at, free, why, now],
            )?;
            announce(tx, run.no)?;
            Ok(RunState::Queued)
        })
    }

    /// Lets a run stand still until a person acts.
    pub fn park(&self, guard: &Guard, reason: ParkReason, why: Option<&str>, now: i64) -> Result<Guarded<RunState>> {
        self.ending(guard, |tx, run| {
            abandon(tx, run.no, now)?;
            stand_still(tx, run.no, reason, why, now)?;
            Ok(RunState::Parked(reason))
        })
    }

    /// Queues a run that stood still; lost if it does not stand still.
    pub fn unpark(&self, run: &RunId, now: i64) -> Result<Guarded<()>> {
        self.writing(|tx| {
            const SQL: &str = "UPDATE runs SET state = ?2, reason = NULL, claims = 0, available_at = ?3, changed_at = ?3 \
                               WHERE id = ?1 AND state = ?4 RETURNING no";
            let row = args![run.as_str(), number::QUEUED, now, number::PARKED];
            let Some(moved) = tx.first(SQL, row, |row| row.int(0))? else { return Ok(Guarded::Lost) };
            announce(tx, moved)?;
            Ok(Guarded::Held(()))
        })
    }

    /// Asks a run to stop: at once if nobody works on it, else with the worker's next heartbeat.
    pub fn cancel(&self, run: &RunId, now: i64) -> Result<Canceled> {
        self.writing(|tx| {
            // A wait is locked before its run. If the run began to wait in between, the order is lost: begin again.
            let wait = lock_open_of(tx, run)?;
            let row = lock_run(tx, run)?;
            let waits = matches!(row.state, RunState::WaitingReply | RunState::WaitingTool);
            match (row.state, wait) {
                (RunState::Running, _) => {
                    tx.run("UPDATE runs SET cancel = 1, changed_at = ?2 WHERE no = ?1", args![row.no, now])?;
                    Ok(Canceled::Asked)
                }
                (over, _) if over.is_over() => Ok(Canceled::Over),
                (_, None) if waits => Err(StoreError::Conflict { detail: format!("run {run} began to wait") }),
                (_, wait) => {
                    if let Some(wait) = wait {
                        close(tx, &wait, Ending::Canceled(WaitCancel::Run), now)?;
                    }
                    terminal(tx, row.no, number::CANCELED, None, now)?;
                    Ok(Canceled::Now)
                }
            }
        })
    }

    fn ending(&self, guard: &Guard, mut work: impl FnMut(&mut Tx<'_>, &RunRow) -> Result<RunState>) -> Result<Guarded<RunState>> {
        self.writing(|tx| match hold(tx, guard, Lease::Ours)? {
            Some(run) => work(tx, &run).map(Guarded::Held),
            None => Ok(Guarded::Lost),
        })
    }
}

/// Ends a run: without a lease, without a reservation, for good.
pub(super) fn terminal(tx: &mut Tx<'_>, run: i64, state: i64, why: Option<&str>, now: i64) -> Result<()> {
    abandon(tx, run, now)?;
    tx.run(
        "UPDATE runs SET state = ?2, reason = NULL, fresh = 0, owner = NULL, lease = NULL, error = ?3, ended_at = ?4, \
         changed_at = ?4 \
         WHERE no = ?1",
        args![run, state, why, now],
    )?;
    Ok(())
}

/// Parks a run.
pub(super) fn stand_still(tx: &mut Tx<'_>, run: i64, reason: ParkReason, why: Option<&str>, now: i64) -> Result<()> {
    tx.run(
        "UPDATE runs SET state = ?2, reason = ?3, fresh = 0, owner = NULL, lease = NULL, error = ?4, changed_at = ?5 \
         WHERE no = ?1",
        args![run, number::PARKED, reason.number(), why, now],
    )?;
    Ok(())
}

/// Moves the agent's cursors to what the run has read. They never move back.
fn move_cursors(tx: &mut Tx<'_>, run: &RunRow) -> Result<()> {
    tx.run(
        "UPDATE members SET cursor = (SELECT q.seq FROM run_reads q WHERE q.run = ?1 AND q.space = members.space) \
         WHERE entity = ?2 AND EXISTS \
         (SELECT 1 FROM run_reads q WHERE q.run = ?1 AND q.space = members.space AND q.seq > members.cursor)",
        args![run.no, run.agent],
    )?;
    Ok(())
}
