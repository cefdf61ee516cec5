//! Steps of a run: written down before they are done, and again after.

use super::budget::{Budget, Reserved, reserve, settle};
use super::caps::Caps;
use super::guard::{Guard, Guarded, Lease, hold};
use super::row::{RunId, RunRow};
use super::send::Send;
use super::state::{StepKind, StepStatus};
use crate::error::{Result, StoreError};
use crate::node::{Key, Seq};
use crate::space::{check_text, find_space};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::{NodeId, SpaceId};

/// A step that is about to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// Its number, from 1.
    pub step: u32,
    /// What it does.
    pub kind: StepKind,
    /// Hash of what is asked.
    pub request: Option<[u8; 32]>,
    /// What it may cost at most, in billionths of a dollar; none when nobody can tell.
    pub most: Option<i64>,
}

/// What came of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The result, as JSON.
    pub result: String,
    /// What it cost.
    pub cost: i64,
    /// How far it has read, in which spaces.
    pub reads: Vec<(SpaceId, Seq)>,
}

/// A step as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number.
    pub step: u32,
    /// What it does.
    pub kind: StepKind,
    /// What is known of it.
    pub status: StepStatus,
    /// The claim it was begun under.
    pub epoch: i64,
    /// Hash of what was asked.
    pub request: Option<Vec<u8>>,
    /// The result, as JSON.
    pub result: Option<String>,
    /// What was reserved for it.
    pub reserved: i64,
    /// What it cost.
    pub cost: i64,
    /// The message it sent.
    pub message: Option<NodeId>,
}

/// What came of beginning a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intended {
    /// It may be done now.
    Begun,
    /// It was begun before: by an attempt that died, if it is not done.
    Before(Step),
    /// It may not be done.
    Refused(StepRefusal),
}

/// Why a step may not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepRefusal {
    /// The run was asked to stop.
    Canceled,
    /// Another act has this number.
    Taken,
    /// The run has had its steps.
    Steps,
    /// This budget has not enough left, or nobody can tell what the step may cost.
    Budget(Box<Budget>),
}

/// Whether a step was settled by this call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// By this one.
    Now,
    /// By an earlier one.
    Before,
}

/// The columns that [`read`] reads.
macro_rules! step_columns {
    () => {
        "SELECT s.step, s.kind, s.status, s.epoch, s.request, s.result, s.reserved, s.cost, n.id FROM run_steps s \
         LEFT JOIN nodes n ON n.key = s.node "
    };
}

impl Store {
    /// Begins a step and reserves what it may cost.
    pub fn step_intent(&self, guard: &Guard, intent: &Intent, caps: &Caps, now: i64) -> Result<Guarded<Intended>> {
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
            begin(tx, &run, guard, intent, caps, now).map(Guarded::Held)
        })
    }

    /// Ends a step: its result, what it cost, how far it has read. The run has come further.
    pub fn step_done(&self, guard: &Guard, step: u32, done: &Done, now: i64) -> Result<Guarded<Settled>> {
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
            finish(tx, &run, step, done, now).map(Guarded::Held)
        })
    }

    /// Says of a step that nobody knows what came of it. All that was reserved counts as spent.
    pub fn step_unknown(&self, guard: &Guard, step: u32, now: i64) -> Result<Guarded<()>> {
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
            match find(tx, run.no, step)? {
                Some(found) if found.status == StepStatus::Intent => give_up(tx, run.no, &found, now)?,
                Some(_) | None => {}
            }
            Ok(Guarded::Held(()))
        })
    }

    /// Says of a step that it failed, and what that cost. What was reserved and not spent is free again; the run has not come
    /// further, and a model that failed takes none of the run's steps.
    pub fn step_failed(&self, guard: &Guard, step: u32, cost: i64, now: i64) -> Result<Guarded<()>> {
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Ours)? else { return Ok(Guarded::Lost) };
            match find(tx, run.no, step)? {
                Some(found) if found.status == StepStatus::Intent => close(tx, run.no, &found, cost, now)?,
                Some(_) | None => {}
            }
            Ok(Guarded::Held(()))
        })
    }

    /// Writes down how far a run has read, outside of its steps.
    pub fn note_run_reads(&self, guard: &Guard, reads: &[(SpaceId, Seq)], now: i64) -> Result<Guarded<()>> {
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
            note_reads(tx, run.no, reads).map(Guarded::Held)
        })
    }

    /// The steps of a run, in order.
    pub fn steps(&self, run: &RunId) -> Result<Vec<Step>> {
        self.reading(|tx| steps(tx, run))
    }
}

