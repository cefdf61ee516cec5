//! Who writes: each store that is open for writing has a number, which its pending nodes and open calls name.
//!
//! An embedded database has one writer, so every other number is a dead one's. On a server each process holds a lock on
//! its number, on a connection of its own, for as long as it lives: whose lock can be taken is dead.
//!
//! When that connection is lost, the next write takes a new number and moves what is under way there. Whoever writes
//! nothing between the loss and somebody's [`fail_pending`](crate::Store::fail_pending) is taken for dead: their replies
//! have then ended, and ending them again says so.

use crate::error::Result;
use crate::sql::{Conn, Tx, args, open_post};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long the lock is taken for held without looking.
const FRESH: Duration = Duration::from_secs(1);

/// What the connection that holds the lock asks of the server: not to be closed for its silence, and that a machine that
/// vanished is noticed within a minute.
const SETTINGS: &str = "SELECT set_config('idle_session_timeout', '0', false) \
                        WHERE EXISTS (SELECT 1 FROM pg_settings WHERE name = 'idle_session_timeout'); \
                        SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3";

/// The number of this process, for as long as it is held.
pub(crate) struct Presence {
    number: RwLock<i64>,
    /// The lock on a server that others share; none where nobody else writes.
    lock: Option<Mutex<Lock>>,
}

struct Lock {
    url: String,
    conn: Conn,
    seen: Instant,
}

impl Presence {
    /// The only writer.
    pub(crate) fn alone() -> Presence {
        Presence { number: RwLock::new(fresh()), lock: None }
    }

    /// One of many on a server.
    pub(crate) fn among(url: &str) -> Result<Presence> {
        let (conn, number) = take(url)?;
        let lock = Lock { url: url.to_owned(), conn, seen: Instant::now() };
        Ok(Presence { number: RwLock::new(number), lock: Some(Mutex::new(lock)) })
    }

    /// The number. It stays ours for as long as the guard is held.
    pub(crate) fn number(&self) -> Result<RwLockReadGuard<'_, i64>> {
        self.look()?;
        Ok(self.number.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks whether the lock is still held. One looks for all.
    fn look(&self) -> Result<()> {
        let Some(lock) = &self.lock else { return Ok(()) };
        let mut lock = match lock.try_lock() {
            Ok(lock) => lock,
            Err(TryLockError::Poisoned(lock)) => lock.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        if lock.seen.elapsed() < FRESH {
            return Ok(());
        }
        if !lock.conn.is_alive() {
            // Nothing is written under the old number from here on.
            let mut number = self.number.write().unwrap_or_else(PoisonError::into_inner);
            let (mut conn, new) = take(&lock.url)?;
            conn.write(|tx| rename(tx, *number, new))?;
            (lock.conn, *number) = (conn, new);
        }
        lock.seen = Instant::now();
        Ok(())
    }
}

fn take(url: &str) -> Result<(Conn, i64)> {
    let (mut conn, number) = (open_post(url)?, fresh());
    conn.batch(SETTINGS)?;
    conn.batch(&format!("SELECT pg_advisory_lock({number})"))?;
    Ok((conn, number))
}

/// A number that nobody else has: one in 2^62.
fn fresh() -> i64 {
    fastrand::i64(1..1 << 62)
}

fn rename(tx: &mut Tx<'_>, old: i64, new: i64) -> Result<()> {
    tx.run("UPDATE pending SET process = ?2 WHERE process = ?1", args![old, new])?;
    tx.run("UPDATE calls SET process = ?2 WHERE process = ?1 AND outcome IS NULL", args![old, new])?;
    tx.run("UPDATE requests SET process = ?2 WHERE process = ?1", args![old, new])?;
    Ok(())
}

/// The processes that left something unfinished and are dead. Nobody else finds them so until the transaction ends.
pub(crate) fn dead(tx: &mut Tx<'_>) -> Result<Vec<i64>> {
    const NAMED: &str = "SELECT process FROM pending UNION SELECT process FROM calls \
                         WHERE process IS NOT NULL AND outcome IS NULL ORDER BY 1";
    let named = tx.list(NAMED, &[], |row| row.int(0))?;
    let mut found = Vec::new();
    for process in named {
        found.extend(is_dead(tx, process)?.then_some(process));
    }
    Ok(found)
}

/// Whether a process is dead. Nobody else finds it so until the transaction ends.
pub(crate) fn is_dead(tx: &mut Tx<'_>, process: i64) -> Result<bool> {
    const TAKEN: &str = "SELECT 1 /*lite WHERE ?1 > 0*/ /*pg WHERE pg_try_advisory_xact_lock(?1)*/";
    Ok(process != tx.writer() && tx.first(TAKEN, args![process], |_| Ok(()))?.is_some())
}
