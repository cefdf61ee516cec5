//! Requests under an idempotency key: done once, answered the same ever after.
//!
//! Whoever begins one holds it until it ends it or lets go of it, and says now and then that it is still at it. What a dead
//! process began, or of what nothing was heard for long, may be begun again.

use crate::error::{Result, StoreError};
use crate::node::check_id;
use crate::process::is_dead;
use crate::space::{check_text, entity_row};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// How long whoever does a request may say nothing of it before another may do it, in milliseconds.
pub const REQUEST_PATIENCE: i64 = 10 * 60_000;

/// What is known of a request under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requested {
    /// It is to be done now, by whoever asked.
    Fresh,
    /// It was done.
    Done {
        /// The status it was answered with.
        status: u16,
        /// The answer, byte for byte.
        answer: Vec<u8>,
    },
    /// The key was used for something else.
    OtherBody,
    /// Somebody is doing it.
    Busy,
}

/// A request as it is kept.
struct Kept {
    same: bool,
    process: Option<i64>,
    done: Option<(u16, Vec<u8>)>,
    at: i64,
}

impl Store {
    /// Begins a request of somebody under their key: one of all who ask does it.
    pub fn begin_request(&self, entity: &EntityId, key: &str, route: &str, body: &[u8; 32], now: i64) -> Result<Requested> {
        const NEW: &str = "INSERT INTO requests(entity, key, route, body, process, at) VALUES(?1, ?2, ?3, ?4, ?5, ?6) \
                           ON CONFLICT(entity, key) DO NOTHING";
        const AGAIN: &str = "UPDATE requests SET process = ?3, at = ?4 WHERE entity = ?1 AND key = ?2";
        check_id(key)?;
        check_text("a route", route)?;
        self.writing(|tx| {
            let (no, _) = entity_row(tx, entity)?;
            if tx.run(NEW, args![no, key, route, body.as_slice(), tx.writer(), now])? == 1 {
                return Ok(Requested::Fresh);
            }
            let kept = kept(tx, no, key, route, body)?;
            match (kept.same, kept.done, kept.process) {
                (false, _, _) => Ok(Requested::OtherBody),
                (true, Some((status, answer)), _) => Ok(Requested::Done { status, answer }),
                (true, None, Some(process)) if kept.at > now.saturating_sub(REQUEST_PATIENCE) && !is_dead(tx, process)? => {
                    Ok(Requested::Busy)
                }
                (true, None, _) => tx.run(AGAIN, args![no, key, tx.writer(), now]).map(|_| Requested::Fresh),
            }
        })
    }

    /// Says that a request that was begun here is still being done. Says whether it is ours.
    pub fn renew_request(&self, entity: &EntityId, key: &str, now: i64) -> Result<bool> {
        const SQL: &str = "UPDATE requests SET at = ?4 WHERE entity = ?1 AND key = ?2 AND process = ?3";
        self.writing(|tx| {
            let (no, _) = entity_row(tx, entity)?;
            Ok(tx.run(SQL, args![no, key, tx.writer(), now])? == 1)
        })
    }

    /// Keeps the answer to a request that was begun here. Says whether it is the one that counts: another may have taken the
    /// request over.
    pub fn end_request(&self, entity: &EntityId, key: &str, status: u16, answer: &[u8]) -> Result<bool> {
        const SQL: &str = "UPDATE requests SET status = ?4, answer = ?5, process = NULL \
                           WHERE entity = ?1 AND key = ?2 AND process = ?3";
        self.writing(|tx| {
            let (no, _) = entity_row(tx, entity)?;
            Ok(tx.run(SQL, args![no, key, tx.writer(), i64::from(status), answer])? == 1)
        })
    }

    /// Lets go of a request that was begun here and failed: it may be tried again. Says whether it was there.
    pub fn drop_request(&self, entity: &EntityId, key: &str) -> Result<bool> {
        const SQL: &str = "DELETE FROM requests WHERE entity = ?1 AND key = ?2 AND process = ?3";
        self.writing(|tx| {
            let (no, _) = entity_row(tx, entity)?;
            Ok(tx.run(SQL, args![no, key, tx.writer()])? == 1)
        })
    }
}

/// What is kept under a key that is taken, locked.
fn kept(tx: &mut Tx<'_>, entity: i64, key: &str, route: &str, body: &[u8; 32]) -> Result<Kept> {
    const SQL: &str = "SELECT route, body, process, status, answer, at FROM requests WHERE entity = ?1 AND key = ?2 \
                       /*pg FOR UPDATE*/";
    let found = tx.first(SQL, args![entity, key], |row| {
        let done = match (row.maybe_int(3)?, row.maybe_bytes(4)?) {
            (Some(status), Some(answer)) => Some((status as u16, answer.to_vec())),
            (None, _) | (_, None) => None,
        };
        let same = row.text(0)? == route && row.bytes(1)? == body;
        Ok(Kept { same, process: row.maybe_int(2)?, done, at: row.int(5)? })
    })?;
    // Whoever had it let go of it just now.
    found.ok_or_else(|| StoreError::Conflict { detail: format!("request {key:?} was dropped") })
}
