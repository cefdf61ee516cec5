//! What is pushed to the outside: at least once, always under the same key.

use super::guard::Guarded;
use crate::error::Result;
use crate::space::check_text;
use crate::sql::{Row, Tx, args};
use crate::store::Store;

/// Something to be pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// Its number.
    pub no: i64,
    /// Where it goes.
    pub topic: String,
    /// Its idempotency key, the same at every attempt.
    pub key: String,
    /// What is pushed, as JSON.
    pub payload: String,
    /// How often it was taken.
    pub claims: i64,
    /// Raised each time it is taken.
    pub epoch: i64,
}

impl Store {
    /// Puts something into the outbox. The same key goes in once.
    pub fn push(&self, topic: &str, key: &str, payload: &str, now: i64) -> Result<()> {
        [topic, key, payload].into_iter().try_for_each(|text| check_text("a push", text))?;
        self.writing(|tx| push(tx, topic, key, payload, now))
    }

    /// Takes what is due. Whoever does not say in `lease` milliseconds what came of it loses it to the next.
    pub fn take_pushes(&self, limit: i64, lease: i64, now: i64) -> Result<Vec<Push>> {
        const DUE: &str = "SELECT no FROM outbox WHERE sent_at IS NULL AND available_at <= ?1 ORDER BY available_at, no LIMIT ?2 \
                           /*pg FOR UPDATE SKIP LOCKED*/";
        const TAKE: &str = "UPDATE outbox SET available_at = ?2, claims = claims + 1, epoch = epoch + 1 WHERE no = ?1 \
                            RETURNING no, topic, key, payload, claims, epoch";
        self.writing(|tx| {
            let mut taken = Vec::new();
            for no in tx.list(DUE, args![now, limit], |row| row.int(0))? {
                taken.extend(tx.first(TAKE, args![no, now.saturating_add(lease)], read)?);
            }
            Ok(taken)
        })
    }

    /// Says that something was pushed.
    pub fn pushed(&self, push: &Push, now: i64) -> Result<Guarded<()>> {
        const SQL: &str = "UPDATE outbox SET sent_at = ?3 WHERE no = ?1 AND epoch = ?2 AND sent_at IS NULL";
        self.writing(|tx| Ok(held(tx.run(SQL, args![push.no, push.epoch, now])?)))
    }

    /// Says that something was not pushed, and when to try again.
    pub fn not_pushed(&self, push: &Push, available_at: i64) -> Result<Guarded<()>> {
        const SQL: &str = "UPDATE outbox SET available_at = ?3 WHERE no = ?1 AND epoch = ?2 AND sent_at IS NULL";
        self.writing(|tx| Ok(held(tx.run(SQL, args![push.no, push.epoch, available_at])?)))
    }
}

pub(super) fn push(tx: &mut Tx<'_>, topic: &str, key: &str, payload: &str, now: i64) -> Result<()> {
    tx.run(
        "INSERT INTO outbox(topic, key, payload, available_at, claims, epoch) VALUES(?1, ?2, ?3, ?4, 0, 0) \
         ON CONFLICT(topic, key) DO NOTHING",
        args![topic, key, payload, now],
    )?;
    Ok(())
}

fn held(rows: u64) -> Guarded<()> {
    if rows == 1 { Guarded::Held(()) } else { Guarded::Lost }
}

fn read(row: &Row<'_>) -> Result<Push> {
    Ok(Push {
        no: row.int(0)?,
        topic: row.text(1)?.to_owned(),
        key: row.text(2)?.to_owned(),
        payload: row.text(3)?.to_owned(),
        claims: row.int(4)?,
        epoch: row.int(5)?,
    })
}
