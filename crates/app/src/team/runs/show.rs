//! `weft runs show`: one run, from what woke it to what it used.

use super::find::find;
use super::list::{Listed, standing, woken_by};
use super::steps::{Told, refusals, woken_record};
use crate::exit::Outcome;
use crate::keep::{dollars, now};
use crate::number::grouped;
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use crate::team::args::OneRunArgs;
use crate::team::when::{away, moment, span, stamp};
use crate::team::who::People;
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::{NodeId, SpaceId, Timestamp, Usage};
use weftwork_store::runs::{Accept, How, RunState, Trigger, TriggerKind, Wait, WaitCancel, WaitState, Woken};
use weftwork_store::{CallRecord, CallsOf, Cost, Outcome as CallOutcome, Store};

/// Everything about a run.
pub(crate) struct Tale {
    pub(crate) people: People,
    pub(crate) listed: Listed,
    pub(crate) triggers: Vec<(Trigger, String)>,
    pub(crate) steps: Vec<Told>,
    pub(crate) waits: Vec<Waited>,
    pub(crate) calls: Vec<Called>,
    pub(crate) refused: Vec<Woken>,
}

/// What a run waits or waited for.
pub(crate) struct Waited {
    pub(crate) space: Option<SpaceId>,
    /// The message that awaits a reply; none when it waits for a tool.
    pub(crate) message: Option<NodeId>,
    pub(crate) accept: Accept,
    pub(crate) at: i64,
    pub(crate) deadline: i64,
    pub(crate) ended_at: Option<i64>,
    /// What became of it, in words.
    pub(crate) ending: String,
}

impl From<Wait> for Waited {
    fn from(wait: Wait) -> Waited {
        let ending = ending(&wait.state);
        let Wait { space, message, accept, at, deadline, ended_at, .. } = wait;
        Waited { space, message, accept, at, deadline, ended_at, ending }
    }
}

/// A call of a model.
pub(crate) struct Called {
    pub(crate) id: String,
    pub(crate) space: Option<SpaceId>,
    pub(crate) model: Option<String>,
    pub(crate) at: Option<Timestamp>,
    pub(crate) duration_ms: Option<u64>,
    /// How it ended, where that is told.
    pub(crate) outcome: Option<&'static str>,
    pub(crate) usage: Option<Usage>,
    pub(crate) cost: Option<Cost>,
}

impl From<CallRecord> for Called {
    fn from(call: CallRecord) -> Called {
        let outcome = Some(outcome(call.outcome));
        let CallRecord { id, space, model, at, duration_ms, usage, cost, .. } = call;
        Called { id: id.to_string(), space, model, at, duration_ms, outcome, usage, cost }
    }
}

