//! What a member may see of a space, asked for with the membership in one view. What is not theirs does not exist.

use crate::error::{Result, StoreError};
use crate::node::{Place, Reader, Seq, Stored, at_id, bits, columns, lanes};
use crate::space::{cursor_of, entities_of, find_for, find_space, header, read_entity};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use std::collections::HashSet;
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, Kind, Node, NodeId, SpaceId, SpaceRef, Status};

/// A stretch of what was said in a space, oldest first.
#[derive(Clone, Debug)]
pub struct Page {
    /// The space, without its nodes.
    pub space: Conversation,
    /// The messages, with their places in the order of the space.
    pub messages: Vec<(Seq, Node)>,
    /// Whether there are earlier ones.
    pub earlier: bool,
    /// How far the member had read before.
    pub cursor: Seq,
}

/// Where somebody belongs, and everyone who is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Belonging {
    /// The spaces, in the order they were made.
    pub spaces: Vec<SpaceRef>,
    /// Those of them that are confidential.
    pub confidential: HashSet<SpaceId>,
    /// Everyone in them.
    pub entities: Vec<Entity>,
}

impl Store {
    /// One entity.
    pub fn entity(&self, id: &EntityId) -> Result<Entity> {
        let found = self.reading(|tx| crate::space::find_entity(tx, id))?;
        found.ok_or_else(|| StoreError::NoEntity { entity: id.clone() })
    }

    /// All entities of a kind, in the order they came to the store.
    pub fn entities(&self, kind: EntityKind) -> Result<Vec<Entity>> {
        const SQL: &str = "SELECT id, name, kind, more FROM entities ORDER BY no";
        let all = self.reading(|tx| tx.list(SQL, &[], |row| read_entity(row, 0)))?;
        Ok(all.into_iter().filter(|entity| entity.kind == kind).collect())
    }

    /// Everyone who belongs to a space now, in the order they came.
    pub fn members(&self, space: &SpaceId) -> Result<Vec<Entity>> {
        const SQL: &str = "SELECT e.id, e.name, e.kind, e.more FROM members m JOIN entities e ON e.no = m.entity \
                           WHERE m.space = ?1 AND m.gone IS NULL ORDER BY m.joined, e.no";
        self.reading(|tx| {
            let no = find_space(tx, space)?.no;
            tx.list(SQL, args![no], |row| read_entity(row, 0))
        })
    }

    /// How far each who belongs to a space now has read.
    pub fn reads(&self, space: &SpaceId) -> Result<Vec<(EntityId, Seq)>> {
        const SQL: &str = "SELECT e.id, m.cursor FROM members m JOIN entities e ON e.no = m.entity \
                           WHERE m.space = ?1 AND m.gone IS NULL ORDER BY m.joined, e.no";
        self.reading(|tx| {
            let no = find_space(tx, space)?.no;
            tx.list(SQL, args![no], |row| Ok((EntityId::from(row.text(0)?), Seq(row.int(1)?))))
        })
    }

    /// Where somebody belongs now.
    pub fn belonging(&self, entity: &EntityId) -> Result<Belonging> {
        self.reading(|tx| belonging(tx, entity))
    }

    /// The newest messages of a space that one of its members may read, up to `limit`, or those before one of them; none if
    /// they do not belong to it, or there is no such space.
    pub fn page(&self, space: &SpaceId, member: &EntityId, before: Option<&NodeId>, limit: u32) -> Result<Option<Page>> {
        self.reading(|tx| {
            let Some(row) = find_for(tx, space, member)? else { return Ok(None) };
            let cursor = cursor_of(tx, row.no, member)?;
            let from = match before {
                Some(id) => at_id(tx, row.no, id.as_str())?,
                None => row.head_of(tx, member)?,
            };
            let (messages, earlier) = match &from {
                Some(place) => said_before(tx, row.no, place, before.is_none(), limit)?,
                None => (Vec::new(), false),
            };
            let (space, _) = header(tx, row.no)?;
            let messages = messages.into_iter().map(|stored| (stored.key.seq(), stored.node)).collect();
            Ok(Some(Page { space, messages, earlier, cursor }))
        })
    }

    /// The place of a node in the order of its space.
    pub fn seq(&self, space: &SpaceId, node: &NodeId) -> Result<Seq> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let place = at_id(tx, row.no, node.as_str())?;
            place.map(|place| place.key.seq()).ok_or_else(|| StoreError::NoNode { space: space.clone(), node: node.clone() })
        })
    }
}

