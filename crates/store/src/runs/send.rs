//! An agent's message: guarded by its claim, sent once for each step, and with it the wait for a reply if it wants one.

use super::caps::Caps;
use super::cycle::{is_deadlock, repliers};
use super::guard::{Guard, Guarded, Lease, hold};
use super::post::{Posted, Sending, posted, reply_key, spread};
use super::root::{RootRow, lock_roots_of};
use super::row::{RunId, RunRow};
use super::start::{Refused, refuse};
use super::state::{Refusal, number};
use super::step::{is_taken, sent_by};
use super::wait::{self, Accept, NewWait, OpenWait, matching};
use super::wake::{Audience, Wake, lock_audience};
use crate::error::{Result, StoreError};
use crate::node::{self, Appended, Draft, Key, one};
use crate::space::{SpaceRow, is_member, lock_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, SpaceId};

/// A message that a run sends.
#[derive(Clone, Debug)]
pub struct Send {
    /// The step it is; `run:step` is its idempotency key.
    pub step: u32,
    /// Hash of what was asked for, to find the step again.
    pub request: Option<[u8; 32]>,
    /// Where.
    pub space: SpaceId,
    /// What. The author is the run's agent, whatever it says.
    pub draft: Draft,
    /// Whom it may wake.
    pub wake: Wake,
    /// Whether the run waits for a reply.
    pub wait: Option<WaitFor>,
}

/// How a run waits for a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitFor {
    /// What ends the wait.
    pub accept: Accept,
    /// When it ends by itself; none for the usual time.
    pub deadline: Option<i64>,
}

/// What came of sending.
#[derive(Clone, Debug)]
pub enum Sent {
    /// It was sent, now or by an earlier attempt at the same step. With a wait, the run has let go of its claim.
    Posted(Box<Posted>),
    /// It was not, and nothing happened: a tool error for the agent.
    Refused(SendRefusal),
}

/// Why an agent may not send or wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendRefusal {
    /// The run was asked to stop.
    Canceled,
    /// Another act has this step's number.
    Taken,
    /// There is no such space, as far as this agent may know.
    NoSpace,
    /// The roots of this run have had their messages.
    RootMessages,
    /// The run has waited as often as a run may.
    Waits,
    /// As many runs of this agent wait as may.
    WaitingRuns,
    /// The run has read a confidential space, and somebody here does not belong to it.
    Confidential,
    /// There is nobody who could reply.
    Alone,
    /// Everyone who could reply is waiting for this agent.
    Deadlock,
}

/// Two agents who begin to wait for each other in two spaces at once must see one another.
const WAITING: &str = "SELECT /*pg pg_advisory_xact_lock(8245310572)*/ /*lite 1*/";

impl Store {
    /// Sends a message of a run. With a wait, message, wait and state are one transaction: no reply can fall between.
    pub fn agent_send(&self, guard: &Guard, send: &Send, caps: &Caps, now: i64) -> Result<Guarded<Sent>> {
        self.writing(|tx| agent_send(tx, guard, send, caps, now))
    }

    /// The message that a step of a run has sent, and what it did; none if the step has sent none.
    pub fn sent_in(&self, run: &RunId, step: u32) -> Result<Option<Posted>> {
        self.reading(|tx| sent_in(tx, run, step))
    }
}

pub(super) fn sent_in(tx: &mut Tx<'_>, run: &RunId, step: u32) -> Result<Option<Posted>> {
    const SQL: &str = "SELECT s.node FROM run_steps s JOIN runs r ON r.no = s.run \
                       WHERE r.id = ?1 AND s.step = ?2 AND s.node IS NOT NULL";
    match tx.first(SQL, args![run.as_str(), step], |row| row.int(0))? {
        Some(key) => again(tx, Key(key)).map(Some),
        None => Ok(None),
    }
}

fn agent_send(tx: &mut Tx<'_>, guard: &Guard, send: &Send, caps: &Caps, now: i64) -> Result<Guarded<Sent>> {
    let row = match lock_space(tx, &send.space) {
        Err(StoreError::NoSpace { .. }) => None,
        row => Some(row?),
    };
    if send.wait.is_some() {
        tx.batch(WAITING)?;
    }
    let audience = row.as_ref().map(|row| lock_audience(tx, row.no)).transpose()?;
    let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
    let (Some(row), Some(audience)) = (row, audience) else { return Ok(refused(SendRefusal::NoSpace)) };
    if is_taken(tx, run.no, send.step, send.request.as_ref())? {
        return Ok(refused(SendRefusal::Taken));
    }
    if let Some(key) = sent_by(tx, run.no, send.step)? {
        return again(tx, key).map(|posted| Guarded::Held(Sent::Posted(Box::new(posted))));
    }
    if run.cancel {
        return Ok(refused(SendRefusal::Canceled));
    }
    deliver(tx, &row, &audience, &run, send, caps, now).map(Guarded::Held)
}

fn refused(why: SendRefusal) -> Guarded<Sent> {
    Guarded::Held(Sent::Refused(why))
}

/// What an earlier attempt at this step has sent, whatever this one would say.
fn again(tx: &mut Tx<'_>, key: Key) -> Result<Posted> {
    let message = Appended { node: one(tx, key)?.node, seq: key.seq(), repeated: true };
    posted(tx, key.space(), message)
}

