//! What a run is shown: why it runs, where it is, and what is known of its agent, all of it as it is now.

use super::course::{Course, Next, Told, course};
use super::kept::Sight;
use super::tools::{sent, words};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::schedule::shown;
use serde::Deserialize;
use std::sync::Arc;
use weftwork::model::{
    Conversation, Entity, EntityId, Json, Loom, NoReply, NodeId, Plan, PlanTrigger, Run as ShownRun, ServiceTrigger, Space,
    SpaceId, SpaceMessageTrigger, SpaceRef, Timestamp, Trigger,
};
use weftwork_store::StoreError;
use weftwork_store::runs::{
    Glance, How, OpenRun, Run, RunState, Standing, Trigger as Woken, TriggerKind, Wait, WaitCancel, WaitState,
};

/// What stands in the place of a message that was deleted.
const DELETED: &str = "[deleted]";

/// What stands in the place of the name of a confidential space that the run is not in.
const CONFIDENTIAL: &str = "confidential space";

/// What stands in the place of a message in a space that the agent has left.
const NO_LONGER_YOURS: &str = "[you no longer belong to this space]";

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Gone {
    /// The agent has left the space that the run is in.
    #[error("the agent no longer belongs to the space of this run")]
    Left,
    /// What woke it is not there any more.
    #[error("what woke this run is gone")]
    Trigger,
}

/// Where a run begins or goes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    /// Why it runs.
    pub(crate) trigger: Trigger,
    /// The space it is in; none for one that is in none.
    pub(crate) space: Option<SpaceId>,
    /// That space, as it was when the run began or went on.
    pub(crate) home: Option<Space>,
    /// A message of the branch that it looks at.
    pub(crate) branch: Option<NodeId>,
    /// The last step of what it did before it waited.
    pub(crate) since: u32,
}

