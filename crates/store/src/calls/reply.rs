//! A reply from its beginning to its end: the node that is being written, the call that writes it, the money it may cost.

use super::blob::Blob;
use super::model::{CallEnd, CallStart, Cost};
use super::row::SentBytes;
use super::{hold, row};
use crate::error::{Result, StoreError};
use crate::node::{self, Appended, Draft, Finish};
use crate::runs::{Budget, Spender, lock_budgets};
use crate::space::{SpaceRow, entity_row, find_space, lock_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{Node, NodeId, SpaceId, Status};

/// What came of beginning a reply.
#[derive(Clone, Debug)]
pub enum Begun {
    /// It may be sent now.
    Started {
        /// The node that is being written. If it is repeated, so is the call: nothing was written or reserved again.
        node: Box<Appended>,
    },
    /// This budget has not enough left, or nobody can tell what the call may cost. Nothing was written.
    Refused(Budget),
}

/// What came of beginning a call without a new node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BegunCall {
    /// It may be sent now.
    Started,
    /// This budget has not enough left, or nobody can tell what the call may cost. Nothing was written.
    Refused(Budget),
}

impl Store {
    /// Begins a reply: adds its node, pending; writes down the call that leads to it; and reserves `most`, what the call
    /// may cost at most, in every budget that applies to the agent and the space at `now`. All of it or nothing.
    ///
    /// `most` is none when nobody can tell; where there is a budget, that is refused. A draft with a key may be begun again
    /// with the same call, and finds what it began.
    pub fn begin_reply(
        &self,
        space: &SpaceId,
        mut draft: Draft,
        mut start: CallStart,
        most: Option<Cost>,
        now: i64,
    ) -> Result<Begun> {
        draft.node.status = Status::Pending;
        let bytes = SentBytes::of(&start);
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            if let Some(before) = call_before(tx, &row, &start.id)? {
                return again(tx, space, draft.clone(), before, &start);
            }
            let budgets = match purses(tx, &row, &start, most, now)? {
                Ok(budgets) => budgets,
                Err(short) => return Ok(Begun::Refused(short)),
            };
            let node = node::append(tx, space, draft.clone())?;
            if node.repeated {
                return Err(StoreError::Taken { what: "node", id: node.node.id.to_string() });
            }
            start.node = Some(node.node.id.clone());
            let call = row::begin(tx, Some(space), &start, &bytes)?;
            hold::reserve(tx, call, &budgets, most)?;
            Ok(Begun::Started { node: Box::new(node) })
        })
    }

    /// Begins a call that leads to no new node: writes it down and reserves `most`, as a reply does. All of it or nothing.
    pub fn begin_side_call(&self, space: &SpaceId, start: &CallStart, most: Option<Cost>, now: i64) -> Result<BegunCall> {
        let bytes = SentBytes::of(start);
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            let budgets = match purses(tx, &row, start, most, now)? {
                Ok(budgets) => budgets,
                Err(short) => return Ok(BegunCall::Refused(short)),
            };
            let call = row::begin(tx, Some(space), start, &bytes)?;
            hold::reserve(tx, call, &budgets, most)?;
            Ok(BegunCall::Started)
        })
    }

    /// Ends a reply: its node, its call, and what was reserved for it. All of it or nothing.
    pub fn end_reply(&self, space: &SpaceId, node: &NodeId, finish: Finish, call: &str, end: &CallEnd) -> Result<Node> {
        let response = end.response.as_deref().map(Blob::of);
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            let place = node::at_id(tx, row.no, node.as_str())?;
            let place = place.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: node.clone() })?;
            let ended = node::finish(tx, &row, place.key, finish.clone())?;
            row::end(tx, Some(space), call, end, response.as_ref())?;
            Ok(ended)
        })
    }
}

/// The budgets of the agent, of the space and, where a run asks aside, of its roots, locked, or the first that has not got
/// it. What a run asks in its steps was reserved by them.
fn purses(
    tx: &mut Tx<'_>,
    row: &SpaceRow,
    start: &CallStart,
    most: Option<Cost>,
    now: i64,
) -> Result<std::result::Result<Vec<i64>, Budget>> {
    let agent = start.agent.as_ref().map(|agent| entity_row(tx, agent).map(|(no, _)| no)).transpose()?;
    const RUN: &str = "SELECT no FROM runs WHERE id = ?1";
    let run = start.run.as_deref().map(|run| tx.first(RUN, args![run], |row| row.int(0))).transpose()?.flatten();
    lock_budgets(tx, Spender { agent, space: Some(row.no), run }, most.map(Cost::as_billionths), now)
}

/// The node of a call that was begun before under the same id.
fn call_before(tx: &mut Tx<'_>, row: &SpaceRow, id: &str) -> Result<Option<Option<i64>>> {
    tx.first("SELECT node FROM calls WHERE space = ?1 AND id = ?2", args![row.no, id], |row| row.maybe_int(0))
}

/// What was begun before, if it was just this.
fn again(tx: &mut Tx<'_>, space: &SpaceId, draft: Draft, before: Option<i64>, start: &CallStart) -> Result<Begun> {
    let node = node::append(tx, space, draft)?;
    let row = find_space(tx, space)?;
    let key = node::Key::new(row.no, node.seq);
    match node.repeated && before == Some(key.0) {
        true => Ok(Begun::Started { node: Box::new(node) }),
        false => Err(StoreError::Taken { what: "call", id: start.id.clone() }),
    }
}
