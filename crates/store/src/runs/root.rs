//! Roots: what started a chain, and how much of its caps the chain has used.

use super::budget::{Scope, put_budget};
use super::caps::Caps;
use super::row::derived;
use crate::error::{Result, StoreError};
use crate::sql::{Tx, args};

/// A root's counters, locked.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootRow {
    pub(super) no: i64,
    pub(super) runs: i64,
    pub(super) messages: i64,
    runs_cap: i64,
    messages_cap: i64,
}

impl RootRow {
    pub(super) fn has_run(&self) -> bool {
        self.runs < self.runs_cap
    }

    pub(super) fn has_message(&self) -> bool {
        self.messages < self.messages_cap
    }

    /// Writes the counters back.
    pub(super) fn save(&self, tx: &mut Tx<'_>) -> Result<()> {
        tx.run("UPDATE roots SET runs = ?2, messages = ?3 WHERE no = ?1", args![self.no, self.runs, self.messages])?;
        Ok(())
    }
}

/// A new root for what `cause` names. It carries its own caps, so that a change of settings does not break old chains.
pub(super) fn new_root(tx: &mut Tx<'_>, cause: &str, caps: &Caps, now: i64) -> Result<i64> {
    let id = derived(&["root", cause]);
    tx.run(
        "INSERT INTO roots(id, runs, messages, runs_cap, messages_cap, created_at) VALUES(?1, 0, 0, ?2, ?3, ?4) \
         ON CONFLICT(id) DO NOTHING",
        args![&id, caps.root_runs, caps.root_messages, now],
    )?;
    let found = tx.first("SELECT no FROM roots WHERE id = ?1", args![&id], |row| row.int(0))?;
    let no = found.ok_or_else(|| StoreError::Unreadable { detail: format!("root {id} is gone") })?;
    if let Some(cap) = caps.root_cost {
        put_budget(tx, Scope::Root(id), 0, i64::MAX, cap)?;
    }
    Ok(no)
}

/// A root, and nobody else charges it until the transaction ends.
pub(super) fn lock_root(tx: &mut Tx<'_>, no: i64) -> Result<RootRow> {
    const SQL: &str = "SELECT no, runs, messages, runs_cap, messages_cap FROM roots WHERE no = ?1 /*pg FOR UPDATE*/";
    let found = tx.first(SQL, args![no], read)?;
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("root {no} is gone") })
}

/// Every root of a run, in the order in which all lock them.
pub(super) fn lock_roots_of(tx: &mut Tx<'_>, run: i64) -> Result<Vec<RootRow>> {
    const SQL: &str = "SELECT no, runs, messages, runs_cap, messages_cap FROM roots \
                       WHERE no IN (SELECT root FROM run_roots WHERE run = ?1) ORDER BY no /*pg FOR UPDATE*/";
    tx.list(SQL, args![run], read)
}

fn read(row: &crate::sql::Row<'_>) -> Result<RootRow> {
    Ok(RootRow { no: row.int(0)?, runs: row.int(1)?, messages: row.int(2)?, runs_cap: row.int(3)?, messages_cap: row.int(4)? })
}
