//! Things as the API shows them, where they are more or less than what is kept.

use schemars::JsonSchema;
use serde::Serialize;
use weftwork::model::{Entity, EntityId, EntityKind, Node, NodeId, RunStatus, SpaceId, Timestamp};
use weftwork_gateway::asked;
use weftwork_store::runs::{Cause, ParkReason, Run, RunId, RunState, TriggerKind, WaitState};
use weftwork_store::{Seq, Store, StoreError};

/// A node and its place in the order of its space.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "SaidNode")]
pub(super) struct Said<'n> {
    /// Its place in the order of the space, from 1, without gaps.
    seq: i64,
    /// What was said.
    node: std::borrow::Cow<'n, Node>,
}

impl Said<'_> {
    pub(super) fn node(&self) -> &Node {
        &self.node
    }

    pub(super) fn new(seq: Seq, node: &Node) -> Said<'_> {
        Said { seq: seq.0, node: std::borrow::Cow::Borrowed(node) }
    }
}

impl From<(Seq, Node)> for Said<'static> {
    fn from((seq, node): (Seq, Node)) -> Said<'static> {
        Said { seq: seq.0, node: std::borrow::Cow::Owned(node) }
    }
}

/// Somebody, as others see them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Person")]
pub(super) struct Card {
    /// Who.
    pub(super) id: EntityId,
    /// What they are called.
    pub(super) name: String,
    /// Human, agent or service.
    #[serde(rename = "type")]
    pub(super) kind: EntityKind,
    /// The model of an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// Whether an agent's runs are done by a program elsewhere.
    pub(super) external: bool,
}

impl From<Entity> for Card {
    fn from(entity: Entity) -> Card {
        let Entity { id, name, kind, model, external, .. } = entity;
        Card { id, name, kind, model, external }
    }
}

/// A run, as the members of its space see it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Run")]
pub(super) struct ShownRun {
    /// Its id.
    #[schemars(with = "String")]
    pub(super) id: RunId,
    /// Who runs.
    pub(super) agent: EntityId,
    /// Where it was woken; none for plans and deliveries.
    pub(super) space: Option<SpaceId>,
    /// Where it stands.
    pub(super) status: RunStatus,
    /// Why it is parked: poison, budget, approval, provider or config.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parked: Option<&'static str>,
    /// What woke it; the newest, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<ShownCause>,
    /// Whom it waits for, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waits_for: Option<String>,
    /// The space of yours in which it waits for a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waits_in: Option<SpaceId>,
    /// Since when it waits for somebody, or stands still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waits_since: Option<Timestamp>,
    /// The tool that needs somebody's leave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) asks_for: Option<String>,
    /// Steps that are done.
    pub(super) steps: u32,
    /// Hops from agent to agent since its chain began.
    pub(super) depth: u32,
    /// Why it failed, or will be tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// When it was woken.
    pub(super) created_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended_at: Option<Timestamp>,
}

/// What woke a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "RunCause")]
pub(super) struct ShownCause {
    /// A message, a plan or a delivery.
    kind: CauseKind,
    /// The space of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    /// The message.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<NodeId>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<EntityId>,
    /// The plan or the service, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// What kind of thing wakes an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum CauseKind {
    Message,
    Plan,
    Delivery,
}

impl ShownCause {
    fn of(cause: Cause, space: Option<&SpaceId>) -> ShownCause {
        let Cause { kind, message, author, name } = cause;
        let kind = match kind {
            TriggerKind::Message => CauseKind::Message,
            TriggerKind::Plan => CauseKind::Plan,
            TriggerKind::Delivery => CauseKind::Delivery,
        };
        ShownCause { kind, space: space.filter(|_| message.is_some()).cloned(), message, author, name }
    }
}

/// A run, with what it waits for.
pub(super) fn shown_run(store: &Store, run: &Run) -> Result<ShownRun, StoreError> {
    let waits_for = match run.state {
        RunState::WaitingReply => {
            store.open_runs(&run.agent)?.into_iter().find(|open| open.run.id == run.id).and_then(|open| open.waiting_for)
        }
        _ => None,
    };
    let asks_for = match run.state {
        RunState::WaitingTool => asked(store, run.clone())?.map(|waiting| waiting.call.name),
        _ => None,
    };
    let waits_since = match run.state {
        RunState::WaitingReply | RunState::WaitingTool => {
            store.waits(&run.id)?.into_iter().find(|wait| wait.state == WaitState::Open).map(|wait| wait.at)
        }
        RunState::Parked(_) => Some(run.changed_at),
        RunState::Queued | RunState::Running | RunState::Completed | RunState::Failed | RunState::Canceled => None,
    };
    Ok(ShownRun {
        id: run.id.clone(),
        agent: run.agent.clone(),
        space: run.space.clone(),
        status: run.state.status(),
        parked: parked(run.state),
        cause: store.cause(&run.id)?.map(|cause| ShownCause::of(cause, run.space.as_ref())),
        waits_for,
        waits_in: None,
        waits_since: waits_since.and_then(Timestamp::from_millis),
        asks_for,
        steps: run.progress,
        depth: run.depth,
        error: run.error.clone(),
        created_at: Timestamp::from_millis(run.created_at),
        ended_at: run.ended_at.and_then(Timestamp::from_millis),
    })
}

/// The same, for everybody in its space: whom it waits for elsewhere is not theirs to know.
pub(super) fn shown_in_space(store: &Store, run: &Run) -> Result<ShownRun, StoreError> {
    let mut shown = shown_run(store, run)?;
    if shown.waits_for.is_some() && store.waits(&run.id)?.iter().any(|wait| wait.space != run.space) {
        shown.waits_for = None;
    }
    Ok(shown)
}

fn parked(state: RunState) -> Option<&'static str> {
    match state {
        RunState::Parked(ParkReason::Poison) => Some("poison"),
        RunState::Parked(ParkReason::Budget) => Some("budget"),
        RunState::Parked(ParkReason::Approval) => Some("approval"),
        RunState::Parked(ParkReason::Provider) => Some("provider"),
        RunState::Parked(ParkReason::Config) => Some("config"),
        _ => None,
    }
}
