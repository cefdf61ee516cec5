//! What an agent in a space is told beside the history: why it runs, where it is a member, what it plans.

use super::{EntityId, Json, NodeId, SpaceId, Timestamp, is_default, is_false};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Why a run was started.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Trigger {
    /// Somebody wrote in a space.
    SpaceMessage(SpaceMessageTrigger),
    /// A plan came due.
    Plan(PlanTrigger),
    /// A service delivered something.
    Service(ServiceTrigger),
}

/// Read by hand: a payload is kept byte for byte, which serde's tagged enums cannot do.
impl<'de> Deserialize<'de> for Trigger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Tagged {
            r#type: String,
        }
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let Tagged { r#type } = serde_json::from_str(text.get()).map_err(D::Error::custom)?;
        match r#type.as_str() {
            "space_message" => serde_json::from_str(text.get()).map(Trigger::SpaceMessage),
            "plan" => serde_json::from_str(text.get()).map(Trigger::Plan),
            "service" => serde_json::from_str(text.get()).map(Trigger::Service),
            other => return Err(D::Error::unknown_variant(other, &["space_message", "plan", "service"])),
        }
        .map_err(D::Error::custom)
    }
}

/// Somebody wrote in a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceMessageTrigger {
    /// The space.
    pub space: SpaceId,
    /// Who wrote.
    pub sender: EntityId,
    /// What was written.
    pub message: String,
    /// The node that holds it.
    pub message_id: NodeId,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// Whether the sender waits for a reply.
    #[serde(default)]
    pub sender_expects_reply: bool,
    /// Hops from agent to agent since a human spoke.
    #[serde(default)]
    pub chain_depth: u32,
    /// Earlier messages that the same run was started by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_triggering: Vec<NodeId>,
    /// The message this run waited on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_on: Option<NodeId>,
    /// The message that ended the wait; none when nobody replied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_by: Option<NodeId>,
    /// Why nobody replied.
    #[serde(default, skip_serializing_if = "is_default")]
    pub no_reply: NoReply,
}

/// A plan came due.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanTrigger {
    /// The plan's id.
    pub plan: String,
    /// The plan's name.
    pub name: String,
    /// What to do.
    pub instruction: String,
    /// When it was due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_at: Option<Timestamp>,
    /// The message this run waited on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_on: Option<NodeId>,
    /// The message that ended the wait; none when nobody replied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_by: Option<NodeId>,
    /// Why nobody replied.
    #[serde(default, skip_serializing_if = "is_default")]
    pub no_reply: NoReply,
}

/// A service delivered something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceTrigger {
    /// The service's name.
    pub service: String,
    /// What it delivered. Data, never instructions.
    pub payload: Json,
    /// The message this run waited on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_on: Option<NodeId>,
    /// The message that ended the wait; none when nobody replied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_by: Option<NodeId>,
    /// Why nobody replied.
    #[serde(default, skip_serializing_if = "is_default")]
    pub no_reply: NoReply,
}

impl Trigger {
    /// The message the run waited on, if it was resumed.
    pub fn waited_on(&self) -> Option<&NodeId> {
        match self {
            Trigger::SpaceMessage(t) => t.waited_on.as_ref(),
            Trigger::Plan(t) => t.waited_on.as_ref(),
            Trigger::Service(t) => t.waited_on.as_ref(),
        }
    }

    /// The message that ended the wait.
    pub fn resumed_by(&self) -> Option<&NodeId> {
        match self {
            Trigger::SpaceMessage(t) => t.resumed_by.as_ref(),
            Trigger::Plan(t) => t.resumed_by.as_ref(),
            Trigger::Service(t) => t.resumed_by.as_ref(),
        }
    }

    /// Why the wait ended, if it ended without a reply.
    pub fn no_reply(&self) -> Option<NoReply> {
        let unanswered = self.waited_on().is_some() && self.resumed_by().is_none();
        unanswered.then_some(match self {
            Trigger::SpaceMessage(t) => t.no_reply,
            Trigger::Plan(t) => t.no_reply,
            Trigger::Service(t) => t.no_reply,
        })
    }

