//! Looking at runs: one, some, what woke them, what they wait for.

use super::open::named;
use super::row::{Run, RunId, run, run_columns};
use super::state::{How, Refusal, TriggerKind, number};
use super::wait::{Accept, Wait, WaitCancel, WaitState};
use super::wake::Woken;
use crate::changes::NoPlace;
use crate::error::{Result, StoreError};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use std::fmt;
use std::str::FromStr;
use weftwork::model::{EntityId, NodeId, RunStatus, SpaceId};

/// Which runs to show, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQuery {
    /// Of this agent.
    pub agent: Option<EntityId>,
    /// Woken in this space.
    pub space: Option<SpaceId>,
    /// Of these alone; none for all, also those in no space.
    pub among: Option<Among>,
    /// Standing at one of these; anywhere if there are none.
    pub statuses: Vec<RunStatus>,
    /// Older than what a list has shown.
    pub after: Option<RunPlace>,
    /// At most so many; 0 for all.
    pub limit: u32,
}

/// Runs that somebody may see: woken in one of these spaces, of one of these agents, or waiting for a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Among {
    /// The spaces.
    pub spaces: Vec<SpaceId>,
    /// The agents.
    pub agents: Vec<EntityId>,
    /// Spaces for a message in which a run may wait, wherever it was woken.
    pub waiting_in: Vec<SpaceId>,
}

/// A place in a list of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPlace(i64);

impl fmt::Display for RunPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RunPlace {
    type Err = NoPlace;

    fn from_str(text: &str) -> std::result::Result<RunPlace, NoPlace> {
        text.parse().map(RunPlace).map_err(|_| NoPlace { text: text.to_owned() })
    }
}

/// How the runs that have not ended stand, as a mark to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenMark(i64, i64, i64);

/// What woke a run last, in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What it was.
    pub kind: TriggerKind,
    /// The message.
    pub message: Option<NodeId>,
    /// Who said it.
    pub author: Option<EntityId>,
    /// The plan or the service, by name.
    pub name: Option<String>,
}

/// What woke a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// What it was.
    pub kind: TriggerKind,
    /// What it did.
    pub how: How,
    /// The message.
    pub message: Option<NodeId>,
    /// What a plan or a delivery says, as JSON.
    pub body: Option<String>,
    /// Hops from agent to agent before it.
    pub depth: u32,
    /// Whether the sender waits for a reply.
    pub expects_reply: bool,
    /// When.
    pub at: i64,
}

/// What started a chain, and what the chain has used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Its id.
    pub id: String,
    /// Runs so far.
    pub runs: i64,
    /// Messages of agents so far.
    pub messages: i64,
    /// When it began.
    pub created_at: i64,
}

/// The statement of a list, with one more term.
macro_rules! listed {
    ($more:literal) => {
        concat!(
            run_columns!(),
            "WHERE (e.id = ?1 OR CAST(?1 AS TEXT) IS NULL) AND (s.id = ?2 OR CAST(?2 AS TEXT) IS NULL) \
             AND (CAST(?3 AS TEXT) IS NULL OR r.state IN (SELECT CAST(k.value AS INTEGER) FROM \
             /*lite json_each(?3)*/ /*pg jsonb_array_elements_text(CAST(CAST(?3 AS TEXT) AS JSONB))*/ k)) \
             AND (CAST(?5 AS TEXT) IS NULL OR s.id IN \
             (SELECT k.value FROM /*lite json_each(?5)*/ /*pg jsonb_array_elements_text(CAST(CAST(?5 AS TEXT) AS JSONB))*/ k) \
             OR e.id IN \
             (SELECT k.value FROM /*lite json_each(?6)*/ /*pg jsonb_array_elements_text(CAST(CAST(?6 AS TEXT) AS JSONB))*/ k) \
             OR r.state = 2 AND EXISTS (SELECT 1 FROM waits w JOIN spaces h ON h.no = w.space \
             WHERE w.run = r.no AND w.state = 0 AND w.kind = 0 AND h.id IN \
             (SELECT k.value FROM /*lite json_each(?8)*/ /*pg jsonb_array_elements_text(CAST(CAST(?8 AS TEXT) AS JSONB))*/ k))) ",
            $more,
            "AND r.no < ?7 ORDER BY r.no DESC LIMIT ?4"
        )
    };
}

