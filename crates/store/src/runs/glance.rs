//! What a run is told, read at one moment: everything that is read through a [`Glance`] is of one transaction, and so fits
//! together.
//!
//! On a server every statement is a way there and back, and a run begins with all of these: each is as few as can be.

use super::member::{Belonging, ENTITIES, SPACES, belonging, everyone, here};
use super::mind::{GOALS, MEMORIES, goal, memory};
use super::open::{OPEN, OpenRun, open_runs};
use super::plan::{PLANS, StoredPlan, plans_of};
use super::post::Posted;
use super::read::{TRIGGERS, Trigger, triggers, waits};
use super::row::{Run, RunId};
use super::send::sent_in;
use super::step::{STEPS, Step, steps};
use super::wait::Wait;
use crate::around::{Around, CHANGES, Seen};
use crate::error::{Result, StoreError};
use crate::node::{Reader, columns};
use crate::space::{find_space, read_entity};
use crate::sql::{Arg, Row, Tx, args};
use crate::store::Store;
use std::sync::Arc;
use weftwork::model::{Conversation, Entity, EntityId, Goal, Memory, Node, NodeId, Space, SpaceId};

/// The store at one moment.
pub struct Glance<'t, 'c> {
    tx: &'t mut Tx<'c>,
    around: &'t Around,
    /// The age of what is kept when it began.
    begun: u64,
    /// How the agent stands that was asked about last.
    standing: Option<Arc<Standing>>,
    /// The message that woke a run, if that was foreseen.
    woke: Option<Woke>,
}

/// A message that woke a run.
struct Woke {
    space: SpaceId,
    message: Node,
    /// The end of its lane.
    tip: NodeId,
}

/// An agent, what it is after, what it remembers and what it plans.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The agent.
    pub agent: Entity,
    /// What it is after, in its own order.
    pub goals: Vec<Goal>,
    /// What it remembers, in its own order.
    pub memories: Vec<Memory>,
    /// What it will do later.
    pub plans: Vec<StoredPlan>,
}

/// How an agent stands: what each of its requests tells of it, but for its runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The agent and what it carries from run to run.
    pub carried: Carried,
    /// Where it belongs.
    pub belonging: Belonging,
}

impl Store {
    /// Looks at several things at one moment.
    pub fn glance<T>(&self, look: impl FnOnce(&mut Glance<'_, '_>) -> Result<T>) -> Result<T> {
        self.reading(|tx| look(&mut Glance { tx, around: &self.around, begun: self.around.age(), standing: None, woke: None }))
    }
}

/// A space as one of its members finds it. By the key of the membership: whoever begins with the member looks at hundreds.
const SPACE: &str = "SELECT s.header FROM members m JOIN spaces s ON s.no = m.space \
                     WHERE m.space = (SELECT t.no FROM spaces t WHERE t.id = ?1) \
                     AND m.entity = (SELECT e.no FROM entities e WHERE e.id = ?2) AND m.gone IS NULL";

/// A message, by the ids of its space and its own.
const MESSAGE: &str = concat!(
    "SELECT ",
    columns!(),
    ", e.id FROM nodes n JOIN spaces s ON s.no = n.space JOIN entities e ON e.no = n.author WHERE n.id = ?2 AND s.id = ?1"
);

/// The end of the lane of a message, by the same.
const TIP: &str = "SELECT (SELECT t.id FROM nodes t WHERE t.lane = n.lane ORDER BY t.depth DESC LIMIT 1) \
                   FROM nodes n JOIN spaces s ON s.no = n.space WHERE n.id = ?2 AND s.id = ?1";

/// The newest message that woke a run, with the end of its lane, by the run's id.
const WOKE: &str = concat!(
    "SELECT ",
    columns!(),
    ", (SELECT e.id FROM entities e WHERE e.no = n.author), (SELECT s.id FROM spaces s WHERE s.no = n.space), \
     (SELECT l.id FROM nodes l WHERE l.lane = n.lane ORDER BY l.depth DESC LIMIT 1) FROM nodes n \
     WHERE n.key = (SELECT max(t.node) FROM run_triggers t WHERE t.how <> 2 AND t.run = (SELECT r.no FROM runs r WHERE r.id = ?1))"
);

