//! SQLite: one writer, readers beside it, every commit on disk before it is acknowledged.

use super::text::for_lite;
use super::{Arg, Conn, Row};
use crate::error::{Result, StoreError};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// Statements kept prepared.
const PREPARED: usize = 256;
/// How long to wait for a lock that another connection holds.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a connection may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Read and write.
    Write,
    /// Read only.
    Read,
}

impl Mode {
    /// Pages a connection keeps for itself. The file is mapped, so a reader copies no more than what is still in the log; the
    /// writer needs room for what one transaction changes.
    const fn cache_kibibytes(self) -> i64 {
        match self {
            Mode::Write => 8_192,
            Mode::Read => 2_048,
        }
    }
}

/// Opens the file.
pub(crate) fn open(path: &Path, mode: Mode) -> Result<Conn> {
    let flags = match mode {
        Mode::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Mode::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(PATIENCE)?;
    conn.set_prepared_statement_cache_capacity(PREPARED);
    // Plans do not depend on arguments: else a statement is prepared anew whenever one changes.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    if mode == Mode::Write {
        // Readers find the journal mode in the file.
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "FULL")?;
    }
    conn.pragma_update(None, "foreign_keys", "ON")?;
    conn.pragma_update(None, "cache_size", -mode.cache_kibibytes())?;
    conn.pragma_update(None, "mmap_size", 1_i64 << 30)?;
    Ok(Conn::Lite(conn))
}

/// Moves what a dead process left in the write-ahead log into the file. It may never have reached the disk; what is seen
/// from now on, and acknowledged to whoever tries again, has.
pub(crate) fn settle(conn: &Conn) -> Result<()> {
    let Conn::Lite(conn) = conn else { return Ok(()) };
    match conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(StoreError::from) {
        // The log itself was written through first.
        Ok(()) | Err(StoreError::Full { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A statement without arguments and rows, kept prepared.
pub(super) fn step(conn: &Connection, sql: &str) -> Result<()> {
    conn.prepare_cached(&for_lite(sql))?.execute([])?;
    Ok(())
}

pub(super) fn run(conn: &Connection, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
    let mut statement = conn.prepare_cached(&for_lite(sql))?;
    Ok(statement.execute(rusqlite::params_from_iter(args))? as u64)
}

pub(super) fn rows(conn: &Connection, sql: &str, args: &[Arg<'_>], each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
    let mut statement = conn.prepare_cached(&for_lite(sql))?;
    let mut rows = statement.query(rusqlite::params_from_iter(args))?;
    while let Some(row) = rows.next()? {
        each(&Row::Lite(row))?;
    }
    Ok(())
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Arg::Null => ValueRef::Null,
            Arg::Int(value) => ValueRef::Integer(value),
            Arg::Text(value) => ValueRef::Text(value.as_bytes()),
            Arg::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let detail = error.to_string();
        // No room for the index of the write-ahead log, in which nothing is kept: no reason to doubt the disk.
        if error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE) {
            return StoreError::Full { detail };
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full { detail },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { detail },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt { detail },
            Some(ErrorCode::SystemIoFailure) => StoreError::Disk { detail },
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
            Some(_) | None => StoreError::Database { detail },
        }
    }
}
