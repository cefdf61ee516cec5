//! Tools that answer later: an approval, a long job. The run lets go of its claim until the answer comes.

use super::caps::Caps;
use super::guard::{Guard, Guarded, Lease, hold};
use super::row::{RunId, lock_run};
use super::state::number;
use super::step::{Done, finish};
use super::wait::{Ending, close, lock_open_of};
use crate::error::Result;
use crate::sql::args;
use crate::store::Store;

impl Store {
    /// Lets a run wait for the result of a step that was begun.
    pub fn wait_for_tool(&self, guard: &Guard, step: u32, deadline: Option<i64>, caps: &Caps, now: i64) -> Result<Guarded<()>> {
        let deadline = deadline.unwrap_or(now.saturating_add(caps.wait)).min(now.saturating_add(caps.longest_wait));
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
            tx.run(
                "INSERT INTO waits(run, agent, kind, step, accept, deadline, state, at) VALUES(?1, ?2, 1, ?3, 0, ?4, 0, ?5)",
                args![run.no, run.agent, step, deadline, now],
            )?;
            tx.run(
                "UPDATE runs SET state = ?2, owner = NULL, lease = NULL, claims = 0, changed_at = ?3 WHERE no = ?1",
                args![run.no, number::WAITING_TOOL, now],
            )?;
            Ok(Guarded::Held(()))
        })
    }

    /// Hands a run the result of the tool it waits for; lost if it no longer does.
    pub fn tool_answered(&self, run: &RunId, step: u32, done: &Done, now: i64) -> Result<Guarded<()>> {
        const AWAITED: &str = "SELECT step FROM waits WHERE no = ?1 AND kind = 1 AND step = ?2";
        self.writing(|tx| {
            let Some(wait) = lock_open_of(tx, run)? else { return Ok(Guarded::Lost) };
            if tx.first(AWAITED, args![wait.no, step], |_| Ok(()))?.is_none() {
                return Ok(Guarded::Lost);
            }
            let row = lock_run(tx, run)?;
            let _ = finish(tx, &row, step, done, now)?;
            close(tx, &wait, Ending::Tool, now)?;
            Ok(Guarded::Held(()))
        })
    }
}