/// Shows a run.
pub(super) fn show(args: &OneRunArgs) -> Result<Outcome> {
    let place = args.list.place.read()?;
    let (people, run) = (place.people()?, find(&place, &args.run)?);
    let tale = match &place {
        Place::Here(store) => Tale::of(store, people, run)?,
        Place::There(server) => server.tale(people, &run.id)?,
    };
    if args.list.json {
        output::line(&serde_json::to_vec(&tale.record())?)?;
    } else {
        output::data(tale.picture(now(), Style::stdout()).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

impl Tale {
    fn of(store: &Store, people: People, run: weftwork_store::runs::Run) -> Result<Tale> {
        let id = run.id.clone();
        let told = |trigger: Trigger| Ok((trigger.clone(), woken_by(store, &people, &run, &trigger)?));
        let triggers = store.triggers(&id)?.into_iter().map(told).collect::<Result<_>>()?;
        Ok(Tale {
            triggers,
            steps: Told::all(store, &id)?,
            waits: store.waits(&id)?.into_iter().map(Waited::from).collect(),
            calls: store.calls(CallsOf::Run(id.as_str()))?.into_iter().map(Called::from).collect(),
            refused: store.refusals(&id)?,
            listed: Listed::one(store, &people, run)?,
            people,
        })
    }

    fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        self.calls.iter().filter_map(|call| call.usage).for_each(|usage| sum += usage);
        sum
    }

    fn record(&self) -> Value {
        let mut all = self.listed.record();
        let trigger = |(trigger, words): &(Trigger, String)| {
            json!({"how": how(trigger.how), "kind": kind(trigger.kind), "message": trigger.message, "words": words,
                "depth": trigger.depth, "expectsReply": trigger.expects_reply, "at": stamp(trigger.at)})
        };
        all["triggers"] = self.triggers.iter().map(trigger).collect();
        all["stepList"] = self.steps.iter().map(Told::record).collect();
        all["waits"] = self.waits.iter().map(|wait| self.wait_record(wait)).collect();
        all["calls"] = self.calls.iter().map(call_record).collect();
        all["usage"] = json!(self.usage());
        all["refusals"] = self.refused.iter().map(woken_record).collect();
        all
    }

    fn wait_record(&self, wait: &Waited) -> Value {
        json!({"message": wait.message, "space": wait.space, "accept": self.accept(&wait.accept), "at": stamp(wait.at),
            "until": stamp(wait.deadline), "ended": stamp(wait.ended_at), "state": wait.ending})
    }

    fn picture(&self, now: i64, style: Style) -> String {
        let run = &self.listed.run;
        let lasted = run.ended_at.map(|ended| format!("took {}", span(ended - run.created_at)));
        let facts = [
            Some(self.listed.agent.clone()),
            Some(standing(run)),
            (!self.listed.space.is_empty()).then(|| format!("in {}", self.listed.space)),
            Some(format!("begun {}", moment(now, run.created_at))),
            lasted,
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        let mut text = format!("{} · {}\n", style.paint(Ink::Strong, &format!("run {}", run.id)), facts.join(" · "));
        let root = Some(&run.root).filter(|root| !root.is_empty()).map(|root| format!("root {} · ", plain(root)));
        text += &format!("  {}depth {}\n", root.unwrap_or_default(), run.depth);
        text += &run.error.as_ref().map_or_else(String::new, |why| format!("  why: {}\n", plain(why)));
        text += &self.advice();
        let parts = [
            ("triggers", self.trigger_rows(now)),
            ("steps", self.step_rows()),
            ("waits", self.wait_rows(now)),
            ("calls", self.call_rows()),
        ];
        for (heading, table) in parts.into_iter().filter_map(|(heading, table)| Some((heading, table?))) {
            text += &format!("\n{}\n{}", style.paint(Ink::Strong, heading), table.show(style));
        }
        let refused: Vec<String> = refusals(&self.refused, &self.people).map(|line| format!("  {line}\n")).collect();
        if !refused.is_empty() {
            text += &format!("\n{}\n{}", style.paint(Ink::Strong, "refusals"), refused.concat());
        }
        text
    }

    /// What a person can do about a run that waits for them.
    fn advice(&self) -> String {
        let id = super::find::short(&self.listed.run.id);
        let waits = self.listed.waits.as_deref().unwrap_or_default();
        match self.listed.run.state {
            RunState::Parked(_) => format!("  mend it, then: weft runs retry {id}; or give it up: weft runs stop {id}\n"),
            RunState::WaitingTool => format!("  it waits for {waits}: weft runs allow {id}, or weft runs refuse {id}\n"),
            RunState::WaitingReply => format!("  it waits for {waits}: whoever speaks there lets it go on\n"),
            RunState::Queued => "  it is due: weft runs work --once does it\n".to_owned(),
            RunState::Running | RunState::Completed | RunState::Failed | RunState::Canceled => String::new(),
        }
    }

    fn trigger_rows(&self, now: i64) -> Option<Table> {
        let mut table = Table::new(&[Align::Left, Align::Right, Align::Left]);
        for (trigger, words) in &self.triggers {
            table.row(Ink::Plain, [how(trigger.how).to_owned(), away(now, trigger.at), words.clone()]);
        }
        (!self.triggers.is_empty()).then_some(table)
    }

    fn step_rows(&self) -> Option<Table> {
        let mut table = Table::new(&[Align::Right, Align::Left, Align::Left]);
        for told in &self.steps {
            for (at, line) in told.lines(&self.people).into_iter().enumerate() {
                let (number, kind) = if at == 0 { (told.number.to_string(), told.kind()) } else { (String::new(), "") };
                table.row(told.ink(), [number, kind.to_owned(), line]);
            }
        }
        (!self.steps.is_empty()).then_some(table)
    }

    fn wait_rows(&self, now: i64) -> Option<Table> {
        let mut table = Table::new(&[Align::Left, Align::Left, Align::Left]);
        for wait in &self.waits {
            let what = match &wait.message {
                Some(message) => format!("{} to {}", self.accept(&wait.accept), plain(message.as_str())),
                None => "a person's leave for a tool".to_owned(),
            };
            let end = wait.ended_at.map_or_else(|| format!("until {}", moment(now, wait.deadline)), |ended| away(now, ended));
            table.row(Ink::Plain, [wait.ending.clone(), what, end]);
        }
        (!self.waits.is_empty()).then_some(table)
    }

    fn accept(&self, accept: &Accept) -> String {
        match accept {
            Accept::Any => "any word".to_owned(),
            Accept::Reply => "a reply".to_owned(),
            Accept::From(named) => {
                let names: Vec<String> = named.iter().map(|id| self.people.name(id)).collect();
                format!("a word of {}", names.join(" or "))
            }
        }
    }

    fn call_rows(&self) -> Option<Table> {
        let right = [Align::Right; 5];
        let mut table = Table::new(&[&[Align::Left, Align::Left][..], &right].concat());
        let head = ["model", "outcome", "input", "output", "cacheRead", "cost", "took"];
        table.row(Ink::Faint, head.map(str::to_owned));
        for call in &self.calls {
            let usage = call.usage.unwrap_or_default();
            let took = call.duration_ms.map_or_else(String::new, |ms| format!("{:.1}s", ms as f64 / 1000.0));
            let model = call.model.as_deref().map_or_else(String::new, plain);
            let [input, output, read] = [usage.input, usage.output, usage.cache_read].map(grouped);
            let cost = dollars(call.cost.unwrap_or_default());
            table.row(Ink::Plain, [model, call.outcome.unwrap_or("-").to_owned(), input, output, read, cost, took]);
        }
        let sum = self.usage();
        let [input, output, read] = [sum.input, sum.output, sum.cache_read].map(grouped);
        let total = ["total".to_owned(), String::new(), input, output, read, dollars(self.listed.cost), String::new()];
        table.row(Ink::Strong, total);
        (!self.calls.is_empty()).then_some(table)
    }
}

fn call_record(call: &Called) -> Value {
    json!({"id": call.id, "space": call.space, "model": call.model, "at": call.at, "durationMs": call.duration_ms,
        "outcome": call.outcome, "usage": call.usage, "costUsd": call.cost.map(Cost::usd)})
}

fn outcome(outcome: Option<CallOutcome>) -> &'static str {
    match outcome {
        Some(CallOutcome::Done) => "done",
        Some(CallOutcome::Failed) => "failed",
        Some(CallOutcome::Canceled) => "canceled",
        None => "under way",
    }
}

fn how(how: How) -> &'static str {
    match how {
        How::Started => "started",
        How::Joined => "joined",
        How::Resumed => "resumed",
    }
}

fn kind(kind: TriggerKind) -> &'static str {
    match kind {
        TriggerKind::Message => "space_message",
        TriggerKind::Plan => "plan",
        TriggerKind::Delivery => "service",
    }
}

fn ending(state: &WaitState) -> String {
    match state {
        WaitState::Open => "open".to_owned(),
        WaitState::Resolved(Some(message)) => format!("ended by {}", plain(message.as_str())),
        WaitState::Resolved(None) => "decided".to_owned(),
        WaitState::Expired => "nobody replied in time".to_owned(),
        WaitState::Canceled(WaitCancel::Run) => "the run was stopped".to_owned(),
        WaitState::Canceled(WaitCancel::Deleted) => "the message was deleted".to_owned(),
        WaitState::Canceled(WaitCancel::Alone) => "nobody was left who could reply".to_owned(),
        WaitState::Canceled(WaitCancel::Left) => "the agent left".to_owned(),
    }
}
