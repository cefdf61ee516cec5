//! Reading a path as it was when a request was made of it.

use super::Reading;
use crate::counts::{self, Counted};
use crate::error::{Result, StoreError};
use crate::loom::fill_again;
use crate::node::{Tallies, at_id, lanes};
use crate::record::{Marked, Record};
use crate::space::{find_space, header};
use crate::sql::Tx;
use std::collections::HashMap;
use weftwork::count::{Base, Tally};
use weftwork::model::{NodeId, SpaceId};
use weftwork::{History, reach};

/// A history as it was.
pub(crate) struct Again {
    pub(crate) history: History,
    /// Whether some of it is gone since.
    pub(crate) purged: bool,
}

/// Reads the whole path of a record, with flags, replies and header as they were.
pub(crate) fn load_again(tx: &mut Tx<'_>, space: &SpaceId, record: &Record) -> Result<Again> {
    let row = find_space(tx, space)?;
    let (_, authors) = header(tx, row.no)?;
    let mut file = record.header().clone();
    let Some(id) = &file.head else {
        return Ok(Again { history: History::new(file)?, purged: false });
    };
    let head = at_id(tx, row.no, id.as_str())?;
    let head = head.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })?;
    let segments = lanes(tx, &head)?;
    let base = reach(&file, record.ask()).base;
    let absent = record.absent().to_vec();
    let counted = counts::are_kept(tx, head.key, base)?;
    let (path, alone, beside) = (Vec::new(), Vec::new(), Vec::new());
    let mut reading = Reading { tx, space: row, authors, segments, base, counted, path, alone, beside, absent };
    reading.path = reading.stretch(0, head.depth)?;
    reading.named(&file, record.ask())?;
    let purged = reading.restore(record.marked())?;
    if let Some(loom) = &mut file.loom {
        fill_again(&reading.path, loom);
    }
    let history = reading.outline(file, record.voices(), record.traits())?;
    Ok(Again { history, purged })
}

impl Reading<'_, '_> {
    /// Makes every node what it was. Says whether the content of one is gone since.
    fn restore(&mut self, marked: &[Marked]) -> Result<bool> {
        let marked: HashMap<&NodeId, &Marked> = marked.iter().map(|marked| (&marked.id, marked)).collect();
        let elsewhere = self.counted && self.base != Base::O200k;
        let kept = elsewhere.then(|| Counted::of(self.tx, &self.path, self.base)).transpose()?;
        let (mut purged, mut above) = (false, None);
        for stored in &mut self.path {
            let then = marked.get(&stored.node.id).copied();
            purged |= Marked::restore(then, &mut stored.node);
            // Only what was being written had another count.
            let own = match (then.is_some_and(Marked::was_pending), &kept) {
                (false, _) if self.base == Base::O200k => stored.tallies.own,
                (false, Some(kept)) => kept.at(stored.key)?.own,
                (true, _) | (false, None) => Tally::of(&stored.node.parts, self.base),
            };
            let sum = above.map_or(own, |above| above + own);
            (stored.tallies, above) = (Tallies { own, sum }, Some(sum));
        }
        for stored in &mut self.beside {
            purged |= Marked::restore(marked.get(&stored.node.id).copied(), &mut stored.node);
            stored.tallies = Tallies::count(&stored.node.parts, self.base, None);
        }
        Ok(purged)
    }
}
