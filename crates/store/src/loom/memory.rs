//! The operational memory of an agent in a space: nodes it keeps before its eyes, what it put aside, what it did last. No other
//! agent sees it.

use super::marks::key_of;
use super::spot::{Spot, spot};
use crate::error::{Result, StoreError};
use crate::node::{Key, place_of};
use crate::space::{SpaceRow, check_text, entity_row, find_space, lock_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, NodeId, SpaceId};

/// Nodes that an agent may keep before its eyes in a space.
pub const MOST_PINS: u64 = 8;
/// Things that an agent may put aside in a space.
pub const MOST_STASHES: u64 = 50;
/// Acts that are remembered.
pub const TRACED: i64 = 20;

/// The operational memory of an agent in a space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoomMemory {
    /// Nodes it keeps before its eyes, in the order it took them up.
    pub pins: Vec<Spot>,
    /// What it put aside, by name.
    pub stashes: Vec<Stashed>,
    /// What it did last, oldest first.
    pub trace: Vec<Traced>,
}

/// What is put aside.
#[derive(Clone, Debug, PartialEq)]
pub enum Stash {
    /// A text.
    Text(String),
    /// A node. It is named, not copied: what is purged is gone from here too.
    Node(NodeId),
}

/// Something that was put aside, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stashed {
    /// Its name.
    pub name: String,
    /// The short id of the node, if it is one.
    pub node: Option<super::LocalId>,
    /// Characters of the text, if it is one.
    pub length: Option<u64>,
}

/// Something that an agent did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What.
    pub line: String,
}