/// What is known of a run's agent.
#[derive(Clone, Debug)]
pub(crate) struct Mind {
    standing: Arc<Standing>,
    /// Confidential spaces of which no more than the id may be known where the run is.
    hidden: Vec<SpaceId>,
    plans: Vec<Plan>,
    runs: Vec<ShownRun>,
    /// What it is told of the tree it stands in, if it is told of one.
    pub(crate) loom: Option<Loom>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlanBody {
    plan: String,
    name: String,
    instruction: String,
    scheduled_at: i64,
}

#[derive(Deserialize)]
struct DeliveryBody {
    service: String,
    payload: Json,
}

/// Why a run runs, and from where it goes on.
pub(crate) fn start(glance: &mut Glance<'_, '_>, run: &Run) -> Result<Result<Start, Gone>, StoreError> {
    let woken = glance.triggers(&run.id)?;
    let home = run.space.as_ref().map(|space| glance.space(space, &run.agent)).transpose()?.flatten();
    let Some(trigger) = trigger(glance, run, home.is_some(), &woken)? else { return Ok(Err(Gone::Trigger)) };
    // A run that has waited says so itself.
    let waits = if run.waits > 0 { glance.waits(&run.id)? } else { Vec::new() };
    let start = match waits.iter().rev().find(|wait| wait.message.is_some()) {
        Some(wait) => match resumed(trigger, wait) {
            Some(start) => start,
            None => return Ok(Err(Gone::Left)),
        },
        None => {
            let branch = match &trigger {
                Trigger::SpaceMessage(message) => Some(message.message_id.clone()),
                Trigger::Plan(_) | Trigger::Service(_) => None,
            };
            Start { trigger, space: run.space.clone(), home: None, branch, since: 0 }
        }
    };
    let home = match &start.space {
        Some(space) if run.space.as_ref() != Some(space) => glance.space(space, &run.agent)?,
        Some(_) | None => home,
    };
    match &start.space {
        Some(_) if home.is_none() => Ok(Err(Gone::Left)),
        Some(_) => Ok(Ok(Start { home, ..start })),
        None => Ok(Ok(start)),
    }
}

/// A run that goes on after a wait; none if its agent left the space meanwhile.
fn resumed(trigger: Trigger, wait: &Wait) -> Option<Start> {
    let waited = wait.message.clone()?;
    let (by, why) = match &wait.state {
        WaitState::Resolved(by) => (by.clone(), NoReply::TimedOut),
        WaitState::Canceled(WaitCancel::Deleted) => (None, NoReply::Deleted),
        WaitState::Canceled(WaitCancel::Alone) => (None, NoReply::Alone),
        WaitState::Canceled(WaitCancel::Left) => return None,
        WaitState::Expired | WaitState::Open | WaitState::Canceled(WaitCancel::Run) => (None, NoReply::TimedOut),
    };
    let branch = by.clone().unwrap_or_else(|| waited.clone());
    let trigger = trigger.resumed(waited, by, why);
    Some(Start { trigger, space: wait.space.clone(), home: None, branch: Some(branch), since: wait.step })
}

/// The newest of what woke a run, and of messages also the others.
fn trigger(glance: &mut Glance<'_, '_>, run: &Run, belongs: bool, woken: &[Woken]) -> Result<Option<Trigger>, StoreError> {
    let mut started = woken.iter().filter(|woken| woken.how != How::Resumed);
    let Some(newest) = started.next_back() else { return Ok(None) };
    let body = newest.body.as_deref().unwrap_or_default();
    Ok(match newest.kind {
        TriggerKind::Message => {
            let (Some(space), Some(id)) = (&run.space, &newest.message) else { return Ok(None) };
            let node = glance.message(space, id)?;
            let message = match (node.pruned || node.purged, belongs) {
                (true, _) => DELETED.to_owned(),
                (false, true) => words(&node),
                (false, false) => NO_LONGER_YOURS.to_owned(),
            };
            Some(Trigger::SpaceMessage(SpaceMessageTrigger {
                space: space.clone(),
                sender: node.author,
                message,
                message_id: id.clone(),
                timestamp: node.created_at,
                sender_expects_reply: newest.expects_reply,
                chain_depth: run.depth,
                also_triggering: started.filter_map(|woken| woken.message.clone()).collect(),
                waited_on: None,
                resumed_by: None,
                no_reply: NoReply::default(),
            }))
        }
        TriggerKind::Plan => serde_json::from_str::<PlanBody>(body).ok().map(|plan| {
            Trigger::Plan(PlanTrigger {
                plan: plan.plan,
                name: plan.name,
                instruction: plan.instruction,
                scheduled_at: Timestamp::from_millis(plan.scheduled_at),
                waited_on: None,
                resumed_by: None,
                no_reply: NoReply::default(),
            })
        }),
        TriggerKind::Delivery => serde_json::from_str::<DeliveryBody>(body).ok().map(|delivery| {
            Trigger::Service(ServiceTrigger {
                service: delivery.service,
                payload: delivery.payload,
                waited_on: None,
                resumed_by: None,
                no_reply: NoReply::default(),
            })
        }),
    })
}

/// What a run that begins or goes on has in view: its branch, up to the newest node of it.
pub(crate) fn sight(glance: &mut Glance<'_, '_>, start: &Start, now: i64) -> Result<Sight, StoreError> {
    let head = match (&start.space, &start.branch) {
        (Some(space), Some(branch)) => Some(glance.tip_below(space, branch)?),
        (Some(space), None) => glance.head(space)?,
        (None, _) => None,
    };
    Ok(Sight { space: start.space.clone(), head, at: now })
}

/// Where a run stands and, if the model is asked next, what it is told: all of one moment.
pub(crate) struct Look {
    pub(crate) course: Course,
    pub(crate) told: Option<(Mind, Sight)>,
}

/// Looks where a run stands.
pub(crate) fn look(glance: &mut Glance<'_, '_>, run: &Run, start: &Start, now: i64) -> Result<Look, StoreError> {
    let steps = glance.steps(&run.id)?;
    let spoke: Vec<u32> =
        steps.iter().filter(|step| step.step > start.since && step.message.is_some()).map(|step| step.step).collect();
    let standing = if spoke.is_empty() { None } else { Some(glance.standing(&run.agent)?) };
    let name = |id: &EntityId| {
        let mut people = standing.iter().flat_map(|standing| &standing.belonging.entities);
        people.find(|entity| entity.id == *id).map_or_else(|| id.to_string(), |entity| entity.name.clone())
    };
    let mut told = Told::new();
    for step in spoke {
        if let Some(posted) = glance.sent_in(&run.id, step)? {
            told.insert(posted.message.node.id.clone(), sent(&posted, name));
        }
    }
    let course = course(&steps, start.since, &told);
    let told = match &course.next {
        Next::Think => {
            let known = course.view.clone();
            let seen = known.map_or_else(|| sight(glance, start, now), Ok)?;
            Some((Mind::of(glance, run, start.space.as_ref())?, seen))
        }
        Next::Act(_) | Next::End | Next::Stuck(_) => None,
    };
    Ok(Look { course, told })
}

impl Mind {
    /// Everything about an agent, as it is now and may be known where the run is: `here`.
    ///
    /// A run may say what it is shown wherever it has not read in confidence, and a name is no reading. So of a confidential
    /// space that the run is not in, no more than its id is shown: with that it can be entered, and then what is read there
    /// stays there.
    pub(crate) fn of(glance: &mut Glance<'_, '_>, run: &Run, here: Option<&SpaceId>) -> Result<Mind, StoreError> {
        glance.foresee_agent(&run.agent)?;
        let standing = glance.standing(&run.agent)?;
        let Standing { carried, belonging } = &*standing;
        let hidden = |space: &SpaceId| here != Some(space) && run.space.as_ref() != Some(space);
        let due = carried.plans.iter().filter(|plan| plan.next_fire.is_some());
        Ok(Mind {
            // A plan that cannot be read is one of a newer program: it is not shown, and fires by itself.
            plans: due.filter_map(|plan| shown(plan).ok()).collect(),
            hidden: belonging.confidential.iter().filter(|space| hidden(space)).cloned().collect(),
            runs: glance.open_runs(&run.agent)?.into_iter().map(|open| shown_run(veiled(open, hidden), run)).collect(),
            loom: None,
            standing,
        })
    }

