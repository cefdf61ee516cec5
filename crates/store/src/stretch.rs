//! A stretch of a path as a member sees it: every node of it, whatever it is, with its place among those that hang beside it.

use crate::changes::{Moment, moment_of};
use crate::error::{Result, StoreError};
use crate::node::{Key, Place, Reader, Seq, Stored, at_id, bits, columns, lanes, place_of};
use crate::space::{SpaceRow, authors_of, cursor_of, find_for};
use crate::sql::{Tx, args};
use crate::store::Store;
use std::collections::HashMap;
use weftwork::model::{EntityId, Node, NodeId, SpaceId};

/// A stretch of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Its nodes, oldest first.
    pub nodes: Vec<Placed>,
    /// What remarks on them, in the order it was added.
    pub remarks: Vec<(Seq, Node)>,
    /// Whether there are earlier nodes.
    pub earlier: bool,
    /// The head the path leads to; none while the space is empty.
    pub head: Option<NodeId>,
    /// How far the viewer has read.
    pub cursor: Seq,
    /// From when it is: what changes later is news since then.
    pub upto: Moment,
}

/// A node of a path and its place among those that hang where it hangs. What is pruned or remarks is not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The node.
    pub node: Node,
    /// Its place in the order of the space.
    pub seq: Seq,
    /// Which of its siblings it is, in the order they were added, from 1.
    pub place: u32,
    /// How many there are, itself among them.
    pub siblings: u32,
}

impl Store {
    /// The newest nodes of the path to a head, or to the viewer's own, up to `limit`; or those before one of them. None if the
    /// viewer does not belong to the space, or there is no such space.
    pub fn stretch(
        &self,
        space: &SpaceId,
        head: Option<&NodeId>,
        viewer: &EntityId,
        before: Option<&NodeId>,
        limit: u32,
    ) -> Result<Option<Stretch>> {
        self.reading(|tx| {
            let Some(row) = find_for(tx, space, viewer)? else { return Ok(None) };
            let mut named = |id: &NodeId| {
                let found = at_id(tx, row.no, id.as_str())?;
                found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
            };
            let (given, before) = (head.map(&mut named).transpose()?, before.map(&mut named).transpose()?);
            let head = match given {
                Some(head) => Some(head),
                None => row.head_of(tx, viewer)?,
            };
            let authors = authors_of(tx, row.no)?;
            let (path, earlier) = match (&before, &head) {
                (Some(before), _) => above(tx, &authors, before, before.depth, limit)?,
                (None, Some(head)) => above(tx, &authors, head, head.depth + 1, limit)?,
                (None, None) => (Vec::new(), false),
            };
            let remarks = remarks(tx, &row, &authors, &path)?;
            let (cursor, upto) = (cursor_of(tx, row.no, viewer)?, moment_of(tx, row.no)?);
            let nodes = placed(tx, &row, path)?;
            Ok(Some(Stretch { nodes, remarks, earlier, head: head.map(|head| head.id), cursor, upto }))
        })
    }
}

/// Up to `limit` nodes of the path to a place, above a depth, oldest first, with their parents' ids; and whether there are
/// earlier ones.
fn above(tx: &mut Tx<'_>, authors: &[(i64, EntityId)], end: &Place, below: u32, limit: u32) -> Result<(Vec<Stored>, bool)> {
    const SQL: &str =
        concat!("SELECT ", columns!(), " FROM nodes n WHERE n.lane = ?1 AND n.depth BETWEEN ?2 AND ?3 ORDER BY n.depth DESC");
    let first = below.saturating_sub(limit);
    let reader = Reader { authors, hashes: true };
    let mut path: Vec<Stored> = Vec::new();
    for segment in lanes(tx, end)?.iter().take_while(|segment| segment.to >= first) {
        let (from, to) = (segment.from.max(first), i64::from(segment.to).min(i64::from(below) - 1));
        path.extend(tx.list(SQL, args![segment.lane.0, from, to], |row| reader.read(row))?);
    }
    path.reverse();
    for at in 1..path.len() {
        path[at].node.parent = Some(path[at - 1].node.id.clone());
    }
    if let Some(oldest) = path.first_mut()
        && let Some(parent) = oldest.parent
    {
        oldest.node.parent = place_of(tx, parent)?.map(|place| place.id);
    }
    Ok((path, first > 0))
}

/// Keys as JSON, for a statement.
fn keys(path: &[Stored]) -> Result<String> {
    Ok(serde_json::to_string(&path.iter().map(|stored| stored.key.0).collect::<Vec<_>>())?)
}

/// How far a remark is followed: a title hangs below its request.
const FOLLOWED: u32 = 8;

