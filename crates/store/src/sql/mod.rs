//! One way to speak to two databases.
//!
//! Statements are written once, in SQLite's words: `?1` for arguments, `INTEGER`, `BLOB`. What only PostgreSQL understands
//! (row locks) stands in `/*pg … */`, which is a comment to SQLite. The rest of the crate never asks which of the two it
//! speaks to, but for full-text search.
//!
//! Operations are plain blocking functions on one [`Tx`]: a transaction is a function call, never something held across
//! an await.

mod lite;
mod pool;
mod post;
mod text;
mod tls;
mod wire;

pub(crate) use lite::{Mode, open as open_lite, settle};
pub(crate) use pool::Pool;
pub(crate) use post::open as open_post;
pub(crate) use tls::connected;

use crate::error::{Result, StoreError};

/// A connection to one of the databases.
pub(crate) enum Conn {
    /// Embedded.
    Lite(rusqlite::Connection),
    /// A server.
    Post(Box<post::Client>),
}

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Embedded, one process.
    Sqlite,
    /// A server, any number of processes.
    Postgres,
}

/// An argument of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arg<'a> {
    /// NULL.
    Null,
    /// A whole number.
    Int(i64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
}

/// One row of a result.
pub(crate) enum Row<'a> {
    /// From SQLite; borrowed until the next row.
    Lite(&'a rusqlite::Row<'a>),
    /// From PostgreSQL.
    Post(&'a postgres::Row),
}

/// An open transaction.
pub(crate) struct Tx<'c> {
    conn: &'c mut Conn,
    writer: i64,
    /// Whether a row was touched.
    touched: bool,
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// One unchanging view of the data.
    Read,
    /// All or nothing.
    Write,
}

impl Purpose {
    fn begin(self) -> &'static str {
        match self {
            Purpose::Read => "BEGIN /*pg ISOLATION LEVEL REPEATABLE READ READ ONLY*/",
            Purpose::Write => "BEGIN /*lite IMMEDIATE*/ /*pg ISOLATION LEVEL READ COMMITTED*/",
        }
    }
}

/// The writer of what belongs to no process.
const NOBODY: i64 = 0;

impl Conn {
    /// Which database it is.
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Conn::Lite(_) => Engine::Sqlite,
            Conn::Post(_) => Engine::Postgres,
        }
    }

    /// Runs `work` in a transaction that may write. All or nothing.
    pub(crate) fn write<T>(&mut self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.write_as(NOBODY, work)
    }

    /// The same, in the name of a process.
    pub(crate) fn write_as<T>(&mut self, writer: i64, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.transaction(Purpose::Write, writer, work)
    }

    /// Runs `work` on one unchanging view of the data.
    pub(crate) fn read<T>(&mut self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.transaction(Purpose::Read, NOBODY, work)
    }

    fn transaction<T>(&mut self, purpose: Purpose, writer: i64, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.begin(purpose.begin())?;
        let result = work(&mut Tx { conn: self, writer, touched: false }).and_then(|value| self.unspoiled().map(|()| value));
        let ended = self.end(if result.is_ok() { "COMMIT" } else { "ROLLBACK" }, purpose);
        match (result, ended) {
            (Ok(value), Ok(())) => Ok(value),
            (Ok(_), Err(error)) => {
                // A commit that failed for lack of room leaves SQLite's transaction open.
                let _ = self.end("ROLLBACK", purpose);
                Err(error)
            }
            (Err(error), _) => Err(error),
        }
    }

    fn begin(&mut self, sql: &'static str) -> Result<()> {
        match self {
            Conn::Lite(conn) => lite::step(conn, sql)?,
            Conn::Post(client) => client.begin(sql),
        }
        Ok(())
    }

    fn end(&mut self, sql: &'static str, purpose: Purpose) -> Result<()> {
        match self {
            Conn::Lite(conn) => lite::step(conn, sql),
            Conn::Post(client) => client.end(sql, purpose),
        }
    }

    /// Whether what was done may be committed.
    fn unspoiled(&self) -> Result<()> {
        match self {
            Conn::Lite(_) => Ok(()),
            Conn::Post(client) => client.unspoiled(),
        }
    }

    /// Runs statements without arguments.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        match self {
            Conn::Lite(conn) => conn.execute_batch(&text::for_lite(sql)).map_err(StoreError::from),
            Conn::Post(client) => client.batch(sql),
        }
    }

    /// Whether a connection that lay idle still leads somewhere.
    pub(crate) fn is_alive(&mut self) -> bool {
        match self {
            Conn::Lite(_) => true,
            Conn::Post(client) => client.is_alive(),
        }
    }

    /// Whether the connection can still be used after a failure or a panic.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Conn::Lite(conn) => conn.is_autocommit(),
            Conn::Post(client) => client.is_sound(),
        }
    }
}

