//! What a loom-aware agent is told of the path it reads: how many go on from each node, and where it stands.

use super::LocalId;
use super::spot::{Spot, spot};
use crate::changes::{ChangeKind, note};
use crate::error::{Result, StoreError};
use crate::node::{Key, Place, Segment, Stored, at_id, bits, lanes, last_key, place_of};
use crate::space::{SpaceRow, find_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use std::collections::btree_map::Entry;
use std::collections::{HashMap, HashSet};
use weftwork::model::{EntityId, Loom, LoomNode, NodeId, SpaceId};

/// Nodes of a path that are looked through for forks.
const LOOKED: u32 = 200;
/// Forks that are told of.
const FORKS: usize = 5;

/// Where an agent stands in a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// How many nodes the tree has.
    pub nodes: u64,
    /// Where the conversation is.
    pub here: Spot,
    /// Where the agent looks, if it went elsewhere.
    pub own: Option<Spot>,
    /// The nearest forks above the conversation's place, nearest first.
    pub forks: Vec<Fork>,
}

/// A node from which more than one goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The node.
    pub node: LocalId,
    /// How many go on from it.
    pub continuations: u32,
}

impl Store {
    /// Where an agent stands that reads the path to `here`.
    pub fn position(&self, space: &SpaceId, agent: &EntityId, here: &NodeId) -> Result<Position> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let place = at_id(tx, row.no, here.as_str())?;
            let place = place.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: here.clone() })?;
            let own = match row.has_own_head(tx, agent)? {
                true => row.head_of(tx, agent)?,
                false => None,
            };
            Ok(Position {
                nodes: last_key(tx, row.no)?.seq().0 as u64,
                forks: forks(tx, &row, &place)?,
                here: spot(tx, &row, place.key)?,
                own: own.map(|place| spot(tx, &row, place.key)).transpose()?,
            })
        })
    }

    /// Lets a viewer look where all look: takes away the head of their own. Says whether they had one.
    pub fn drop_head(&self, space: &SpaceId, viewer: &EntityId) -> Result<bool> {
        const SQL: &str = "DELETE FROM heads WHERE space = ?1 AND entity = (SELECT no FROM entities WHERE id = ?2)";
        self.writing(|tx| {
            let row = crate::space::lock_space(tx, space)?;
            let had = tx.run(SQL, args![row.no, viewer.as_str()])? > 0;
            if had {
                note(tx, row.no, &ChangeKind::Head(Some(viewer.clone())))?;
            }
            Ok(had)
        })
    }
}

/// Fills in what is known of the nodes of a path that were read. Says what of it must be written down to be told again: what
/// was given, and nodes beside which or from which several go. Of all others nothing is shown but their short id, and that
/// follows from their place.
pub(crate) fn fill(tx: &mut Tx<'_>, row: &SpaceRow, path: &[Stored], loom: &mut Loom) -> Result<Loom> {
    let steps: Vec<Step> = path.iter().map(Step::of).collect();
    let counts = Counts::of(tx, row.no, &steps)?;
    let mut written = loom.clone();
    for (stored, step) in path.iter().zip(&steps) {
        if let Entry::Vacant(place) = loom.nodes.entry(stored.node.id.clone()) {
            let known = place.insert(counts.facts(step));
            if known.siblings > 1 || known.children > 1 {
                written.nodes.insert(stored.node.id.clone(), known.clone());
            }
        }
    }
    Ok(written)
}

/// Fills in the nodes that were not written down.
pub(crate) fn fill_again(path: &[Stored], loom: &mut Loom) {
    for stored in path {
        let known = || Counts::default().facts(&Step::of(stored));
        loom.nodes.entry(stored.node.id.clone()).or_insert_with(known);
    }
}

/// A node of a path, as far as its neighbours matter.
struct Step {
    key: Key,
    parent: Option<Key>,
    lane: Key,
    depth: u32,
    flags: i64,
}

impl Step {
    fn of(stored: &Stored) -> Step {
        Step { key: stored.key, parent: stored.parent, lane: stored.lane, depth: stored.depth, flags: stored.flags }
    }

    /// Whether it goes on from its parent and can be seen.
    fn counts(&self) -> bool {
        self.flags & (bits::PRUNED | bits::ANNOTATION) == 0
    }
}

/// How many go on from each of some nodes, and how many begin the tree. What is pruned or remarks is not counted.
#[derive(Default)]
struct Counts {
    below: HashMap<Key, u32>,
    roots: u32,
}

impl Counts {
    /// Of the nodes of a path, in path order, and of those they hang on.
    fn of(tx: &mut Tx<'_>, space: i64, steps: &[Step]) -> Result<Counts> {
        let roots = if steps.first().is_some_and(|first| first.parent.is_none()) { count_roots(tx, space)? } else { 0 };
        let mut counts = Counts { below: HashMap::with_capacity(steps.len() + 1), roots };
        for step in steps {
            counts.below.entry(step.key).or_default();
            step.parent.map(|parent| counts.below.entry(parent).or_default());
        }
        counts.count_forks(tx, space)?;
        counts.count_lanes(tx, steps)?;
        Ok(counts)
    }

