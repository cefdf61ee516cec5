//! Whom a message wakes: every other agent of the space, unless a cap says no.

use super::caps::Caps;
use super::root::RootRow;
use super::row::RunId;
use super::start::{NewTrigger, Refused, charge, record, refuse, start};
use super::state::{How, Refusal};
use super::wait::OpenWait;
use crate::error::{Result, StoreError};
use crate::node::{Key, at_id};
use crate::space::find_space;
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, NodeId, SpaceId};

/// Whom a message may wake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wake {
    /// Every agent who belongs to the space.
    #[default]
    All,
    /// Only those it names.
    Mentioned(Vec<EntityId>),
}

/// What a message did to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Woken {
    /// It runs, or will.
    Run {
        /// Who.
        agent: EntityId,
        /// In which run.
        run: RunId,
        /// What the message did to it.
        how: How,
    },
    /// A cap said no.
    Refused {
        /// Who.
        agent: EntityId,
        /// Which cap.
        why: Refusal,
    },
}

/// A run that nobody has claimed yet: more triggers may join it.
#[derive(Clone, Debug)]
pub(super) struct FreshRun {
    no: i64,
    agent: i64,
    depth: u32,
}

/// Who listens in a space: the waits that are open there, and the runs that others may join. All of it is locked.
pub(super) struct Audience {
    pub(super) open: Vec<OpenWait>,
    fresh: Vec<FreshRun>,
}

/// Locks waits before runs, as everywhere, and all of them before any root.
pub(super) fn lock_audience(tx: &mut Tx<'_>, space: i64) -> Result<Audience> {
    const RUNS: &str = "SELECT no FROM runs WHERE no IN (SELECT run FROM waits WHERE space = ?1 AND state = 0) ORDER BY no \
                        /*pg FOR UPDATE*/";
    const FRESH: &str = "SELECT no, agent, depth FROM runs WHERE space = ?1 AND fresh = 1 ORDER BY no /*pg FOR UPDATE*/";
    let open = super::wait::lock_open(tx, space)?;
    if !open.is_empty() {
        tx.rows(RUNS, args![space], |_| Ok(()))?;
    }
    let fresh =
        tx.list(FRESH, args![space], |row| Ok(FreshRun { no: row.int(0)?, agent: row.int(1)?, depth: row.int(2)? as u32 }))?;
    Ok(Audience { open, fresh })
}

/// A message that is about to wake others.
pub(super) struct Spoken<'a> {
    pub(super) space: i64,
    pub(super) node: Key,
    pub(super) sender: i64,
    /// The run it was sent by; none when a person sent it.
    pub(super) run: Option<i64>,
    pub(super) trigger: NewTrigger<'a>,
    pub(super) wake: &'a Wake,
    pub(super) resolved: &'a [OpenWait],
    pub(super) caps: &'a Caps,
}

/// Wakes who is to be woken, and says how many were meant.
pub(super) fn wake(tx: &mut Tx<'_>, said: &Spoken<'_>, audience: &Audience, root: &mut RootRow) -> Result<i64> {
    let agents = listeners(tx, said)?;
    for (no, id) in &agents {
        let resumed = said.resolved.iter().find(|wait| wait.agent == *no);
        let refusal = match resumed {
            // Resolving is not waking: it happens at any depth, and starts no other run of the one who waited.
            Some(wait) => record(tx, *no, wait.run, How::Resumed, &said.trigger).map(|()| None)?,
            None => wake_one(tx, said, (*no, id), audience, root)?,
        };
        if let Some(why) = refusal {
            let (key, node) = (said.trigger.key, Some(said.node.0));
            refuse(tx, &Refused { by: said.run, agent: *no, key, node, why, at: said.trigger.at })?;
        }
    }
    Ok(agents.len() as i64)
}

/// Agents who belong to the space now, without the sender; those who waited for the message are always among them.
fn listeners(tx: &mut Tx<'_>, said: &Spoken<'_>) -> Result<Vec<(i64, String)>> {
    const SQL: &str = "SELECT e.no, e.id FROM members m JOIN entities e ON e.no = m.entity \
                       WHERE m.space = ?1 AND m.gone IS NULL AND e.kind = 1 AND e.no <> ?2 ORDER BY e.no";
    let mut agents = tx.list(SQL, args![said.space, said.sender], |row| Ok((row.int(0)?, row.text(1)?.to_owned())))?;
    if let Wake::Mentioned(named) = said.wake {
        let waited = |no: i64| said.resolved.iter().any(|wait| wait.agent == no);
        agents.retain(|(no, id)| waited(*no) || named.iter().any(|named| named.as_str() == id));
    }
    Ok(agents)
}

