//! The candidates of one space, newest first: what is not indexed yet, then what the index gives.

use super::index::author_term;
use super::query::Query;
use super::{Cursor, Search};
use crate::error::Result;
use crate::node::{Key, Segment, at_id, bits, kind_number, lanes};
use crate::scope::Scope;
use crate::space::entity_row;
use crate::sql::{Row, Tx, args};
use std::collections::{HashSet, VecDeque};
use weftwork::model::{Kind, SpaceId};

/// Rows read at once, at first and at most.
const FEW: u32 = 32;
const MANY: u32 = 512;
/// Spaces that are asked for by name.
const NAMED: usize = 16;

/// A space as a search sees it.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) no: i64,
    pub(super) id: SpaceId,
    /// The last key that is in the index.
    pub(super) searched: i64,
    /// The last key there is.
    pub(super) last: i64,
}

/// The spaces of a scope, newest first.
pub(super) fn spaces(tx: &mut Tx<'_>, scope: &Scope) -> Result<Vec<Searched>> {
    const SQL: &str = "SELECT s.no, s.id, s.searched, (SELECT n.key FROM nodes n WHERE n.key > s.no * 4294967296 \
                       AND n.key < (s.no + 1) * 4294967296 ORDER BY n.key DESC LIMIT 1) FROM spaces s ORDER BY s.no DESC";
    const ONE: &str = "SELECT s.no, s.id, s.searched, (SELECT n.key FROM nodes n WHERE n.key > s.no * 4294967296 \
                       AND n.key < (s.no + 1) * 4294967296 ORDER BY n.key DESC LIMIT 1) FROM spaces s WHERE s.id = ?1";
    let read = |row: &Row<'_>| {
        let start = Key::range(row.int(0)?).0;
        let (searched, last) = (row.int(2)?.max(start), row.maybe_int(3)?.unwrap_or(start));
        Ok(Searched { no: row.int(0)?, id: row.text(1)?.into(), searched, last })
    };
    match scope {
        Scope::All => tx.list(SQL, &[], read),
        Scope::Spaces(ids) => {
            let ids: HashSet<&SpaceId> = ids.iter().collect();
            // A few are asked for by name; many are cheaper to pick out of all.
            if ids.len() > NAMED {
                let all = tx.list(SQL, &[], read)?;
                return Ok(all.into_iter().filter(|space| ids.contains(&space.id)).collect());
            }
            let mut spaces = Vec::with_capacity(ids.len());
            for id in ids {
                // One that is gone holds nothing.
                spaces.extend(tx.first(ONE, args![id.as_str()], read)?);
            }
            spaces.sort_unstable_by_key(|space: &Searched| std::cmp::Reverse(space.no));
            Ok(spaces)
        }
    }
}

/// A node that may be what is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) key: Key,
    pub(super) at: Option<i64>,
    author: i64,
    kind: i64,
    status: i64,
    flags: i64,
    lane: i64,
    depth: i64,
}

/// Everything a candidate is asked before its text is read.
pub(super) struct Filter {
    /// The query in the words of the index.
    pub(super) expression: String,
    author: Option<i64>,
    from: i64,
    to: i64,
    is_timed: bool,
    kind: Option<Kind>,
}

impl Filter {
    pub(super) fn of(tx: &mut Tx<'_>, search: &Search, query: &Query) -> Result<Filter> {
        let author = match &search.author {
            Some(author) => Some(entity_row(tx, author)?.0),
            None => None,
        };
        Ok(Filter {
            expression: query.expression(tx.engine(), author.map(author_term).as_deref()),
            author,
            from: search.from.unwrap_or(i64::MIN),
            to: search.to.unwrap_or(i64::MAX),
            is_timed: search.from.is_some() || search.to.is_some(),
            kind: search.kind,
        })
    }

    fn passes(&self, candidate: &Candidate) -> bool {
        let when = candidate.at.map_or(!self.is_timed, |at| self.from <= at && at < self.to);
        let is_request = |kind| kind == kind_number(Kind::TitleRequest) || kind == kind_number(Kind::SummaryRequest);
        let of_kind = self.kind.map_or(!is_request(candidate.kind), |kind| kind_number(kind) == candidate.kind);
        let is_shown = candidate.status != 1 && candidate.flags & (bits::PRUNED | bits::PURGED) == 0;
        is_shown && when && of_kind && self.author.is_none_or(|author| author == candidate.author)
    }
}