/// What remarks on the nodes of a path, and what goes on from there.
fn remarks(tx: &mut Tx<'_>, row: &SpaceRow, authors: &[(i64, EntityId)], path: &[Stored]) -> Result<Vec<(Seq, Node)>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM /*lite json_each(?2)*/ /*pg jsonb_array_elements_text(CAST(CAST(?2 AS TEXT) AS JSONB))*/ k JOIN nodes n \
         ON n.space = ?1 AND n.parent = CAST(k.value AS INTEGER) AND n.lane = n.key AND n.flags & 32 <> 0 ORDER BY n.key"
    );
    const ON: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM /*lite json_each(?1)*/ /*pg jsonb_array_elements_text(CAST(CAST(?1 AS TEXT) AS JSONB))*/ k \
         JOIN nodes f ON f.key = CAST(k.value AS INTEGER) JOIN nodes n ON n.lane = f.lane AND n.depth > f.depth \
         AND n.depth <= f.depth + ?2 ORDER BY n.key"
    );
    let reader = Reader { authors, hashes: true };
    let mut found: Vec<Stored> = tx.list(SQL, args![row.no, &keys(path)?], |row| reader.read(row))?;
    // A path may go through a remark: then what goes on there is the path.
    let beside = found.iter().filter(|stored| path.iter().all(|on| on.key != stored.key)).map(|stored| stored.key.0);
    let beside: Vec<i64> = beside.collect();
    if !beside.is_empty() {
        found.extend(tx.list(ON, args![&serde_json::to_string(&beside)?, i64::from(FOLLOWED)], |row| reader.read(row))?);
    }
    let ids: HashMap<Key, NodeId> = path.iter().chain(&found).map(|stored| (stored.key, stored.node.id.clone())).collect();
    for stored in &mut found {
        stored.node.parent = stored.parent.and_then(|parent| ids.get(&parent).cloned());
    }
    found.sort_by_key(|stored| stored.key);
    Ok(found.into_iter().map(|stored| (stored.key.seq(), stored.node)).collect())
}

/// Each node with its place among its siblings.
fn placed(tx: &mut Tx<'_>, row: &SpaceRow, path: Vec<Stored>) -> Result<Vec<Placed>> {
    // The one that goes on in the parent's lane was there before all that begin their own.
    const SQL: &str = "SELECT n.key, (SELECT count(*) FROM nodes f WHERE f.space = ?1 AND f.parent = n.parent AND f.lane = f.key \
                       AND f.flags & 34 = 0 AND f.key < n.key), \
                       (SELECT count(*) FROM nodes f WHERE f.space = ?1 AND f.parent = n.parent AND f.lane = f.key \
                       AND f.flags & 34 = 0 AND f.key > n.key), \
                       (SELECT count(*) FROM nodes p JOIN nodes c ON c.lane = p.lane AND c.depth = p.depth + 1 \
                       WHERE p.key = n.parent AND n.lane = n.key AND c.key <> n.key AND c.flags & 34 = 0) \
                       FROM /*lite json_each(?2)*/ /*pg jsonb_array_elements_text(CAST(CAST(?2 AS TEXT) AS JSONB))*/ k \
                       JOIN nodes n ON n.key = CAST(k.value AS INTEGER) WHERE n.parent IS NOT NULL";
    const ROOTS: &str =
        "SELECT key FROM nodes WHERE space = ?1 AND parent IS NULL AND lane = key AND flags & 34 = 0 ORDER BY key";
    let beside = tx.list(SQL, args![row.no, &keys(&path)?], |row| {
        let number = |column| row.int(column).map(|count| count as u32);
        Ok((Key(row.int(0)?), (number(1)? + number(3)?, number(2)?)))
    })?;
    let mut beside: HashMap<Key, (u32, u32)> = beside.into_iter().collect();
    if let Some(root) = path.first().filter(|first| first.parent.is_none()) {
        let roots = tx.list(ROOTS, args![row.no], |row| Ok(Key(row.int(0)?)))?;
        let count = |is: fn(&Key, &Key) -> bool| roots.iter().filter(|key| is(key, &root.key)).count() as u32;
        beside.insert(root.key, (count(Key::lt), count(Key::gt)));
    }
    let place = |stored: Stored| {
        let remarks = stored.flags & bits::ANNOTATION != 0;
        let (before, after) = beside.get(&stored.key).copied().filter(|_| !remarks).unwrap_or_default();
        Placed { seq: stored.key.seq(), node: stored.node, place: before + 1, siblings: before + 1 + after }
    };
    Ok(path.into_iter().map(place).collect())
}