/// The steps of a run, by its id.
pub(super) const STEPS: &str = concat!(step_columns!(), "JOIN runs r ON r.no = s.run WHERE r.id = ?1 ORDER BY s.step");

pub(super) fn steps(tx: &mut Tx<'_>, run: &RunId) -> Result<Vec<Step>> {
    tx.list(STEPS, args![run.as_str()], read)
}

pub(super) fn begin(tx: &mut Tx<'_>, run: &RunRow, guard: &Guard, intent: &Intent, caps: &Caps, now: i64) -> Result<Intended> {
    if run.cancel {
        return Ok(Intended::Refused(StepRefusal::Canceled));
    }
    if let Some(found) = find(tx, run.no, intent.step)? {
        if is_another(&found, intent.request.as_ref()) {
            return Ok(Intended::Refused(StepRefusal::Taken));
        }
        tx.run(
            "UPDATE run_steps SET epoch = ?3 WHERE run = ?1 AND step = ?2 AND status = 0",
            args![run.no, intent.step, guard.epoch],
        )?;
        return Ok(Intended::Before(found));
    }
    // A provider that asks for patience all day long uses up none of them.
    const COUNT: &str = "SELECT count(*) FROM run_steps WHERE run = ?1 AND (status <> 2 OR kind <> 0)";
    if tx.first(COUNT, args![run.no], |row| row.int(0))?.unwrap_or(0) >= i64::from(caps.steps) {
        return Ok(Intended::Refused(StepRefusal::Steps));
    }
    if let Reserved::Refused(budget) = reserve(tx, run, intent.step, intent.most, now)? {
        return Ok(Intended::Refused(StepRefusal::Budget(Box::new(budget))));
    }
    let request = intent.request.as_ref().map(<[u8; 32]>::as_slice);
    tx.run(
        "INSERT INTO run_steps(run, step, kind, status, epoch, request, reserved, cost, at) \
         VALUES(?1, ?2, ?3, 0, ?4, ?5, ?6, 0, ?7)",
        args![run.no, intent.step, intent.kind.number(), guard.epoch, request, intent.most.unwrap_or(0), now],
    )?;
    Ok(Intended::Begun)
}

/// Ends a step that was begun.
pub(super) fn finish(tx: &mut Tx<'_>, run: &RunRow, step: u32, done: &Done, now: i64) -> Result<Settled> {
    check_text("a step's result", &done.result)?;
    let found = find(tx, run.no, step)?.ok_or_else(|| StoreError::NoStep { run: run.id.clone(), step })?;
    // What was read was read, whoever wrote the step down.
    note_reads(tx, run.no, &done.reads)?;
    if found.status == StepStatus::Done {
        return Ok(Settled::Before);
    }
    // Of what was given up, all that was reserved was counted: the true cost comes too late to be taken back.
    if found.status == StepStatus::Intent {
        settle(tx, run.no, step, found.reserved, done.cost)?;
    }
    let cost = if found.status == StepStatus::Intent { done.cost } else { found.cost };
    tx.run(
        "UPDATE run_steps SET status = ?6, result = ?3, cost = ?4, ended_at = ?5 WHERE run = ?1 AND step = ?2",
        args![run.no, step, &done.result, cost, now, StepStatus::Done.number()],
    )?;
    come_further(tx, run.no, step, now)?;
    Ok(Settled::Now)
}

/// Remembers how far a run has read.
fn note_reads(tx: &mut Tx<'_>, run: i64, reads: &[(SpaceId, Seq)]) -> Result<()> {
    for (space, seq) in reads {
        let space = find_space(tx, space)?.no;
        tx.run(
            "INSERT INTO run_reads(run, space, seq) VALUES(?1, ?2, ?3) \
             ON CONFLICT(run, space) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > run_reads.seq",
            args![run, space, seq.0],
        )?;
    }
    Ok(())
}

