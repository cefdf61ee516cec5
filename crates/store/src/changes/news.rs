//! What is new in a space since a moment, for one of its members.

use super::{Change, ChangeKind, Moment, moment_of};
use crate::error::Result;
use crate::node::{Key, Reader, Seq, columns};
use crate::space::{authors_of, find_for, find_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use std::collections::HashSet;
use weftwork::model::{EntityId, Node, SpaceId};

/// What is new. Nodes are as they are now, whatever changed since they were added.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Nodes that were added, in order.
    pub nodes: Vec<(Seq, Node)>,
    /// What else changed: of several changes of one thing the newest.
    pub changes: Vec<Change>,
    /// Where to go on.
    pub upto: Moment,
    /// Whether nothing more waits.
    pub complete: bool,
    /// Whether changes since then are no longer kept: everything is to be read again, and `upto` is where to go on from.
    pub lost: bool,
}

impl Store {
    /// What is new in a space since a moment, up to `limit` nodes and as many changes; none if the member does not belong to
    /// it now, or there is no such space. Whoever goes on from `upto` misses nothing and sees no node twice.
    pub fn news(&self, space: &SpaceId, member: &EntityId, since: Moment, limit: u32) -> Result<Option<News>> {
        self.reading(|tx| {
            let Some(row) = find_for(tx, space, member)? else { return Ok(None) };
            since_then(tx, row.no, since, limit).map(Some)
        })
    }

    /// The same for one who hands it to members only, and knows who they are: whoever leaves is told of in it.
    pub fn all_news(&self, space: &SpaceId, since: Moment, limit: u32) -> Result<News> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            since_then(tx, row.no, since, limit)
        })
    }
}

fn since_then(tx: &mut Tx<'_>, space: i64, since: Moment, limit: u32) -> Result<News> {
    let newest = moment_of(tx, space)?;
    let changes = changes_after(tx, space, since, newest, limit)?;
    let Some(changes) = changes.filter(|_| since.seq <= newest.seq) else {
        return Ok(News { nodes: Vec::new(), changes: Vec::new(), upto: newest, complete: true, lost: true });
    };
    let nodes = match since.seq < newest.seq {
        true => nodes_after(tx, space, since.seq, limit)?,
        false => Vec::new(),
    };
    let seq = nodes.last().map_or(since.seq, |(seq, _)| *seq);
    let change = changes.last().map_or(since.change, |change| change.no);
    let upto = Moment { seq, change };
    Ok(News { nodes, changes: folded(changes), upto, complete: upto == newest, lost: false })
}

/// The changes after a moment; none if some of them are no longer kept, or the moment is of another database.
fn changes_after(tx: &mut Tx<'_>, space: i64, since: Moment, newest: Moment, limit: u32) -> Result<Option<Vec<Change>>> {
    const SQL: &str = "SELECT no, kind, subject FROM changes WHERE space = ?1 AND no > ?2 ORDER BY no LIMIT ?3";
    if since.change >= newest.change {
        return Ok((since.change == newest.change).then(Vec::new));
    }
    let changes = tx.list(SQL, args![space, since.change, limit], |row| {
        Ok(Change { no: row.int(0)?, kind: ChangeKind::read(row.int(1)?, row.text(2)?)? })
    })?;
    let is_next = changes.first().is_none_or(|first| first.no == since.change + 1);
    Ok(is_next.then_some(changes))
}

/// Of the changes of one thing only the newest, in order.
fn folded(mut changes: Vec<Change>) -> Vec<Change> {
    let mut seen: HashSet<ChangeKind> = HashSet::with_capacity(changes.len());
    changes.reverse();
    changes.retain(|change| seen.insert(change.kind.clone()));
    changes.reverse();
    changes
}

fn nodes_after(tx: &mut Tx<'_>, space: i64, seq: Seq, limit: u32) -> Result<Vec<(Seq, Node)>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        ", p.id FROM nodes n LEFT JOIN nodes p ON p.key = n.parent WHERE n.key > ?1 AND n.key < ?2 ORDER BY n.key LIMIT ?3"
    );
    let authors = authors_of(tx, space)?;
    let reader = Reader { authors: &authors, hashes: true };
    tx.list(SQL, args![Key::new(space, seq).0, Key::range(space).1, limit], |row| {
        let mut stored = reader.read(row)?;
        stored.node.parent = row.maybe_text(16)?.map(Into::into);
        Ok((stored.key.seq(), stored.node))
    })
}
