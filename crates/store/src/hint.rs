//! Hints between processes on one server: "look", and nothing else. What is true stands in the tables; a hint that is lost
//! costs time and no more.

use crate::error::Result;
use crate::open::Address;
use crate::sql::{args, connected};
use crate::store::Store;
use postgres::fallible_iterator::FallibleIterator as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a listener looks whether it is still wanted, and how long it waits before it connects again.
const TURN: Duration = Duration::from_millis(500);

/// Hears hints of other processes until it is dropped.
pub struct Listener(Arc<AtomicBool>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Store {
    /// Makes the other processes on the same server look. An embedded database has no others.
    pub fn hint_others(&self) -> Result<()> {
        self.writing(|tx| tx.batch("/*pg NOTIFY weft*/ /*lite SELECT 1*/"))
    }

    /// The time of a server, in milliseconds since 1970, by which all its processes go; none for an embedded database.
    pub fn server_time(&self) -> Result<Option<i64>> {
        const SQL: &str = "SELECT /*pg CAST(extract(epoch FROM clock_timestamp()) * 1000 AS int8)*/ /*lite NULL*/";
        self.reading(|tx| Ok(tx.first(SQL, args![], |row| row.maybe_int(0))?.flatten()))
    }
}

/// Calls `heard` when another process hints, on a connection and a thread of its own; nothing for an embedded database.
pub fn listen(address: &Address, heard: impl Fn() + Send + 'static) -> Option<Listener> {
    let Address::Postgres(url) = address else { return None };
    let (url, done) = (url.clone(), Arc::new(AtomicBool::new(false)));
    let stop = done.clone();
    std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            // Without a connection there are no hints, and everything still comes about.
            let _ = hear(&url, &heard, &stop);
            std::thread::sleep(TURN);
        }
    });
    Some(Listener(done))
}

fn hear(url: &str, heard: &dyn Fn(), stop: &AtomicBool) -> Result<()> {
    let mut client = connected(url, |config, secrecy| Ok(postgres::Config::from(config.clone()).connect(secrecy)?))?;
    client.batch_execute("SET application_name = 'weft hints'; LISTEN weft")?;
    heard();
    while !stop.load(Ordering::Relaxed) {
        while client.notifications().timeout_iter(TURN).next()?.is_some() {
            heard();
        }
        if client.is_closed() {
            return Ok(());
        }
    }
    Ok(())
}
