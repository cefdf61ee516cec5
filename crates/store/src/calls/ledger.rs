//! Everything a space has used: its calls, and what its nodes say where no call does.

use super::row::{columns, record, to_call};
use crate::error::Result;
use crate::node::{Key, kind};
use crate::sql::{Tx, args};
use serde::Deserialize;
use std::collections::BTreeMap;
use weftwork::model::{Accounting, Call, Node, NodeId, Timestamp, Usage};
use weftwork::usage;

/// What of a node's JSON tells of usage.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Told {
    at: Option<Timestamp>,
    pub(super) usage: Option<Usage>,
    accounting: Option<Accounting>,
    pub(super) edited_from: Option<NodeId>,
}

impl Told {
    pub(super) fn read(more: Option<&str>) -> Result<Told> {
        Ok(more.map(serde_json::from_str).transpose()?.unwrap_or_default())
    }
}

/// A node that matters to the sum, with its place.
pub(super) struct Entry {
    pub(super) lane: Key,
    pub(super) depth: i64,
    pub(super) node: Node,
}

/// A call, with its node's place in the order of the space.
struct Sent {
    node: Option<Key>,
    call: Call,
}

/// What the sum of a space is made of, in the order it was written.
pub(super) struct Ledger {
    pub(super) entries: BTreeMap<Key, Entry>,
    calls: Vec<Sent>,
}

/// A moment in the life of a space.
#[derive(Clone, Copy)]
pub(super) struct Until<'t> {
    /// Nodes before this one are meant.
    pub(super) key: Key,
    /// Calls that led to no node are meant up to then.
    pub(super) at: Option<&'t Timestamp>,
}

impl Ledger {
    pub(super) fn of(tx: &mut Tx<'_>, space: i64) -> Result<Ledger> {
        const CALLS: &str = concat!("SELECT ", columns!(), " WHERE c.space = ?1 ORDER BY c.no");
        let calls =
            tx.list(CALLS, args![space], |row| Ok(Sent { node: row.maybe_int(17)?.map(Key), call: to_call(record(row)?) }))?;
        let mut entries = BTreeMap::new();
        for Sent { node, call } in &calls {
            // Such a node is needed for its place only.
            if let (Some(key), Some(id)) = (node, &call.node) {
                entries.insert(*key, Entry { lane: *key, depth: -1, node: Node::new(id.clone(), None, "") });
            }
        }
        let mut ledger = Ledger { entries, calls };
        ledger.read_nodes(tx, space)?;
        Ok(ledger)
    }

    fn read_nodes(&mut self, tx: &mut Tx<'_>, space: i64) -> Result<()> {
        const NODES: &str = "SELECT key, id, at, kind, more, lane, depth FROM nodes WHERE key > ?1 AND key < ?2 \
                             AND (kind = 5 OR more LIKE '%\"usage\"%')";
        let (from, to) = Key::range(space);
        tx.rows(NODES, args![from, to], |row| {
            let told = Told::read(row.maybe_text(4)?)?;
            let mut node = Node::new(row.text(1)?, None, "");
            node.kind = kind(row.int(3)?)?;
            node.created_at = told.at.or(row.maybe_int(2)?.and_then(Timestamp::from_millis));
            (node.usage, node.accounting) = (told.usage, told.accounting);
            self.entries.insert(Key(row.int(0)?), Entry { lane: Key(row.int(5)?), depth: row.int(6)?, node });
            Ok(())
        })
    }

    /// The sum of all of it: left branches, retries, canceled and failed calls too.
    pub(super) fn cumulative(&self) -> Usage {
        let nodes: Vec<&Node> = self.entries.values().map(|entry| &entry.node).collect();
        let calls: Vec<Call> = self.calls.iter().map(|sent| sent.call.clone()).collect();
        usage::cumulative(&nodes, &calls)
    }

    /// The sum as it was at a moment.
    pub(super) fn cumulative_until(&self, until: Until<'_>) -> Usage {
        let nodes: Vec<&Node> = self.entries.range(..until.key).map(|(_, entry)| &entry.node).collect();
        let is_before = |call: &Call| match (&call.created_at, until.at) {
            (Some(sent), Some(at)) => sent.millis() <= at.millis(),
            _ => true,
        };
        let calls = self.calls.iter().filter(|sent| sent.node.map_or_else(|| is_before(&sent.call), |key| key < until.key));
        usage::cumulative(&nodes, &calls.map(|sent| sent.call.clone()).collect::<Vec<_>>())
    }
}