    /// Those that begin a lane of their own.
    fn count_forks(&mut self, tx: &mut Tx<'_>, space: i64) -> Result<()> {
        // Asked node by node: there may be many more forks in the space than nodes are asked for.
        const SQL: &str = "SELECT CAST(k.value AS INTEGER), (SELECT count(*) FROM nodes f WHERE f.space = ?1 \
                           AND f.parent = CAST(k.value AS INTEGER) AND f.lane = f.key AND f.flags & 34 = 0) \
                           FROM /*lite json_each(?2)*/ /*pg jsonb_array_elements_text(CAST(CAST(?2 AS TEXT) AS JSONB))*/ k";
        let keys = serde_json::to_string(&self.below.keys().map(|key| key.0).collect::<Vec<_>>())?;
        tx.rows(SQL, args![space, &keys], |row| {
            *self.below.entry(Key(row.int(0)?)).or_default() += row.int(1)? as u32;
            Ok(())
        })
    }

    /// Those that go on in the lane of what they hang on. Nearly all of them are the next of the path.
    fn count_lanes(&mut self, tx: &mut Tx<'_>, steps: &[Step]) -> Result<()> {
        const NEXT: &str = "SELECT flags FROM nodes WHERE lane = ?1 AND depth = ?2";
        let mut seen: HashSet<Key> = HashSet::with_capacity(steps.len());
        for step in steps.iter().filter(|step| step.key != step.lane) {
            if let Some(parent) = step.parent {
                seen.insert(parent);
                *self.below.entry(parent).or_default() += u32::from(step.counts());
            }
        }
        let mut open: Vec<(Key, Key, u32)> =
            steps.iter().filter(|step| !seen.contains(&step.key)).map(|step| (step.key, step.lane, step.depth)).collect();
        let known: HashSet<Key> = steps.iter().map(|step| step.key).collect();
        for parent in steps.iter().filter_map(|step| step.parent).filter(|key| !known.contains(key) && !seen.contains(key)) {
            open.extend(place_of(tx, parent)?.map(|place| (place.key, place.lane, place.depth)));
        }
        for (key, lane, depth) in open {
            let flags = tx.first(NEXT, args![lane.0, depth + 1], |row| row.int(0))?;
            let counts = flags.is_some_and(|flags| flags & (bits::PRUNED | bits::ANNOTATION) == 0);
            *self.below.entry(key).or_default() += u32::from(counts);
        }
        Ok(())
    }

    fn below(&self, key: Key) -> u32 {
        self.below.get(&key).copied().unwrap_or(0)
    }

    fn facts(&self, step: &Step) -> LoomNode {
        LoomNode {
            local_id: LocalId::of(step.key.seq()).to_string(),
            siblings: step.parent.map_or(self.roots, |parent| self.below(parent)),
            children: self.below(step.key),
        }
    }
}

fn count_roots(tx: &mut Tx<'_>, space: i64) -> Result<u32> {
    const SQL: &str = "SELECT count(*) FROM nodes WHERE space = ?1 AND parent IS NULL AND lane = key AND flags & 34 = 0";
    Ok(tx.first(SQL, args![space], |row| row.int(0))?.unwrap_or(0) as u32)
}

/// The nodes of the path to a node from a depth on, in path order, with their ids.
fn steps_to(tx: &mut Tx<'_>, place: &Place, from: u32) -> Result<Vec<Step>> {
    const SQL: &str = "SELECT key, parent, depth, flags FROM nodes WHERE lane = ?1 AND depth BETWEEN ?2 AND ?3 ORDER BY depth";
    let mut steps = Vec::new();
    for Segment { lane, from: first, to } in lanes(tx, place)?.into_iter().rev().filter(|segment| segment.to >= from) {
        tx.rows(SQL, args![lane.0, first.max(from), to], |row| {
            let (key, parent) = (Key(row.int(0)?), row.maybe_int(1)?.map(Key));
            steps.push(Step { key, parent, lane, depth: row.int(2)? as u32, flags: row.int(3)? });
            Ok(())
        })?;
    }
    Ok(steps)
}

/// The nearest forks at and above a node.
fn forks(tx: &mut Tx<'_>, row: &SpaceRow, place: &Place) -> Result<Vec<Fork>> {
    let steps = steps_to(tx, place, place.depth.saturating_sub(LOOKED))?;
    let counts = Counts::of(tx, row.no, &steps)?;
    let fork = |step: &Step| Fork { node: LocalId::of(step.key.seq()), continuations: counts.below(step.key) };
    Ok(steps.iter().rev().map(fork).filter(|fork| fork.continuations > 1).take(FORKS).collect())
}
