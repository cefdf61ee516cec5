//! Searching many spaces at once: one stream of candidates a space, merged by time, each proved by its text.

use super::query::Query;
use super::snippet::snippet;
use super::stream::{Candidate, Filter, Stream, candidates, spaces};
use super::unit::Units;
use super::{Cursor, Found, Hit, Search, text};
use crate::error::{Result, StoreError};
use crate::node::{Key, kind};
use crate::sql::{Tx, args};
use std::collections::{BinaryHeap, HashMap};
use weftwork::model::Timestamp;

/// Rows that one search looks at. Beyond it the page ends, and the next one goes on there.
const BUDGET: u64 = 50_000;
/// Reading a text is as much work as looking at so many rows.
const PROOF: u64 = 10;
/// Rows of a space that are taken before it is known whether they will be needed.
const SAMPLE: u32 = 4;
/// Rows that are read at once while spaces are sampled.
const SKIM: u32 = 64;

/// Looks for `query` in the spaces of `search`.
pub(super) fn find(tx: &mut Tx<'_>, search: &Search, query: &Query) -> Result<Found> {
    // A plan for one word is not a plan for another.
    tx.batch("/*pg SET LOCAL plan_cache_mode = force_custom_plan*/")?;
    let filter = Filter::of(tx, search, query)?;
    let mut streams = Vec::new();
    for space in spaces(tx, &search.scope)? {
        streams.extend(Stream::of(tx, space, search)?);
    }
    skim(tx, &mut streams, &filter)?;
    let mut budget = BUDGET;
    let mut merge = Merge { streams, heads: BinaryHeap::new(), looked: search.after.clone().map_or_else(Vec::new, |c| c.0) };
    for at in 0..merge.streams.len() {
        merge.refill(tx, at, &filter, &mut budget)?;
    }
    let mut hits = Vec::new();
    while hits.len() < search.limit {
        let Some((at, candidate)) = merge.pop() else { break };
        hits.extend(prove(tx, &merge.streams[at], candidate, query)?);
        merge.refill(tx, at, &filter, &mut budget)?;
        budget = budget.saturating_sub(PROOF);
        // Not before something was looked at: the next page would begin where this one did.
        if budget == 0 {
            break;
        }
    }
    Ok(Found { hits, next: merge.next() })
}

/// Takes a few candidates of every space in one go: from the newest space down, leaping over what is known to be enough.
fn skim(tx: &mut Tx<'_>, streams: &mut [Stream], filter: &Filter) -> Result<()> {
    let open: Vec<usize> = (0..streams.len()).filter(|&at| streams[at].is_indexed() && !streams[at].is_dry).collect();
    // One space is read as it is needed.
    let (Some(&newest), Some(&oldest), true) = (open.first(), open.last(), open.len() > 1) else { return Ok(()) };
    let places: HashMap<i64, usize> = open.iter().map(|&at| (streams[at].space.no, at)).collect();
    let floor = streams[oldest].space.start();
    let mut taken: HashMap<usize, u32> = HashMap::new();
    let mut below = streams[newest].read;
    while below > floor {
        let rows = candidates(tx, &filter.expression, floor, below, SKIM)?;
        let is_last = rows.len() < SKIM as usize;
        let mut leap = None;
        for row in rows {
            let space = row.key.space();
            below = row.key.0;
            let Some(&at) = places.get(&space) else {
                leap = Some(next_space(streams, &open, space));
                break;
            };
            let count = taken.entry(at).or_default();
            if *count == SAMPLE {
                leap = Some(streams[at].space.start() + 1);
                break;
            }
            if row.key.0 >= streams[at].read {
                leap = Some(streams[at].read);
                break;
            }
            *count += 1;
            streams[at].take(row, filter);
        }
        match leap {
            Some(key) => below = key,
            None if is_last => below = floor,
            None => {}
        }
    }
    for &at in open.iter().filter(|at| taken.get(at) != Some(&SAMPLE)) {
        streams[at].is_dry = true;
    }
    Ok(())
}

/// From where the newest space is read that is older than `space`.
fn next_space(streams: &[Stream], open: &[usize], space: i64) -> i64 {
    let older = open.iter().find(|&&at| streams[at].space.no < space);
    older.map_or(0, |&at| streams[at].read)
}

/// Streams, and the newest candidate of each.
struct Merge {
    streams: Vec<Stream>,
    /// Time, key, stream.
    heads: BinaryHeap<(i64, Key, usize)>,
    /// How far each space was looked through, where anything was.
    looked: Vec<Key>,
}

impl Merge {
    fn pop(&mut self) -> Option<(usize, Candidate)> {
        let (_, key, at) = self.heads.pop()?;
        self.note(key);
        self.streams[at].queue.pop_front().map(|candidate| (at, candidate))
    }

    /// Puts the next candidate of a stream among the heads.
    fn refill(&mut self, tx: &mut Tx<'_>, at: usize, filter: &Filter, budget: &mut u64) -> Result<()> {
        self.streams[at].fill(tx, filter, budget)?;
        let stream = &self.streams[at];
        match stream.queue.front() {
            Some(next) => self.heads.push((next.at.unwrap_or(i64::MIN), next.key, at)),
            // What was read and thrown away need not be read again.
            None if stream.read <= stream.space.last => self.note(Key(stream.read)),
            None => {}
        }
        Ok(())
    }

    fn note(&mut self, key: Key) {
        match self.looked.iter_mut().find(|looked| looked.space() == key.space()) {
            Some(looked) => *looked = key,
            None => self.looked.push(key),
        }
    }

    /// Where the next page begins.
    fn next(self) -> Option<Cursor> {
        let is_more = self.streams.iter().any(|stream| !stream.queue.is_empty() || !stream.is_dry);
        is_more.then_some(Cursor(self.looked))
    }
}

/// Reads a candidate and says whether it is what is looked for.
fn prove(tx: &mut Tx<'_>, stream: &Stream, candidate: Candidate, query: &Query) -> Result<Option<Hit>> {
    const SQL: &str =
        "SELECT n.id, e.id, n.kind, n.text, n.parts FROM nodes n JOIN entities e ON e.no = n.author WHERE n.key = ?1";
    let hit = tx.first(SQL, args![candidate.key.0], |row| {
        let text = text::of_row(row.maybe_text(3)?, row.maybe_text(4)?)?;
        let units = Units::of(&text);
        let Some(places) = query.matches(&units) else { return Ok(None) };
        Ok(Some(Hit {
            space: stream.space.id.clone(),
            node: row.text(0)?.into(),
            seq: candidate.key.seq(),
            kind: kind(row.int(2)?)?,
            author: row.text(1)?.into(),
            at: candidate.at.and_then(Timestamp::from_millis),
            snippet: snippet(units.text(), &places),
        }))
    })?;
    hit.ok_or_else(|| StoreError::Unreadable { detail: format!("node {} is gone", candidate.key.0) })
}
