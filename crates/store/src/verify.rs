//! Checking a space: does everything that was said still have the hash it was given.

use crate::error::Result;
use crate::node::{Key, Stored, is_early, parent_hashes, place_of};
use crate::space::{SpaceRow, header};
use crate::sql::Tx;
use crate::whole::piece;
use weftwork::model::{NodeId, Status};
use weftwork::provenance::hash;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many nodes were looked at.
    pub nodes: u64,
    /// Nodes whose content was purged: that they said something is proved, what they said is not.
    pub purged: u64,
    /// Nodes that are still being written.
    pub pending: u64,
    /// The first node that is not what it was.
    pub broken: Option<Broken>,
}

/// A node that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which.
    pub node: NodeId,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has no hash.
    NoHash,
    /// Content, time, author or ancestry do not match its hash.
    Changed,
    /// A node before it is missing.
    Gap,
    /// It does not stand where its parent says.
    Place,
}

impl Fault {
    /// What is wrong, for a person.
    pub fn word(self) -> &'static str {
        match self {
            Fault::NoHash => "it has no hash",
            Fault::Changed => "its content or what it hangs on was changed after it was written",
            Fault::Gap => "a node before it is missing",
            Fault::Place => "it does not stand where its parent says",
        }
    }
}

/// Walks a space and stops at the first node that is broken.
pub(crate) fn verify(tx: &mut Tx<'_>, row: &SpaceRow, progress: &mut dyn FnMut(u64)) -> Result<Verified> {
    let (_, authors) = header(tx, row.no)?;
    let mut found = Verified { nodes: 0, purged: 0, pending: 0, broken: None };
    let mut read: Vec<Stored> = Vec::new();
    let mut before: Option<Stored> = None;
    let mut expected = Key::range(row.no).0 + 1;
    loop {
        // Read in pieces, so that parents can be looked up between them.
        read.clear();
        piece(tx, row.no, &authors, Key(expected - 1), |stored| {
            read.push(stored);
            Ok(())
        })?;
        if read.is_empty() {
            return Ok(found);
        }
        for stored in read.drain(..) {
            found.nodes += 1;
            found.purged += u64::from(stored.node.purged);
            found.pending += u64::from(stored.node.status == Status::Pending);
            if let Some(fault) = check(tx, row.no, &stored, before.as_ref(), expected)? {
                found.broken = Some(Broken { node: stored.node.id, fault });
                return Ok(found);
            }
            expected = stored.key.0 + 1;
            before = Some(stored);
            progress(found.nodes);
        }
    }
}

fn check(tx: &mut Tx<'_>, space: i64, stored: &Stored, before: Option<&Stored>, expected: i64) -> Result<Option<Fault>> {
    if stored.key.0 != expected {
        return Ok(Some(Fault::Gap));
    }
    let on_previous = before.filter(|before| Some(before.key) == stored.parent);
    let place = match (stored.parent, on_previous) {
        (None, _) => Some((0, stored.tallies.own)),
        (Some(_), Some(before)) => Some((before.depth + 1, before.tallies.sum + stored.tallies.own)),
        (Some(parent), None) => place_of(tx, parent)?.map(|place| (place.depth + 1, place.sum + stored.tallies.own)),
    };
    if place != Some((stored.depth, stored.tallies.sum)) {
        return Ok(Some(Fault::Place));
    }
    if stored.node.status == Status::Pending || stored.node.purged {
        return Ok(None);
    }
    let Some(known) = stored.hash else { return Ok(Some(Fault::NoHash)) };
    let parents = match on_previous.and_then(|before| before.hash) {
        Some(above) if stored.node.sources.is_empty() && !is_early(stored.flags) => vec![above],
        Some(_) | None => parent_hashes(tx, space, stored.parent, stored.flags, &stored.node.sources)?,
    };
    Ok((hash(&stored.node, &parents) != known).then_some(Fault::Changed))
}