/// An entity, by its id.
const AGENT: &str = "SELECT id, name, kind, more FROM entities WHERE id = ?1";

/// How an agent stands, by its id, but for who is in its spaces.
const STANDING: [&str; 5] = [AGENT, GOALS, MEMORIES, PLANS, SPACES];

impl Glance<'_, '_> {
    /// Says that it will be asked how a run begins and how its agent stands: a server is asked for all of it at once, but for
    /// what of the agent is not known or is known to be old.
    pub fn foresee_run(&mut self, run: &Run) -> Result<()> {
        let (id, agent) = (args![run.id.as_str()], args![run.agent.as_str()]);
        let place = run.space.as_ref().map(|space| args![space.as_str(), run.agent.as_str()].to_vec());
        let place = place.as_deref().map(|place| (SPACE, place));
        let woken = [(TRIGGERS, &id[..]), (WOKE, &id[..]), (STEPS, &id[..])];
        let foreseen: Vec<_> = woken.into_iter().chain(place).chain(self.of_agent(&run.agent, agent)).collect();
        self.tx.ahead(&foreseen)?;
        self.tx.foreseen(WOKE, id, |row| {
            self.woke = Some(Woke { message: message(row)?, space: row.text(17)?.into(), tip: row.text(18)?.into() });
            Ok(())
        })?;
        self.foresee_standing(&run.agent, agent)
    }

    /// Says that it will be asked how an agent stands.
    pub fn foresee_agent(&mut self, agent: &EntityId) -> Result<()> {
        let id = args![agent.as_str()];
        let of_agent = self.of_agent(agent, id);
        self.tx.ahead(&of_agent)?;
        self.foresee_standing(agent, id)
    }

