//! The index of words: what is in it, and how it catches up.
//!
//! Adding a node does not touch it. Every node of a space up to `spaces.searched` is in it, but for those still being
//! written, which come into it when they end; nothing after it is.

use super::text;
use super::unit::Units;
use crate::error::{Result, StoreError};
use crate::node::{Key, Stored};
use crate::space::entity_row;
use crate::sql::{Engine, Tx, args};
use weftwork::model::Status;

/// Nodes that are indexed in one transaction.
pub(super) const BATCH: u32 = 1_000;
/// Bytes of terms that one node may have. PostgreSQL can hold no more than a megabyte.
const MOST: usize = 600_000;
/// Begins terms that are no words: it is in no text's terms.
const APART: char = '\u{e000}';

/// The term of what somebody said.
pub(super) fn author_term(author: i64) -> String {
    format!("{APART}{author}")
}

/// The terms of a node, with spaces between them; none if there is nothing to find.
fn terms(text: &str, author: i64) -> Option<String> {
    let terms = Units::of(text).terms();
    if terms.is_empty() {
        return None;
    }
    let mut joined = author_term(author);
    for term in terms {
        if joined.len() + term.len() > MOST {
            break;
        }
        joined.push(' ');
        joined.push_str(&term);
    }
    Some(joined)
}

/// Indexes the next nodes of a space; says how many it looked at.
pub(super) fn catch_up(tx: &mut Tx<'_>, space: i64, limit: u32) -> Result<u32> {
    const NEXT: &str = "SELECT key, author, status, text, parts FROM nodes WHERE key > ?1 AND key < ?2 ORDER BY key LIMIT ?3";
    let (first, end) = Key::range(space);
    let searched = searched(tx, space)?.max(first);
    let (mut last, mut count, mut fresh) = (searched, 0, Vec::new());
    tx.rows(NEXT, args![searched, end, limit], |row| {
        (last, count) = (row.int(0)?, count + 1);
        let is_pending = row.int(2)? == 1;
        if !is_pending && let Some(terms) = terms(&text::of_row(row.maybe_text(3)?, row.maybe_text(4)?)?, row.int(1)?) {
            fresh.push((Key(last), terms));
        }
        Ok(())
    })?;
    add(tx, &fresh)?;
    if count > 0 {
        tx.run("UPDATE spaces SET searched = ?2 WHERE no = ?1", args![space, last])?;
    }
    Ok(count)
}

/// The last key of a space that is in the index; nobody else moves it until the transaction ends.
fn searched(tx: &mut Tx<'_>, space: i64) -> Result<i64> {
    const SQL: &str = "SELECT searched FROM spaces WHERE no = ?1 /*pg FOR UPDATE*/";
    let found = tx.first(SQL, args![space], |row| row.int(0))?;
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("space {space} is gone") })
}

fn add(tx: &mut Tx<'_>, fresh: &[(Key, String)]) -> Result<()> {
    match tx.engine() {
        Engine::Sqlite => {
            for (key, terms) in fresh {
                tx.run("INSERT INTO words(rowid, terms) VALUES(?1, ?2)", args![key.0, terms])?;
            }
        }
        Engine::Postgres if fresh.is_empty() => {}
        Engine::Postgres => {
            const SQL: &str = "INSERT INTO words(key, terms) SELECT CAST(split_part(line, ':', 1) AS bigint), \
                               array_to_tsvector(string_to_array(split_part(line, ':', 2), ' ')) \
                               FROM unnest(string_to_array(?1, chr(10))) AS line";
            let lines: Vec<String> = fresh.iter().map(|(key, terms)| format!("{}:{terms}", key.0)).collect();
            tx.run(SQL, args![&lines.join("\n")])?;
        }
    }
    Ok(())
}

/// Takes up a node that was being written when the index passed it.
pub(crate) fn finished(tx: &mut Tx<'_>, stored: &Stored) -> Result<()> {
    if stored.key.0 > searched(tx, stored.key.space())? {
        return Ok(());
    }
    match own_terms(tx, stored)? {
        Some(terms) => add(tx, &[(stored.key, terms)]),
        None => Ok(()),
    }
}

/// Takes a node out of the index for good. It must still have its content: SQLite removes what it is told was there.
pub(crate) fn forget(tx: &mut Tx<'_>, stored: &Stored) -> Result<()> {
    let is_in = stored.key.0 <= searched(tx, stored.key.space())? && stored.node.status != Status::Pending;
    match (tx.engine(), own_terms(tx, stored)?) {
        (Engine::Sqlite, Some(terms)) if is_in => {
            const SQL: &str = "INSERT INTO words(words, rowid, terms) VALUES('delete', ?1, ?2)";
            tx.run(SQL, args![stored.key.0, &terms])?;
        }
        (Engine::Sqlite, _) => {}
        (Engine::Postgres, _) => drop(tx.run("DELETE FROM words WHERE key = ?1", args![stored.key.0])?),
    }
    Ok(())
}

fn own_terms(tx: &mut Tx<'_>, stored: &Stored) -> Result<Option<String>> {
    let (author, _) = entity_row(tx, &stored.node.author)?;
    Ok(terms(&text::of_parts(&stored.node.parts), author))
}
