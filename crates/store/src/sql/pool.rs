//! Connections that wait to be used.

use super::Conn;
use crate::error::{Result, StoreError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long somebody waits for a connection before the store is called overloaded.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a connection may lie idle and be taken for alive. A server that was restarted has forgotten it.
const FRESH: Duration = Duration::from_secs(1);

/// At most so many connections, opened when they are first needed.
pub(crate) struct Pool {
    open: Box<dyn Fn() -> Result<Conn> + Send + Sync>,
    most: usize,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<(Conn, Instant)>,
    opened: usize,
}

impl Pool {
    pub(crate) fn new(most: usize, open: impl Fn() -> Result<Conn> + Send + Sync + 'static) -> Pool {
        Pool { open: Box::new(open), most, state: Mutex::default(), freed: Condvar::new() }
    }

    /// Runs `work` with a connection of its own. One that broke is thrown away.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Conn) -> Result<T>) -> Result<T> {
        let mut lease = Lease { pool: self, conn: Some(self.take()?) };
        work(lease.conn.as_mut().expect("held until the lease ends"))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Result<Conn> {
        let until = Instant::now() + PATIENCE;
        let mut state = self.lock();
        loop {
            if let Some((mut conn, since)) = state.idle.pop() {
                drop(state);
                if since.elapsed() < FRESH || conn.is_alive() {
                    return Ok(conn);
                }
                self.lose();
                state = self.lock();
                continue;
            }
            if state.opened < self.most {
                state.opened += 1;
                drop(state);
                return (self.open)().inspect_err(|_| self.lose());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(StoreError::Busy { detail: format!("all {} connections are in use", self.most) });
            }
            state = self.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn give(&self, conn: Conn) {
        if conn.is_sound() {
            self.lock().idle.push((conn, Instant::now()));
            self.freed.notify_one();
        } else {
            self.lose();
        }
    }

    fn lose(&self) {
        self.lock().opened -= 1;
        self.freed.notify_one();
    }
}

/// A connection that comes back even when the work panics.
struct Lease<'p> {
    pool: &'p Pool,
    conn: Option<Conn>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(conn) = self.conn.take() {
            self.pool.give(conn);
        }
    }
}
