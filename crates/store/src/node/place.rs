//! Where nodes stand in the tree: lanes, tips, children.

use super::row::{bits, digest};
use super::{Key, Seq, Tallies};
use crate::error::{Result, StoreError};
use crate::sql::{Row, Tx, args};
use weftwork::count::Tally;
use weftwork::model::{EntityId, Node, NodeId, Source, SpaceId, Timestamp};
use weftwork::provenance::{Hash, early};

/// A node's place, and what hangs on it needs to know.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) key: Key,
    pub(crate) parent: Option<Key>,
    pub(crate) lane: Key,
    pub(crate) depth: u32,
    pub(crate) id: NodeId,
    pub(crate) sum: Tally,
    /// None while it is pending.
    pub(crate) hash: Option<Hash>,
}

/// A stretch of a path inside one lane, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) lane: Key,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// What a place is read from.
macro_rules! places {
    () => {
        "SELECT key, parent, lane, depth, id, tally, hash FROM nodes "
    };
}

fn place(row: &Row<'_>) -> Result<Place> {
    Ok(Place {
        key: Key(row.int(0)?),
        parent: row.maybe_int(1)?.map(Key),
        lane: Key(row.int(2)?),
        depth: row.int(3)? as u32,
        id: row.text(4)?.into(),
        sum: Tallies::from_bytes(row.bytes(5)?)?.sum,
        hash: row.maybe_bytes(6)?.map(digest).transpose()?,
    })
}

/// The place of a node.
pub(crate) fn place_of(tx: &mut Tx<'_>, key: Key) -> Result<Option<Place>> {
    tx.first(concat!(places!(), "WHERE key = ?1"), args![key.0], place)
}

/// The place up to which somebody has read, by the ids of the space and their own.
pub(crate) const PLACE_READ: &str = "SELECT n.key, n.parent, n.lane, n.depth, n.id, n.tally, n.hash FROM members m \
                                     JOIN nodes n ON n.key = m.space * 4294967296 + m.cursor \
                                     WHERE m.space = (SELECT no FROM spaces WHERE id = ?1) \
                                     AND m.entity = (SELECT no FROM entities WHERE id = ?2) AND m.cursor > 0";

/// The place of a node, by its id and that of its space.
pub(crate) const PLACE: &str = concat!(places!(), "WHERE id = ?1 AND space = (SELECT no FROM spaces WHERE id = ?2)");

/// A lane's first node and what that hangs on.
pub(crate) const LANE: &str =
    "SELECT f.depth, p.lane, p.depth FROM nodes f LEFT JOIN nodes p ON p.key = f.parent WHERE f.key = ?1";

/// The place up to which somebody has read in a space; none if that is nowhere.
pub(crate) fn place_read(tx: &mut Tx<'_>, space: &SpaceId, reader: &EntityId) -> Result<Option<Place>> {
    tx.first(PLACE_READ, args![space.as_str(), reader.as_str()], place)
}

/// The place of a node of a space, by the space's id.
pub(crate) fn place_in(tx: &mut Tx<'_>, space: &SpaceId, id: &NodeId) -> Result<Option<Place>> {
    tx.first(PLACE, args![id.as_str(), space.as_str()], place)
}

/// The place of a node of a space, by the space's number.
pub(crate) fn at_id(tx: &mut Tx<'_>, space: i64, id: &str) -> Result<Option<Place>> {
    const SQL: &str = concat!(places!(), "WHERE id = ?1 AND space = ?2");
    tx.first(SQL, args![id, space], place)
}

/// The newest node of a lane, or the one of this depth.
pub(crate) fn tip(tx: &mut Tx<'_>, lane: Key, depth: Option<u32>) -> Result<Option<Place>> {
    const AT: &str = concat!(places!(), "WHERE lane = ?1 AND depth = ?2");
    const LAST: &str = concat!(places!(), "WHERE lane = ?1 ORDER BY depth DESC LIMIT 1");
    match depth {
        Some(depth) => tx.first(AT, args![lane.0, depth], place),
        None => tx.first(LAST, args![lane.0], place),
    }
}

/// The key of the last node that was added to a space.
pub(crate) fn last_key(tx: &mut Tx<'_>, space: i64) -> Result<Key> {
    let (from, to) = Key::range(space);
    const SQL: &str = "SELECT key FROM nodes WHERE key > ?1 AND key < ?2 ORDER BY key DESC LIMIT 1";
    Ok(tx.first(SQL, args![from, to], |row| row.int(0))?.map_or(Key::new(space, Seq(0)), Key))
}

