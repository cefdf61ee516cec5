//! Bookmarks with names, and links: what is made of a tree for all to see.

use super::LocalId;
use super::spot::{Spot, spot};
use crate::changes::{ChangeKind, note};
use crate::error::{Result, StoreError};
use crate::node::{self, Flag, Key, at_id};
use crate::space::{SpaceRow, check_text, entity_row, find_space, lock_space};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::{Bookmark, Conversation, EntityId, Link, LinkKind, NodeId, SpaceId, Timestamp};

/// A link, with the short ids of its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The link.
    pub link: Link,
    /// Where it begins.
    pub from: LocalId,
    /// Where it ends.
    pub to: LocalId,
}

impl Store {
    /// Bookmarks a node under a name. One that it had is replaced.
    pub fn put_bookmark(&self, space: &SpaceId, node: &NodeId, name: &str) -> Result<()> {
        check_text("a bookmark's name", name)?;
        self.writing(|tx| {
            let (_, key) = locked(tx, space, node)?;
            node::set_flag(tx, key, Flag::Bookmarked, true)?;
            name_bookmark(tx, key, name)
        })
    }

    /// Takes a bookmark and its name away; says whether it was there.
    pub fn remove_bookmark(&self, space: &SpaceId, node: &NodeId) -> Result<bool> {
        self.writing(|tx| {
            let (_, key) = locked(tx, space, node)?;
            let was = node::one(tx, key)?.node.bookmarked;
            node::set_flag(tx, key, Flag::Bookmarked, false)?;
            tx.run("DELETE FROM bookmarks WHERE node = ?1", args![key.0])?;
            Ok(was)
        })
    }

    /// The newest bookmarked nodes of a space, `most` at most.
    pub fn bookmarks(&self, space: &SpaceId, most: u32) -> Result<Vec<Spot>> {
        const SQL: &str = "SELECT key FROM nodes WHERE key > ?1 AND key < ?2 AND flags & 12 <> 0 AND flags & 8 <> 0 \
                           ORDER BY key DESC LIMIT ?3";
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let (from, to) = Key::range(row.no);
            let keys = tx.list(SQL, args![from, to, most], |row| Ok(Key(row.int(0)?)))?;
            keys.into_iter().map(|key| spot(tx, &row, key)).collect()
        })
    }

    /// Links two nodes. The same link again gets the new reason; says whether it is new.
    pub fn put_link(&self, space: &SpaceId, link: &Link) -> Result<bool> {
        check_text("a link's reason", &link.reason)?;
        self.writing(|tx| {
            let (row, from) = locked(tx, space, &link.from)?;
            let to = key_of(tx, &row, space, &link.to)?;
            let was = tx.run(
                "DELETE FROM links WHERE source = ?1 AND target = ?2 AND kind = ?3",
                args![from.0, to.0, number(link.kind)],
            )?;
            insert(tx, from, to, link)?;
            note_ends(tx, &row, &link.from, &link.to)?;
            Ok(was == 0)
        })
    }

    /// Takes a link away; says whether it was there.
    pub fn remove_link(&self, space: &SpaceId, from: &NodeId, to: &NodeId, kind: LinkKind) -> Result<bool> {
        const SQL: &str = "DELETE FROM links WHERE source = ?1 AND target = ?2 AND kind = ?3";
        self.writing(|tx| {
            let (row, source) = locked(tx, space, from)?;
            let target = key_of(tx, &row, space, to)?;
            let was = tx.run(SQL, args![source.0, target.0, number(kind)])? > 0;
            if was {
                note_ends(tx, &row, from, to)?;
            }
            Ok(was)
        })
    }

    /// The links that begin or end at a node, in the order of their ends, `most` at most.
    pub fn links(&self, space: &SpaceId, node: &NodeId, most: u32) -> Result<Vec<Linked>> {
        const SQL: &str = "SELECT s.id, t.id, l.kind, l.reason, e.id, l.at, l.source, l.target FROM links l \
                           JOIN nodes s ON s.key = l.source JOIN nodes t ON t.key = l.target JOIN entities e ON e.no = l.author \
                           WHERE l.source = ?1 OR l.target = ?1 ORDER BY l.source, l.target, l.kind LIMIT ?2";
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let key = key_of(tx, &row, space, node)?;
            tx.list(SQL, args![key.0, most], |row| {
                let end = |column| Ok::<_, StoreError>(LocalId::of(Key(row.int(column)?).seq()));
                Ok(Linked { link: read(row)?, from: end(6)?, to: end(7)? })
            })
        })
    }
}

fn locked(tx: &mut Tx<'_>, space: &SpaceId, node: &NodeId) -> Result<(SpaceRow, Key)> {
    let row = lock_space(tx, space)?;
    let key = key_of(tx, &row, space, node)?;
    Ok((row, key))
}

