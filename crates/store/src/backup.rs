//! A copy of a store while it is in use.

use crate::error::{Result, StoreError};
use crate::sql::Conn;
use crate::store::Store;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::path::Path;

/// Pages copied before others may write again.
const PAGES: i32 = 1024;

impl Store {
    /// Copies an embedded database into a new file while others go on writing. The copy holds everything that was
    /// acknowledged before it ended. A server has tools of its own for that (`pg_dump`).
    pub fn backup(&self, to: &Path) -> Result<()> {
        if to.exists() {
            return Err(StoreError::Taken { what: "file", id: to.display().to_string() });
        }
        self.read.with(|conn| match conn {
            Conn::Post(_) => Err(StoreError::NoBackup),
            Conn::Lite(from) => copy(from, to),
        })
    }

    /// Moves what is in the write-ahead log of an embedded database into its file. It happens by itself, too.
    pub fn checkpoint(&self) -> Result<()> {
        self.writer(|conn| match conn {
            Conn::Post(_) => Ok(()),
            Conn::Lite(conn) => Ok(conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?),
        })
    }
}

fn copy(from: &Connection, to: &Path) -> Result<()> {
    let mut copy = Connection::open(to)?;
    {
        let backup = Backup::new(from, &mut copy)?;
        while backup.step(PAGES)? != StepResult::Done {}
    }
    copy.pragma_update(None, "journal_mode", "DELETE")?;
    copy.close().map_err(|(_, error)| error)?;
    let file = std::fs::File::open(to).and_then(|file| file.sync_all());
    file.map_err(|error| StoreError::File { path: to.to_owned(), error })
}
