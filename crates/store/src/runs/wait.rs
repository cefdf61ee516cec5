//! Waits: opened with the message they are about, closed once, by whoever comes first.

use super::due::announce;
use super::row::RunId;
use super::state::{number, numbered};
use crate::error::{Result, StoreError};
use crate::node::{self, Flag, Key, at_id};
use crate::space::{self, entity_row};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::{EntityId, Node, NodeId, SpaceId};

/// Which messages end a wait. A message of the one who waits never does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Accept {
    /// Any message in that space.
    #[default]
    Any,
    /// Only a reply that names the message.
    Reply,
    /// Only what one of these says.
    From(Vec<EntityId>),
}

/// Why a wait ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitCancel {
    /// Its run was canceled.
    Run,
    /// The message was deleted.
    Deleted,
    /// The last one who could reply has left.
    Alone,
    /// The one who waits has left.
    Left,
}
numbered!(WaitCancel { Run = 0, Deleted = 1, Alone = 2, Left = 3 });

/// Where a wait stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitState {
    /// Nothing has come.
    Open,
    /// A message or a tool's result came; the message, if it was one.
    Resolved(Option<NodeId>),
    /// Time ran out.
    Expired,
    /// Nothing can come any more.
    Canceled(WaitCancel),
}

/// What a run waits for, or waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The run.
    pub run: RunId,
    /// The space; none when it waits for a tool.
    pub space: Option<SpaceId>,
    /// The message that awaits a reply; none when it waits for a tool.
    pub message: Option<NodeId>,
    /// The step that began it.
    pub step: u32,
    /// What ends it.
    pub accept: Accept,
    /// When it ends by itself.
    pub deadline: i64,
    /// Where it stands.
    pub state: WaitState,
    /// When it began.
    pub at: i64,
    /// When it ended.
    pub ended_at: Option<i64>,
}

/// How a wait is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Message(Key),
    Tool,
    Expired,
    /// Nothing can come any more.
    Canceled(WaitCancel),
}

/// A wait that is open, locked.
#[derive(Clone, Debug)]
pub(super) struct OpenWait {
    pub(super) no: i64,
    pub(super) run: i64,
    pub(super) agent: i64,
    accept: i64,
    node: Option<i64>,
}

fn open_wait(row: &Row<'_>) -> Result<OpenWait> {
    Ok(OpenWait { no: row.int(0)?, run: row.int(1)?, agent: row.int(2)?, accept: row.int(3)?, node: row.maybe_int(4)? })
}

/// The open waits of a space, locked in the order in which all lock them.
pub(super) fn lock_open(tx: &mut Tx<'_>, space: i64) -> Result<Vec<OpenWait>> {
    const SQL: &str = "SELECT no, run, agent, accept, node FROM waits WHERE space = ?1 AND state = 0 ORDER BY no \
                       /*pg FOR UPDATE*/";
    tx.list(SQL, args![space], open_wait)
}

/// The open wait of a run, locked.
pub(super) fn lock_open_of(tx: &mut Tx<'_>, run: &RunId) -> Result<Option<OpenWait>> {
    const SQL: &str = "SELECT no, run, agent, accept, node FROM waits WHERE state = 0 \
                       AND run = (SELECT no FROM runs WHERE id = ?1) /*pg FOR UPDATE*/";
    tx.first(SQL, args![run.as_str()], open_wait)
}

/// Those of the waits that a message of `sender` ends.
pub(super) fn matching(tx: &mut Tx<'_>, open: &[OpenWait], sender: i64, reply_to: Option<Key>) -> Result<Vec<OpenWait>> {
    const NAMED: &str = "SELECT entity FROM wait_from WHERE wait = ?1 AND entity = ?2";
    let mut found = Vec::new();
    for wait in open.iter().filter(|wait| wait.agent != sender) {
        let ends = match wait.accept {
            0 => true,
            1 => reply_to.is_some_and(|reply| Some(reply.0) == wait.node),
            // Whoever waits for one person's word is not answered by another's, reply or not.
            _ => tx.first(NAMED, args![wait.no, sender], |_| Ok(()))?.is_some(),
        };
        if ends {
            found.push(wait.clone());
        }
    }
    Ok(found)
}