fn deliver(
    tx: &mut Tx<'_>,
    row: &SpaceRow,
    audience: &Audience,
    run: &RunRow,
    send: &Send,
    caps: &Caps,
    now: i64,
) -> Result<Sent> {
    let agent = agent_id(tx, run.agent)?;
    if !is_member(tx, row.no, &agent)? {
        return Ok(Sent::Refused(SendRefusal::NoSpace));
    }
    if tells_too_much(tx, row.no, run)? {
        return Ok(Sent::Refused(SendRefusal::Confidential));
    }
    let draft = addressed(send, run, agent);
    let reply = reply_key(tx, row, &draft.node)?;
    let resolved = matching(tx, &audience.open, run.agent, reply)?;
    if let Some(why) = may_not_wait(tx, row, run, send.wait.as_ref(), &resolved, caps)? {
        return Ok(Sent::Refused(why));
    }
    let mut roots = lock_roots_of(tx, run.no)?;
    if roots.iter().all(|root| !root.has_message()) {
        let key = format!("{}:{}", run.id, send.step);
        let refusal = Refused { by: Some(run.no), agent: run.agent, key: &key, node: None, why: Refusal::RootMessages, at: now };
        refuse(tx, &refusal)?;
        return Ok(Sent::Refused(SendRefusal::RootMessages));
    }
    let message = node::append(tx, &send.space, draft)?;
    let expects = send.wait.is_some();
    let sending =
        Sending { sender: run.agent, run: Some((run.no, send.step)), depth: run.depth + 1, expects, wake: &send.wake, caps, now };
    count_message(&mut roots);
    let own = roots.iter_mut().find(|root| root.no == run.root);
    let own = own.ok_or_else(|| StoreError::Unreadable { detail: format!("run {} is charged to nobody", run.id) })?;
    spread(tx, row, &message, &sending, audience, &resolved, own)?;
    roots.iter().try_for_each(|root| root.save(tx))?;
    super::step::sent(tx, run, send, Key::new(row.no, message.seq), now)?;
    go_on(tx, row, run, send, Key::new(row.no, message.seq), caps, now)?;
    posted(tx, row.no, message).map(|posted| Sent::Posted(Box::new(posted)))
}

/// Whether the run has read a confidential space to which somebody here does not belong.
fn tells_too_much(tx: &mut Tx<'_>, space: i64, run: &RunRow) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM run_reads q JOIN spaces s ON s.no = q.space AND s.confidential = 1 \
                       JOIN members m ON m.space = ?2 AND m.gone IS NULL WHERE q.run = ?1 AND q.space <> ?2 \
                       AND NOT EXISTS (SELECT 1 FROM members o WHERE o.space = q.space AND o.entity = m.entity \
                       AND o.gone IS NULL) LIMIT 1";
    Ok(tx.first(SQL, args![run.no, space], |_| Ok(()))?.is_some())
}

/// A message needs room in one of the run's roots, and is charged to each that has some.
fn count_message(roots: &mut [RootRow]) {
    for root in roots.iter_mut().filter(|root| root.has_message()) {
        root.messages += 1;
    }
}

fn addressed(send: &Send, run: &RunRow, agent: EntityId) -> Draft {
    let mut draft = send.draft.clone();
    draft.node.author = agent;
    draft.key = Some(format!("{}:{}", run.id, send.step));
    draft
}

fn agent_id(tx: &mut Tx<'_>, no: i64) -> Result<EntityId> {
    let found = tx.first("SELECT id FROM entities WHERE no = ?1", args![no], |row| Ok(EntityId::from(row.text(0)?)))?;
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("agent {no} is gone") })
}

fn may_not_wait(
    tx: &mut Tx<'_>,
    row: &SpaceRow,
    run: &RunRow,
    wait: Option<&WaitFor>,
    resolved: &[OpenWait],
    caps: &Caps,
) -> Result<Option<SendRefusal>> {
    const OPEN: &str = "SELECT count(*) FROM waits WHERE agent = ?1 AND state = 0 AND kind = 0";
    let Some(wait) = wait else { return Ok(None) };
    if run.waits >= caps.waits {
        return Ok(Some(SendRefusal::Waits));
    }
    if tx.first(OPEN, args![run.agent], |row| row.int(0))?.unwrap_or(0) >= caps.waiting_runs {
        return Ok(Some(SendRefusal::WaitingRuns));
    }
    let repliers = repliers(tx, row.no, run.agent, &wait.accept)?;
    if repliers.is_empty() {
        return Ok(Some(SendRefusal::Alone));
    }
    Ok(is_deadlock(tx, run.agent, repliers, resolved)?.then_some(SendRefusal::Deadlock))
}

/// Opens the wait and lets go of the claim; without a wait the run simply has come further.
fn go_on(tx: &mut Tx<'_>, row: &SpaceRow, run: &RunRow, send: &Send, node: Key, caps: &Caps, now: i64) -> Result<()> {
    let Some(wait) = &send.wait else { return Ok(()) };
    let latest = now.saturating_add(caps.longest_wait);
    let deadline = wait.deadline.unwrap_or(now.saturating_add(caps.wait)).min(latest);
    let (accept, step) = (&wait.accept, send.step);
    wait::open(tx, &NewWait { run: run.no, agent: run.agent, space: row.no, node, step, accept, deadline, now })?;
    tx.run(
        "UPDATE runs SET state = ?2, owner = NULL, lease = NULL, waits = waits + 1, changed_at = ?3 WHERE no = ?1",
        args![run.no, number::WAITING_REPLY, now],
    )?;
    Ok(())
}
