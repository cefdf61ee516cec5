//! What an agent is after and what it remembers.

use super::caps::Caps;
use super::guard::{Guard, Guarded, Lease, hold};
use super::plan::{Chain, NewPlan, put, remove};
use super::row::RunRow;
use super::state::StepStatus;
use super::step::{Done, Intended, Intent, StepRefusal, begin, finish};
use crate::around::agent_changed;
use crate::error::{Result as Stored, StoreError};
use crate::space::{check_text, entity_row};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, Goal, Memory, SpaceId};

/// What a run changes of its agent.
#[derive(Clone, Debug, PartialEq)]
pub enum MindChange {
    /// What it is after. A goal is known by its text.
    Goals(Edit<Goal>),
    /// What it remembers. A memory is known by its text; a topic to be removed takes all that is about it.
    Memories(Edit<Memory>),
    /// Plans that are added or changed, and ids of those that are taken away. They are part of the run's chain.
    Plans(Vec<NewPlan>, Vec<String>),
}

/// Some items added or changed, some removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit<T> {
    /// Whether all that were there go.
    pub anew: bool,
    /// Those to add or change.
    pub add: Vec<T>,
    /// Names of those to remove.
    pub remove: Vec<String>,
}

impl<T: Clone + PartialEq> Edit<T> {
    /// What there is after it. `same` says whether an item is another version of one that is there.
    fn apply(&self, there: Vec<T>, named: impl Fn(&T, &str) -> bool, same: impl Fn(&T, &T) -> bool) -> Vec<T> {
        let mut items = if self.anew { Vec::new() } else { there };
        items.retain(|item| !self.remove.iter().any(|name| named(item, name)));
        for added in &self.add {
            match items.iter_mut().find(|item| same(item, added)) {
                Some(item) => *item = added.clone(),
                None => items.push(added.clone()),
            }
        }
        items
    }
}

/// Goals or memories of one agent: all of them are in every request.
const MOST_ITEMS: usize = 100;
/// Plans of one agent.
const MOST_PLANS: i64 = 100;

/// What came of changing an agent's mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is changed, now or by an earlier attempt at the same step.
    Done,
    /// The run has read this confidential space: what it knows may not outlive it.
    Confidential(SpaceId),
    /// There would be more than there may be.
    TooMany {
        /// How many there may be.
        most: usize,
    },
}

impl Store {
    /// Changes what a run's agent is after, remembers or plans, as one step of the run.
    pub fn change_mind(
        &self,
        guard: &Guard,
        intent: &Intent,
        change: &MindChange,
        result: &str,
        caps: &Caps,
        now: i64,
    ) -> Stored<Guarded<Result<Changed, StepRefusal>>> {
        self.writing(|tx| {
            let Some(run) = hold(tx, guard, Lease::Alive(now))? else { return Ok(Guarded::Lost) };
            match begin(tx, &run, guard, intent, caps, now)? {
                Intended::Begun => {}
                Intended::Before(step) if step.status != StepStatus::Done => {}
                Intended::Before(_) => return Ok(Guarded::Held(Ok(Changed::Done))),
                Intended::Refused(why) => return Ok(Guarded::Held(Err(why))),
            }
            if let Some(space) = confided(tx, run.no)? {
                return Ok(Guarded::Held(Ok(Changed::Confidential(space))));
            }
            if let Some(most) = apply(tx, &run, change)? {
                return Ok(Guarded::Held(Ok(Changed::TooMany { most })));
            }
            let done = Done { result: result.to_owned(), ..Done::default() };
            let _ = finish(tx, &run, intent.step, &done, now)?;
            Ok(Guarded::Held(Ok(Changed::Done)))
        })
    }

    /// Sets what an agent is after, all of it.
    pub fn set_goals(&self, agent: &EntityId, goals: &[Goal]) -> Stored<()> {
        self.writing(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            write_goals(tx, no, goals)
        })
    }

    /// What an agent is after, in its own order.
    pub fn goals(&self, agent: &EntityId) -> Stored<Vec<Goal>> {
        self.reading(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            goals_of(tx, no)
        })
    }

    /// Sets what an agent remembers, all of it.
    pub fn set_memories(&self, agent: &EntityId, memories: &[Memory]) -> Stored<()> {
        self.writing(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            write_memories(tx, no, memories)
        })
    }

    /// What an agent remembers, in its own order.
    pub fn memories(&self, agent: &EntityId) -> Stored<Vec<Memory>> {
        self.reading(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            memories_of(tx, no)
        })
    }
}