    /// Everything that is asked of an agent with its id alone. How it stands is asked for if nothing of that is known.
    fn of_agent<'a>(&self, id: &EntityId, agent: &'a [Arg<'a>]) -> Vec<(&'static str, &'a [Arg<'a>])> {
        let standing: &[&str] = if self.around.knows(id) { &[] } else { &STANDING };
        [OPEN, CHANGES].iter().chain(standing).map(|sql| (*sql, agent)).collect()
    }

    /// Asks for how an agent stands if what is known of that is old.
    fn foresee_standing(&mut self, id: &EntityId, agent: &[Arg<'_>]) -> Result<()> {
        let seen = Seen::read(|each| self.tx.foreseen(CHANGES, agent, each))?;
        if self.told(id).is_some() || seen.is_some_and(|seen| self.around.still(id, &seen).is_some()) {
            return Ok(());
        }
        self.tx.ahead(&STANDING.map(|sql| (sql, agent)))?;
        let mut places = Vec::new();
        self.tx.foreseen(SPACES, agent, |row| {
            places.push(here(row)?);
            Ok(())
        })?;
        self.tx.ahead(&[(ENTITIES, args![&everyone(&places)])])
    }

    /// How an agent stands, if that was told already.
    fn told(&self, agent: &EntityId) -> Option<&Arc<Standing>> {
        self.standing.as_ref().filter(|standing| standing.carried.agent.id == *agent)
    }

    /// What woke a run, as [`Store::triggers`] says it.
    pub fn triggers(&mut self, run: &RunId) -> Result<Vec<Trigger>> {
        triggers(self.tx, run)
    }

    /// What a run waits for and waited for, oldest first.
    pub fn waits(&mut self, run: &RunId) -> Result<Vec<Wait>> {
        waits(self.tx, run)
    }

    /// The steps of a run, in order.
    pub fn steps(&mut self, run: &RunId) -> Result<Vec<Step>> {
        steps(self.tx, run)
    }

    /// The message that a step of a run has sent, and what it did; none if the step has sent none.
    pub fn sent_in(&mut self, run: &RunId, step: u32) -> Result<Option<Posted>> {
        sent_in(self.tx, run, step)
    }

    /// A message, without its place in the tree.
    pub fn message(&mut self, space: &SpaceId, id: &NodeId) -> Result<Node> {
        if let Some(woke) = self.woken_by(space, id) {
            return Ok(woke.message.clone());
        }
        let found = self.tx.first(MESSAGE, args![space.as_str(), id.as_str()], message)?;
        found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
    }

    fn woken_by(&self, space: &SpaceId, id: &NodeId) -> Option<&Woke> {
        self.woke.as_ref().filter(|woke| woke.space == *space && woke.message.id == *id)
    }

    /// A space as one of its members finds it; none if they do not belong to it, or there is no such space.
    pub fn space(&mut self, space: &SpaceId, member: &EntityId) -> Result<Option<Space>> {
        self.tx.first(SPACE, args![space.as_str(), member.as_str()], |row| {
            Ok(serde_json::from_str::<Conversation>(row.text(0)?)?.space)
        })
    }

    /// The newest node of the branch that runs through a node: where its lane ends.
    pub fn tip_below(&mut self, space: &SpaceId, id: &NodeId) -> Result<NodeId> {
        if let Some(woke) = self.woken_by(space, id) {
            return Ok(woke.tip.clone());
        }
        let found = self.tx.first(TIP, args![space.as_str(), id.as_str()], |row| Ok(NodeId::from(row.text(0)?)))?;
        found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
    }

    /// The default head of a space; none while it is empty.
    pub fn head(&mut self, space: &SpaceId) -> Result<Option<NodeId>> {
        let row = find_space(self.tx, space)?;
        Ok(row.head(self.tx)?.map(|place| place.id))
    }

    /// An agent and what it carries from run to run.
    pub fn carried(&mut self, agent: &EntityId) -> Result<Carried> {
        let found = self.tx.first(AGENT, args![agent.as_str()], |row| read_entity(row, 0))?;
        let entity = found.ok_or_else(|| StoreError::NoEntity { entity: agent.clone() })?;
        let goals = self.tx.list(GOALS, args![agent.as_str()], goal)?;
        let memories = self.tx.list(MEMORIES, args![agent.as_str()], memory)?;
        Ok(Carried { agent: entity, goals, memories, plans: plans_of(self.tx, agent)? })
    }

    /// Where somebody belongs now.
    pub fn belonging(&mut self, entity: &EntityId) -> Result<Belonging> {
        belonging(self.tx, entity)
    }

    /// What an agent carries and where it belongs. It is read only if it has changed since it was read last.
    pub fn standing(&mut self, agent: &EntityId) -> Result<Arc<Standing>> {
        if let Some(told) = self.told(agent) {
            return Ok(told.clone());
        }
        let seen = Seen::read(|each| self.tx.rows(CHANGES, args![agent.as_str()], each))?;
        let standing = match seen.as_ref().and_then(|seen| self.around.still(agent, seen)) {
            Some(kept) => kept,
            None => {
                let read = Arc::new(Standing { carried: self.carried(agent)?, belonging: self.belonging(agent)? });
                if let Some(seen) = seen {
                    self.around.keep(agent, seen, &read, self.begun);
                }
                read
            }
        };
        self.standing = Some(standing.clone());
        Ok(standing)
    }

    /// The runs of an agent that have not ended, oldest first.
    pub fn open_runs(&mut self, agent: &EntityId) -> Result<Vec<OpenRun>> {
        open_runs(self.tx, agent)
    }
}

/// A message, with the id of its author after its own columns.
fn message(row: &Row<'_>) -> Result<Node> {
    let author = [(row.int(5)?, EntityId::from(row.text(16)?))];
    Reader { authors: &author, hashes: false }.read(row).map(|stored| stored.node)
}