    /// The agent.
    pub(crate) fn agent(&self) -> &Entity {
        &self.standing.carried.agent
    }

    /// The same, with a run that is not there yet.
    pub(crate) fn running(mut self, run: &Run, triggered_by: String) -> Mind {
        let space = self.spaces().find(|space| Some(&space.id) == run.space.as_ref()).map(|space| space.name);
        let (triggered_by, waiting_for) = (Some(triggered_by), None);
        let open = OpenRun { run: run.clone(), triggered_by, space, confidential: None, woken_in: None, waiting_for };
        self.runs.push(shown_run(open, run));
        self
    }

    /// The spaces of the agent, as far as they may be known.
    fn spaces(&self) -> impl Iterator<Item = SpaceRef> {
        self.standing.belonging.spaces.iter().map(|space| match self.hidden.contains(&space.id) {
            true => SpaceRef { id: space.id.clone(), name: CONFIDENTIAL.to_owned(), members: Vec::new() },
            false => space.clone(),
        })
    }

    /// Lays it over the file of a space, or over an empty one.
    pub(crate) fn lay(&self, file: &mut Conversation, trigger: &Trigger) {
        let Standing { carried, belonging } = &*self.standing;
        file.viewer = Some(carried.agent.id.clone());
        file.trigger = Some(trigger.clone());
        file.spaces = self.spaces().collect();
        file.goals = carried.goals.clone();
        file.memories = carried.memories.clone();
        file.plans = self.plans.clone();
        file.runs = self.runs.clone();
        file.loom = self.loom.clone();
        let known: std::collections::HashSet<_> = file.entities.iter().map(|entity| entity.id.clone()).collect();
        let others = belonging.entities.iter().chain([&carried.agent]).filter(|entity| !known.contains(&entity.id));
        let mut seen = std::collections::HashSet::new();
        file.entities.extend(others.filter(|entity| seen.insert(entity.id.clone())).cloned());
    }
}

/// A run without the names of a confidential space that is hidden: neither its own nor those of who is there.
fn veiled(open: OpenRun, hidden: impl Fn(&SpaceId) -> bool) -> OpenRun {
    let is = |space: &Option<SpaceId>| space.as_ref().is_some_and(&hidden);
    let (here, woken) = (is(&open.confidential), is(&open.woken_in));
    OpenRun {
        triggered_by: open.triggered_by.filter(|_| !here && !woken),
        space: if here { Some(CONFIDENTIAL.to_owned()) } else { open.space },
        waiting_for: open.waiting_for.filter(|_| !here),
        ..open
    }
}

fn shown_run(open: OpenRun, this: &Run) -> ShownRun {
    let OpenRun { run, triggered_by, space, waiting_for, .. } = open;
    let current = run.id == this.id;
    ShownRun {
        id: run.id.as_str().to_owned(),
        status: if current { RunState::Running.status() } else { run.state.status() },
        current,
        triggered_by,
        space,
        waiting_for: waiting_for.filter(|_| !current),
    }
}

impl Gateway {
    /// Why a run runs, and what it has in view if it began now.
    pub(crate) async fn start_of(&self, run: &Run) -> Result<Result<Start, Gone>, GatewayError> {
        let run = run.clone();
        self.stored(move |store| store.glance(|glance| start(glance, &run))).await
    }
}