/// The keys of what was added to a space after one of it, in order.
pub(crate) fn after(tx: &mut Tx<'_>, key: Key, limit: u32) -> Result<Vec<Key>> {
    const SQL: &str = "SELECT key FROM nodes WHERE key > ?1 AND key < ?2 ORDER BY key LIMIT ?3";
    tx.list(SQL, args![key.0, Key::range(key.space()).1, limit], |row| Ok(Key(row.int(0)?)))
}

/// The lanes of the path that ends at a node, newest first.
pub(crate) fn lanes(tx: &mut Tx<'_>, head: &Place) -> Result<Vec<Segment>> {
    let mut segments = Vec::with_capacity(1);
    let (mut lane, mut to) = (head.lane, head.depth);
    loop {
        let first = tx.first(LANE, args![lane.0], |row| Ok((row.int(0)? as u32, row.maybe_int(1)?, row.maybe_int(2)?)))?;
        let Some((from, above, depth)) = first else {
            return Err(StoreError::Unreadable { detail: format!("lane {} has no first node", lane.0) });
        };
        segments.push(Segment { lane, from, to });
        match (above, depth) {
            (Some(above), Some(depth)) => (lane, to) = (Key(above), depth as u32),
            (None, _) | (_, None) => return Ok(segments),
        }
    }
}

/// What hangs on a node, or the roots of a space, in the order it was added.
pub(crate) fn children(tx: &mut Tx<'_>, space: i64, parent: Option<&Place>) -> Result<Vec<Key>> {
    const FORKS: &str = "SELECT key FROM nodes WHERE space = ?1 AND parent = ?2 AND lane = key ORDER BY key";
    const ROOTS: &str = "SELECT key FROM nodes WHERE space = ?1 AND parent IS NULL AND lane = key ORDER BY key";
    let Some(parent) = parent else {
        return tx.list(ROOTS, args![space], |row| Ok(Key(row.int(0)?)));
    };
    const NEXT: &str = "SELECT key FROM nodes WHERE lane = ?1 AND depth = ?2";
    let mut children = tx.list(NEXT, args![parent.lane.0, parent.depth + 1], |row| Ok(Key(row.int(0)?)))?;
    children.extend(tx.list(FORKS, args![space, parent.key.0], |row| Ok(Key(row.int(0)?)))?);
    children.sort_unstable();
    Ok(children)
}

/// The hash under which a node was known when something was hung on it.
pub(crate) fn hash_of(tx: &mut Tx<'_>, key: Key, was_pending: bool) -> Result<Hash> {
    let found = place_of(tx, key)?.ok_or_else(|| StoreError::Unreadable { detail: format!("node {} is gone", key.0) })?;
    match found.hash {
        Some(hash) if !was_pending => Ok(hash),
        Some(_) | None => early_hash(tx, &found),
    }
}

/// The hash that stands for a node before it is final.
fn early_hash(tx: &mut Tx<'_>, place: &Place) -> Result<Hash> {
    const SQL: &str = "SELECT e.id, n.at, n.flags, n.more FROM nodes n JOIN entities e ON e.no = n.author WHERE n.key = ?1";
    #[derive(serde::Deserialize, Default)]
    struct Exact {
        at: Option<Timestamp>,
        #[serde(default)]
        sources: Vec<Source>,
    }
    let found = tx.first(SQL, args![place.key.0], |row| {
        let more: Exact = row.maybe_text(3)?.map(serde_json::from_str).transpose()?.unwrap_or_default();
        let time = more.at.or(row.maybe_int(1)?.and_then(Timestamp::from_millis));
        Ok((EntityId::from(row.text(0)?), time, row.int(2)?, more.sources))
    })?;
    let Some((author, time, flags, sources)) = found else {
        return Err(StoreError::Unreadable { detail: format!("node {} has no author", place.id) });
    };
    let mut node = Node::new(place.id.clone(), None, author);
    node.created_at = time;
    if flags & bits::ANNOTATION != 0 {
        node.edge = weftwork::model::Edge::Annotation;
    }
    let parents = parent_hashes(tx, place.key.space(), place.parent, flags, &sources)?;
    Ok(early(&node, &parents))
}

/// The hashes of what a node hangs on, as they were when it was made: its parent's, then its sources'.
pub(crate) fn parent_hashes(
    tx: &mut Tx<'_>,
    space: i64,
    parent: Option<Key>,
    flags: i64,
    sources: &[Source],
) -> Result<Vec<Hash>> {
    let mut hashes = Vec::with_capacity(1 + sources.len());
    if let Some(parent) = parent {
        hashes.push(hash_of(tx, parent, flags & bits::EARLY != 0)?);
    }
    for source in sources {
        let found = at_id(tx, space, source.node.as_str())?;
        let hash = found.and_then(|place| place.hash);
        hashes.push(hash.ok_or_else(|| StoreError::NoSource { node: source.node.clone() })?);
    }
    Ok(hashes)
}
