//! Claiming: one worker at a time has a run, for as long as its heart beats.

use super::caps::Caps;
use super::due::announce;
use super::end::{self, terminal};
use super::guard::{Guard, Guarded};
use super::row::{Run, run_by_no};
use super::state::{ParkReason, number};
use super::step::abandon;
use crate::error::Result;
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// What a heartbeat learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pulse {
    /// Go on.
    GoOn,
    /// Somebody asked the run to stop.
    Stop,
}

impl Run {
    /// The claim under which this run was handed out.
    pub fn guard(&self) -> Guard {
        Guard { run: self.id.clone(), epoch: self.epoch }
    }
}

impl Store {
    /// Claims up to `limit` runs that are due, of agents who live here. Every claim raises the epoch, and is counted before any work is done: a run
    /// that kills its worker each time is parked in the end.
    pub fn claim(&self, owner: &str, limit: usize, caps: &Caps, now: i64) -> Result<Vec<Run>> {
        self.claim_of(None, owner, limit, caps, now)
    }

    /// Claims up to `limit` runs of one agent that are due, wherever it lives.
    pub fn claim_for(&self, agent: &EntityId, owner: &str, limit: usize, caps: &Caps, now: i64) -> Result<Vec<Run>> {
        self.claim_of(Some(agent), owner, limit, caps, now)
    }

    fn claim_of(&self, agent: Option<&EntityId>, owner: &str, limit: usize, caps: &Caps, now: i64) -> Result<Vec<Run>> {
        let mut claimed = Vec::new();
        while claimed.len() < limit {
            // One transaction each: whoever holds several runs and wants another can stand in a ring of workers who do.
            match self.writing(|tx| claim_next(tx, agent, owner, caps, now))? {
                Some(run) => claimed.push(run),
                None => break,
            }
        }
        Ok(claimed)
    }

    /// Keeps a claim alive; that of a run that is to stop runs out.
    pub fn heartbeat(&self, guard: &Guard, caps: &Caps, now: i64) -> Result<Guarded<Pulse>> {
        const SQL: &str = "UPDATE runs SET lease = CASE WHEN cancel = 0 THEN ?3 ELSE lease END \
                           WHERE id = ?1 AND state = 1 AND epoch = ?2 RETURNING cancel";
        let lease = now.saturating_add(caps.lease);
        self.writing(|tx| {
            let beat = tx.first(SQL, args![guard.run.as_str(), guard.epoch, lease], |row| row.int(0))?;
            Ok(match beat {
                Some(0) => Guarded::Held(Pulse::GoOn),
                Some(_) => Guarded::Held(Pulse::Stop),
                None => Guarded::Lost,
            })
        })
    }

    /// Takes runs away from workers who have gone silent, and says how many.
    pub fn reclaim(&self, caps: &Caps, now: i64) -> Result<usize> {
        const SILENT: &str = "SELECT no, cancel FROM runs WHERE state = 1 AND lease < ?1 ORDER BY no \
                              /*pg FOR UPDATE SKIP LOCKED*/";
        let before = now.saturating_sub(caps.grace);
        self.writing(|tx| {
            let silent = tx.list(SILENT, args![before], |row| Ok((row.int(0)?, row.int(1)?)))?;
            silent.iter().try_for_each(|&(run, cancel)| give_back(tx, run, cancel, now))?;
            Ok(silent.len())
        })
    }

    /// Takes every run away from everybody but `owner`, and says how many. For a start on an embedded database, which one
    /// process has: whoever else claimed a run is gone.
    pub fn reclaim_foreign(&self, owner: &str, now: i64) -> Result<usize> {
        const FOREIGN: &str = "SELECT no, cancel FROM runs WHERE state = 1 AND owner <> ?1 ORDER BY no /*pg FOR UPDATE*/";
        self.writing(|tx| {
            let foreign = tx.list(FOREIGN, args![owner], |row| Ok((row.int(0)?, row.int(1)?)))?;
            foreign.iter().try_for_each(|&(run, cancel)| give_back(tx, run, cancel, now))?;
            Ok(foreign.len())
        })
    }
}

/// Claims the next run, and parks what was claimed too often on the way to it.
fn claim_next(tx: &mut Tx<'_>, agent: Option<&EntityId>, owner: &str, caps: &Caps, now: i64) -> Result<Option<Run>> {
    while let Some((run, claims)) = due(tx, agent, caps, now)? {
        if claims < caps.claims {
            return take(tx, run, owner, now.saturating_add(caps.lease), now).map(Some);
        }
        abandon(tx, run, now)?;
        end::stand_still(tx, run, ParkReason::Poison, None, now)?;
    }
    Ok(None)
}

/// The next run that may be claimed. One run of an agent works in a space at a time, and no agent takes all workers.
fn due(tx: &mut Tx<'_>, agent: Option<&EntityId>, caps: &Caps, now: i64) -> Result<Option<(i64, i64)>> {
    macro_rules! due {
        ($whose:literal) => {
            concat!(
                "SELECT r.no, r.claims FROM runs r JOIN entities e ON e.no = r.agent WHERE r.state = 0 AND r.available_at <= ?1 \
                 AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.agent = r.agent AND o.space = r.space AND o.state = 1) \
                 AND (SELECT count(*) FROM runs b WHERE b.agent = r.agent AND b.state = 1) < ?2 AND ",
                $whose,
                " ORDER BY r.available_at, r.no LIMIT 1 /*pg FOR UPDATE OF r SKIP LOCKED*/"
            )
        };
    }
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
    match agent {
        None => tx.first(due!("e.external = 0"), args![now, caps.running], read),
        Some(agent) => tx.first(due!("e.id = ?3"), args![now, caps.running, agent.as_str()], read),
    }
}

fn take(tx: &mut Tx<'_>, run: i64, owner: &str, lease: i64, now: i64) -> Result<Run> {
    tx.run(
        "UPDATE runs SET state = ?2, fresh = 0, epoch = epoch + 1, claims = claims + 1, owner = ?3, lease = ?4, \
         changed_at = ?5 WHERE no = ?1",
        args![run, number::RUNNING, owner, lease, now],
    )?;
    run_by_no(tx, run)
}

/// Queues a run again whose worker is gone. The epoch stays: the next claim raises it.
fn give_back(tx: &mut Tx<'_>, run: i64, cancel: i64, now: i64) -> Result<()> {
    if cancel != 0 {
        return terminal(tx, run, number::CANCELED, None, now);
    }
    tx.run(
        "UPDATE runs SET state = ?2, owner = NULL, lease = NULL, available_at = ?3, changed_at = ?3 WHERE no = ?1",
        args![run, number::QUEUED, now],
    )?;
    announce(tx, run)
}
