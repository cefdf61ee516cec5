//! What a run did, told to one who asks: no words of spaces they do not belong to, and nothing of the agent's mind unless
//! they manage it.

use super::manage::{Asker, Reach};
use super::shown::{ShownRun, shown_run};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use weftwork::model::{EntityId, Json, NodeId, Part, SpaceId, Timestamp, ToolCall, Usage};
use weftwork_gateway::{Did, asked, did};
use weftwork_store::runs::{Accept, How, Run, RunId, RunState, Step, StepKind, Trigger, TriggerKind, Wait, WaitState};
use weftwork_store::{CallRecord, CallsOf, Cost, Store, StoreError};

/// Tools with which an agent changes its own mind, or looks at what it does elsewhere.
const OWN_AFFAIRS: [&str; 4] = ["set_goals", "set_memories", "set_plans", "get_my_runs"];

/// How one who asks stands to a run.
pub(super) struct Standing {
    /// The spaces they belong to.
    mine: Rc<HashSet<SpaceId>>,
    manages: bool,
    sees: Sees,
}

/// What of a run there is for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sees {
    /// All that may be told of it.
    Run,
    /// That it waits for a message in a space of theirs.
    Wait,
}

/// How one who asks stands to many runs: what holds for all of them is looked up once.
pub(super) struct Standings<'a> {
    asker: &'a Asker,
    mine: Rc<HashSet<SpaceId>>,
    /// Whether they manage an agent.
    manages: HashMap<EntityId, bool>,
}

impl<'a> Standings<'a> {
    pub(super) fn of(store: &Store, asker: &'a Asker) -> Result<Standings<'a>, StoreError> {
        Ok(Standings { asker, mine: Rc::new(asker.spaces(store)?), manages: HashMap::new() })
    }

    /// How the asker stands to a run; none if it does not exist for them. A run is for the members of its space, and for
    /// whoever manages its agent. Where it waits for a message in another space, the members of that know so much of it.
    pub(super) fn to(&mut self, store: &Store, run: &Run) -> Result<Option<Standing>, StoreError> {
        let manages = match self.manages.get(&run.agent) {
            Some(manages) => *manages,
            None => {
                let manages = self.asker.known(store, &run.agent)?.is_some_and(|known| known.reach == Reach::Manage);
                self.manages.insert(run.agent.clone(), manages);
                manages
            }
        };
        let is_there = run.space.as_ref().is_some_and(|space| self.mine.contains(space));
        let sees = match is_there || manages {
            true => Some(Sees::Run),
            false => waits_in(store, run)?.filter(|space| self.mine.contains(space)).map(|_| Sees::Wait),
        };
        Ok(sees.map(|sees| Standing { mine: self.mine.clone(), manages, sees }))
    }
}

impl Standing {
    /// A run in a line. Where it was woken is no secret to whoever manages its agent; what was said there is.
    pub(super) fn line(&self, store: &Store, run: &Run) -> Result<ShownRun, StoreError> {
        let mut shown = shown_run(store, run)?;
        if self.sees == Sees::Wait {
            (shown.space, shown.created_at, shown.steps, shown.depth) = (None, None, 0, 0);
        }
        if self.sees == Sees::Wait || run.space.as_ref().is_some_and(|space| !self.mine.contains(space)) {
            (shown.error, shown.asks_for, shown.cause) = (None, None, None);
        }
        shown.waits_in = waits_in(store, run)?.filter(|space| self.mine.contains(space));
        if shown.waits_for.is_some() && !store.waits(&run.id)?.iter().all(|wait| self.knows(wait.space.as_ref())) {
            shown.waits_for = None;
        }
        Ok(shown)
    }

    /// Whether a run goes on only when the asker does something: they let its call run, let it go on, or are one of those
    /// whose message it waits for.
    pub(super) fn is_awaited(&self, store: &Store, asker: &EntityId, run: &Run, line: &ShownRun) -> Result<bool, StoreError> {
        Ok(match run.state {
            RunState::Parked(_) => true,
            RunState::WaitingTool => line.asks_for.is_some(),
            RunState::WaitingReply => store.waits(&run.id)?.iter().any(|wait| {
                let is_here = wait.space.as_ref().is_some_and(|space| self.mine.contains(space));
                let is_meant = match &wait.accept {
                    Accept::Any | Accept::Reply => true,
                    Accept::From(named) => named.contains(asker),
                };
                wait.state == WaitState::Open && is_here && is_meant
            }),
            RunState::Queued | RunState::Running | RunState::Completed | RunState::Failed | RunState::Canceled => false,
        })
    }

