//! Token counts under counters that few ask for: taken when they are first needed, kept from then on.

use crate::error::{Result, StoreError};
use crate::node::{Key, Place, Stored, Tallies, lanes};
use crate::space::SpaceRow;
use crate::sql::{Tx, args};
use std::collections::HashMap;
use weftwork::count::{Base, Tally};
use weftwork::model::Part;

/// Rows counted at a time.
const CHUNK: u32 = 1024;

/// Whether the counts of a node, and so of all above it, are kept.
pub(crate) fn are_kept(tx: &mut Tx<'_>, key: Key, base: Base) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM tallies WHERE node = ?1 AND counter = ?2";
    Ok(base == Base::O200k || tx.first(SQL, args![key.0, base as i64], |_| Ok(()))?.is_some())
}

/// The counts of nodes that were counted.
pub(crate) struct Counted(HashMap<i64, Tallies>);

impl Counted {
    /// Reads those of these nodes, all at once.
    pub(crate) fn of(tx: &mut Tx<'_>, nodes: &[Stored], base: Base) -> Result<Counted> {
        const SQL: &str = "SELECT t.node, t.tally FROM tallies t WHERE t.counter = ?2 AND t.node \
                           /*pg = ANY(CAST(string_to_array(?1, ',') AS BIGINT[]))*/ \
                           /*lite IN (SELECT value FROM json_each('[' || ?1 || ']'))*/";
        let keys = nodes.iter().map(|stored| stored.key.0.to_string()).collect::<Vec<_>>().join(",");
        let mut kept = HashMap::with_capacity(nodes.len());
        tx.rows(SQL, args![&keys, base as i64], |row| {
            kept.insert(row.int(0)?, Tallies::from_bytes(row.bytes(1)?)?);
            Ok(())
        })?;
        Ok(Counted(kept))
    }

    pub(crate) fn at(&self, key: Key) -> Result<Tallies> {
        self.0.get(&key.0).copied().ok_or_else(|| StoreError::Unreadable { detail: format!("node {} was not counted", key.0) })
    }
}

/// Counts the nodes of a path that were not counted before.
pub(crate) fn count_path(tx: &mut Tx<'_>, head: &Place, base: Base) -> Result<()> {
    const LAST: &str = "SELECT n.depth, t.tally FROM nodes n JOIN tallies t ON t.node = n.key AND t.counter = ?4 \
                        WHERE n.lane = ?1 AND n.depth BETWEEN ?2 AND ?3 ORDER BY n.depth DESC LIMIT 1";
    // Nothing that is being counted comes to its end meanwhile.
    SpaceRow::by_no(tx, head.key.space())?;
    let segments = lanes(tx, head)?;
    let (mut from, mut above) = (0, None);
    for segment in &segments {
        let args = args![segment.lane.0, segment.from, segment.to, base as i64];
        let last = tx.first(LAST, args, |row| Ok((row.int(0)? as u32, Tallies::from_bytes(row.bytes(1)?)?)))?;
        if let Some((depth, tallies)) = last {
            (from, above) = (depth + 1, Some(tallies.sum));
            break;
        }
    }
    for segment in segments.iter().rev().filter(|segment| segment.to >= from) {
        let mut at = segment.from.max(from);
        while at <= segment.to {
            let to = segment.to.min(at + CHUNK - 1);
            above = count_stretch(tx, segment.lane, (at, to), base, above)?;
            at = to + 1;
        }
    }
    Ok(())
}

fn count_stretch(tx: &mut Tx<'_>, lane: Key, (from, to): (u32, u32), base: Base, above: Option<Tally>) -> Result<Option<Tally>> {
    const SQL: &str = "SELECT key, text, parts FROM nodes WHERE lane = ?1 AND depth BETWEEN ?2 AND ?3 ORDER BY depth";
    const KEEP: &str = "INSERT INTO tallies(node, counter, tally) VALUES(?1, ?2, ?3) ON CONFLICT(node, counter) DO NOTHING";
    let mut sum = above;
    let counted = tx.list(SQL, args![lane.0, from, to], |row| {
        let parts = match (row.maybe_text(1)?, row.maybe_text(2)?) {
            (Some(text), _) => vec![Part::text(text)],
            (None, Some(parts)) => serde_json::from_str(parts)?,
            (None, None) => Vec::new(),
        };
        let tallies = Tallies::count(&parts, base, sum);
        sum = Some(tallies.sum);
        Ok((row.int(0)?, tallies))
    })?;
    for (key, tallies) in counted {
        tx.run(KEEP, args![key, base as i64, tallies.to_bytes().as_slice()])?;
    }
    Ok(sum)
}
