//! What a run is told, read at one moment: everything that is read through a [`Glance`] is of one transaction, and so fits
//! together.
//!
//! On a server every statement is a way there and back, and a run begins with all of these: each is as few as can be.

use super::member::{Belonging, ENTITIES, SPACES, belonging, everyone, here};
use super::mind::{GOALS, MEMORIES, goal, memory};
use super::open::{OPEN, OpenRun, open_runs};
use super::plan::{PLANS, StoredPlan, plans_of};
use super::post::Posted;
use super::read::{TRIGGERS, Trigger, trigger, triggers, waits};
use super::row::{Run, RunId};
use super::send::sent_in;
use super::state::How;
use super::step::{STEPS, Step, steps};
use super::wait::Wait;
use crate::error::{Result, StoreError};
use crate::node::{Reader, columns};
use crate::space::{find_space, read_entity};
use crate::sql::{Arg, Tx, args};
use crate::store::Store;
use weftwork::model::{Conversation, Entity, EntityId, Goal, Memory, Node, NodeId, Space, SpaceId};

/// The store at one moment.
pub struct Glance<'t, 'c>(&'t mut Tx<'c>);

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

impl Store {
    /// Looks at several things at one moment.
    pub fn glance<T>(&self, look: impl FnOnce(&mut Glance<'_, '_>) -> Result<T>) -> Result<T> {
        self.reading(|tx| look(&mut Glance(tx)))
    }
}

/// A space as one of its members finds it.
const SPACE: &str = "SELECT s.header FROM spaces s JOIN members m ON m.space = s.no AND m.gone IS NULL \
                     JOIN entities e ON e.no = m.entity WHERE s.id = ?1 AND e.id = ?2";

/// A message, by the ids of its space and its own.
const MESSAGE: &str = concat!(
    "SELECT ",
    columns!(),
    ", e.id FROM nodes n JOIN spaces s ON s.no = n.space JOIN entities e ON e.no = n.author WHERE n.id = ?2 AND s.id = ?1"
);

/// The end of the lane of a message, by the same.
const TIP: &str = "SELECT (SELECT t.id FROM nodes t WHERE t.lane = n.lane ORDER BY t.depth DESC LIMIT 1) \
                   FROM nodes n JOIN spaces s ON s.no = n.space WHERE n.id = ?2 AND s.id = ?1";

/// An entity, by its id.
const AGENT: &str = "SELECT id, name, kind, more FROM entities WHERE id = ?1";

impl Glance<'_, '_> {
    /// Says that it will be asked how a run begins and how its agent stands: a server is asked for all of it at once, and then
    /// for all that its answers name.
    pub fn foresee_run(&mut self, run: &Run) -> Result<()> {
        let (id, agent) = (args![run.id.as_str()], args![run.agent.as_str()]);
        let place = run.space.as_ref().map(|space| args![space.as_str(), run.agent.as_str()].to_vec());
        let place = place.as_deref().map(|place| (SPACE, place));
        let woken = [(TRIGGERS, &id[..]), (STEPS, &id[..])];
        let foreseen: Vec<_> = woken.into_iter().chain(place).chain(of_agent(agent)).collect();
        self.0.ahead(&foreseen)?;
        let (mut message, mut places) = (None, Vec::new());
        self.0.foreseen(TRIGGERS, id, |row| {
            let woken = trigger(row)?;
            if woken.how != How::Resumed {
                message = woken.message;
            }
            Ok(())
        })?;
        self.0.foreseen(SPACES, agent, |row| {
            places.push(here(row)?);
            Ok(())
        })?;
        let everyone = everyone(&places);
        let message = run.space.as_ref().zip(message.as_ref());
        let message = message.map(|(space, id)| args![space.as_str(), id.as_str()].to_vec());
        let message = message.iter().flat_map(|message| [(MESSAGE, &message[..]), (TIP, &message[..])]);
        self.0.ahead(&[(ENTITIES, &args![&everyone][..])].into_iter().chain(message).collect::<Vec<_>>())
    }

    /// Says that it will be asked how an agent stands: a server is asked for all of it at once.
    pub fn foresee_agent(&mut self, agent: &EntityId) -> Result<()> {
        self.0.ahead(&of_agent(args![agent.as_str()]))
    }

    /// What woke a run, as [`Store::triggers`] says it.
    pub fn triggers(&mut self, run: &RunId) -> Result<Vec<Trigger>> {
        triggers(self.0, run)
    }

    /// What a run waits for and waited for, oldest first.
    pub fn waits(&mut self, run: &RunId) -> Result<Vec<Wait>> {
        waits(self.0, run)
    }

    /// The steps of a run, in order.
    pub fn steps(&mut self, run: &RunId) -> Result<Vec<Step>> {
        steps(self.0, run)
    }

    /// The message that a step of a run has sent, and what it did; none if the step has sent none.
    pub fn sent_in(&mut self, run: &RunId, step: u32) -> Result<Option<Posted>> {
        sent_in(self.0, run, step)
    }

    /// A message, without its place in the tree.
    pub fn message(&mut self, space: &SpaceId, id: &NodeId) -> Result<Node> {
        let found = self.0.first(MESSAGE, args![space.as_str(), id.as_str()], |row| {
            let author = [(row.int(5)?, EntityId::from(row.text(16)?))];
            Reader { authors: &author, hashes: false }.read(row).map(|stored| stored.node)
        })?;
        found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
    }

    /// A space as one of its members finds it; none if they do not belong to it, or there is no such space.
    pub fn space(&mut self, space: &SpaceId, member: &EntityId) -> Result<Option<Space>> {
        self.0.first(SPACE, args![space.as_str(), member.as_str()], |row| {
            Ok(serde_json::from_str::<Conversation>(row.text(0)?)?.space)
        })
    }

    /// The newest node of the branch that runs through a node: where its lane ends.
    pub fn tip_below(&mut self, space: &SpaceId, id: &NodeId) -> Result<NodeId> {
        let found = self.0.first(TIP, args![space.as_str(), id.as_str()], |row| Ok(NodeId::from(row.text(0)?)))?;
        found.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: id.clone() })
    }

    /// The default head of a space; none while it is empty.
    pub fn head(&mut self, space: &SpaceId) -> Result<Option<NodeId>> {
        let row = find_space(self.0, space)?;
        Ok(row.head(self.0)?.map(|place| place.id))
    }

    /// An agent and what it carries from run to run.
    pub fn carried(&mut self, agent: &EntityId) -> Result<Carried> {
        let found = self.0.first(AGENT, args![agent.as_str()], |row| read_entity(row, 0))?;
        let entity = found.ok_or_else(|| StoreError::NoEntity { entity: agent.clone() })?;
        let goals = self.0.list(GOALS, args![agent.as_str()], goal)?;
        let memories = self.0.list(MEMORIES, args![agent.as_str()], memory)?;
        Ok(Carried { agent: entity, goals, memories, plans: plans_of(self.0, agent)? })
    }

    /// Where somebody belongs now.
    pub fn belonging(&mut self, entity: &EntityId) -> Result<Belonging> {
        belonging(self.0, entity)
    }

    /// The runs of an agent that have not ended, oldest first.
    pub fn open_runs(&mut self, agent: &EntityId) -> Result<Vec<OpenRun>> {
        open_runs(self.0, agent)
    }
}

/// Everything that is asked of an agent with its id alone.
fn of_agent<'a>(agent: &'a [Arg<'a>]) -> [(&'static str, &'a [Arg<'a>]); 6] {
    [AGENT, GOALS, MEMORIES, PLANS, SPACES, OPEN].map(|sql| (sql, agent))
}