/// Closes a wait and lets its run go on. The run keeps its root and depth and takes nobody's place in the queue.
pub(super) fn close(tx: &mut Tx<'_>, wait: &OpenWait, ending: Ending, now: i64) -> Result<()> {
    let (number, reason, resolved) = match ending {
        Ending::Message(node) => (1_i64, None, Some(node.0)),
        Ending::Tool => (1, None, None),
        Ending::Expired => (2, None, None),
        Ending::Canceled(reason) => (3, Some(reason.number()), None),
    };
    let closed = tx.run(
        "UPDATE waits SET state = ?2, reason = ?3, resolved = ?4, ended_at = ?5 WHERE no = ?1 AND state = 0",
        args![wait.no, number, reason, resolved, now],
    )?;
    if closed == 1 && ending != Ending::Canceled(WaitCancel::Run) {
        const GO_ON: &str = "UPDATE runs SET state = ?2, available_at = ?3, changed_at = ?3 \
                             WHERE no = ?1 AND state IN (?4, ?5) \
                             RETURNING (SELECT external FROM entities WHERE entities.no = runs.agent)";
        let row = args![wait.run, number::QUEUED, now, number::WAITING_REPLY, number::WAITING_TOOL];
        if tx.first(GO_ON, row, |row| row.int(0))? == Some(1) {
            announce(tx, wait.run)?;
        }
    }
    Ok(())
}

/// A wait that begins.
pub(super) struct NewWait<'a> {
    pub(super) run: i64,
    pub(super) agent: i64,
    pub(super) space: i64,
    pub(super) node: Key,
    pub(super) step: u32,
    pub(super) accept: &'a Accept,
    pub(super) deadline: i64,
    pub(super) now: i64,
}

/// Opens a wait for a reply. The caller puts the run into its state in the same transaction.
pub(super) fn open(tx: &mut Tx<'_>, new: &NewWait<'_>) -> Result<()> {
    let accept: i64 = match new.accept {
        Accept::Any => 0,
        Accept::Reply => 1,
        Accept::From(_) => 2,
    };
    const SQL: &str = "INSERT INTO waits(run, agent, kind, space, node, step, accept, deadline, state, at) \
                       VALUES(?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, 0, ?8) RETURNING no";
    let row = args![new.run, new.agent, new.space, new.node.0, new.step, accept, new.deadline, new.now];
    let wait = tx.first(SQL, row, |row| row.int(0))?;
    let Accept::From(named) = new.accept else { return Ok(()) };
    for entity in named {
        let (entity, _) = entity_row(tx, entity)?;
        tx.run("INSERT INTO wait_from(wait, entity) VALUES(?1, ?2) ON CONFLICT DO NOTHING", args![wait, entity])?;
    }
    Ok(())
}

impl Store {
    /// Ends waits whose time has come, and says whose: their runs go on and are told that nobody replied.
    pub fn expire_waits(&self, limit: i64, now: i64) -> Result<Vec<RunId>> {
        const DUE: &str = "SELECT no, run, agent, accept, node FROM waits WHERE state = 0 AND deadline <= ?1 \
                           ORDER BY deadline, no LIMIT ?2 /*pg FOR UPDATE SKIP LOCKED*/";
        self.writing(|tx| {
            let due = tx.list(DUE, args![now, limit], open_wait)?;
            due.iter().map(|wait| end(tx, wait, Ending::Expired, now)).collect()
        })
    }

    /// Deletes a message softly; whoever waits for a reply to it goes on and is told.
    pub fn delete_message(&self, space: &SpaceId, id: &NodeId, now: i64) -> Result<Node> {
        self.writing(|tx| {
            let row = space::lock_space(tx, space)?;
            let place = at_id(tx, row.no, id.as_str())?;
            let place = place.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })?;
            withdraw(tx, place.key, now)?;
            node::set_flag(tx, place.key, Flag::Pruned, true)
        })
    }

    /// Ends a membership; whoever waits for a word that nobody can say any more goes on and is told.
    pub fn depart(&self, space: &SpaceId, entity: &EntityId, now: i64) -> Result<()> {
        self.writing(|tx| {
            let row = space::lock_space(tx, space)?;
            let (gone, _) = entity_row(tx, entity)?;
            space::leave(tx, &row, entity)?;
            for wait in &lock_open(tx, row.no)? {
                if wait.agent == gone {
                    close(tx, wait, Ending::Canceled(WaitCancel::Left), now)?;
                } else if super::cycle::repliers_of(tx, wait.no)?.is_empty() {
                    close(tx, wait, Ending::Canceled(WaitCancel::Alone), now)?;
                }
            }
            Ok(())
        })
    }
}

/// Lets go on whoever waits for a reply to a message that is about to go. The space is locked.
pub(crate) fn withdraw(tx: &mut Tx<'_>, message: Key, now: i64) -> Result<()> {
    for wait in lock_open(tx, message.space())?.iter().filter(|wait| wait.node == Some(message.0)) {
        close(tx, wait, Ending::Canceled(WaitCancel::Deleted), now)?;
    }
    Ok(())
}

/// Closes a wait, and says whose it was.
pub(super) fn end(tx: &mut Tx<'_>, wait: &OpenWait, ending: Ending, now: i64) -> Result<RunId> {
    close(tx, wait, ending, now)?;
    let id = tx.first("SELECT id FROM runs WHERE no = ?1", args![wait.run], |row| Ok(RunId::from(row.text(0)?)))?;
    id.ok_or_else(|| StoreError::Unreadable { detail: format!("run {} is gone", wait.run) })
}
