//! What tools answered in whole, where the node that holds the answer has it shortened.

use crate::calls::blob::{self, Blob};
use crate::error::{Result, StoreError};
use crate::node::{Key, at_id, check_id, one};
use crate::space::{SpaceRow, find_space, lock_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{Bytes, NodeId, SpaceId, Whole};

impl Store {
    /// Keeps what a tool answered in whole, beside the node that holds it shortened. Of a purged node nothing is kept.
    pub fn keep_whole(&self, space: &SpaceId, node: &NodeId, call: &str, bytes: &[u8]) -> Result<()> {
        let blob = Blob::of(bytes);
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            let place = at_id(tx, row.no, node.as_str())?;
            let place = place.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: node.clone() })?;
            match keep(tx, place.key, call, &blob)? {
                true => Ok(()),
                false => Err(StoreError::Taken { what: "whole answer", id: call.to_owned() }),
            }
        })
    }

    /// What a tool answered in whole: to the call of a node, or to the last call of that id in the space.
    pub fn whole(&self, space: &SpaceId, node: Option<&NodeId>, call: &str) -> Result<Option<Vec<u8>>> {
        const OF: &str = "SELECT hash FROM wholes WHERE node = ?1 AND call = ?2";
        const LAST: &str = "SELECT hash FROM wholes WHERE node > ?1 AND node < ?2 AND call = ?3 ORDER BY node DESC LIMIT 1";
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let hash = |row: &crate::sql::Row<'_>| Ok(row.bytes(0)?.to_vec());
            let found = match node {
                Some(node) => match at_id(tx, row.no, node.as_str())? {
                    Some(place) => tx.first(OF, args![place.key.0, call], hash)?,
                    None => None,
                },
                None => {
                    let (from, to) = Key::range(row.no);
                    tx.first(LAST, args![from, to, call], hash)?
                }
            };
            found.map(|hash| blob::read(tx, &hash)).transpose()
        })
    }
}

/// Keeps an answer; says whether it is the one that is there now.
fn keep(tx: &mut Tx<'_>, key: Key, call: &str, blob: &Blob) -> Result<bool> {
    const BEFORE: &str = "SELECT hash FROM wholes WHERE node = ?1 AND call = ?2";
    check_id(call)?;
    if one(tx, key)?.node.purged {
        return Ok(true);
    }
    if let Some(before) = tx.first(BEFORE, args![key.0, call], |row| Ok(row.bytes(0)?.to_vec()))? {
        return Ok(before == blob.hash);
    }
    blob::put(tx, &[blob])?;
    tx.run("INSERT INTO wholes(node, call, hash) VALUES(?1, ?2, ?3)", args![key.0, call, blob.hash.as_slice()])?;
    Ok(true)
}

/// Takes away what a purged node's tools answered.
pub(crate) fn forget(tx: &mut Tx<'_>, key: Key) -> Result<()> {
    let hashes = tx.list("SELECT hash FROM wholes WHERE node = ?1", args![key.0], |row| Ok(row.bytes(0)?.to_vec()))?;
    tx.run("DELETE FROM wholes WHERE node = ?1", args![key.0])?;
    blob::release(tx, hashes)
}

/// All of a space, as a file has them.
pub(crate) fn export(tx: &mut Tx<'_>, space: i64) -> Result<Vec<Whole>> {
    const SQL: &str = "SELECT n.id, w.call, w.hash FROM wholes w JOIN nodes n ON n.key = w.node \
                       WHERE w.node > ?1 AND w.node < ?2 ORDER BY w.node, w.call";
    let (from, to) = Key::range(space);
    let found =
        tx.list(SQL, args![from, to], |row| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned(), row.bytes(2)?.to_vec())))?;
    let whole = |(node, call, hash): (String, String, Vec<u8>)| {
        Ok(Whole { node: node.into(), call, content: Bytes(blob::read(tx, &hash)?) })
    };
    found.into_iter().map(whole).collect()
}

/// Takes over those of a file. What is here already stays; a file may name what it does not hold.
pub(crate) fn import(tx: &mut Tx<'_>, row: &SpaceRow, wholes: &[Whole]) -> Result<()> {
    for whole in wholes {
        if let Some(place) = at_id(tx, row.no, whole.node.as_str())? {
            keep(tx, place.key, &whole.call, &Blob::of(&whole.content.0))?;
        }
    }
    Ok(())
}