impl Store {
    /// One run.
    pub fn run(&self, id: &RunId) -> Result<Run> {
        const SQL: &str = concat!(run_columns!(), "WHERE r.id = ?1");
        let found = self.reading(|tx| tx.first(SQL, args![id.as_str()], run))?;
        found.ok_or_else(|| StoreError::NoRun { run: id.clone() })
    }

    /// Runs, newest first.
    pub fn runs(&self, query: &RunQuery) -> Result<Vec<Run>> {
        let limit = if query.limit == 0 { i64::MAX } else { i64::from(query.limit) };
        Ok(self.runs_of(query, limit)?.into_iter().map(|(_, run)| run).collect())
    }

    /// The same, and where the list goes on, if it does.
    pub fn run_page(&self, query: &RunQuery) -> Result<(Vec<Run>, Option<RunPlace>)> {
        let mut found = self.runs_of(query, i64::from(query.limit) + 1)?;
        let more = found.len() > query.limit as usize;
        found.truncate(query.limit as usize);
        let next = found.last().filter(|_| more).map(|(place, _)| *place);
        Ok((found.into_iter().map(|(_, run)| run).collect(), next))
    }

    fn runs_of(&self, query: &RunQuery, limit: i64) -> Result<Vec<(RunPlace, Run)>> {
        const ALL: &str = listed!("");
        // In the words of an index, so that it is used however many runs have ended.
        const OPEN: &str = listed!("AND r.state < 5 ");
        let is_open = |status: &RunStatus| status_number(*status) <= number::PARKED;
        let sql = if !query.statuses.is_empty() && query.statuses.iter().all(is_open) { OPEN } else { ALL };
        let agent = query.agent.as_ref().map(EntityId::as_str);
        let space = query.space.as_ref().map(SpaceId::as_str);
        let statuses: Vec<i64> = query.statuses.iter().copied().map(status_number).collect();
        let statuses = Some(statuses).filter(|some| !some.is_empty()).map(|some| serde_json::to_string(&some)).transpose()?;
        let spaces = query.among.as_ref().map(|among| serde_json::to_string(&among.spaces)).transpose()?;
        let agents = query.among.as_ref().map(|among| serde_json::to_string(&among.agents)).transpose()?;
        let waiting = query.among.as_ref().map(|among| serde_json::to_string(&among.waiting_in)).transpose()?;
        let RunPlace(before) = query.after.unwrap_or(RunPlace(i64::MAX));
        let args = args![agent, space, statuses.as_ref(), limit, spaces.as_ref(), agents.as_ref(), before, waiting.as_ref()];
        self.reading(|tx| tx.list(sql, args, |row| Ok((RunPlace(row.int(0)?), run(row)?))))
    }

    /// What differs when a run that has not ended came further, or ended, or there is another.
    pub fn open_mark(&self) -> Result<OpenMark> {
        const SQL: &str = "SELECT count(*), CAST(coalesce(max(changed_at), 0) AS BIGINT), \
                           CAST(coalesce(sum(state), 0) AS BIGINT) FROM runs WHERE state < 5";
        let mark = self.reading(|tx| tx.first(SQL, args![], |row| Ok(OpenMark(row.int(0)?, row.int(1)?, row.int(2)?))))?;
        Ok(mark.unwrap_or_default())
    }