    fn knows(&self, space: Option<&SpaceId>) -> bool {
        space.is_none_or(|space| self.mine.contains(space))
    }

    /// Whether every word of a run is theirs to read: they belong to all spaces it has had to do with, and nothing it calls
    /// names another that its agent belongs to.
    pub(super) fn reads(&self, store: &Store, run: &Run) -> Result<bool, StoreError> {
        if !store.run_spaces(&run.id)?.iter().all(|space| self.mine.contains(space)) {
            return Ok(false);
        }
        let agents = store.belonging(&run.agent)?.spaces;
        let others: Vec<String> =
            agents.into_iter().filter(|space| !self.mine.contains(&space.id)).map(|space| quoted(&space.id)).collect();
        Ok(others.is_empty() || !store.steps(&run.id)?.iter().any(|step| names_one(step, &others)))
    }
}

/// An id as it stands in arguments.
fn quoted(space: &SpaceId) -> String {
    Json::of(space).text().to_owned()
}

/// Whether a step calls something with one of these ids, done or not.
fn names_one(step: &Step, ids: &[String]) -> bool {
    let Did::Thought { calls, .. } = did(step) else { return false };
    calls.iter().any(|call| ids.iter().any(|id| call.args.text().contains(id)))
}

/// Everything about a run.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunTale {
    run: ShownRun,
    /// Whether words are left out, because the run had to do with spaces that you do not belong to.
    hidden: bool,
    /// What woke it, in the order it came.
    triggers: Vec<ShownTrigger>,
    /// What it did, in order.
    steps: Vec<ShownStep>,
    /// What it waits and waited for.
    waits: Vec<ShownWait>,
    /// The call that waits for a person's leave.
    #[serde(skip_serializing_if = "Option::is_none")]
    asks: Option<Asks>,
    /// The calls of models.
    calls: Vec<ShownCall>,
    usage: Usage,
    /// Dollars.
    cost_usd: f64,
}

/// A call that waits for a person's leave.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Asks {
    call: CalledTool,
    /// Until when somebody may decide.
    until: Option<Timestamp>,
}

/// What woke a run.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunTrigger")]
struct ShownTrigger {
    /// message, plan or delivery
    kind: &'static str,
    /// started, joined or resumed
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<NodeId>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<EntityId>,
    /// The plan or the service, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// What was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// Hops from agent to agent before it.
    depth: u32,
    /// Whether the sender waits for a reply.
    expects_reply: bool,
    at: Option<Timestamp>,
}

/// A step of a run. What is not yours to read is left out.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunStep")]
struct ShownStep {
    /// Its number, from 1.
    step: u32,
    /// model, tool or send
    kind: &'static str,
    /// thought, answered, decided, sent, begun, unknown or gone
    did: &'static str,
    /// The model that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// What the model said to itself, or the tool answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What the model called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<CalledTool>,
    /// The tool that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// Whether the tool failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
    /// Whether a call was allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<bool>,
    /// Who decided; nobody in time if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<EntityId>,
    /// The message that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<NodeId>,
    /// Dollars.
    cost_usd: f64,
}

/// A call of a tool.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CalledTool {
    id: String,
    name: String,
    /// Its arguments, unless they are not yours to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Json>,
}

/// What a run waits or waited for.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunWait")]
struct ShownWait {
    /// any, reply, from or tool
    accept: &'static str,
    /// Whose word is waited for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    from: Vec<EntityId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    /// The message that awaits a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<NodeId>,
    /// open, resolved, expired or canceled
    state: &'static str,
    at: Option<Timestamp>,
    until: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<Timestamp>,
}

