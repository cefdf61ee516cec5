//! Beginning a run, and writing down what woke it or why nothing was woken.

use super::due::announce;
use super::row::{RunId, derived};
use super::state::{How, Refusal, TriggerKind, number};
use crate::error::{Result, StoreError};
use crate::sql::{Tx, args};

/// What wakes an agent.
#[derive(Clone, Copy)]
pub(super) struct NewTrigger<'a> {
    /// The same key never wakes the same agent twice.
    pub(super) key: &'a str,
    pub(super) kind: TriggerKind,
    pub(super) node: Option<i64>,
    /// The agent who sent it, if one did.
    pub(super) sender: Option<i64>,
    pub(super) body: Option<&'a str>,
    pub(super) root: i64,
    pub(super) depth: u32,
    pub(super) at: i64,
}

/// Queues a run for a trigger. The root is charged by the caller, who knows whether it has room.
pub(super) fn start(tx: &mut Tx<'_>, agent: (i64, &str), space: Option<i64>, trigger: &NewTrigger<'_>) -> Result<RunId> {
    let id = derived(&["run", agent.1, trigger.key]);
    const SQL: &str = "INSERT INTO runs(id, agent, space, root, depth, state, fresh, epoch, claims, progress, waits, \
                       available_at, cancel, created_at, changed_at) \
                       VALUES(?1, ?2, ?3, ?4, ?5, ?6, 1, 0, 0, 0, 0, ?7, 0, ?7, ?7) \
                       RETURNING no, (SELECT external FROM entities WHERE entities.no = runs.agent)";
    let row = args![&id, agent.0, space, trigger.root, trigger.depth, number::QUEUED, trigger.at];
    let made = tx.first(SQL, row, |row| Ok((row.int(0)?, row.int(1)? == 1)))?;
    let (run, is_external) = made.ok_or_else(|| StoreError::Unreadable { detail: format!("run {id} was not made") })?;
    charge(tx, run, trigger.root)?;
    record(tx, agent.0, run, How::Started, trigger)?;
    if is_external {
        announce(tx, run)?;
    }
    Ok(RunId::from(id.as_str()))
}

/// Makes a root one of those that pay for a run.
pub(super) fn charge(tx: &mut Tx<'_>, run: i64, root: i64) -> Result<()> {
    tx.run("INSERT INTO run_roots(run, root) VALUES(?1, ?2)", args![run, root])?;
    Ok(())
}

/// Writes down what a trigger did.
pub(super) fn record(tx: &mut Tx<'_>, agent: i64, run: i64, how: How, trigger: &NewTrigger<'_>) -> Result<()> {
    tx.run(
        "INSERT INTO run_triggers(agent, key, run, how, kind, node, sender, body, depth, at) \
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        args![
            agent,
            trigger.key,
            run,
            how.number(),
            trigger.kind.number(),
            trigger.node,
            trigger.sender,
            trigger.body,
            trigger.depth,
            trigger.at
        ],
    )?;
    Ok(())
}

/// Something that a cap forbade.
pub(super) struct Refused<'a> {
    /// The run that wanted it.
    pub(super) by: Option<i64>,
    /// Who was not woken, or may not send.
    pub(super) agent: i64,
    pub(super) key: &'a str,
    pub(super) node: Option<i64>,
    pub(super) why: Refusal,
    pub(super) at: i64,
}

/// Writes down what was not done, where a person will see it.
pub(super) fn refuse(tx: &mut Tx<'_>, refused: &Refused<'_>) -> Result<()> {
    tx.run(
        "INSERT INTO refusals(run, agent, key, node, why, at) VALUES(?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT(agent, key) DO NOTHING",
        args![refused.by, refused.agent, refused.key, refused.node, refused.why.number(), refused.at],
    )?;
    Ok(())
}