    /// The runs of some spaces that changed their state or came further at a time or later, in that order. Clocks differ and
    /// writers overtake each other: whoever asks again asks from a little before.
    pub fn runs_changed(&self, spaces: &[SpaceId], since: i64) -> Result<Vec<Run>> {
        const SQL: &str = concat!(run_columns!(), "WHERE r.changed_at >= ?1 ORDER BY r.changed_at, r.no");
        let changed = self.reading(|tx| tx.list(SQL, args![since], run))?;
        Ok(changed.into_iter().filter(|run| run.space.as_ref().is_some_and(|space| spaces.contains(space))).collect())
    }

    /// What woke a run, in the order it came: messages as their space orders them, whatever a clock said. The newest that is
    /// not a reply is its trigger, the others are also triggering.
    pub fn triggers(&self, id: &RunId) -> Result<Vec<Trigger>> {
        self.reading(|tx| triggers(tx, id))
    }

    /// What woke a run: the newest of its triggers that is not a reply it waited for.
    pub fn cause(&self, id: &RunId) -> Result<Option<Cause>> {
        const SQL: &str = "SELECT t.kind, n.id, e.id, t.body FROM run_triggers t JOIN runs r ON r.no = t.run \
                           LEFT JOIN nodes n ON n.key = t.node LEFT JOIN entities e ON e.no = n.author \
                           WHERE r.id = ?1 AND t.how <> 2 ORDER BY t.node DESC, t.key DESC LIMIT 1";
        self.reading(|tx| {
            tx.first(SQL, args![id.as_str()], |row| {
                Ok(Cause {
                    kind: TriggerKind::of(row.int(0)?)?,
                    message: row.maybe_text(1)?.map(NodeId::from),
                    author: row.maybe_text(2)?.map(EntityId::from),
                    name: row.maybe_text(3)?.and_then(named),
                })
            })
        })
    }

    /// What a run's messages did not do because of a cap.
    pub fn refusals(&self, id: &RunId) -> Result<Vec<Woken>> {
        const SQL: &str = "SELECT e.id, f.why FROM refusals f JOIN entities e ON e.no = f.agent JOIN runs r ON r.no = f.run \
                           WHERE r.id = ?1 ORDER BY f.no";
        self.reading(|tx| {
            tx.list(SQL, args![id.as_str()], |row| {
                Ok(Woken::Refused { agent: row.text(0)?.into(), why: Refusal::of(row.int(1)?)? })
            })
        })
    }

    /// What a run waits for and waited for, oldest first.
    pub fn waits(&self, id: &RunId) -> Result<Vec<Wait>> {
        self.reading(|tx| waits(tx, id))
    }

    /// The spaces that a run has had to do with: where it was woken, what it read, where it spoke and where it waited. Who
    /// belongs to all of them has seen what it saw.
    pub fn run_spaces(&self, id: &RunId) -> Result<Vec<SpaceId>> {
        const SQL: &str = "SELECT s.id FROM spaces s WHERE s.no IN (SELECT r.space FROM runs r WHERE r.id = ?1 \
                           UNION SELECT q.space FROM run_reads q JOIN runs r ON r.no = q.run WHERE r.id = ?1 \
                           UNION SELECT n.space FROM run_steps t JOIN runs r ON r.no = t.run JOIN nodes n ON n.key = t.node \
                           WHERE r.id = ?1 \
                           UNION SELECT w.space FROM waits w JOIN runs r ON r.no = w.run WHERE r.id = ?1) ORDER BY s.no";
        self.reading(|tx| tx.list(SQL, args![id.as_str()], |row| Ok(SpaceId::from(row.text(0)?))))
    }

    /// What started a chain.
    pub fn root(&self, id: &str) -> Result<Option<Root>> {
        const SQL: &str = "SELECT id, runs, messages, created_at FROM roots WHERE id = ?1";
        self.reading(|tx| {
            tx.first(SQL, args![id], |row| {
                Ok(Root { id: row.text(0)?.to_owned(), runs: row.int(1)?, messages: row.int(2)?, created_at: row.int(3)? })
            })
        })
    }
}