fn wake_one(
    tx: &mut Tx<'_>,
    said: &Spoken<'_>,
    agent: (i64, &str),
    audience: &Audience,
    root: &mut RootRow,
) -> Result<Option<Refusal>> {
    if said.trigger.depth >= said.caps.depth {
        return Ok(Some(Refusal::Depth));
    }
    if is_too_often(tx, said, agent.0)? {
        return Ok(Some(Refusal::Pair));
    }
    let fresh = audience.fresh.iter().find(|run| run.agent == agent.0);
    let paid = match fresh {
        Some(run) => pays(tx, run.no, root.no)?,
        None => false,
    };
    if !paid && !root.has_run() {
        return Ok(Some(Refusal::RootRuns));
    }
    root.runs += i64::from(!paid);
    match fresh {
        Some(run) => join(tx, run, paid, said)?,
        None => drop(start(tx, agent, Some(said.space), &said.trigger)?),
    }
    Ok(None)
}

/// Adds a trigger to a run that is queued already. Its depth is the lowest, and what started that chain speaks for it.
fn join(tx: &mut Tx<'_>, run: &FreshRun, paid: bool, said: &Spoken<'_>) -> Result<()> {
    let trigger = &said.trigger;
    if !paid {
        charge(tx, run.no, trigger.root)?;
    }
    if trigger.depth < run.depth {
        tx.run("UPDATE runs SET depth = ?2, root = ?3 WHERE no = ?1", args![run.no, trigger.depth, trigger.root])?;
    }
    record(tx, run.agent, run.no, How::Joined, trigger)
}

fn pays(tx: &mut Tx<'_>, run: i64, root: i64) -> Result<bool> {
    const SQL: &str = "SELECT run FROM run_roots WHERE run = ?1 AND root = ?2";
    Ok(tx.first(SQL, args![run, root], |_| Ok(()))?.is_some())
}

/// Whether two agents have woken each other too often of late, whoever spoke between them.
fn is_too_often(tx: &mut Tx<'_>, said: &Spoken<'_>, agent: i64) -> Result<bool> {
    const SQL: &str = "SELECT count(*) FROM run_triggers WHERE how <> 2 AND at > ?3 \
                       AND (sender = ?1 AND agent = ?2 OR sender = ?2 AND agent = ?1)";
    let Some(sender) = said.trigger.sender else { return Ok(false) };
    let since = said.trigger.at - said.caps.pair_window;
    let count = tx.first(SQL, args![sender, agent, since], |row| row.int(0))?.unwrap_or(0);
    Ok(count >= said.caps.pair_messages)
}

impl Store {
    /// What a message did to the agents of its space.
    pub fn woken(&self, space: &SpaceId, message: &NodeId) -> Result<Vec<Woken>> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            match at_id(tx, row.no, message.as_str())? {
                Some(place) => woken_by(tx, place.key),
                None => Err(StoreError::NoNode { space: space.clone(), node: message.clone() }),
            }
        })
    }
}

/// What a message did, as it is written down.
pub(super) fn woken_by(tx: &mut Tx<'_>, node: Key) -> Result<Vec<Woken>> {
    const RUNS: &str = "SELECT (SELECT e.id FROM entities e WHERE e.no = t.agent), (SELECT r.id FROM runs r WHERE r.no = t.run), \
                        t.how FROM run_triggers t WHERE t.node = ?1 ORDER BY t.agent";
    const REFUSED: &str = "SELECT e.id, f.why FROM refusals f JOIN entities e ON e.no = f.agent WHERE f.node = ?1 ORDER BY e.no";
    let mut woken = tx.list(RUNS, args![node.0], |row| {
        Ok(Woken::Run { agent: row.text(0)?.into(), run: row.text(1)?.into(), how: How::of(row.int(2)?)? })
    })?;
    woken.extend(
        tx.list(REFUSED, args![node.0], |row| Ok(Woken::Refused { agent: row.text(0)?.into(), why: Refusal::of(row.int(1)?)? }))?,
    );
    Ok(woken)
}
