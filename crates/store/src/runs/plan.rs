//! Plans: fired once for each time they were due for. Which times those are is the caller's to compute.

use super::caps::Caps;
use super::root::{lock_root, new_root};
use super::row::RunId;
use super::start::{NewTrigger, Refused, refuse, start};
use super::state::{Refusal, TriggerKind};
use crate::around::agent_changed;
use crate::error::{Result, StoreError};
use crate::node::check_id;
use crate::space::{check_text, entity_row};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// The chain in which something was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The root's id.
    pub root: String,
    /// How deep in the chain what was made stands.
    pub depth: u32,
}

/// A plan to be added or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPlan {
    /// Its id, the agent's own.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What to do.
    pub instruction: String,
    /// When, as the caller writes it.
    pub schedule: String,
    /// The next time it is due; none if never again.
    pub next_fire: Option<i64>,
    /// The chain it was made in, if it was made in one.
    pub chain: Option<Chain>,
}

/// A plan as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPlan {
    /// Whose.
    pub agent: EntityId,
    /// Its id.
    pub id: String,
    /// Raised by every change.
    pub version: i64,
    /// Its name.
    pub name: String,
    /// What to do.
    pub instruction: String,
    /// When, as the caller wrote it.
    pub schedule: String,
    /// The next time it is due.
    pub next_fire: Option<i64>,
}

/// A plan that came due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fire {
    /// The plan.
    pub plan: StoredPlan,
    /// The time it was due for; of several that were missed, the latest.
    pub scheduled_for: i64,
    /// The run it began, or why it began none.
    pub run: std::result::Result<RunId, Refusal>,
}

/// Given a plan, the first time it was due and now: the latest time that has come, and the first that has not.
pub type Times<'a> = &'a dyn Fn(&StoredPlan, i64, i64) -> (i64, Option<i64>);

/// The columns that [`read`] reads.
macro_rules! plan_columns {
    () => {
        "SELECT p.no, e.id, p.id, p.version, p.name, p.instruction, p.schedule, p.next_fire, p.root, p.depth, e.no \
         FROM plans p JOIN entities e ON e.no = p.agent "
    };
}

struct PlanRow {
    no: i64,
    agent: i64,
    root: Option<i64>,
    depth: u32,
    plan: StoredPlan,
}

fn read(row: &Row<'_>) -> Result<PlanRow> {
    let plan = StoredPlan {
        agent: row.text(1)?.into(),
        id: row.text(2)?.to_owned(),
        version: row.int(3)?,
        name: row.text(4)?.to_owned(),
        instruction: row.text(5)?.to_owned(),
        schedule: row.text(6)?.to_owned(),
        next_fire: row.maybe_int(7)?,
    };
    Ok(PlanRow { no: row.int(0)?, agent: row.int(10)?, root: row.maybe_int(8)?, depth: row.int(9)? as u32, plan })
}

impl Store {
    /// Adds a plan of an agent, or changes it.
    pub fn put_plan(&self, agent: &EntityId, plan: &NewPlan) -> Result<()> {
        self.writing(|tx| put(tx, agent, plan))
    }

    /// Takes a plan away: it never fires again. Says whether it was there.
    pub fn remove_plan(&self, agent: &EntityId, id: &str) -> Result<bool> {
        self.writing(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            remove(tx, no, id)
        })
    }

    /// The plans of an agent.
    pub fn plans(&self, agent: &EntityId) -> Result<Vec<StoredPlan>> {
        self.reading(|tx| plans_of(tx, agent))
    }

    /// Fires plans that are due. Of several times that were missed the latest is fired, once. `times` is given a plan, the
    /// first time it was due and now; it says the latest time that has come and the first that has not. It must not look at
    /// a clock, and it must be quick: others wait meanwhile.
    pub fn fire_plans(&self, limit: i64, caps: &Caps, now: i64, times: Times<'_>) -> Result<Vec<Fire>> {
        const DUE: &str = concat!(
            plan_columns!(),
            "WHERE p.next_fire <= ?1 ORDER BY p.next_fire, p.no LIMIT ?2 /*pg FOR UPDATE OF p SKIP LOCKED*/"
        );
        self.writing(|tx| {
            let mut fired = Vec::new();
            for plan in tx.list(DUE, args![now, limit], read)? {
                fired.extend(fire(tx, plan, caps, now, times)?);
            }
            Ok(fired)
        })
    }
}

/// The plans of an agent, by its id.
pub(super) const PLANS: &str = concat!(plan_columns!(), "WHERE e.id = ?1 AND p.removed = 0 ORDER BY p.no");

pub(super) fn plans_of(tx: &mut Tx<'_>, agent: &EntityId) -> Result<Vec<StoredPlan>> {
    tx.list(PLANS, args![agent.as_str()], |row| Ok(read(row)?.plan))
}

