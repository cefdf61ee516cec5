//! Telling a program elsewhere that a run of its agent is due: a hint in the outbox, written with what made the run due.
//!
//! Only an agent that lives elsewhere and has a place to be told at is told; that place is a sealed secret under
//! [`push_name`]. The hint says which run; what the run is about is for whoever takes it.

use super::outbox::push;
use crate::error::Result;
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// The topic of such hints.
pub const RUN_DUE: &str = "run.due";

/// Under what the place is kept where an agent is told; no provider has such a name.
pub fn push_name(agent: &EntityId) -> String {
    format!("push/{agent}")
}

/// Puts a hint into the outbox if the run's agent is to be told. The same time a run becomes due is told once.
pub(super) fn announce(tx: &mut Tx<'_>, run: i64) -> Result<()> {
    const SQL: &str = "SELECT r.id, e.id, r.epoch, r.available_at FROM runs r JOIN entities e ON e.no = r.agent \
                       JOIN secrets s ON s.name = 'push/' || e.id WHERE r.no = ?1 AND r.state = 0 AND e.external = 1";
    let read = |row: &crate::sql::Row<'_>| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned(), row.int(2)?, row.int(3)?));
    let Some((run, agent, epoch, at)) = tx.first(SQL, args![run], read)? else { return Ok(()) };
    let payload = serde_json::json!({"type": RUN_DUE, "agent": agent, "run": run, "at": at});
    push(tx, RUN_DUE, &format!("{run}:{epoch}:{at}"), &payload.to_string(), at)
}

impl Store {
    /// Puts hints into the outbox for all runs of an agent that are due: for one that can be told only now.
    pub fn announce_runs(&self, agent: &EntityId) -> Result<()> {
        const SQL: &str = "SELECT r.no FROM runs r JOIN entities e ON e.no = r.agent WHERE e.id = ?1 AND r.state = 0 ORDER BY r.no \
                           /*pg FOR UPDATE OF r*/";
        self.writing(|tx| {
            let runs = tx.list(SQL, args![agent.as_str()], |row| row.int(0))?;
            runs.into_iter().try_for_each(|run| announce(tx, run))
        })
    }
}