/// Where somebody belongs: each space with the numbers of those who are there.
pub(super) const SPACES: &str = "SELECT s.id, s.name, s.confidential, s.here FROM spaces s WHERE s.no \
                                 /*pg = ANY(ARRAY*/ /*lite IN*/ (SELECT m.space FROM members m WHERE m.gone IS NULL \
                                 AND m.entity = (SELECT e.no FROM entities e WHERE e.id = ?1)) /*pg )*/ ORDER BY s.no";

/// Entities, by a list of their numbers.
pub(super) const ENTITIES: &str = "SELECT e.no, e.id, e.name, e.kind, e.more FROM entities e WHERE e.no \
                                   /*pg = ANY(CAST(string_to_array(?1, ',') AS BIGINT[]))*/ \
                                   /*lite IN (SELECT value FROM json_each('[' || ?1 || ']'))*/";

/// The list of everyone who is in one of the spaces.
pub(super) fn everyone(places: &[Vec<i64>]) -> String {
    let mut all: Vec<i64> = places.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// The numbers of those who are in a space of [`SPACES`].
pub(super) fn here(row: &Row<'_>) -> Result<Vec<i64>> {
    numbers(row.text(3)?)
}

/// An agent may belong to hundreds of spaces, and every one of its requests tells of them: each name is read once, and who is
/// where in numbers.
pub(super) fn belonging(tx: &mut Tx<'_>, entity: &EntityId) -> Result<Belonging> {
    let (mut belonging, mut places): (Belonging, Vec<Vec<i64>>) = Default::default();
    tx.rows(SPACES, args![entity.as_str()], |row| {
        let (id, name) = (SpaceId::from(row.text(0)?), row.text(1)?.to_owned());
        if row.int(2)? != 0 {
            belonging.confidential.insert(id.clone());
        }
        places.push(here(row)?);
        belonging.spaces.push(SpaceRef { id, name, members: Vec::new() });
        Ok(())
    })?;
    let list = everyone(&places);
    let mut everyone = tx.list(ENTITIES, args![&list], |row| Ok((row.int(0)?, read_entity(row, 1)?)))?;
    everyone.sort_unstable_by_key(|(no, _)| *no);
    let mut order: Vec<usize> = Vec::with_capacity(everyone.len());
    let mut known = vec![false; everyone.len()];
    for (space, place) in belonging.spaces.iter_mut().zip(&places) {
        space.members.reserve_exact(place.len());
        for at in place.iter().filter_map(|no| everyone.binary_search_by_key(no, |(no, _)| *no).ok()) {
            space.members.push(everyone[at].1.id.clone());
            if !std::mem::replace(&mut known[at], true) {
                order.push(at);
            }
        }
    }
    let mut everyone: Vec<Option<Entity>> = everyone.into_iter().map(|(_, entity)| Some(entity)).collect();
    belonging.entities = order.into_iter().filter_map(|at| everyone[at].take()).collect();
    Ok(belonging)
}

/// Numbers with commas between them.
fn numbers(list: &str) -> Result<Vec<i64>> {
    let number = |text: &str| text.parse().map_err(|_| StoreError::Unreadable { detail: format!("no number: {text:?}") });
    list.split(',').filter(|text| !text.is_empty()).map(number).collect()
}

/// Up to `limit` messages of the path that ends at a place, oldest first, and whether there are earlier ones.
fn said_before(tx: &mut Tx<'_>, space: i64, end: &Place, with_end: bool, limit: u32) -> Result<(Vec<Stored>, bool)> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM nodes n WHERE n.lane = ?1 AND n.depth >= ?2 AND n.depth < ?3 AND n.kind = 0 ORDER BY n.depth DESC LIMIT ?4"
    );
    let authors: Vec<_> = entities_of(tx, space)?.into_iter().map(|(no, entity)| (no, entity.id)).collect();
    let reader = Reader { authors: &authors, hashes: false };
    let mut found: Vec<Stored> = Vec::new();
    let most = limit as usize + 1;
    for segment in lanes(tx, end)? {
        let mut below = if segment.lane == end.lane && !with_end { end.depth } else { segment.to + 1 };
        // What says nothing to anybody is passed over, so it may take more than one look.
        while found.len() < most && below > segment.from {
            let stored = tx.list(SQL, args![segment.lane.0, segment.from, below, most as i64], |row| reader.read(row))?;
            let Some(last) = stored.last() else { break };
            below = last.depth;
            found.extend(stored.into_iter().filter(is_said));
        }
    }
    let earlier = found.len() > limit as usize;
    found.truncate(limit as usize);
    found.reverse();
    Ok((found, earlier))
}

fn is_said(stored: &Stored) -> bool {
    let hidden = stored.flags & (bits::PRUNED | bits::EXCLUDED) != 0;
    stored.node.kind == Kind::Message && stored.node.status == Status::Sent && !hidden && !stored.node.purged
}