impl Tx<'_> {
    /// Which database it is.
    pub(crate) fn engine(&self) -> Engine {
        self.conn.engine()
    }

    /// The number of the process that writes.
    pub(crate) fn writer(&self) -> i64 {
        self.writer
    }

    /// Runs a statement and says how many rows it touched.
    pub(crate) fn run(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        let rows = match self.conn {
            Conn::Lite(conn) => lite::run(conn, sql, args),
            Conn::Post(client) => client.run(sql, args),
        }?;
        self.touched |= rows > 0;
        Ok(rows)
    }

    /// Whether a row was touched.
    pub(crate) fn touched(&self) -> bool {
        self.touched
    }

    /// Hands each row of a result to `each`.
    pub(crate) fn rows(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let writes = !sql.starts_with("SELECT") && !sql.starts_with("WITH");
        let touched = &mut self.touched;
        let mut each = |row: &Row<'_>| {
            *touched |= writes;
            each(row)
        };
        match self.conn {
            Conn::Lite(conn) => lite::rows(conn, sql, args, &mut each),
            Conn::Post(client) => client.rows(sql, args, &mut each),
        }
    }

    /// Says what will be asked for later on this unchanging view, in the same words: on a server all of it is asked for at once.
    /// What is then not asked for was in vain.
    pub(crate) fn ahead(&mut self, foreseen: &[(&'static str, &[Arg<'_>])]) -> Result<()> {
        match self.conn {
            Conn::Lite(_) => Ok(()),
            Conn::Post(client) => client.ahead(foreseen),
        }
    }

    /// What a server has answered that was asked ahead, and is still to be asked for; nothing of what is at hand anyway.
    pub(crate) fn foreseen(
        &self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        match &self.conn {
            Conn::Lite(_) => Ok(()),
            Conn::Post(client) => client.foreseen(sql, args).iter().try_for_each(|row| each(&Row::Post(row))),
        }
    }

    /// All rows of a result.
    pub(crate) fn list<T>(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut list = Vec::new();
        self.rows(sql, args, |row| {
            list.push(read(row)?);
            Ok(())
        })?;
        Ok(list)
    }

    /// The first row of a result.
    pub(crate) fn first<T>(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut found = None;
        self.rows(sql, args, |row| {
            if found.is_none() {
                found = Some(read(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Runs statements without arguments.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        self.conn.batch(sql)
    }
}

impl Row<'_> {
    /// A whole number.
    pub(crate) fn int(&self, column: usize) -> Result<i64> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(column)?.as_i64().map_err(rusqlite::Error::from)?),
            Row::Post(row) => Ok(row.try_get(column)?),
        }
    }

    /// A whole number or none.
    pub(crate) fn maybe_int(&self, column: usize) -> Result<Option<i64>> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(column)?.as_i64_or_null().map_err(rusqlite::Error::from)?),
            Row::Post(row) => Ok(row.try_get(column)?),
        }
    }

    /// Text.
    pub(crate) fn text(&self, column: usize) -> Result<&str> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?),
            Row::Post(row) => Ok(row.try_get(column)?),
        }
    }

    /// Text or none.
    pub(crate) fn maybe_text(&self, column: usize) -> Result<Option<&str>> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?),
            Row::Post(row) => Ok(row.try_get(column)?),
        }
    }

    /// Bytes.
    pub(crate) fn bytes(&self, column: usize) -> Result<&[u8]> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(column)?.as_blob().map_err(rusqlite::Error::from)?),
            Row::Post(row) => Ok(row.try_get(column)?),
        }
    }

    /// Bytes or none.
    pub(crate) fn maybe_bytes(&self, column: usize) -> Result<Option<&[u8]>> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(column)?.as_blob_or_null().map_err(rusqlite::Error::from)?),
            Row::Post(row) => Ok(row.try_get(column)?),
        }
    }
}

impl From<i64> for Arg<'_> {
    fn from(value: i64) -> Self {
        Arg::Int(value)
    }
}

impl From<u32> for Arg<'_> {
    fn from(value: u32) -> Self {
        Arg::Int(i64::from(value))
    }
}

impl From<bool> for Arg<'_> {
    fn from(value: bool) -> Self {
        Arg::Int(i64::from(value))
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(value: &'a str) -> Self {
        Arg::Text(value)
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(value: &'a String) -> Self {
        Arg::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(value: &'a [u8]) -> Self {
        Arg::Bytes(value)
    }
}

impl<'a, T: Into<Arg<'a>>> From<Option<T>> for Arg<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Arg::Null, Into::into)
    }
}

/// The arguments of a statement, in order.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Arg::from($value)),*] };
}
pub(crate) use args;
