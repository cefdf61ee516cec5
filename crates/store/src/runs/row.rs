//! A run as a row.

use super::state::RunState;
use crate::error::{Result, StoreError};
use crate::node::spell;
use crate::sql::{Row, Tx, args};
use sha2::{Digest, Sha256};
use std::fmt;
use weftwork::model::{EntityId, SpaceId};

/// The id of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for RunId {
    fn from(id: &str) -> Self {
        RunId(id.to_owned())
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An id that follows from what it names: the same parts are the same thing.
pub(super) fn derived(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    spell(hash.finalize().as_slice()).to_string()
}

/// An activation of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// Who runs.
    pub agent: EntityId,
    /// Where it was woken; none for plans and deliveries.
    pub space: Option<SpaceId>,
    /// What started its chain.
    pub root: String,
    /// Hops from agent to agent since then.
    pub depth: u32,
    /// Where it stands.
    pub state: RunState,
    /// Raised by every claim.
    pub epoch: i64,
    /// Who has claimed it.
    pub owner: Option<String>,
    /// Until when, without a heartbeat.
    pub lease: Option<i64>,
    /// Claims since it last came further.
    pub claims: i64,
    /// The last step that is done.
    pub progress: u32,
    /// How often it has waited for a reply.
    pub waits: i64,
    /// Not claimed before.
    pub available_at: i64,
    /// Whether it is to stop.
    pub cancel: bool,
    /// Why it failed or will be tried again.
    pub error: Option<String>,
    /// When it was woken.
    pub created_at: i64,
    /// When it ended.
    pub ended_at: Option<i64>,
    /// When it last changed its state or came further.
    pub changed_at: i64,
}

/// What a run's row says to the operations of this module.
#[derive(Clone, Debug)]
pub(super) struct RunRow {
    pub(super) no: i64,
    pub(super) id: RunId,
    pub(super) agent: i64,
    pub(super) space: Option<i64>,
    pub(super) root: i64,
    pub(super) depth: u32,
    pub(super) state: RunState,
    pub(super) waits: i64,
    pub(super) cancel: bool,
}

/// The columns that [`run`] reads, and where they stand; both may be added to.
macro_rules! run_columns {
    () => {
        run_columns!("")
    };
    ($more:literal) => {
        concat!(
            "SELECT r.no, r.id, e.id, s.id, o.id, r.depth, r.state, r.reason, r.epoch, r.owner, r.lease, r.claims, r.progress, \
             r.waits, r.available_at, r.cancel, r.error, r.created_at, r.ended_at, r.changed_at",
            $more,
            " FROM runs r JOIN entities e ON e.no = r.agent \
             JOIN roots o ON o.no = r.root LEFT JOIN spaces s ON s.no = r.space "
        )
    };
}
pub(super) use run_columns;

/// Reads [`run_columns`].
pub(super) fn run(row: &Row<'_>) -> Result<Run> {
    Ok(Run {
        id: row.text(1)?.into(),
        agent: row.text(2)?.into(),
        space: row.maybe_text(3)?.map(SpaceId::from),
        root: row.text(4)?.to_owned(),
        depth: row.int(5)? as u32,
        state: RunState::read(row.int(6)?, row.maybe_int(7)?)?,
        epoch: row.int(8)?,
        owner: row.maybe_text(9)?.map(str::to_owned),
        lease: row.maybe_int(10)?,
        claims: row.int(11)?,
        progress: row.int(12)? as u32,
        waits: row.int(13)?,
        available_at: row.int(14)?,
        cancel: row.int(15)? != 0,
        error: row.maybe_text(16)?.map(str::to_owned),
        created_at: row.int(17)?,
        ended_at: row.maybe_int(18)?,
        changed_at: row.int(19)?,
    })
}

/// One run, whole.
pub(super) fn run_by_no(tx: &mut Tx<'_>, no: i64) -> Result<Run> {
    const SQL: &str = concat!(run_columns!(), "WHERE r.no = ?1");
    let found = tx.first(SQL, args![no], run)?;
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("run {no} is gone") })
}

/// Reads what [`RunRow`] holds.
pub(super) fn run_row(row: &Row<'_>) -> Result<RunRow> {
    Ok(RunRow {
        no: row.int(0)?,
        id: row.text(1)?.into(),
        agent: row.int(2)?,
        space: row.maybe_int(3)?,
        root: row.int(4)?,
        depth: row.int(5)? as u32,
        state: RunState::read(row.int(6)?, row.maybe_int(7)?)?,
        waits: row.int(8)?,
        cancel: row.int(9)? != 0,
    })
}

/// The run, and nobody else writes it until the transaction ends.
pub(super) fn lock_run(tx: &mut Tx<'_>, id: &RunId) -> Result<RunRow> {
    const SQL: &str = "SELECT no, id, agent, space, root, depth, state, reason, waits, cancel FROM runs WHERE id = ?1 \
                       /*pg FOR UPDATE*/";
    tx.first(SQL, args![id.as_str()], run_row)?.ok_or_else(|| StoreError::NoRun { run: id.clone() })
}