/// The candidates of one space.
pub(super) struct Stream {
    pub(super) space: Searched,
    /// The stretches of the branch that is searched; none for all of the space.
    branch: Option<Vec<Segment>>,
    /// Candidates that were read and not looked at.
    pub(super) queue: VecDeque<Candidate>,
    /// Rows from here on were read.
    pub(super) read: i64,
    /// Whether there is nothing more to read.
    pub(super) is_dry: bool,
    batch: u32,
}

impl Stream {
    /// The stream of a space; none if the branch that is searched is not in it.
    pub(super) fn of(tx: &mut Tx<'_>, space: Searched, search: &Search) -> Result<Option<Stream>> {
        let branch = match &search.branch {
            None => None,
            Some(head) => match at_id(tx, space.no, head.as_str())? {
                Some(head) => Some(lanes(tx, &head)?),
                None => return Ok(None),
            },
        };
        let seen = search.after.as_ref().and_then(|Cursor(keys)| keys.iter().find(|key| key.space() == space.no));
        let read = seen.map_or(space.last + 1, |key| key.0);
        Ok(Some(Stream { branch, queue: VecDeque::new(), is_dry: read <= space.start(), read, batch: FEW, space }))
    }

    /// Whether what comes next is in the index.
    pub(super) fn is_indexed(&self) -> bool {
        self.read <= self.space.searched + 1
    }

    /// Takes a row; it may be none that is looked for.
    pub(super) fn take(&mut self, candidate: Candidate, filter: &Filter) {
        self.read = candidate.key.0;
        let on_branch = |segment: &Segment| {
            segment.lane.0 == candidate.lane && (i64::from(segment.from)..=i64::from(segment.to)).contains(&candidate.depth)
        };
        if filter.passes(&candidate) && self.branch.as_ref().is_none_or(|branch| branch.iter().any(on_branch)) {
            self.queue.push_back(candidate);
        }
    }

    /// Reads on until there is a candidate, or none is left, or `budget` rows were read.
    pub(super) fn fill(&mut self, tx: &mut Tx<'_>, filter: &Filter, budget: &mut u64) -> Result<()> {
        while self.queue.is_empty() && !self.is_dry && *budget > 0 {
            let start = self.space.start();
            let was_indexed = self.is_indexed();
            let rows = if was_indexed {
                candidates(tx, &filter.expression, start, self.read, self.batch)?
            } else {
                unindexed(tx, self.space.searched, self.read, self.batch)?
            };
            *budget = budget.saturating_sub(rows.len().max(1) as u64);
            let is_last = rows.len() < self.batch as usize;
            rows.into_iter().for_each(|row| self.take(row, filter));
            match (is_last, was_indexed) {
                (true, true) => self.is_dry = true,
                (true, false) => self.read = self.space.searched + 1,
                (false, _) => self.batch = (self.batch * 2).min(MANY),
            }
        }
        Ok(())
    }
}

impl Searched {
    /// Before its first key.
    pub(super) fn start(&self) -> i64 {
        Key::range(self.no).0
    }
}

macro_rules! columns {
    () => {
        "n.key, n.at, n.author, n.kind, n.status, n.flags, n.lane, n.depth"
    };
}

/// What the index gives between two keys, both left out, newest first.
pub(super) fn candidates(tx: &mut Tx<'_>, expression: &str, from: i64, to: i64, limit: u32) -> Result<Vec<Candidate>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM words w /*lite CROSS*/ JOIN nodes n ON n.key = /*lite w.rowid*/ /*pg w.key*/ \
          WHERE /*lite words MATCH ?1 AND w.rowid > ?2 AND w.rowid < ?3 ORDER BY w.rowid*/ \
          /*pg w.terms @@ CAST(CAST(?1 AS text) AS tsquery) AND w.key > ?2 AND w.key < ?3 ORDER BY w.key*/ DESC LIMIT ?4"
    );
    tx.list(SQL, args![expression, from, to, limit], candidate)
}

/// What is not in the index.
fn unindexed(tx: &mut Tx<'_>, from: i64, to: i64, limit: u32) -> Result<Vec<Candidate>> {
    const SQL: &str =
        concat!("SELECT ", columns!(), " FROM nodes n WHERE n.key > ?1 AND n.key < ?2 ORDER BY n.key DESC LIMIT ?3");
    tx.list(SQL, args![from, to, limit], candidate)
}

fn candidate(row: &Row<'_>) -> Result<Candidate> {
    Ok(Candidate {
        key: Key(row.int(0)?),
        at: row.maybe_int(1)?,
        author: row.int(2)?,
        kind: row.int(3)?,
        status: row.int(4)?,
        flags: row.int(5)?,
        lane: row.int(6)?,
        depth: row.int(7)?,
    })
}
