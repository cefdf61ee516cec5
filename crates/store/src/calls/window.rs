//! How full the context window is: what the next request would send again.

use super::ledger::Told;
use super::row::usage;
use crate::error::Result;
use crate::node::{Place, bits, kind, lanes};
use crate::sql::{Tx, args};
use weftwork::model::{Kind, Usage};

/// The status of what was said, in its column.
const SENT: i64 = 0;
/// Nodes that are looked at in one go: nearly always the newest reply is among them.
const CHUNK: u32 = 64;

/// Tokens in the context window after `head`: the rule of [`weftwork::usage::context_window`], read from the newest node
/// back until one decides.
pub(super) fn context_window(tx: &mut Tx<'_>, head: &Place) -> Result<u64> {
    for segment in lanes(tx, head)? {
        let mut to = segment.to;
        loop {
            let from = segment.from.max(to.saturating_sub(CHUNK - 1));
            if let Some(tokens) = newest(tx, segment.lane.0, from, to)? {
                return Ok(tokens);
            }
            match from.checked_sub(1).filter(|next| *next >= segment.from) {
                Some(next) => to = next,
                None => break,
            }
        }
    }
    Ok(0)
}

/// What the newest node between two depths decides; none if none does.
fn newest(tx: &mut Tx<'_>, lane: i64, from: u32, to: u32) -> Result<Option<u64>> {
    // A node's last call of its own purpose; a title's or a summary's call on a message says nothing of the message.
    const SQL: &str = "SELECT n.kind, n.more, c.input, c.output, c.cache_read, c.cache_write, n.status, n.flags FROM nodes n \
                       LEFT JOIN calls c ON c.node = n.key AND c.input IS NOT NULL \
                       AND c.purpose = CASE n.kind WHEN 1 THEN 2 ELSE 0 END \
                       WHERE n.lane = ?1 AND n.depth BETWEEN ?2 AND ?3 ORDER BY n.depth DESC, c.no DESC";
    let mut decided = None;
    tx.rows(SQL, args![lane, from, to], |row| {
        if decided.is_none() {
            let told = match usage(row, 2)? {
                Some(usage) => Some(usage),
                None => Told::read(row.maybe_text(1)?)?.usage,
            };
            // A summary that failed, or was taken back, stands for nothing.
            let holds = row.int(6)? == SENT && row.int(7)? & (bits::PRUNED | bits::EXCLUDED) == 0;
            decided = match kind(row.int(0)?)? {
                Kind::Message => told.map(Usage::total),
                Kind::Summary if !holds => None,
                Kind::Summary => Some(told.map_or(0, |usage| usage.output)),
                Kind::Title | Kind::TitleRequest | Kind::SummaryRequest | Kind::Accounting => None,
            };
        }
        Ok(())
    })?;
    Ok(decided)
}
