//! Money: reserved before a call, settled after it, refused when it is not there.

use super::row::{RunId, RunRow};
use crate::error::{Result, StoreError};
use crate::space::{entity_row, find_space};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, SpaceId};

/// Whose money it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One agent's.
    Agent(EntityId),
    /// One space's.
    Space(SpaceId),
    /// One root's, by its id.
    Root(String),
}

/// What may be spent in a stretch of time. Money is in billionths of a dollar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Whose.
    pub scope: Scope,
    /// From when.
    pub starts: i64,
    /// Until when, not included.
    pub ends: i64,
    /// How much.
    pub cap: i64,
    /// What calls that are under way may cost at most.
    pub reserved: i64,
    /// What was spent.
    pub spent: i64,
}

impl Store {
    /// Sets what may be spent from one time until another. What was spent stays counted.
    pub fn put_budget(&self, scope: &Scope, starts: i64, ends: i64, cap: i64) -> Result<()> {
        self.writing(|tx| put_budget(tx, scope.clone(), starts, ends, cap))
    }

    /// All budgets.
    pub fn budgets(&self) -> Result<Vec<Budget>> {
        self.reading(|tx| tx.list(ALL, &[], read))
    }
}

macro_rules! budget_columns {
    () => {
        "SELECT b.no, b.scope, e.id, s.id, o.id, b.starts, b.ends, b.cap, b.reserved, b.spent FROM budgets b \
         LEFT JOIN entities e ON b.scope = 0 AND e.no = b.subject LEFT JOIN spaces s ON b.scope = 1 AND s.no = b.subject \
         LEFT JOIN roots o ON b.scope = 2 AND o.no = b.subject "
    };
}
const ALL: &str = concat!(budget_columns!(), "ORDER BY b.no");

fn read(row: &Row<'_>) -> Result<Budget> {
    let scope = match (row.maybe_text(2)?, row.maybe_text(3)?, row.maybe_text(4)?) {
        (Some(agent), _, _) => Scope::Agent(agent.into()),
        (_, Some(space), _) => Scope::Space(space.into()),
        (_, _, Some(root)) => Scope::Root(root.to_owned()),
        (None, None, None) => return Err(StoreError::Unreadable { detail: "a budget of nobody".into() }),
    };
    Ok(Budget { scope, starts: row.int(5)?, ends: row.int(6)?, cap: row.int(7)?, reserved: row.int(8)?, spent: row.int(9)? })
}

pub(super) fn put_budget(tx: &mut Tx<'_>, scope: Scope, starts: i64, ends: i64, cap: i64) -> Result<()> {
    let (number, subject) = match scope {
        Scope::Agent(agent) => (0_i64, entity_row(tx, &agent)?.0),
        Scope::Space(space) => (1, find_space(tx, &space)?.no),
        Scope::Root(root) => {
            let found = tx.first("SELECT no FROM roots WHERE id = ?1", args![&root], |row| row.int(0))?;
            (2, found.ok_or(StoreError::NoRun { run: RunId::from(root.as_str()) })?)
        }
    };
    tx.run(
        "INSERT INTO budgets(scope, subject, starts, ends, cap, reserved, spent) VALUES(?1, ?2, ?3, ?4, ?5, 0, 0) \
         ON CONFLICT(scope, subject, starts) DO UPDATE SET ends = excluded.ends, cap = excluded.cap",
        args![number, subject, starts, ends, cap],
    )?;
    Ok(())
}

/// Who is about to spend: an agent, in a space, in a run, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spender {
    pub(crate) agent: Option<i64>,
    pub(crate) space: Option<i64>,
    pub(crate) run: Option<i64>,
}

/// What came of asking for money.
pub(super) enum Reserved {
    /// It is held.
    Held,
    /// This budget has not got it.
    Refused(Budget),
}

/// Reserves what a step may cost at most in every budget that applies to its run; none is what nobody can tell, and is
/// refused where there is a budget.
pub(super) fn reserve(tx: &mut Tx<'_>, run: &RunRow, step: u32, most: Option<i64>, now: i64) -> Result<Reserved> {
    let spender = Spender { agent: Some(run.agent), space: run.space, run: Some(run.no) };
    let budgets = match lock_budgets(tx, spender, most, now)? {
        Ok(budgets) => budgets,
        Err(short) => return Ok(Reserved::Refused(short)),
    };
    for budget in budgets {
        tx.run("UPDATE budgets SET reserved = reserved + ?2 WHERE no = ?1", args![budget, most.unwrap_or(0)])?;
        tx.run("INSERT INTO holds(run, step, budget) VALUES(?1, ?2, ?3)", args![run.no, step, budget])?;
    }
    Ok(Reserved::Held)
}

/// The numbers of all budgets that apply, locked, or the first that has not got so much left.
pub(crate) fn lock_budgets(
    tx: &mut Tx<'_>,
    spender: Spender,
    most: Option<i64>,
    now: i64,
) -> Result<std::result::Result<Vec<i64>, Budget>> {
    const SQL: &str = concat!(
        budget_columns!(),
        "WHERE b.starts <= ?4 AND b.ends > ?4 AND (b.scope = 0 AND b.subject = ?1 OR b.scope = 1 AND b.subject = ?2 \
         OR b.scope = 2 AND b.subject IN (SELECT root FROM run_roots WHERE run = ?3)) ORDER BY b.no /*pg FOR UPDATE OF b*/"
    );
    let fits = |budget: &Budget| {
        let left = budget.cap.saturating_sub(budget.reserved).saturating_sub(budget.spent);
        most.is_some_and(|most| most <= left)
    };
    let Spender { agent, space, run } = spender;
    let budgets = tx.list(SQL, args![agent, space, run, now], |row| Ok((row.int(0)?, read(row)?)))?;
    match budgets.iter().find(|(_, budget)| !fits(budget)) {
        Some((_, short)) => Ok(Err(short.clone())),
        None => Ok(Ok(budgets.into_iter().map(|(no, _)| no).collect())),
    }
}

/// Gives back what a step reserved and counts what it cost.
pub(super) fn settle(tx: &mut Tx<'_>, run: i64, step: u32, reserved: i64, cost: i64) -> Result<()> {
    const HELD: &str = "SELECT no FROM budgets WHERE no IN (SELECT budget FROM holds WHERE run = ?1 AND step = ?2) \
                        ORDER BY no /*pg FOR UPDATE*/";
    for budget in tx.list(HELD, args![run, step], |row| row.int(0))? {
        tx.run("UPDATE budgets SET reserved = reserved - ?2, spent = spent + ?3 WHERE no = ?1", args![budget, reserved, cost])?;
    }
    Ok(())
}
