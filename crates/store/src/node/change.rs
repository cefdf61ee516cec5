//! The few things about a node that may change: its flags, a reply that is being written, content that must go.

use super::row::{bits, body, pack, status_number};
use super::{Key, Stored, Tallies, is_special, one, parent_hashes};
use crate::changes::{ChangeKind, note};
use crate::error::{Result, StoreError};
use crate::space::{SpaceRow, entity_row};
use crate::sql::{Tx, args};
use weftwork::count::Base;
use weftwork::history::Traits;
use weftwork::model::{Node, NodeId, Part, Status, Usage};
use weftwork::provenance::hash;

/// What a person may change about a node at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Left out by choice.
    Excluded,
    /// Softly deleted.
    Pruned,
    /// Never removed by fitting.
    Pinned,
    /// Marked to be found again.
    Bookmarked,
    /// Nothing before it is sent.
    ContextEdge,
}

/// How a node that was being written came to its end.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// All that was said.
    pub parts: Vec<Part>,
    /// Why it broke off; none if it did not.
    pub failed: Option<Option<String>>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// What it used.
    pub usage: Option<Usage>,
    /// Nodes that carried cache marks in its request.
    pub cache_marks: Vec<NodeId>,
    /// SHA-256 of the raw response.
    pub response: Option<String>,
}

impl Flag {
    const ALL: [Flag; 5] = [Flag::Excluded, Flag::Pruned, Flag::Pinned, Flag::Bookmarked, Flag::ContextEdge];

    /// The flags that are set.
    pub(crate) fn of_bits(bits: i64) -> Vec<Flag> {
        Flag::ALL.into_iter().filter(|flag| bits & flag.bit() != 0).collect()
    }

    fn bit(self) -> i64 {
        match self {
            Flag::Excluded => bits::EXCLUDED,
            Flag::Pruned => bits::PRUNED,
            Flag::Pinned => bits::PINNED,
            Flag::Bookmarked => bits::BOOKMARKED,
            Flag::ContextEdge => bits::CONTEXT_EDGE,
        }
    }

    fn set(self, node: &mut Node, on: bool) {
        match self {
            Flag::Excluded => node.excluded = on,
            Flag::Pruned => node.pruned = on,
            Flag::Pinned => node.pinned = on,
            Flag::Bookmarked => node.bookmarked = on,
            Flag::ContextEdge => node.context_edge = on,
        }
    }
}

/// Sets or clears a flag.
pub(crate) fn set_flag(tx: &mut Tx<'_>, key: Key, flag: Flag, on: bool) -> Result<Node> {
    let mut stored = one(tx, key)?;
    flag.set(&mut stored.node, on);
    let flags = if on { stored.flags | flag.bit() } else { stored.flags & !flag.bit() };
    let (_, kind) = entity_row(tx, &stored.node.author)?;
    let special = is_special(tx, &stored.node, stored.parent, kind)?;
    tx.run("UPDATE nodes SET flags = ?2, special = ?3 WHERE key = ?1", args![key.0, flags, special])?;
    note(tx, key.space(), &ChangeKind::Node(stored.node.id.clone()))?;
    Ok(stored.node)
}

/// Ends a node that was being written. From now on it is final.
pub(crate) fn finish(tx: &mut Tx<'_>, row: &SpaceRow, key: Key, end: Finish) -> Result<Node> {
    let mut stored = one(tx, key)?;
    if stored.node.status != Status::Pending {
        return Err(StoreError::Final { node: stored.node.id });
    }
    let before = stored.tallies.own;
    let node = &mut stored.node;
    node.parts = end.parts;
    node.status = if end.failed.is_some() { Status::Error } else { Status::Sent };
    node.error = end.failed.flatten();
    node.model = end.model.or(node.model.take());
    node.usage = end.usage;
    node.cache_marks = end.cache_marks;
    node.response = end.response;
    let parents = parent_hashes(tx, row.no, stored.parent, stored.flags, &node.sources)?;
    let fixed = hash(node, &parents);
    node.hash = Some(fixed.to_string());
    let (author, kind) = entity_row(tx, &node.author)?;
    let traits = Traits::of(node, kind);
    let above = stored.tallies.sum - before;
    stored.tallies = Tallies::count(&node.parts, Base::O200k, Some(above));
    let special = is_special(tx, &stored.node, stored.parent, kind)?;
    rewrite(tx, &stored, special, Some(fixed.0.as_slice()))?;
    tx.run("DELETE FROM pending WHERE node = ?1", args![key.0])?;
    row.note(tx, author, traits)?;
    crate::search::finished(tx, &stored)?;
    count_again_below(tx, &stored)?;
    note(tx, row.no, &ChangeKind::Node(stored.node.id.clone()))?;
    Ok(stored.node)
}

