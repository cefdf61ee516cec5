//! One run, from what woke it to what it used, as far as it is one's own to read.

use super::runs::ShownRun;
use super::server::Server;
use crate::output;
use crate::team::{Called, People, Tale, Told, Waited, Waker};
use anyhow::{Result, anyhow};
use serde::Deserialize;
use weftwork::model::{EntityId, Json, Node, NodeId, Part, SpaceId, Timestamp, ToolCall, Usage};
use weftwork_gateway::Did;
use weftwork_store::Cost;
use weftwork_store::runs::{Accept, How, RunId, StepKind, Trigger, TriggerKind};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownTale {
    pub(super) run: ShownRun,
    hidden: bool,
    triggers: Vec<ShownTrigger>,
    pub(super) steps: Vec<ShownStep>,
    waits: Vec<ShownWait>,
    pub(super) asks: Option<Asks>,
    calls: Vec<ShownCall>,
    pub(super) cost_usd: f64,
}

#[derive(Deserialize)]
pub(super) struct Asks {
    pub(super) call: CalledTool,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownTrigger {
    kind: String,
    how: String,
    message: Option<NodeId>,
    author: Option<EntityId>,
    name: Option<String>,
    words: Option<String>,
    depth: u32,
    expects_reply: bool,
    at: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownStep {
    pub(super) step: u32,
    kind: String,
    did: String,
    model: Option<String>,
    text: Option<String>,
    #[serde(default)]
    calls: Vec<CalledTool>,
    tool: Option<String>,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    allowed: bool,
    by: Option<EntityId>,
    pub(super) message: Option<NodeId>,
    cost_usd: f64,
}

#[derive(Deserialize)]
pub(super) struct CalledTool {
    id: String,
    name: String,
    args: Option<Json>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownWait {
    accept: String,
    #[serde(default)]
    from: Vec<EntityId>,
    space: Option<SpaceId>,
    message: Option<NodeId>,
    state: String,
    at: Option<Timestamp>,
    until: Option<Timestamp>,
    ended_at: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownCall {
    id: String,
    model: Option<String>,
    at: Option<Timestamp>,
    duration_ms: Option<u64>,
    usage: Option<Usage>,
    cost_usd: Option<f64>,
}

impl CalledTool {
    /// Its name and its arguments.
    pub(super) fn told(self) -> (String, String) {
        let args = self.args.map_or_else(|| "…".to_owned(), |args| args.text().to_owned());
        (self.name, args)
    }
}

impl From<CalledTool> for ToolCall {
    fn from(call: CalledTool) -> ToolCall {
        let CalledTool { id, name, args } = call;
        let args = args.unwrap_or_else(Json::empty_object);
        ToolCall { id, name, args, signature: None, included: false, native: None }
    }
}

impl ShownTrigger {
    fn how(&self) -> How {
        match self.how.as_str() {
            "joined" => How::Joined,
            "resumed" => How::Resumed,
            _ => How::Started,
        }
    }

    fn waker(self) -> Waker {
        let ShownTrigger { kind, message, author, name, words, .. } = self;
        let name = name.unwrap_or_default();
        match (kind.as_str(), author) {
            ("plan", _) => Waker::Plan { name, instruction: words.unwrap_or_default() },
            ("delivery", _) => Waker::Service { name },
            (_, None) => Waker::Elsewhere(message),
            (_, Some(author)) => {
                let said = |words: String| Node { parts: vec![Part::text(words)], ..Node::new("", None, author.clone()) };
                Waker::Said { said: words.map(said).map(Box::new), author: author.clone() }
            }
        }
    }

    fn trigger(&self) -> Trigger {
        let kind = match self.kind.as_str() {
            "plan" => TriggerKind::Plan,
            "delivery" => TriggerKind::Delivery,
            _ => TriggerKind::Message,
        };
        let at = self.at.as_ref().map_or(0, Timestamp::millis);
        let (depth, expects_reply) = (self.depth, self.expects_reply);
        Trigger { kind, how: self.how(), message: self.message.clone(), body: None, depth, expects_reply, at }
    }
}

impl ShownTale {
    /// Who or what woke it last, and with which words.
    pub(super) fn woken_by(&self, people: &People) -> String {
        let newest = self.triggers.iter().rev().find(|trigger| trigger.how() != How::Resumed);
        newest.map_or_else(String::new, |trigger| trigger.clone().waker().words(people))
    }

    /// Until when it waits.
    pub(super) fn until(&self) -> Option<i64> {
        self.waits.iter().find(|wait| wait.state == "open")?.until.as_ref().map(Timestamp::millis)
    }
}

impl ShownStep {
    fn told(self, said: Option<&Node>) -> Told {
        let kind = match self.kind.as_str() {
            "model" => StepKind::Model,
            "tool" => StepKind::Tool,
            _ => StepKind::Send,
        };
        let text = self.text.unwrap_or_default();
        let did = match self.did.as_str() {
            "thought" => {
                let calls = self.calls.into_iter().map(ToolCall::from).collect();
                Did::Thought { model: self.model.unwrap_or_default(), text, calls }
            }
            "answered" => Did::Answered { tool: self.tool.unwrap_or_default(), text, is_error: self.is_error },
            "decided" => Did::Decided { allowed: self.allowed, by: self.by },
            "sent" => Did::Sent { message: self.message.unwrap_or_else(|| "…".into()) },
            "begun" => Did::Begun,
            "gone" => Did::Gone,
            _ => Did::Unknown,
        };
        let said = said.map(crate::preview::node);
        Told { number: self.step, kind, cost: Cost::from_usd(self.cost_usd), did, said, woken: None }
    }
}

impl From<ShownWait> for Waited {
    fn from(wait: ShownWait) -> Waited {
        let accept = match wait.accept.as_str() {
            "reply" => Accept::Reply,
            "from" => Accept::From(wait.from),
            _ => Accept::Any,
        };
        let ending = match (wait.state.as_str(), wait.accept.as_str()) {
            ("open", _) => "open",
            ("resolved", "tool") => "decided",
            ("resolved", _) => "ended by a message",
            ("expired", _) => "nobody replied in time",
            (_, _) => "given up",
        };
        let millis = |time: Option<Timestamp>| time.map(|time| time.millis());
        Waited {
            space: wait.space,
            message: wait.message,
            accept,
            at: millis(wait.at).unwrap_or_default(),
            deadline: millis(wait.until).unwrap_or_default(),
            ended_at: millis(wait.ended_at),
            ending: ending.to_owned(),
        }
    }
}

impl From<ShownCall> for Called {
    fn from(call: ShownCall) -> Called {
        let ShownCall { id, model, at, duration_ms, usage, cost_usd } = call;
        Called { id, space: None, model, at, duration_ms, outcome: None, usage, cost: cost_usd.map(Cost::from_usd) }
    }
}

impl Server {
    /// Everything about a run.
    pub(crate) fn tale(&self, people: People, run: &RunId) -> Result<Tale> {
        let shown: ShownTale = self.get(&["runs", run.as_str()], Vec::new())?;
        if shown.hidden {
            output::say("some words are left out: the run had to do with spaces that you do not belong to\n");
        }
        let listed = self.listed(&people, vec![shown.run.run()])?.pop().ok_or_else(|| anyhow!("the run {run} is gone"))?;
        let triggers = shown.triggers.into_iter().map(|one| (one.trigger(), one.waker().words(&people))).collect();
        let mut steps = Vec::new();
        for step in shown.steps {
            let said = match &step.message {
                Some(message) => self.said(shown.run.run().space.as_ref(), message)?.map(|(_, node)| node),
                None => None,
            };
            steps.push(step.told(said.as_ref()));
        }
        let (waits, calls) = (shown.waits.into_iter().map(Waited::from), shown.calls.into_iter().map(Called::from));
        Ok(Tale { listed, triggers, steps, waits: waits.collect(), calls: calls.collect(), refused: Vec::new(), people })
    }

    /// A message that a run sent, and where: in its own space, or in another that one belongs to.
    pub(super) fn said(&self, here: Option<&SpaceId>, message: &NodeId) -> Result<Option<(SpaceId, Node)>> {
        if let Some(space) = here
            && let Some(node) = self.node(space, message)?
        {
            return Ok(Some((space.clone(), node)));
        }
        for space in self.spaces()?.into_iter().map(|space| space.id).filter(|space| Some(space) != here) {
            if let Some(node) = self.node(&space, message)? {
                return Ok(Some((space, node)));
            }
        }
        Ok(None)
    }
}
