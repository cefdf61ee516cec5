//! Migrations: each has a number and a name, is applied once, in order, in one transaction.

use crate::error::{Result, StoreError};
use crate::sql::{Conn, Engine, Tx, args};

/// One step from a schema to the next.
struct Migration {
    version: i64,
    name: &'static str,
    sql: &'static str,
    /// What the databases have each in its own way: full-text search, numbers of transactions.
    lite: &'static str,
    post: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "history", sql: include_str!("0001_history.sql"), lite: "", post: "" },
    Migration {
        version: 2,
        name: "search",
        sql: "",
        lite: include_str!("0002_search.sqlite.sql"),
        post: include_str!("0002_search.postgres.sql"),
    },
    Migration { version: 3, name: "runs", sql: include_str!("0003_runs.sql"), lite: "", post: "" },
    Migration { version: 4, name: "gateway", sql: include_str!("0004_gateway.sql"), lite: "", post: "" },
    Migration { version: 5, name: "spaces", sql: include_str!("0005_spaces.sql"), lite: "", post: "" },
    Migration { version: 6, name: "services", sql: include_str!("0006_services.sql"), lite: "", post: "" },
    Migration { version: 7, name: "loom", sql: include_str!("0007_loom.sql"), lite: "", post: "" },
    Migration { version: 8, name: "accounts", sql: include_str!("0008_accounts.sql"), lite: "", post: "" },
    Migration { version: 9, name: "open runs", sql: include_str!("0009_open_runs.sql"), lite: "", post: "" },
    Migration { version: 10, name: "here", sql: include_str!("0010_here.sql"), lite: "", post: "" },
    Migration {
        version: 11,
        name: "around",
        sql: "",
        lite: include_str!("0011_around.sqlite.sql"),
        post: include_str!("0011_around.postgres.sql"),
    },
];

/// The schema version that this program writes.
pub const VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// One process at a time migrates a PostgreSQL database; any number means the same lock.
const MIGRATING: &str = "/*pg SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(8245310571)*/ /*lite SELECT 1*/";

/// Brings a database up to [`VERSION`].
pub(crate) fn migrate(conn: &mut Conn, now: i64) -> Result<()> {
    migrate_to(conn, VERSION, now)
}

/// Brings a database up to one version; the tests begin with an old one.
pub(crate) fn migrate_to(conn: &mut Conn, version: i64, now: i64) -> Result<()> {
    conn.write(|tx| {
        tx.batch(MIGRATING)?;
        tx.batch(
            "CREATE TABLE IF NOT EXISTS migrations(version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL)",
        )?;
        let found = current(tx)?;
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > found && migration.version <= version) {
            apply(tx, migration, now)?;
        }
        Ok(())
    })
}

/// Refuses what this program does not know. A database in which nothing was ever made has version 0.
pub(crate) fn check(conn: &mut Conn) -> Result<()> {
    const BEGUN: &str = "SELECT 1 FROM /*lite sqlite_master WHERE name = 'migrations'*/ \
                         /*pg pg_tables WHERE tablename = 'migrations' AND schemaname = current_schema()*/";
    let found = conn.read(|tx| match tx.first(BEGUN, &[], |_| Ok(()))? {
        Some(()) => current(tx),
        None => Ok(0),
    })?;
    if found == VERSION { Ok(()) } else { Err(StoreError::Older { found, known: VERSION }) }
}

fn current(tx: &mut Tx<'_>) -> Result<i64> {
    let found = tx.first("SELECT coalesce(max(version), 0) FROM migrations", &[], |row| row.int(0))?.unwrap_or(0);
    if found > VERSION { Err(StoreError::Newer { found, known: VERSION }) } else { Ok(found) }
}

fn apply(tx: &mut Tx<'_>, migration: &Migration, now: i64) -> Result<()> {
    tx.batch(migration.sql)?;
    match tx.engine() {
        Engine::Sqlite => tx.batch(migration.lite)?,
        Engine::Postgres => tx.batch(migration.post)?,
    }
    tx.run("INSERT INTO migrations(version, name, at) VALUES(?1, ?2, ?3)", args![migration.version, migration.name, now])?;
    Ok(())
}
