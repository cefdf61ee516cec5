//! Runs in a table: who runs, why, where it stands, what it waits for and what it cost.

use super::find::short;
use super::waker::Waker;
use crate::keep::{dollars, now};
use crate::preview::plain;
use crate::remote::Place;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use crate::team::when::{span, stamp};
use crate::team::who::People;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::HashMap;
use weftwork::model::{EntityId, SpaceId};
use weftwork_gateway::asked;
use weftwork_store::runs::{How, OpenRun, ParkReason, Run, RunQuery, RunState, Trigger, WaitState};
use weftwork_store::{CallsOf, Cost, Store};

/// A run, with what a table tells of it.
pub(crate) struct Listed {
    pub(crate) run: Run,
    pub(crate) agent: String,
    pub(crate) space: String,
    pub(crate) trigger: String,
    /// What it waits for; nothing if it does not.
    pub(crate) waits: Option<String>,
    /// Until when.
    pub(crate) until: Option<i64>,
    pub(crate) cost: Cost,
}

impl Listed {
    /// The runs that are asked for, newest first.
    pub(in crate::team) fn all(place: &Place, people: &People, query: &RunQuery) -> Result<Vec<Listed>> {
        match place {
            Place::Here(store) => Listed::these(store, people, store.runs(query)?),
            Place::There(server) => server.listed(people, server.runs(query)?),
        }
    }

    /// These runs of a database.
    pub(super) fn these(store: &Store, people: &People, runs: Vec<Run>) -> Result<Vec<Listed>> {
        let mut teller = Teller::new(store, people);
        runs.into_iter().map(|run| teller.tell(run)).collect()
    }

    /// One run.
    pub(super) fn one(store: &Store, people: &People, run: Run) -> Result<Listed> {
        Teller::new(store, people).tell(run)
    }

    pub(crate) fn record(&self) -> Value {
        let Run { id, agent, space, root, depth, state, progress, error, created_at, ended_at, .. } = &self.run;
        // A server does not tell what started a chain.
        let root = Some(root).filter(|root| !root.is_empty());
        json!({"id": id.as_str(), "agent": agent, "agentName": self.agent, "space": space, "spaceName": self.space,
            "trigger": self.trigger, "status": state.status(), "parked": parked(*state), "waitsFor": self.waits,
            "until": stamp(self.until), "costUsd": self.cost.usd(), "root": root, "depth": depth, "steps": progress,
            "error": error, "created": stamp(*created_at), "ended": stamp(*ended_at)})
    }
}

/// What is looked up once for many runs.
struct Teller<'s> {
    store: &'s Store,
    people: &'s People,
    spaces: HashMap<SpaceId, String>,
    open: HashMap<EntityId, Vec<OpenRun>>,
}

impl<'s> Teller<'s> {
    fn new(store: &'s Store, people: &'s People) -> Teller<'s> {
        Teller { store, people, spaces: HashMap::new(), open: HashMap::new() }
    }

    fn tell(&mut self, run: Run) -> Result<Listed> {
        let (waits, until) = self.waits(&run)?;
        let calls = self.store.calls(CallsOf::Run(run.id.as_str()))?;
        let cost = calls.iter().filter_map(|call| call.cost).map(Cost::as_billionths).sum();
        Ok(Listed {
            agent: self.people.name(&run.agent),
            space: run.space.as_ref().map_or_else(|| Ok(String::new()), |space| self.space(space))?,
            trigger: trigger(self.store, self.people, &run)?,
            waits,
            until,
            cost: Cost::billionths(cost),
            run,
        })
    }

    /// What a space is called.
    fn space(&mut self, id: &SpaceId) -> Result<String> {
        if let Some(name) = self.spaces.get(id) {
            return Ok(name.clone());
        }
        let name = self.store.header(id)?.space.name;
        let name = plain(if name.is_empty() { id.as_str() } else { &name });
        self.spaces.insert(id.clone(), name.clone());
        Ok(name)
    }

    /// Whom or what a run waits for, and until when.
    fn waits(&mut self, run: &Run) -> Result<(Option<String>, Option<i64>)> {
        Ok(match run.state {
            RunState::WaitingReply => {
                let whom = self.open_run(run)?.and_then(|open| open.waiting_for.as_deref().map(plain));
                (waits_for(run.state, whom, None), deadline(self.store, run)?)
            }
            RunState::WaitingTool => {
                let call = asked(self.store, run.clone())?.map(|waiting| plain(&waiting.call.name));
                (waits_for(run.state, None, call), deadline(self.store, run)?)
            }
            RunState::Queued if run.available_at > now() => (Some("another try".to_owned()), Some(run.available_at)),
            state => (waits_for(state, None, None), None),
        })
    }

    fn open_run(&mut self, run: &Run) -> Result<Option<&OpenRun>> {
        if !self.open.contains_key(&run.agent) {
            self.open.insert(run.agent.clone(), self.store.open_runs(&run.agent)?);
        }
        Ok(self.open.get(&run.agent).and_then(|open| open.iter().find(|open| open.run.id == run.id)))
    }
}