/// A call of a model.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunCall")]
struct ShownCall {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    /// Dollars; none if nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

impl Standing {
    /// Everything about a run that is theirs to read.
    pub(super) fn tale(&self, store: &Store, run: &Run) -> Result<RunTale, StoreError> {
        let reads = self.reads(store, run)?;
        let calls = store.calls(CallsOf::Run(run.id.as_str()))?;
        let mut usage = Usage::default();
        calls.iter().filter_map(|call| call.usage).for_each(|one| usage += one);
        let cost: i64 = calls.iter().filter_map(|call| call.cost).map(Cost::as_billionths).sum();
        let triggers = store.triggers(&run.id)?;
        let asks = if reads { asked(store, run.clone())? } else { None };
        Ok(RunTale {
            hidden: !reads,
            triggers: triggers.into_iter().map(|one| self.trigger(store, run, one)).collect::<Result<_, _>>()?,
            steps: store.steps(&run.id)?.iter().map(|step| self.step(step, reads)).collect(),
            waits: store.waits(&run.id)?.into_iter().map(|wait| self.wait(wait)).collect(),
            asks: asks.map(|asks| Asks { call: self.call(asks.call, true), until: Timestamp::from_millis(asks.deadline) }),
            calls: calls.into_iter().map(ShownCall::from).collect(),
            usage,
            cost_usd: Cost::billionths(cost).usd(),
            run: self.line(store, run)?,
        })
    }

    fn trigger(&self, store: &Store, run: &Run, trigger: Trigger) -> Result<ShownTrigger, StoreError> {
        let (kind, how) = (kind(trigger.kind), how(trigger.how));
        let Trigger { depth, expects_reply, at, message, body, .. } = trigger;
        let at = Timestamp::from_millis(at);
        let mut shown = ShownTrigger { kind, how, message, author: None, name: None, words: None, depth, expects_reply, at };
        let place = run.space.as_ref().filter(|space| self.mine.contains(*space));
        match (trigger.kind, place, &shown.message) {
            (TriggerKind::Message, Some(space), Some(id)) => match store.node(space, id) {
                Ok(node) if node.pruned || node.purged => shown.author = Some(node.author),
                Ok(node) => (shown.words, shown.author) = (Some(words(&node.parts)), Some(node.author)),
                // A reply that was waited for in another space.
                Err(StoreError::NoNode { .. }) => {}
                Err(error) => return Err(error),
            },
            (TriggerKind::Message, ..) => {}
            (TriggerKind::Plan | TriggerKind::Delivery, ..) => {
                let body: serde_json::Value = serde_json::from_str(body.as_deref().unwrap_or_default()).unwrap_or_default();
                let text = |key: &str| body[key].as_str().map(str::to_owned);
                shown.name = text("name").or_else(|| text("service"));
                shown.words = text("instruction").or_else(|| Some(body.get("payload")?.to_string())).filter(|_| self.manages);
            }
        }
        Ok(shown)
    }

    fn step(&self, step: &Step, reads: bool) -> ShownStep {
        let kind = match step.kind {
            StepKind::Model => "model",
            StepKind::Tool => "tool",
            StepKind::Send => "send",
        };
        let cost_usd = Cost::billionths(step.cost).usd();
        let base = |did| ShownStep { step: step.step, kind, did, cost_usd, ..ShownStep::default() };
        match did(step) {
            Did::Thought { model, text, calls } => ShownStep {
                model: Some(model),
                text: Some(text).filter(|text| reads && !text.is_empty()),
                calls: calls.into_iter().map(|call| self.call(call, reads)).collect(),
                ..base("thought")
            },
            Did::Answered { tool, text, is_error } => {
                let text = Some(text).filter(|_| reads && self.may_read(&tool));
                ShownStep { text, tool: Some(tool), is_error: Some(is_error), ..base("answered") }
            }
            Did::Decided { allowed, by } => ShownStep { allowed: Some(allowed), by, ..base("decided") },
            Did::Sent { message } => ShownStep { message: Some(message).filter(|_| reads), ..base("sent") },
            Did::Begun => base("begun"),
            Did::Unknown => base("unknown"),
            Did::Gone => base("gone"),
        }
    }

    fn call(&self, call: ToolCall, reads: bool) -> CalledTool {
        let args = Some(call.args).filter(|_| reads && self.may_read(&call.name));
        CalledTool { id: call.id, name: call.name, args }
    }

