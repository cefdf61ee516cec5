//! PostgreSQL: statements prepared once per connection, arguments sent as the types the tables have.

use super::text::for_post;
use super::{Arg, Conn, Row};
use crate::error::{Result, StoreError};
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{NoTls, Statement};
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

/// A connection and the statements it knows.
pub(crate) struct Client {
    client: Line,
    statements: HashMap<&'static str, Statement>,
    transaction: Transaction,
}

/// A connection that may be let go of anywhere: its driver blocks when it hangs up, and an async runtime forbids that to its
/// threads.
struct Line(Option<postgres::Client>);

impl std::ops::Deref for Line {
    type Target = postgres::Client;

    fn deref(&self) -> &postgres::Client {
        self.0.as_ref().expect("held until it is dropped")
    }
}

impl std::ops::DerefMut for Line {
    fn deref_mut(&mut self) -> &mut postgres::Client {
        self.0.as_mut().expect("held until it is dropped")
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let client = self.0.take();
        let _ = std::thread::spawn(move || drop(client)).join();
    }
}

/// Where a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transaction {
    /// In none.
    None,
    /// In one.
    Open,
    /// In one of which a statement failed. The server would answer COMMIT with a rollback, and call that a success.
    Spoiled,
}

/// What every connection asks of the server, whatever its settings: an acknowledged commit is on disk; whoever waits for
/// a lock is told in the end; a process that stopped in the middle does not hold its locks for good.
const SETTINGS: &str = "SELECT set_config('synchronous_commit', 'on', false) \
                        WHERE current_setting('synchronous_commit') = 'off'; \
                        SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '20s'";

/// How long the server may take to answer nothing at all.
const PULSE: Duration = Duration::from_secs(5);

/// Connects.
pub(crate) fn open(url: &str) -> Result<Conn> {
    let mut config: postgres::Config = url.parse()?;
    config.application_name("weft");
    let mut client = config.connect(NoTls)?;
    client.batch_execute(SETTINGS)?;
    Ok(Conn::Post(Box::new(Client { client: Line(Some(client)), statements: HashMap::new(), transaction: Transaction::None })))
}

impl Client {
    pub(super) fn begin(&mut self, sql: &str) -> Result<()> {
        self.client.batch_execute(&for_post(sql))?;
        self.transaction = Transaction::Open;
        Ok(())
    }

    pub(super) fn end(&mut self, sql: &str) -> Result<()> {
        self.client.batch_execute(&for_post(sql))?;
        self.transaction = Transaction::None;
        Ok(())
    }

    pub(super) fn unspoiled(&self) -> Result<()> {
        match self.transaction {
            Transaction::None | Transaction::Open => Ok(()),
            Transaction::Spoiled => Err(StoreError::Database { detail: "a statement failed before the commit".into() }),
        }
    }

    pub(super) fn batch(&mut self, sql: &str) -> Result<()> {
        let done = self.client.batch_execute(&for_post(sql));
        Ok(done.inspect_err(|_| self.transaction = Transaction::Spoiled)?)
    }

    pub(super) fn is_sound(&self) -> bool {
        !self.client.is_closed() && self.transaction == Transaction::None
    }

    pub(super) fn is_alive(&mut self) -> bool {
        self.client.is_valid(PULSE).is_ok()
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&for_post(sql)).inspect_err(|_| self.transaction = Transaction::Spoiled)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    pub(super) fn run(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        let statement = self.prepared(sql)?;
        let done = self.client.execute(&statement, &borrowed(args));
        Ok(done.inspect_err(|_| self.transaction = Transaction::Spoiled)?)
    }

    pub(super) fn rows(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let statement = self.prepared(sql)?;
        let found = self.client.query(&statement, &borrowed(args));
        for row in found.inspect_err(|_| self.transaction = Transaction::Spoiled)? {
            each(&Row::Post(&row))?;
        }
        Ok(())
    }
}

fn borrowed<'a>(args: &'a [Arg<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    args.iter().map(|arg| arg as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Arg<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Box<dyn Error + Sync + Send>> {
        match *self {
            Arg::Null => Ok(IsNull::Yes),
            Arg::Int(value) => value.to_sql(ty, out),
            // Text may not hold NUL there. It is refused before it gets here.
            Arg::Text(value) => value.to_sql(ty, out),
            Arg::Bytes(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::TEXT | Type::BYTEA)
    }

    to_sql_checked!();
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        use postgres::error::SqlState;
        let detail = match error.as_db_error() {
            Some(db) => format!("{}: {}", db.code().code(), db.message()),
            None => error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
        };
        match error.code() {
            Some(code) if *code == SqlState::DISK_FULL => StoreError::Full { detail },
            Some(code) if *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED => {
                StoreError::Conflict { detail }
            }
            // Somebody else was first: whoever looks again finds what they wrote.
            Some(code) if *code == SqlState::UNIQUE_VIOLATION => StoreError::Conflict { detail },
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE || *code == SqlState::TOO_MANY_CONNECTIONS => {
                StoreError::Busy { detail }
            }
            Some(code) if *code == SqlState::IO_ERROR => StoreError::Disk { detail },
            // The server stops, has crashed, or is not ready yet.
            Some(code) if code.code().starts_with("57P0") => StoreError::Unreachable { detail },
            Some(_) => StoreError::Database { detail },
            None => StoreError::Unreachable { detail },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_of_which_a_statement_failed_is_not_called_committed() {
        let url = std::env::var("WEFT_TEST_POSTGRES").expect("no PostgreSQL: run scripts/with-postgres.sh cargo test");
        let mut conn = open(&url).unwrap();
        let result = conn.write(|tx| {
            let _ = tx.batch("SELECT nonsense");
            Ok(())
        });
        assert!(matches!(result, Err(StoreError::Database { .. })), "{result:?}");
        assert!(conn.is_sound() && conn.write(|tx| tx.batch("SELECT 1")).is_ok());
    }
}
