//! Waits that nobody could ever end: everyone who could is waiting too.

use super::wait::{Accept, OpenWait};
use crate::error::Result;
use crate::sql::{Row, Tx, args};
use std::collections::HashSet;

/// How many agents are looked at; the deadline of the wait covers longer rings.
const WALK: usize = 32;

/// Somebody who could say something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replier {
    no: i64,
    is_agent: bool,
}

fn replier(row: &Row<'_>) -> Result<Replier> {
    Ok(Replier { no: row.int(0)?, is_agent: row.int(1)? == 1 })
}

/// Who could end a wait of `agent` that is about to begin.
pub(super) fn repliers(tx: &mut Tx<'_>, space: i64, agent: i64, accept: &Accept) -> Result<Vec<Replier>> {
    const SQL: &str = "SELECT e.no, e.kind, e.id FROM members m JOIN entities e ON e.no = m.entity \
                       WHERE m.space = ?1 AND m.gone IS NULL AND e.no <> ?2";
    let named = |id: &str| match accept {
        Accept::Any | Accept::Reply => true,
        Accept::From(named) => named.iter().any(|named| named.as_str() == id),
    };
    let all = tx.list(SQL, args![space, agent], |row| Ok((replier(row)?, named(row.text(2)?))))?;
    Ok(all.into_iter().filter_map(|(replier, named)| named.then_some(replier)).collect())
}

/// Who could end a wait that is open.
pub(super) fn repliers_of(tx: &mut Tx<'_>, wait: i64) -> Result<Vec<Replier>> {
    const SQL: &str = "SELECT e.no, e.kind FROM waits w JOIN members m ON m.space = w.space AND m.gone IS NULL \
                       JOIN entities e ON e.no = m.entity AND e.no <> w.agent WHERE w.no = ?1 AND (w.accept <> 2 \
                       OR EXISTS (SELECT 1 FROM wait_from f WHERE f.wait = w.no AND f.entity = e.no))";
    tx.list(SQL, args![wait], replier)
}

/// Whether everyone who could end the wait is, through others or not, waiting for `agent`. `ended` are waits that the very
/// message ends.
pub(super) fn is_deadlock(tx: &mut Tx<'_>, agent: i64, repliers: Vec<Replier>, ended: &[OpenWait]) -> Result<bool> {
    const OPEN: &str = "SELECT no FROM waits WHERE agent = ?1 AND state = 0 AND kind = 0";
    let mut seen = HashSet::from([agent]);
    let mut left = repliers;
    while let Some(replier) = left.pop() {
        if !seen.insert(replier.no) {
            continue;
        }
        if !replier.is_agent || seen.len() > WALK {
            return Ok(false);
        }
        let mut waits = tx.list(OPEN, args![replier.no], |row| row.int(0))?;
        waits.retain(|wait| ended.iter().all(|ended| ended.no != *wait));
        if waits.is_empty() {
            return Ok(false);
        }
        for wait in waits {
            left.extend(repliers_of(tx, wait)?);
        }
    }
    Ok(true)
}