/// Adds or changes a plan.
pub(super) fn put(tx: &mut Tx<'_>, agent: &EntityId, plan: &NewPlan) -> Result<()> {
    check_id(&plan.id)?;
    [&plan.name, &plan.instruction, &plan.schedule].into_iter().try_for_each(|text| check_text("a plan", text))?;
    const ROOT: &str = "SELECT no FROM roots WHERE id = ?1";
    let (no, _) = entity_row(tx, agent)?;
    let root = match &plan.chain {
        Some(chain) => {
            let found = tx.first(ROOT, args![&chain.root], |row| row.int(0))?;
            Some(found.ok_or_else(|| StoreError::NoRun { run: RunId::from(chain.root.as_str()) })?)
        }
        None => None,
    };
    let depth = plan.chain.as_ref().map_or(0, |chain| chain.depth);
    tx.run(
        "INSERT INTO plans(agent, id, version, name, instruction, schedule, next_fire, root, depth, removed) \
         VALUES(?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8, 0) ON CONFLICT(agent, id) DO UPDATE SET version = plans.version + 1, \
         name = excluded.name, instruction = excluded.instruction, schedule = excluded.schedule, \
         next_fire = excluded.next_fire, root = excluded.root, depth = excluded.depth, removed = 0",
        args![no, &plan.id, &plan.name, &plan.instruction, &plan.schedule, plan.next_fire, root, depth],
    )?;
    agent_changed(tx, no)
}

/// Takes a plan away; says whether it was there.
pub(super) fn remove(tx: &mut Tx<'_>, agent: i64, id: &str) -> Result<bool> {
    const SQL: &str = "UPDATE plans SET removed = 1, next_fire = NULL WHERE agent = ?1 AND id = ?2 AND removed = 0";
    let was_there = tx.run(SQL, args![agent, id])? == 1;
    if was_there {
        agent_changed(tx, agent)?;
    }
    Ok(was_there)
}

fn fire(tx: &mut Tx<'_>, row: PlanRow, caps: &Caps, now: i64, times: Times<'_>) -> Result<Option<Fire>> {
    const BEFORE: &str = "SELECT plan FROM plan_fires WHERE plan = ?1 AND scheduled_for = ?2";
    let Some(first) = row.plan.next_fire else { return Ok(None) };
    let (scheduled_for, next) = times(&row.plan, first, now);
    // A schedule that stands still has ended.
    let next = next.filter(|next| *next > now);
    tx.run("UPDATE plans SET next_fire = ?2 WHERE no = ?1", args![row.no, next])?;
    agent_changed(tx, row.agent)?;
    if tx.first(BEFORE, args![row.no, scheduled_for], |_| Ok(()))?.is_some() {
        // The clock went back, or the plan was set to a time that has been: never twice.
        return Ok(None);
    }
    let run = begin(tx, &row, scheduled_for, caps, now)?;
    let (begun, refused) = match &run {
        Ok(run) => (Some(run.as_str()), None),
        Err(why) => (None, Some(why.number())),
    };
    tx.run(
        "INSERT INTO plan_fires(plan, scheduled_for, run, refused, at) \
         VALUES(?1, ?2, (SELECT no FROM runs WHERE id = ?3), ?4, ?5)",
        args![row.no, scheduled_for, begun, refused, now],
    )?;
    Ok(Some(Fire { plan: row.plan, scheduled_for, run }))
}

fn begin(
    tx: &mut Tx<'_>,
    row: &PlanRow,
    scheduled_for: i64,
    caps: &Caps,
    now: i64,
) -> Result<std::result::Result<RunId, Refusal>> {
    let agent = row.plan.agent.as_str();
    let key = format!("plan:{}:{}:{scheduled_for}", row.no, row.plan.id);
    let root = match row.root {
        Some(root) => root,
        None => new_root(tx, &key, caps, now)?,
    };
    let mut root = lock_root(tx, root)?;
    let refusal = if row.depth >= caps.depth {
        Some(Refusal::Depth)
    } else if !root.has_run() {
        Some(Refusal::RootRuns)
    } else {
        is_under_way(tx, row.no)?.then_some(Refusal::Overlap)
    };
    if let Some(why) = refusal {
        refuse(tx, &Refused { by: None, agent: row.agent, key: &key, node: None, why, at: now })?;
        return Ok(Err(why));
    }
    let body = serde_json::json!({
        "plan": row.plan.id, "name": row.plan.name, "instruction": row.plan.instruction, "scheduledAt": scheduled_for,
    });
    let body = body.to_string();
    let trigger = NewTrigger {
        key: &key,
        kind: TriggerKind::Plan,
        node: None,
        sender: None,
        body: Some(&body),
        root: root.no,
        depth: row.depth,
        at: now,
    };
    root.runs += 1;
    root.save(tx)?;
    start(tx, (row.agent, agent), None, &trigger).map(Ok)
}

/// Whether an earlier run of the plan has not ended: a plan that is slower than its period skips a turn.
fn is_under_way(tx: &mut Tx<'_>, plan: i64) -> Result<bool> {
    const SQL: &str = "SELECT r.no FROM plan_fires f JOIN runs r ON r.no = f.run WHERE f.plan = ?1 AND r.ended_at IS NULL";
    Ok(tx.first(SQL, args![plan], |_| Ok(()))?.is_some())
}