pub(super) fn key_of(tx: &mut Tx<'_>, row: &SpaceRow, space: &SpaceId, node: &NodeId) -> Result<Key> {
    let found = at_id(tx, row.no, node.as_str())?;
    found.map(|place| place.key).ok_or_else(|| StoreError::NoNode { space: space.clone(), node: node.clone() })
}

/// A link is told of at both of its ends.
fn note_ends(tx: &mut Tx<'_>, row: &SpaceRow, from: &NodeId, to: &NodeId) -> Result<()> {
    note(tx, row.no, &ChangeKind::Node(from.clone()))?;
    if from == to { Ok(()) } else { note(tx, row.no, &ChangeKind::Node(to.clone())) }
}

fn name_bookmark(tx: &mut Tx<'_>, key: Key, name: &str) -> Result<()> {
    const SQL: &str = "INSERT INTO bookmarks(node, name) VALUES(?1, ?2) ON CONFLICT(node) DO UPDATE SET name = excluded.name";
    tx.run(SQL, args![key.0, name]).map(drop)
}

/// Adds a link if it is not there; says whether it is new.
fn insert(tx: &mut Tx<'_>, from: Key, to: Key, link: &Link) -> Result<bool> {
    const SQL: &str = "INSERT INTO links(source, target, kind, author, reason, at) VALUES(?1, ?2, ?3, ?4, ?5, ?6) \
                       ON CONFLICT(source, target, kind) DO NOTHING";
    let (author, _) = entity_row(tx, &link.author)?;
    let at = link.created_at.as_ref().map(Timestamp::millis);
    tx.run(SQL, args![from.0, to.0, number(link.kind), author, &link.reason, at]).map(|new| new > 0)
}

fn read(row: &Row<'_>) -> Result<Link> {
    Ok(Link {
        from: row.text(0)?.into(),
        to: row.text(1)?.into(),
        kind: kind(row.int(2)?)?,
        reason: row.text(3)?.to_owned(),
        author: EntityId::from(row.text(4)?),
        created_at: row.maybe_int(5)?.and_then(Timestamp::from_millis),
    })
}

/// The names of all bookmarks of a space, as a file has them.
pub(crate) fn export_bookmarks(tx: &mut Tx<'_>, space: i64) -> Result<Vec<Bookmark>> {
    const SQL: &str = "SELECT n.id, b.name FROM bookmarks b JOIN nodes n ON n.key = b.node \
                       WHERE b.node > ?1 AND b.node < ?2 ORDER BY b.node";
    let (from, to) = Key::range(space);
    tx.list(SQL, args![from, to], |row| Ok(Bookmark { node: row.text(0)?.into(), name: row.text(1)?.to_owned() }))
}

/// All links of a space, as a file has them.
pub(crate) fn export_links(tx: &mut Tx<'_>, space: i64) -> Result<Vec<Link>> {
    const SQL: &str = "SELECT s.id, t.id, l.kind, l.reason, e.id, l.at FROM links l \
                       JOIN nodes s ON s.key = l.source JOIN nodes t ON t.key = l.target JOIN entities e ON e.no = l.author \
                       WHERE l.source > ?1 AND l.source < ?2 ORDER BY l.source, l.target, l.kind";
    let (from, to) = Key::range(space);
    tx.list(SQL, args![from, to], read)
}

/// Takes over the bookmarks' names and the links of a file. What is here already stays; a file may name what it does not hold.
pub(crate) fn import(tx: &mut Tx<'_>, row: &SpaceRow, file: &Conversation) -> Result<()> {
    const NAMED: &str = "SELECT 1 FROM bookmarks WHERE node = ?1";
    for Bookmark { node, name } in file.bookmarks.iter().filter(|it| (1..=200).contains(&it.name.chars().count())) {
        check_text("a bookmark's name", name)?;
        if let Some(place) = at_id(tx, row.no, node.as_str())?
            && tx.first(NAMED, args![place.key.0], |_| Ok(()))?.is_none()
        {
            name_bookmark(tx, place.key, name)?;
            note(tx, row.no, &ChangeKind::Node(node.clone()))?;
        }
    }
    for link in &file.links {
        check_text("a link's reason", &link.reason)?;
        let ends = (at_id(tx, row.no, link.from.as_str())?, at_id(tx, row.no, link.to.as_str())?);
        if let (Some(from), Some(to)) = ends
            && file.entities.iter().any(|entity| entity.id == link.author)
            && insert(tx, from.key, to.key, link)?
        {
            note_ends(tx, row, &link.from, &link.to)?;
        }
    }
    Ok(())
}

fn number(kind: LinkKind) -> i64 {
    match kind {
        LinkKind::Relates => 0,
        LinkKind::Supports => 1,
        LinkKind::Contradicts => 2,
        LinkKind::Answers => 3,
        LinkKind::Refines => 4,
        LinkKind::Repeats => 5,
    }
}

fn kind(number: i64) -> Result<LinkKind> {
    let found = LinkKind::ALL.get(number as usize).copied();
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("a link of kind {number}") })
}