/// Changes it, or says how many there may be if there would be more. What is refused is refused before anything is written.
fn apply(tx: &mut Tx<'_>, run: &RunRow, change: &MindChange) -> Stored<Option<usize>> {
    match change {
        MindChange::Goals(edit) => {
            let goals = edit.apply(goals_of(tx, run.agent)?, |goal, name| goal.text == name, |a, b| a.text == b.text);
            if goals.len() > MOST_ITEMS {
                return Ok(Some(MOST_ITEMS));
            }
            write_goals(tx, run.agent, &goals)?;
        }
        MindChange::Memories(edit) => {
            let named = |memory: &Memory, name: &str| memory.text == name || memory.topic == name;
            let memories = edit.apply(memories_of(tx, run.agent)?, named, |a, b| a.text == b.text);
            if memories.len() > MOST_ITEMS {
                return Ok(Some(MOST_ITEMS));
            }
            write_memories(tx, run.agent, &memories)?;
        }
        MindChange::Plans(plans, gone) => return change_plans(tx, run, plans, gone),
    }
    Ok(None)
}

/// Plans that a run makes are part of its chain, and one hop further.
fn change_plans(tx: &mut Tx<'_>, run: &RunRow, plans: &[NewPlan], gone: &[String]) -> Stored<Option<usize>> {
    const NAMES: &str = "SELECT e.id, o.id FROM entities e JOIN roots o ON o.no = ?2 WHERE e.no = ?1";
    const COUNT: &str = "SELECT count(*) FROM plans WHERE agent = ?1 AND removed = 0 AND next_fire IS NOT NULL";
    let names = tx.first(NAMES, args![run.agent, run.root], |row| Ok((EntityId::from(row.text(0)?), row.text(1)?.to_owned())))?;
    let (agent, root) = names.ok_or_else(|| StoreError::Unreadable { detail: format!("run {} has no root", run.id) })?;
    let there = tx.first(COUNT, args![run.agent], |row| row.int(0))?.unwrap_or(0);
    if there + plans.len() as i64 > MOST_PLANS + gone.len() as i64 {
        return Ok(Some(MOST_PLANS as usize));
    }
    gone.iter().try_for_each(|id| remove(tx, run.agent, id).map(drop))?;
    for plan in plans {
        let chain = Some(Chain { root: root.clone(), depth: run.depth + 1 });
        put(tx, &agent, &NewPlan { chain, ..plan.clone() })?;
    }
    Ok(None)
}

/// What an agent is after, by its id.
pub(super) const GOALS: &str =
    "SELECT g.text, g.priority, g.long_term FROM entities e JOIN goals g ON g.agent = e.no WHERE e.id = ?1 ORDER BY g.place";
/// What an agent remembers, by its id.
pub(super) const MEMORIES: &str =
    "SELECT m.topic, m.text FROM entities e JOIN memories m ON m.agent = e.no WHERE e.id = ?1 ORDER BY m.place";

pub(super) fn goal(row: &Row<'_>) -> Stored<Goal> {
    Ok(Goal { text: row.text(0)?.to_owned(), priority: row.maybe_int(1)?, long_term: row.int(2)? != 0 })
}

pub(super) fn memory(row: &Row<'_>) -> Stored<Memory> {
    Ok(Memory { topic: row.text(0)?.to_owned(), text: row.text(1)?.to_owned() })
}

fn goals_of(tx: &mut Tx<'_>, agent: i64) -> Stored<Vec<Goal>> {
    tx.list("SELECT text, priority, long_term FROM goals WHERE agent = ?1 ORDER BY place", args![agent], goal)
}

fn memories_of(tx: &mut Tx<'_>, agent: i64) -> Stored<Vec<Memory>> {
    tx.list("SELECT topic, text FROM memories WHERE agent = ?1 ORDER BY place", args![agent], memory)
}

fn write_goals(tx: &mut Tx<'_>, agent: i64, goals: &[Goal]) -> Stored<()> {
    tx.run("DELETE FROM goals WHERE agent = ?1", args![agent])?;
    for (place, goal) in goals.iter().enumerate() {
        check_text("a goal", &goal.text)?;
        tx.run(
            "INSERT INTO goals(agent, place, text, priority, long_term) VALUES(?1, ?2, ?3, ?4, ?5)",
            args![agent, place as i64, &goal.text, goal.priority, goal.long_term],
        )?;
    }
    agent_changed(tx, agent)
}

fn write_memories(tx: &mut Tx<'_>, agent: i64, memories: &[Memory]) -> Stored<()> {
    tx.run("DELETE FROM memories WHERE agent = ?1", args![agent])?;
    for (place, memory) in memories.iter().enumerate() {
        check_text("a memory", &memory.topic)?;
        check_text("a memory", &memory.text)?;
        tx.run(
            "INSERT INTO memories(agent, place, topic, text) VALUES(?1, ?2, ?3, ?4)",
            args![agent, place as i64, &memory.topic, &memory.text],
        )?;
    }
    agent_changed(tx, agent)
}

/// A confidential space that a run has read.
fn confided(tx: &mut Tx<'_>, run: i64) -> Stored<Option<SpaceId>> {
    const SQL: &str =
        "SELECT s.id FROM run_reads q JOIN spaces s ON s.no = q.space AND s.confidential = 1 WHERE q.run = ?1 LIMIT 1";
    tx.first(SQL, args![run], |row| Ok(SpaceId::from(row.text(0)?)))
}