/// What woke a run, by its id.
pub(super) const TRIGGERS: &str = "SELECT t.kind, t.how, (SELECT n.id FROM nodes n WHERE n.key = t.node), t.body, t.depth, \
                                   coalesce((SELECT p.expects FROM posts p WHERE p.node = t.node), 0), t.at FROM run_triggers t \
                                   WHERE t.run = (SELECT r.no FROM runs r WHERE r.id = ?1) \
                                   ORDER BY CASE WHEN t.how = 2 THEN t.at ELSE 0 END, t.node, t.key";

pub(super) fn triggers(tx: &mut Tx<'_>, run: &RunId) -> Result<Vec<Trigger>> {
    tx.list(TRIGGERS, args![run.as_str()], trigger)
}

pub(super) fn waits(tx: &mut Tx<'_>, run: &RunId) -> Result<Vec<Wait>> {
    const SQL: &str = "SELECT w.no, r.id, s.id, n.id, w.step, w.accept, w.deadline, w.state, w.reason, a.id, w.at, w.ended_at \
                       FROM waits w JOIN runs r ON r.no = w.run LEFT JOIN spaces s ON s.no = w.space \
                       LEFT JOIN nodes n ON n.key = w.node LEFT JOIN nodes a ON a.key = w.resolved \
                       WHERE r.id = ?1 ORDER BY w.no";
    let mut waits = tx.list(SQL, args![run.as_str()], |row| Ok((row.int(0)?, wait(row)?)))?;
    for (no, wait) in &mut waits {
        if let Accept::From(named) = &mut wait.accept {
            *named = named_by(tx, *no)?;
        }
    }
    Ok(waits.into_iter().map(|(_, wait)| wait).collect())
}

fn status_number(status: RunStatus) -> i64 {
    match status {
        RunStatus::Queued => 0,
        RunStatus::Running => 1,
        RunStatus::WaitingReply => 2,
        RunStatus::WaitingTool => 3,
        RunStatus::Parked => 4,
        RunStatus::Completed => 5,
        RunStatus::Failed => 6,
        RunStatus::Canceled => 7,
    }
}

pub(super) fn trigger(row: &Row<'_>) -> Result<Trigger> {
    Ok(Trigger {
        kind: TriggerKind::of(row.int(0)?)?,
        how: How::of(row.int(1)?)?,
        message: row.maybe_text(2)?.map(NodeId::from),
        body: row.maybe_text(3)?.map(str::to_owned),
        depth: row.int(4)? as u32,
        expects_reply: row.int(5)? != 0,
        at: row.int(6)?,
    })
}

fn named_by(tx: &mut Tx<'_>, wait: i64) -> Result<Vec<EntityId>> {
    const SQL: &str = "SELECT e.id FROM wait_from f JOIN entities e ON e.no = f.entity WHERE f.wait = ?1 ORDER BY e.no";
    tx.list(SQL, args![wait], |row| Ok(EntityId::from(row.text(0)?)))
}

fn wait(row: &Row<'_>) -> Result<Wait> {
    let state = match (row.int(7)?, row.maybe_int(8)?) {
        (0, _) => WaitState::Open,
        (1, _) => WaitState::Resolved(row.maybe_text(9)?.map(NodeId::from)),
        (2, _) => WaitState::Expired,
        (_, reason) => WaitState::Canceled(WaitCancel::of(reason.unwrap_or(-1))?),
    };
    let accept = match row.int(5)? {
        0 => Accept::Any,
        1 => Accept::Reply,
        _ => Accept::From(Vec::new()),
    };
    Ok(Wait {
        run: row.text(1)?.into(),
        space: row.maybe_text(2)?.map(SpaceId::from),
        message: row.maybe_text(3)?.map(NodeId::from),
        step: row.int(4)? as u32,
        accept,
        deadline: row.int(6)?,
        state,
        at: row.int(10)?,
        ended_at: row.maybe_int(11)?,
    })
}