fn deadline(store: &Store, run: &Run) -> Result<Option<i64>> {
    let waits = store.waits(&run.id)?;
    Ok(waits.iter().find(|wait| wait.state == WaitState::Open).map(|wait| wait.deadline))
}

/// Who or what woke a run, and with which words.
fn trigger(store: &Store, people: &People, run: &Run) -> Result<String> {
    let triggers = store.triggers(&run.id)?;
    let Some(newest) = triggers.iter().rev().find(|trigger| trigger.how != How::Resumed) else { return Ok(String::new()) };
    woken_by(store, people, run, newest)
}

/// One of the triggers of a run, in a line.
pub(super) fn woken_by(store: &Store, people: &People, run: &Run, trigger: &Trigger) -> Result<String> {
    Ok(Waker::of(store, run, trigger)?.words(people))
}

/// Whom or what a run in this state waits for: somebody, or leave to run a tool.
pub(crate) fn waits_for(state: RunState, whom: Option<String>, tool: Option<String>) -> Option<String> {
    match state {
        RunState::WaitingReply => Some(whom.unwrap_or_else(|| "a reply".to_owned())),
        RunState::WaitingTool => Some(tool.map_or_else(|| "a tool".to_owned(), |name| format!("leave to run {name}"))),
        RunState::Parked(_) => Some("a person".to_owned()),
        RunState::Queued | RunState::Running | RunState::Completed | RunState::Failed | RunState::Canceled => None,
    }
}

/// Why a run stands still.
pub(super) fn parked(state: RunState) -> Option<&'static str> {
    let RunState::Parked(reason) = state else { return None };
    Some(match reason {
        ParkReason::Poison => "poison",
        ParkReason::Budget => "budget",
        ParkReason::Approval => "approval",
        ParkReason::Provider => "provider",
        ParkReason::Config => "config",
    })
}

/// Where a run stands, in a word or two.
pub(super) fn standing(run: &Run) -> String {
    let word = run.state.status().word().replace('_', " ");
    match parked(run.state) {
        Some(reason) => format!("{word} ({reason})"),
        None if run.cancel && !run.state.is_over() => format!("{word}, stopping"),
        None => word,
    }
}

/// What somebody should look at stands out.
pub(super) fn ink(state: RunState) -> Ink {
    match state {
        RunState::Parked(_) | RunState::WaitingTool => Ink::Notice,
        RunState::Failed => Ink::Bad,
        RunState::Canceled => Ink::Faint,
        RunState::Queued | RunState::Running | RunState::WaitingReply | RunState::Completed => Ink::Plain,
    }
}

/// Runs in a table.
pub(in crate::team) fn runs_table(runs: &[Listed], now: i64, style: Style) -> String {
    let mut table = Table::of_ids(&[
        Align::Left,
        Align::Left,
        Align::Left,
        Align::Left,
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Left,
    ]);
    let head = ["run", "agent", "space", "state", "waits for", "cost", "age", "woken by"];
    table.row(Ink::Faint, head.map(str::to_owned));
    for listed in runs {
        let left = listed.until.map_or_else(String::new, |until| format!(", {} left", span(until - now)));
        let waits = listed.waits.as_ref().map_or_else(String::new, |waits| format!("{waits}{left}"));
        let cells = [
            short(&listed.run.id),
            listed.agent.clone(),
            listed.space.clone(),
            standing(&listed.run),
            waits,
            dollars(listed.cost),
            span(now - listed.run.created_at),
            listed.trigger.clone(),
        ];
        table.row(ink(listed.run.state), cells);
    }
    table.show(style)
}