fn come_further(tx: &mut Tx<'_>, run: i64, step: u32, now: i64) -> Result<()> {
    tx.run("UPDATE runs SET progress = ?2, claims = 0, changed_at = ?3 WHERE no = ?1", args![run, step, now])?;
    Ok(())
}

/// Whether a step with a number that was asked for is another act.
fn is_another(found: &Step, request: Option<&[u8; 32]>) -> bool {
    found.request.as_deref().zip(request).is_some_and(|(found, asked)| found != asked.as_slice())
}

/// Whether another act has this number.
pub(super) fn is_taken(tx: &mut Tx<'_>, run: i64, step: u32, request: Option<&[u8; 32]>) -> Result<bool> {
    Ok(find(tx, run, step)?.is_some_and(|found| is_another(&found, request)))
}

/// The message that a step has sent.
pub(super) fn sent_by(tx: &mut Tx<'_>, run: i64, step: u32) -> Result<Option<Key>> {
    const SQL: &str = "SELECT node FROM run_steps WHERE run = ?1 AND step = ?2 AND node IS NOT NULL";
    Ok(tx.first(SQL, args![run, step], |row| row.int(0))?.map(Key))
}

/// Writes down that a step has sent a message.
pub(super) fn sent(tx: &mut Tx<'_>, run: &RunRow, send: &Send, node: Key, now: i64) -> Result<()> {
    let (step, request) = (send.step, send.request.as_ref().map(<[u8; 32]>::as_slice));
    if let Some(found) = find(tx, run.no, step)?.filter(|found| found.status == StepStatus::Intent) {
        settle(tx, run.no, step, found.reserved, 0)?;
    }
    tx.run(
        "INSERT INTO run_steps(run, step, kind, status, epoch, request, reserved, cost, node, at, ended_at) \
         SELECT no, ?2, ?3, 1, epoch, ?6, 0, 0, ?4, ?5, ?5 FROM runs WHERE no = ?1 \
         ON CONFLICT(run, step) DO UPDATE SET kind = excluded.kind, status = 1, node = excluded.node, ended_at = excluded.ended_at",
        args![run.no, step, StepKind::Send.number(), node.0, now, request],
    )?;
    come_further(tx, run.no, step, now)
}

/// Gives up every step that was begun and not ended: nobody knows what came of it, so all that was reserved is spent.
pub(super) fn abandon(tx: &mut Tx<'_>, run: i64, now: i64) -> Result<()> {
    const OPEN: &str = concat!(step_columns!(), "WHERE s.run = ?1 AND s.status = 0 ORDER BY s.step");
    for step in tx.list(OPEN, args![run], read)? {
        give_up(tx, run, &step, now)?;
    }
    Ok(())
}

fn give_up(tx: &mut Tx<'_>, run: i64, step: &Step, now: i64) -> Result<()> {
    close(tx, run, step, step.reserved, now)
}

/// Ends a step that gave nothing.
fn close(tx: &mut Tx<'_>, run: i64, step: &Step, cost: i64, now: i64) -> Result<()> {
    settle(tx, run, step.step, step.reserved, cost)?;
    tx.run(
        "UPDATE run_steps SET status = ?5, cost = ?3, ended_at = ?4 WHERE run = ?1 AND step = ?2",
        args![run, step.step, cost, now, StepStatus::Unknown.number()],
    )?;
    Ok(())
}

fn find(tx: &mut Tx<'_>, run: i64, step: u32) -> Result<Option<Step>> {
    const SQL: &str = concat!(step_columns!(), "WHERE s.run = ?1 AND s.step = ?2");
    tx.first(SQL, args![run, step], read)
}

fn read(row: &Row<'_>) -> Result<Step> {
    Ok(Step {
        step: row.int(0)? as u32,
        kind: StepKind::of(row.int(1)?)?,
        status: StepStatus::of(row.int(2)?)?,
        epoch: row.int(3)?,
        request: row.maybe_bytes(4)?.map(<[u8]>::to_vec),
        result: row.maybe_text(5)?.map(str::to_owned),
        reserved: row.int(6)?,
        cost: row.int(7)?,
        message: row.maybe_text(8)?.map(NodeId::from),
    })
}