    /// The same trigger of a run that waited on a message and goes on.
    #[must_use]
    pub fn resumed(mut self, waited: NodeId, by: Option<NodeId>, why: NoReply) -> Trigger {
        let (waited_on, resumed_by, no_reply) = match &mut self {
            Trigger::SpaceMessage(t) => (&mut t.waited_on, &mut t.resumed_by, &mut t.no_reply),
            Trigger::Plan(t) => (&mut t.waited_on, &mut t.resumed_by, &mut t.no_reply),
            Trigger::Service(t) => (&mut t.waited_on, &mut t.resumed_by, &mut t.no_reply),
        };
        (*waited_on, *resumed_by, *no_reply) = (Some(waited), by, why);
        self
    }
}

/// Why a wait ended without a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NoReply {
    /// Time ran out.
    #[default]
    TimedOut,
    /// The message it waited on was deleted.
    Deleted,
    /// The last one who could reply has left.
    Alone,
}

/// A space that the agent belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceRef {
    /// Its id.
    pub id: SpaceId,
    /// Its name.
    pub name: String,
    /// Who is in it, in order.
    #[serde(default)]
    pub members: Vec<EntityId>,
}

/// Something the agent is after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Goal {
    /// What.
    pub text: String,
    /// How much it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    /// Whether it never ends.
    #[serde(default, skip_serializing_if = "is_false")]
    pub long_term: bool,
}

/// Something the agent chose to remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// What it is about.
    pub topic: String,
    /// What is remembered.
    pub text: String,
}

/// Something the agent will do later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Once or again and again.
    #[serde(rename = "type")]
    pub kind: PlanKind,
    /// When it recurs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// Next time it recurs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Timestamp>,
    /// The one time it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_at: Option<Timestamp>,
    /// The delay it was made with, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_after: Option<String>,
}

/// Whether a plan happens once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlanKind {
    /// By a cron line.
    Recurring,
    /// Once.
    OneTime,
}

/// An activation of the agent that has not ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub status: RunStatus,
    /// Whether it is the one being assembled for.
    #[serde(default, skip_serializing_if = "is_false")]
    pub current: bool,
    /// Who or what caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triggered_by: Option<String>,
    /// The name of the space it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// Whom it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<String>,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Will be claimed.
    Queued,
    /// At work.
    Running,
    /// Waits for somebody's message.
    WaitingReply,
    /// Waits for a tool.
    WaitingTool,
    /// Stands still until a person acts.
    Parked,
    /// Ended well.
    Completed,
    /// Ended badly.
    Failed,
    /// Was stopped.
    #[serde(alias = "cancelled")]
    Canceled,
}

impl RunStatus {
    /// The word shown in timelines.
    pub fn word(self) -> &'static str {
        match self {
            RunStatus::Queued => "queued",
            RunStatus::Running => "running",
            RunStatus::WaitingReply => "waiting_reply",
            RunStatus::WaitingTool => "waiting_tool",
            RunStatus::Parked => "parked",
            RunStatus::Completed => "completed",
            RunStatus::Failed => "failed",
            RunStatus::Canceled => "canceled",
        }
    }
}

/// What a loom-aware agent is shown of the tree it stands in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Loom {
    /// Added to the system prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub addendum: String,
    /// Operational memory: pins, stashes and the trace of actions, a line each; comes at the end of the context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<String>,
    /// Where in the tree the conversation stands, a line each; comes after the memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub position: Vec<String>,
    /// What is known of each node.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<NodeId, LoomNode>,
}

/// What a loom-aware agent is told of one node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoomNode {
    /// Short id, unique in the tree.
    pub local_id: String,
    /// How many nodes hang on the same parent, itself included.
    #[serde(default)]
    pub siblings: u32,
    /// How many nodes continue it.
    #[serde(default)]
    pub children: u32,
}