impl Store {
    /// The operational memory of an agent.
    pub fn loom_memory(&self, space: &SpaceId, agent: &EntityId) -> Result<LoomMemory> {
        const PINS: &str = "SELECT node FROM loom_pins WHERE space = ?1 AND agent = ?2 ORDER BY no";
        const STASHES: &str =
            "SELECT name, node, CAST(length(text) AS INTEGER) FROM loom_stashes WHERE space = ?1 AND agent = ?2 ORDER BY name";
        const TRACE: &str = "SELECT at, line FROM loom_trace WHERE space = ?1 AND agent = ?2 ORDER BY no";
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let (agent, _) = entity_row(tx, agent)?;
            let pins = tx.list(PINS, args![row.no, agent], |row| Ok(Key(row.int(0)?)))?;
            Ok(LoomMemory {
                pins: pins.into_iter().map(|key| spot(tx, &row, key)).collect::<Result<_>>()?,
                stashes: tx.list(STASHES, args![row.no, agent], |row| {
                    let node = row.maybe_int(1)?.map(|key| super::LocalId::of(Key(key).seq()));
                    Ok(Stashed { name: row.text(0)?.to_owned(), node, length: row.maybe_int(2)?.map(|length| length as u64) })
                })?,
                trace: tx
                    .list(TRACE, args![row.no, agent], |row| Ok(Traced { at: row.int(0)?, line: row.text(1)?.to_owned() }))?,
            })
        })
    }

    /// Keeps a node before an agent's eyes; says whether it was not yet.
    pub fn pin_node(&self, space: &SpaceId, agent: &EntityId, node: &NodeId) -> Result<bool> {
        const THERE: &str = "SELECT 1 FROM loom_pins WHERE space = ?1 AND agent = ?2 AND node = ?3";
        const COUNT: &str = "SELECT count(*), coalesce(max(no), 0) FROM loom_pins WHERE space = ?1 AND agent = ?2";
        const PUT: &str = "INSERT INTO loom_pins(space, agent, node, no) VALUES(?1, ?2, ?3, ?4)";
        self.as_agent(space, agent, |tx, row, agent| {
            let key = key_of(tx, row, space, node)?;
            if tx.first(THERE, args![row.no, agent, key.0], |_| Ok(()))?.is_some() {
                return Ok(false);
            }
            let (count, last) = tx.first(COUNT, args![row.no, agent], |row| Ok((row.int(0)?, row.int(1)?)))?.unwrap_or_default();
            most("pins", count, MOST_PINS)?;
            tx.run(PUT, args![row.no, agent, key.0, last + 1])?;
            Ok(true)
        })
    }

    /// Lets go of a node; says whether it was kept.
    pub fn unpin_node(&self, space: &SpaceId, agent: &EntityId, node: &NodeId) -> Result<bool> {
        const SQL: &str = "DELETE FROM loom_pins WHERE space = ?1 AND agent = ?2 AND node = ?3";
        self.as_agent(space, agent, |tx, row, agent| {
            let key = key_of(tx, row, space, node)?;
            Ok(tx.run(SQL, args![row.no, agent, key.0])? > 0)
        })
    }

    /// Puts something aside for an agent. What has the same name is replaced; says whether there was something.
    pub fn put_stash(&self, space: &SpaceId, agent: &EntityId, name: &str, stash: &Stash, now: i64) -> Result<bool> {
        const COUNT: &str = "SELECT count(*) FROM loom_stashes WHERE space = ?1 AND agent = ?2";
        const PUT: &str = "INSERT INTO loom_stashes(space, agent, name, text, node, at) VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
        check_text("a stash's name", name)?;
        if let Stash::Text(text) = stash {
            check_text("a stash", text)?;
        }
        self.as_agent(space, agent, |tx, row, agent| {
            let (text, node) = match stash {
                Stash::Text(text) => (Some(text), None),
                Stash::Node(node) => (None, Some(key_of(tx, row, space, node)?.0)),
            };
            let was = remove(tx, row, agent, name)?;
            most("stashes", tx.first(COUNT, args![row.no, agent], |row| row.int(0))?.unwrap_or(0), MOST_STASHES)?;
            tx.run(PUT, args![row.no, agent, name, text, node, now])?;
            Ok(was)
        })
    }

    /// What an agent put aside under a name.
    pub fn stash(&self, space: &SpaceId, agent: &EntityId, name: &str) -> Result<Option<Stash>> {
        const SQL: &str = "SELECT text, node FROM loom_stashes WHERE space = ?1 AND agent = ?2 AND name = ?3";
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let (agent, _) = entity_row(tx, agent)?;
            let found = tx.first(SQL, args![row.no, agent, name], |row| {
                Ok((row.maybe_text(0)?.map(str::to_owned), row.maybe_int(1)?.map(Key)))
            })?;
            match found {
                Some((Some(text), _)) => Ok(Some(Stash::Text(text))),
                Some((None, Some(key))) => Ok(place_of(tx, key)?.map(|place| Stash::Node(place.id))),
                Some((None, None)) | None => Ok(None),
            }
        })
    }

    /// Throws away what an agent put aside; says whether it was there.
    pub fn drop_stash(&self, space: &SpaceId, agent: &EntityId, name: &str) -> Result<bool> {
        self.as_agent(space, agent, |tx, row, agent| remove(tx, row, agent, name))
    }

    /// Remembers that an agent did something. What it did [`TRACED`] acts ago is forgotten.
    pub fn trace(&self, space: &SpaceId, agent: &EntityId, line: &str, now: i64) -> Result<()> {
        const LAST: &str = "SELECT coalesce(max(no), 0) FROM loom_trace WHERE space = ?1 AND agent = ?2";
        const PUT: &str = "INSERT INTO loom_trace(space, agent, no, at, line) VALUES(?1, ?2, ?3, ?4, ?5)";
        const FORGET: &str = "DELETE FROM loom_trace WHERE space = ?1 AND agent = ?2 AND no <= ?3";
        check_text("an act", line)?;
        self.as_agent(space, agent, |tx, row, agent| {
            let no = tx.first(LAST, args![row.no, agent], |row| row.int(0))?.unwrap_or(0) + 1;
            tx.run(PUT, args![row.no, agent, no, now, line])?;
            tx.run(FORGET, args![row.no, agent, no - TRACED]).map(drop)
        })
    }

    fn as_agent<T>(
        &self,
        space: &SpaceId,
        agent: &EntityId,
        mut work: impl FnMut(&mut Tx<'_>, &SpaceRow, i64) -> Result<T>,
    ) -> Result<T> {
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            let (agent, _) = entity_row(tx, agent)?;
            work(tx, &row, agent)
        })
    }
}

fn most(what: &'static str, count: i64, most: u64) -> Result<()> {
    if count as u64 >= most { Err(StoreError::TooMany { what, most }) } else { Ok(()) }
}

fn remove(tx: &mut Tx<'_>, row: &SpaceRow, agent: i64, name: &str) -> Result<bool> {
    const SQL: &str = "DELETE FROM loom_stashes WHERE space = ?1 AND agent = ?2 AND name = ?3";
    Ok(tx.run(SQL, args![row.no, agent, name])? > 0)
}

/// Takes away what names a purged node, and what it was called.
pub(crate) fn forget(tx: &mut Tx<'_>, key: Key) -> Result<()> {
    tx.run("DELETE FROM bookmarks WHERE node = ?1", args![key.0])?;
    tx.run("DELETE FROM loom_pins WHERE space = ?1 AND node = ?2", args![key.space(), key.0])?;
    tx.run("DELETE FROM loom_stashes WHERE space = ?1 AND node = ?2", args![key.space(), key.0]).map(drop)
}
