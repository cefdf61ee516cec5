//! PostgreSQL: statements prepared once per connection, arguments sent as the types the tables have.
//!
//! Nothing waits that need not: a transaction begins with its first statement, one that only reads is ended without waiting
//! for the server's word, and statements that are known ahead go there together.

use super::text::for_post;
use super::tls::connected;
use super::wire::{Asked, OpenError, Wire, all};
use super::{Arg, Conn, Purpose, Row};
use crate::error::{Result, StoreError};
use postgres::Statement;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

/// A connection and the statements it knows.
pub(crate) struct Client {
    wire: Wire,
    statements: HashMap<&'static str, Statement>,
    transaction: Transaction,
    /// What begins the transaction, until its first statement takes it along.
    opening: Option<&'static str>,
    /// What was asked ahead in this transaction and not yet asked for.
    ahead: Vec<Ahead>,
}

/// The rows of a statement that nobody has asked for yet.
struct Ahead {
    sql: &'static str,
    args: Vec<Kept>,
    rows: Vec<postgres::Row>,
}

/// An argument that is kept.
enum Kept {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Kept {
    fn of(arg: &Arg<'_>) -> Kept {
        match *arg {
            Arg::Null => Kept::Null,
            Arg::Int(value) => Kept::Int(value),
            Arg::Text(value) => Kept::Text(value.to_owned()),
            Arg::Bytes(value) => Kept::Bytes(value.to_owned()),
        }
    }

    fn is(&self, arg: &Arg<'_>) -> bool {
        match (self, arg) {
            (Kept::Null, Arg::Null) => true,
            (Kept::Int(kept), Arg::Int(value)) => kept == value,
            (Kept::Text(kept), Arg::Text(value)) => kept == value,
            (Kept::Bytes(kept), Arg::Bytes(value)) => kept == value,
            (Kept::Null | Kept::Int(_) | Kept::Text(_) | Kept::Bytes(_), _) => false,
        }
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
    let mut wire = connected(url, Wire::open)?;
    wire.ask(|client| client.batch_execute(SETTINGS))?;
    let (statements, ahead) = (HashMap::new(), Vec::new());
    Ok(Conn::Post(Box::new(Client { wire, statements, transaction: Transaction::None, opening: None, ahead })))
}

impl Client {
    /// Begins a transaction, with its first statement.
    pub(super) fn begin(&mut self, sql: &'static str) {
        self.opening = Some(sql);
        self.transaction = Transaction::Open;
    }

    pub(super) fn end(&mut self, sql: &'static str, purpose: Purpose) -> Result<()> {
        self.ahead.clear();
        match (self.opening.take(), purpose) {
            // Nothing was asked.
            (Some(_), _) => {}
            // Nothing depends on it.
            (None, Purpose::Read) => self.wire.tell(|client| client.batch_execute(sql))?,
            (None, Purpose::Write) => self.wire.ask(|client| client.batch_execute(sql))?,
        }
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
        let opening = self.opening.take().map(for_post);
        let sql = for_post(sql);
        self.ahead.clear();
        let done = self.wire.ask(|client| {
            let asked = opening.iter().chain([&sql]).map(|sql| Box::pin(client.batch_execute(sql)) as Asked<'_, ()>);
            all(asked.collect())
        });
        Ok(done.map(drop).inspect_err(|_| self.transaction = Transaction::Spoiled)?)
    }

    pub(super) fn is_sound(&self) -> bool {
        !self.wire.is_closed() && self.transaction == Transaction::None
    }

    pub(super) fn is_alive(&mut self) -> bool {
        self.wire.answers_within(PULSE)
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let text = for_post(sql);
        let statement = self.wire.ask(|client| client.prepare(&text)).inspect_err(|_| self.transaction = Transaction::Spoiled)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    pub(super) fn run(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        let statement = self.prepared(sql)?;
        let (opening, args) = (self.opening.take().map(for_post), borrowed(args));
        self.ahead.clear();
        let done = self.wire.ask(|client| {
            all(begun(client, opening.as_deref())
                .chain([Box::pin(client.execute(&statement, &args)) as Asked<'_, u64>])
                .collect())
        });
        let done = done.inspect_err(|_| self.transaction = Transaction::Spoiled)?;
        Ok(done.last().copied().unwrap_or(0))
    }

    pub(super) fn rows(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let rows = match self.found_ahead(sql, args) {
            Some(at) => self.ahead.swap_remove(at).rows,
            None => self.query(&[(sql, args)])?.pop().unwrap_or_default(),
        };
        rows.iter().try_for_each(|row| each(&Row::Post(row)))
    }

    /// Asks for what will be asked for later in this transaction.
    pub(super) fn ahead(&mut self, foreseen: &[(&'static str, &[Arg<'_>])]) -> Result<()> {
        let mut new: Vec<(&'static str, &[Arg<'_>])> = Vec::with_capacity(foreseen.len());
        for &(sql, args) in foreseen {
            let is_asked = |asked: &(&str, &[Arg<'_>])| asked.0 == sql && asked.1 == args;
            if self.found_ahead(sql, args).is_none() && !new.iter().any(is_asked) {
                new.push((sql, args));
            }
        }
        let found = self.query(&new)?;
        let kept = new.into_iter().zip(found);
        self.ahead.extend(kept.map(|((sql, args), rows)| Ahead { sql, args: args.iter().map(Kept::of).collect(), rows }));
        Ok(())
    }

    /// The rows of what was asked ahead and not yet asked for.
    pub(super) fn foreseen(&self, sql: &str, args: &[Arg<'_>]) -> &[postgres::Row] {
        self.found_ahead(sql, args).map_or(&[], |at| &self.ahead[at].rows)
    }

    fn found_ahead(&self, sql: &str, args: &[Arg<'_>]) -> Option<usize> {
        let same = |ahead: &Ahead| {
            ahead.sql == sql && ahead.args.len() == args.len() && ahead.args.iter().zip(args).all(|(kept, arg)| kept.is(arg))
        };
        self.ahead.iter().position(same)
    }

    /// The rows of each of these statements, which go to the server together.
    fn query(&mut self, asked: &[(&'static str, &[Arg<'_>])]) -> Result<Vec<Vec<postgres::Row>>> {
        let statements = asked.iter().map(|(sql, _)| self.prepared(sql)).collect::<Result<Vec<_>>>()?;
        let args: Vec<_> = asked.iter().map(|(_, args)| borrowed(args)).collect();
        let opening = self.opening.take().map(for_post);
        let found = self.wire.ask(|client| {
            let rows =
                statements.iter().zip(&args).map(|(statement, args)| Box::pin(client.query(statement, args)) as Asked<'_, _>);
            all(begun(client, opening.as_deref()).chain(rows).collect())
        });
        let mut found = found.inspect_err(|_| self.transaction = Transaction::Spoiled)?;
        Ok(found.split_off(found.len() - asked.len()))
    }
}

/// What begins a transaction, on its way before its first statement. It fails with the connection only, and that statement too.
fn begun<'a, T: Default + 'a>(
    client: &'a tokio_postgres::Client,
    opening: Option<&'a str>,
) -> impl Iterator<Item = Asked<'a, T>> {
    opening
        .into_iter()
        .map(move |sql| Box::pin(async move { client.batch_execute(sql).await.map(|()| T::default()) }) as Asked<'a, T>)
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

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Server(error) => error.into(),
            OpenError::System(error) => StoreError::Unreachable { detail: error.to_string() },
        }
    }
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
