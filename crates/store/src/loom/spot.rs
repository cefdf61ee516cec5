//! A node with what stands around it.

use super::LocalId;
use crate::error::{Result, StoreError};
use crate::node::{Key, bits, lanes, one, place_of, tip};
use crate::space::{SpaceRow, find_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{Node, NodeId, SpaceId};

/// A node with what stands around it. What is pruned is not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The node.
    pub node: Node,
    /// Its short id.
    pub local: LocalId,
    /// How many nodes stand above it.
    pub depth: u32,
    /// What it hangs on.
    pub parent: Option<LocalId>,
    /// How many go on from its parent, itself among them.
    pub siblings: u32,
    /// How many go on from it.
    pub continuations: u32,
    /// How many remark on it.
    pub remarks: u32,
    /// How many links begin or end at it.
    pub links: u32,
    /// What its bookmark is called, if it is bookmarked and that has a name.
    pub bookmark: Option<String>,
}

/// Begins the full id of a node where a short one could be meant.
const FULL: [&str; 2] = ["msg:", "id:"];

impl Store {
    /// The node of a space that a name means: its short id, or its full one, which `msg:` before it makes sure of.
    pub fn spot(&self, space: &SpaceId, name: &str) -> Result<Spot> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let no_node = || StoreError::NoNode { space: space.clone(), node: NodeId::from(name) };
            let key = named(tx, &row, name)?.ok_or_else(no_node)?;
            spot(tx, &row, key)
        })
    }

    /// What goes on from a node and remarks on it, in the order it was added, `most` at most; and how many there are. The
    /// roots of the space if none is named.
    pub fn spots_below(&self, space: &SpaceId, parent: Option<&NodeId>, most: usize) -> Result<(Vec<Spot>, usize)> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let place = match parent {
                Some(parent) => {
                    let found = crate::node::at_id(tx, row.no, parent.as_str())?;
                    Some(found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: parent.clone() })?)
                }
                None => None,
            };
            let keys = said_below(tx, &row, place.map(|place| place.key))?;
            let spots = keys.iter().take(most).map(|key| spot(tx, &row, *key)).collect::<Result<_>>()?;
            Ok((spots, keys.len()))
        })
    }

    /// Whether a node is another, or stands above it.
    pub fn is_on_path(&self, space: &SpaceId, node: &NodeId, head: &NodeId) -> Result<bool> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let (Some(node), Some(head)) =
                (crate::node::at_id(tx, row.no, node.as_str())?, crate::node::at_id(tx, row.no, head.as_str())?)
            else {
                return Ok(false);
            };
            let segments = lanes(tx, &head)?;
            Ok(segments.iter().any(|segment| segment.lane == node.lane && (segment.from..=segment.to).contains(&node.depth)))
        })
    }
}

/// The node that a name means.
pub(super) fn named(tx: &mut Tx<'_>, row: &SpaceRow, name: &str) -> Result<Option<Key>> {
    let full = FULL.iter().find_map(|prefix| name.strip_prefix(prefix));
    if let (None, Some(local)) = (full, LocalId::parse(name)) {
        let key = Key::new(row.no, local.seq());
        if key.space() == row.no && place_of(tx, key)?.is_some() {
            return Ok(Some(key));
        }
    }
    Ok(crate::node::at_id(tx, row.no, full.unwrap_or(name))?.map(|place| place.key))
}

/// A node and what stands around it.
pub(super) fn spot(tx: &mut Tx<'_>, row: &SpaceRow, key: Key) -> Result<Spot> {
    const NAME: &str = "SELECT name FROM bookmarks WHERE node = ?1";
    const LINKS: &str = "SELECT (SELECT count(*) FROM links WHERE source = ?1) + (SELECT count(*) FROM links WHERE target = ?1)";
    let stored = one(tx, key)?;
    let (continuations, remarks) = count_below(tx, row, Some(key))?;
    let (siblings, _) = count_below(tx, row, stored.parent)?;
    let name = tx.first(NAME, args![key.0], |row| Ok(row.text(0)?.to_owned()))?;
    Ok(Spot {
        local: LocalId::of(key.seq()),
        depth: stored.depth,
        parent: stored.parent.map(|parent| LocalId::of(parent.seq())),
        siblings,
        continuations,
        remarks,
        links: tx.first(LINKS, args![key.0], |row| row.int(0))?.unwrap_or(0) as u32,
        bookmark: name.filter(|_| stored.node.bookmarked),
        node: stored.node,
    })
}

/// A row that hangs on a node: its key, flags and kind.
type Hung = (Key, i64, i64);

/// What hangs on a node, or the roots; in the order it was added.
fn hung_on(tx: &mut Tx<'_>, row: &SpaceRow, parent: Option<Key>) -> Result<Vec<Hung>> {
    const ROOTS: &str = "SELECT key, flags, kind FROM nodes WHERE space = ?1 AND parent IS NULL AND lane = key ORDER BY key";
    const BELOW: &str = "SELECT c.key, c.flags, c.kind FROM nodes p JOIN nodes c ON c.lane = p.lane AND c.depth = p.depth + 1 \
                         WHERE p.key = ?2 \
                         UNION ALL SELECT key, flags, kind FROM nodes WHERE space = ?1 AND parent = ?2 AND lane = key ORDER BY 1";
    let read = |row: &crate::sql::Row<'_>| Ok((Key(row.int(0)?), row.int(1)?, row.int(2)?));
    match parent {
        Some(parent) => tx.list(BELOW, args![row.no, parent.0], read),
        None => tx.list(ROOTS, args![row.no], read),
    }
}

/// What was said below a node: all but titles and the like, which are about the conversation.
pub(super) fn said_below(tx: &mut Tx<'_>, row: &SpaceRow, parent: Option<Key>) -> Result<Vec<Key>> {
    let hung = hung_on(tx, row, parent)?.into_iter();
    Ok(hung.filter(|(_, flags, kind)| flags & bits::ANNOTATION == 0 || *kind == 0).map(|(key, _, _)| key).collect())
}

/// How many go on from a node, and how many remark on it.
fn count_below(tx: &mut Tx<'_>, row: &SpaceRow, parent: Option<Key>) -> Result<(u32, u32)> {
    let mut counts = (0, 0);
    for (_, flags, kind) in hung_on(tx, row, parent)? {
        match (flags & bits::PRUNED != 0, flags & bits::ANNOTATION != 0) {
            (true, _) => {}
            (false, false) => counts.0 += 1,
            (false, true) if kind == 0 => counts.1 += 1,
            (false, true) => {}
        }
    }
    Ok(counts)
}

/// The node so many above another, or the first of all.
pub(super) fn above(tx: &mut Tx<'_>, key: Key, levels: u32) -> Result<Key> {
    let Some(place) = place_of(tx, key)? else { return Ok(key) };
    let depth = place.depth.saturating_sub(levels);
    let segments = lanes(tx, &place)?;
    let Some(segment) = segments.iter().find(|segment| (segment.from..=segment.to).contains(&depth)) else { return Ok(key) };
    Ok(tip(tx, segment.lane, Some(depth))?.map_or(key, |place| place.key))
}