fn rewrite(tx: &mut Tx<'_>, stored: &Stored, special: bool, hash: Option<&[u8]>) -> Result<()> {
    let node = &stored.node;
    let (text, parts) = body(&node.parts);
    let more = pack(node, node.created_at.as_ref().map(weftwork::model::Timestamp::millis));
    tx.run(
        "UPDATE nodes SET status = ?2, special = ?3, text = ?4, parts = ?5, more = ?6, tally = ?7, hash = ?8, flags = ?9 \
         WHERE key = ?1",
        args![
            stored.key.0,
            status_number(node.status),
            special,
            text,
            parts.as_ref(),
            more.as_ref(),
            stored.tallies.to_bytes().as_slice(),
            hash,
            stored.flags,
        ],
    )?;
    Ok(())
}

/// What was said while it was being written has sums that know nothing of it.
fn count_again_below(tx: &mut Tx<'_>, stored: &Stored) -> Result<()> {
    tx.run("DELETE FROM tallies WHERE node = ?1", args![stored.key.0])?;
    let mut open = vec![(stored.key, stored.tallies.sum)];
    while let Some((parent, above)) = open.pop() {
        const BELOW: &str = "SELECT key, tally FROM nodes WHERE parent = ?1 AND space = ?2 AND key > ?1";
        let below =
            tx.list(BELOW, args![parent.0, parent.space()], |row| Ok((Key(row.int(0)?), Tallies::from_bytes(row.bytes(1)?)?)))?;
        for (key, tallies) in below {
            let tallies = Tallies { own: tallies.own, sum: above + tallies.own };
            tx.run("UPDATE nodes SET tally = ?2 WHERE key = ?1", args![key.0, tallies.to_bytes().as_slice()])?;
            tx.run("DELETE FROM tallies WHERE node = ?1", args![key.0])?;
            open.push((key, tallies.sum));
        }
    }
    Ok(())
}

/// Takes a node's content out for good: what it said, not that it was said. Its hash stays.
pub(crate) fn purge(tx: &mut Tx<'_>, key: Key) -> Result<()> {
    let mut stored = one(tx, key)?;
    if stored.node.status == Status::Pending {
        return Err(StoreError::NotFinal { node: stored.node.id });
    }
    crate::search::forget(tx, &stored)?;
    stored.node.parts.clear();
    stored.node.origin = None;
    stored.node.error = None;
    (stored.node.pruned, stored.node.purged) = (true, true);
    stored.flags |= bits::PURGED | bits::PRUNED;
    let hash = stored.hash.map(|hash| hash.0);
    rewrite(tx, &stored, true, hash.as_ref().map(<[u8; 32]>::as_slice))?;
    crate::answers::forget(tx, key)?;
    crate::loom::forget(tx, key)?;
    crate::calls::forget(tx, key)?;
    note(tx, key.space(), &ChangeKind::Node(stored.node.id))
}

/// What these processes were writing when they died broke off, and what nobody writes. Says how many there were.
pub(crate) fn fail_pending(tx: &mut Tx<'_>, dead: &[i64], why: &str) -> Result<u64> {
    const PENDING: &str = "SELECT n.key, p.process FROM nodes n LEFT JOIN pending p ON p.node = n.key \
                           WHERE n.status = 1 ORDER BY n.key";
    let mut keys = tx.list(PENDING, &[], |row| Ok((Key(row.int(0)?), row.maybe_int(1)?)))?;
    keys.retain(|(_, process)| process.is_none_or(|process| dead.contains(&process)));
    let mut failed = 0;
    for (key, _) in keys {
        let row = SpaceRow::by_no(tx, key.space())?;
        let node = one(tx, key)?.node;
        // It came to its end before its space was ours.
        if node.status == Status::Pending {
            finish(tx, &row, key, Finish { parts: node.parts, failed: Some(Some(why.to_owned())), ..Finish::default() })?;
            failed += 1;
        }
    }
    Ok(failed)
}
