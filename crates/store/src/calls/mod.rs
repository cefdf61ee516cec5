//! Requests to models: what was asked, answered, used and paid. Kept whole, summed when it is asked for.

pub(crate) mod blob;
mod hold;
mod ledger;
mod line;
mod model;
mod reply;
mod row;
mod total;
mod window;

pub use line::{Line, LineReason};
pub use model::{CallEnd, CallId, CallRecord, CallStart, Cost, Exchange, Measured, Outcome};
pub use reply::{Begun, BegunCall};
pub use total::{By, Period, Total};

use crate::error::{Result, StoreError};
use crate::node::{Key, Place, at_id};
use crate::scope::Scope;
use crate::space::{SpaceRow, entity_row, find_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use blob::Blob;
use ledger::Ledger;
use row::SentBytes;
use weftwork::model::{Call, EntityId, NodeId, SpaceId, Usage};

/// Takes out of the calls what holds a node's text.
pub(crate) fn forget(tx: &mut Tx<'_>, key: Key) -> Result<()> {
    row::forget(tx, key)
}

/// Ends the calls that dead processes left open.
pub(crate) fn fail_open(tx: &mut Tx<'_>, dead: &[i64]) -> Result<()> {
    hold::fail_open(tx, dead)
}

/// What went over the wire in a call, and whether that was made here.
pub(crate) fn exchange(tx: &mut Tx<'_>, space: Option<&SpaceId>, id: &str) -> Result<(Exchange, bool)> {
    Ok((row::exchange(tx, space, id)?, row::is_ours(tx, space, id)?))
}

/// Takes over the calls of a file.
pub(crate) fn import(tx: &mut Tx<'_>, space: &SpaceId, calls: &[Call]) -> Result<()> {
    calls.iter().try_for_each(|call| row::import(tx, space, call))
}

/// All calls of a space, as a file has them.
pub(crate) fn export(tx: &mut Tx<'_>, space: i64) -> Result<Vec<Call>> {
    row::export(tx, space)
}

/// Which calls are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallsOf<'a> {
    /// All of a space.
    Space(&'a SpaceId),
    /// Those that led to a node.
    Node(&'a SpaceId, &'a NodeId),
    /// Those of a run.
    Run(&'a str),
    /// Those that an account asked for, in spaces and outside.
    Account(&'a EntityId),
}

impl Store {
    /// Writes down a call that is about to be sent, and reserves nothing: a step of a run has done that. One that never ends
    /// stays, and counts.
    pub fn begin_call<'s>(&self, space: impl Into<Option<&'s SpaceId>>, start: &CallStart) -> Result<()> {
        let space = space.into();
        let bytes = SentBytes::of(start);
        self.writing(|tx| row::begin(tx, space, start, &bytes).map(drop))
    }

    /// Writes down how a call ended and what it used, and settles what was reserved for it: at its cost, or, where nobody
    /// knows that, at all that was reserved. That is said once.
    pub fn end_call<'s>(&self, space: impl Into<Option<&'s SpaceId>>, id: &str, end: &CallEnd) -> Result<()> {
        let space = space.into();
        let response = end.response.as_deref().map(Blob::of);
        self.writing(|tx| row::end(tx, space, id, end, response.as_ref()))
    }

    /// Takes over a call from a file. A later record of an id replaces an earlier one, unless it knows less.
    pub fn import_call(&self, space: &SpaceId, call: &Call) -> Result<()> {
        self.writing(|tx| row::import(tx, space, call))
    }

    /// One call.
    pub fn call(&self, space: &SpaceId, id: &str) -> Result<CallRecord> {
        const SQL: &str = concat!("SELECT ", row::columns!(), " WHERE s.id = ?1 AND c.id = ?2");
        let found = self.reading(|tx| tx.first(SQL, args![space.as_str(), id], row::record))?;
        found.ok_or_else(|| row::no_call(Some(space), id))
    }

    /// What went over the wire in a call, byte for byte.
    pub fn exchange<'s>(&self, space: impl Into<Option<&'s SpaceId>>, id: &str) -> Result<Exchange> {
        let space = space.into();
        self.reading(|tx| row::exchange(tx, space, id))
    }

    /// A call that an account made outside of all spaces. That of another does not exist.
    pub fn call_of(&self, account: &EntityId, id: &str) -> Result<CallRecord> {
        const SQL: &str = concat!("SELECT ", row::columns!(), " WHERE w.id = ?1 AND c.id = ?2 AND c.space IS NULL");
        let found = self.reading(|tx| tx.first(SQL, args![account.as_str(), id], row::record))?;
        found.ok_or_else(|| row::no_call(None, id))
    }

    /// What went over the wire in such a call, byte for byte, with its report.
    pub fn exchange_of(&self, account: &EntityId, id: &str) -> Result<Exchange> {
        self.reading(|tx| row::exchange_of(tx, account, id))
    }

    /// Calls in the order they were written down.
    pub fn calls(&self, of: CallsOf<'_>) -> Result<Vec<CallRecord>> {
        const SPACE: &str = concat!("SELECT ", row::columns!(), " WHERE c.space = ?1 ORDER BY c.no");
        const NODE: &str = concat!("SELECT ", row::columns!(), " WHERE c.node = ?1 ORDER BY c.no");
        const RUN: &str = concat!("SELECT ", row::columns!(), " WHERE c.run = ?1 ORDER BY c.no");
        const ACCOUNT: &str = concat!("SELECT ", row::columns!(), " WHERE c.account = ?1 ORDER BY c.no");
        self.reading(|tx| match of {
            CallsOf::Space(space) => {
                let no = find_space(tx, space)?.no;
                tx.list(SPACE, args![no], row::record)
            }
            CallsOf::Node(space, node) => {
                let row = find_space(tx, space)?;
                let place = place(tx, space, &row, Some(node))?;
                tx.list(NODE, args![place.map(|place| place.key.0)], row::record)
            }
            CallsOf::Account(account) => {
                let (no, _) = entity_row(tx, account)?;
                tx.list(ACCOUNT, args![no], row::record)
            }
            CallsOf::Run(run) => tx.list(RUN, args![run], row::record),
        })
    }

    /// Calls of a space from the newest back, or from before one of them; none before one that is not there.
    pub fn calls_back(&self, space: &SpaceId, before: Option<&str>, limit: u32) -> Result<Vec<CallRecord>> {
        const AT: &str = "SELECT no FROM calls WHERE space = ?1 AND id = ?2";
        const SQL: &str = concat!("SELECT ", row::columns!(), " WHERE c.space = ?1 AND c.no < ?2 ORDER BY c.no DESC LIMIT ?3");
        self.reading(|tx| {
            let no = find_space(tx, space)?.no;
            back(tx, AT, SQL, no, before, limit)
        })
    }

    /// Calls that an account made outside of all spaces, likewise.
    pub fn calls_back_of(&self, account: &EntityId, before: Option<&str>, limit: u32) -> Result<Vec<CallRecord>> {
        const AT: &str = "SELECT no FROM calls WHERE account = ?1 AND id = ?2 AND space IS NULL";
        const SQL: &str = concat!(
            "SELECT ",
            row::columns!(),
            " WHERE c.account = ?1 AND c.no < ?2 AND c.space IS NULL ORDER BY c.no DESC LIMIT ?3"
        );
        self.reading(|tx| {
            let (no, _) = entity_row(tx, account)?;
            back(tx, AT, SQL, no, before, limit)
        })
    }

    /// Everything a space has used: all calls, with those of left branches, retries, canceled and failed ones.
    pub fn cumulative(&self, space: &SpaceId) -> Result<Usage> {
        self.reading(|tx| {
            let no = find_space(tx, space)?.no;
            Ok(Ledger::of(tx, no)?.cumulative())
        })
    }

    /// Tokens in the context window of a space at `head`, or at the default head.
    pub fn context_window(&self, space: &SpaceId, head: Option<&NodeId>) -> Result<u64> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            match place(tx, space, &row, head)? {
                Some(head) => window::context_window(tx, &head),
                None => Ok(0),
            }
        })
    }

    /// What calls used and cost, summed by `by`, in the order of its keys.
    pub fn totals(&self, scope: &Scope, period: Period, by: By) -> Result<Vec<Total>> {
        self.reading(|tx| total::totals(tx, total::Of::Scope(scope), period, by))
    }

    /// The same of the calls that an account made outside of all spaces.
    pub fn totals_of(&self, account: &EntityId, period: Period, by: By) -> Result<Vec<Total>> {
        self.reading(|tx| total::totals(tx, total::Of::Alone(account), period, by))
    }

    /// The accounting lines of the path to `head`, or to the default head, in path order.
    pub fn accounting_lines(&self, space: &SpaceId, head: Option<&NodeId>) -> Result<Vec<Line>> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            match place(tx, space, &row, head)? {
                Some(head) => line::lines(tx, row.no, &head),
                None => Ok(Vec::new()),
            }
        })
    }
}

/// Calls of one owner from the newest back.
fn back(
    tx: &mut Tx<'_>,
    at: &'static str,
    sql: &'static str,
    of: i64,
    before: Option<&str>,
    limit: u32,
) -> Result<Vec<CallRecord>> {
    let end = match before {
        None => Some(i64::MAX),
        Some(id) => tx.first(at, args![of, id], |row| row.int(0))?,
    };
    match end {
        Some(end) => tx.list(sql, args![of, end, i64::from(limit)], row::record),
        None => Ok(Vec::new()),
    }
}

/// The place of a node, or of the default head; none while the space is empty.
fn place(tx: &mut Tx<'_>, space: &SpaceId, row: &SpaceRow, node: Option<&NodeId>) -> Result<Option<Place>> {
    let Some(id) = node else { return row.head(tx) };
    let found = at_id(tx, row.no, id.as_str())?;
    found.map(Some).ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
}