    /// Whether what this tool was told and answered may be read.
    fn may_read(&self, tool: &str) -> bool {
        self.manages || !OWN_AFFAIRS.contains(&tool)
    }

    fn wait(&self, wait: Wait) -> ShownWait {
        let known = self.knows(wait.space.as_ref());
        let (accept, from) = match wait.accept {
            _ if wait.message.is_none() => ("tool", Vec::new()),
            Accept::Any => ("any", Vec::new()),
            Accept::Reply => ("reply", Vec::new()),
            Accept::From(named) => ("from", if known { named } else { Vec::new() }),
        };
        let state = match wait.state {
            WaitState::Open => "open",
            WaitState::Resolved(_) => "resolved",
            WaitState::Expired => "expired",
            WaitState::Canceled(_) => "canceled",
        };
        ShownWait {
            accept,
            from,
            space: wait.space.filter(|_| known),
            message: wait.message.filter(|_| known),
            state,
            at: Timestamp::from_millis(wait.at),
            until: Timestamp::from_millis(wait.deadline),
            ended_at: wait.ended_at.and_then(Timestamp::from_millis),
        }
    }
}

fn words(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.text.as_str()),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn kind(kind: TriggerKind) -> &'static str {
    match kind {
        TriggerKind::Message => "message",
        TriggerKind::Plan => "plan",
        TriggerKind::Delivery => "delivery",
    }
}

fn how(how: How) -> &'static str {
    match how {
        How::Started => "started",
        How::Joined => "joined",
        How::Resumed => "resumed",
    }
}

impl From<CallRecord> for ShownCall {
    fn from(call: CallRecord) -> ShownCall {
        let CallRecord { id, model, at, duration_ms, usage, cost, .. } = call;
        ShownCall { id: id.to_string(), model, at, duration_ms, usage, cost_usd: cost.map(Cost::usd) }
    }
}

/// A run and how the asker stands to it; none if it does not exist for them.
pub(super) fn standing(store: &Store, asker: &Asker, id: &RunId) -> Result<Option<(Run, Standing)>, StoreError> {
    let run = match store.run(id) {
        Ok(run) => run,
        Err(StoreError::NoRun { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let standing = Standings::of(store, asker)?.to(store, &run)?.filter(|standing| standing.sees == Sees::Run);
    Ok(standing.map(|standing| (run, standing)))
}

/// The space in which a run waits for a message.
fn waits_in(store: &Store, run: &Run) -> Result<Option<SpaceId>, StoreError> {
    if run.state != RunState::WaitingReply {
        return Ok(None);
    }
    Ok(store.waits(&run.id)?.into_iter().find(|wait| wait.state == WaitState::Open).and_then(|wait| wait.space))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(manages: bool) -> Standing {
        Standing { mine: Rc::new(HashSet::from([SpaceId::from("mine")])), manages, sees: Sees::Run }
    }

    #[test]
    fn arguments_are_for_those_who_may_read_them() {
        let cases = [
            ("send_message", false, true, true),
            ("send_message", true, false, false),
            ("set_memories", false, true, false),
            ("set_memories", true, true, true),
            ("get_my_runs", false, true, false),
        ];
        for (name, manages, reads, shown) in cases {
            let call = ToolCall {
                id: "1".into(),
                name: name.into(),
                args: Json::empty_object(),
                signature: None,
                included: false,
                native: None,
            };
            let told = standing(manages).call(call, reads);
            assert_eq!((told.args.is_some(), told.name.as_str()), (shown, name), "{manages} {reads}");
        }
    }

    #[test]
    fn of_a_wait_elsewhere_is_told_that_there_is_one() {
        for (space, known) in [("mine", true), ("theirs", false)] {
            let wait = Wait {
                run: RunId::from("r"),
                space: Some(SpaceId::from(space)),
                message: Some(NodeId::from("n")),
                step: 1,
                accept: Accept::From(vec![EntityId::from("a")]),
                deadline: 1,
                state: WaitState::Open,
                at: 0,
                ended_at: None,
            };
            let told = standing(true).wait(wait);
            assert_eq!((told.accept, told.state), ("from", "open"));
            assert_eq!((told.space.is_some(), told.message.is_some(), !told.from.is_empty()), (known, known, known));
        }
    }
}
