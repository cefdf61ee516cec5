//! `weft runs work`: being the worker. And what came of working, for every verb that does what is due.

use super::find::short;
use super::list::{Listed, standing};
use super::steps::refusals;
use super::watch::{POLL, Seen, interrupted, stopped_within, tell as tell_changes};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::{message, plain};
use crate::remote::Place;
use crate::style::{Ink, Style};
use crate::team::args::WorkArgs;
use crate::team::gate::Gate;
use crate::team::when::{away, moment};
use crate::team::who::People;
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::{EntityId, Node, NodeId, Part, SpaceId};
use weftwork_gateway::Worker;
use weftwork_store::Store;
use weftwork_store::runs::{Posted, RunId, RunQuery, RunState, Woken};

/// Runs that are looked at while a worker works.
const LOOKED_AT: u32 = 500;

/// Works, once or until Ctrl-C.
pub(super) fn work(args: &WorkArgs) -> Result<Outcome> {
    let gate = match args.list.place.change()? {
        Place::Here(store) => Gate::on(store)?,
        Place::There(server) => {
            return server.refuse("runs work", "a server does what is due by itself; weft runs --watch shows it");
        }
    };
    if args.once {
        let round = Round::work(&gate)?;
        if args.list.json {
            output::line(&serde_json::to_vec(&round.record())?)?;
        } else if round.done.is_empty() {
            output::say("nothing is due\n");
        } else {
            tell(&round, None)?;
        }
        return Ok(Outcome::Ok);
    }
    let (mut seen, query) = (Seen::default(), RunQuery { limit: LOOKED_AT, ..RunQuery::default() });
    seen.news(gate.store().runs(&query)?);
    let worker = {
        let _in_runtime = gate.runtime.enter();
        Worker::start(&gate.gateway, gate.settings())
    };
    let stop = interrupted(&gate.runtime);
    output::say("working; Ctrl-C ends it when the runs at work have come to an end\n");
    let mut failed = Ok(());
    while failed.is_ok() && !stopped_within(&gate.runtime, &stop, POLL) {
        gate.tell_notes();
        failed = tell_news(&gate, &mut seen, &query, args.list.json);
    }
    gate.runtime.block_on(worker.drain());
    failed?;
    tell_news(&gate, &mut seen, &query, args.list.json)?;
    gate.tell_notes();
    Ok(Outcome::Ok)
}

fn tell_news(gate: &Gate, seen: &mut Seen, query: &RunQuery, json: bool) -> Result<()> {
    let store = gate.store();
    let news = seen.news(store.runs(query)?);
    tell_changes(&Listed::these(store, &People::of(store)?, news)?, json)
}

/// What was done in one go.
#[derive(Default)]
pub(crate) struct Round {
    pub(crate) people: People,
    /// Each run that was done, once, in the order they were done last.
    pub(crate) done: Vec<Done>,
}

/// A run, and what it said in this round.
pub(crate) struct Done {
    pub(crate) listed: Listed,
    pub(crate) said: Vec<Spoken>,
}

/// A message of an agent.
pub(crate) struct Spoken {
    at: Option<i64>,
    author: EntityId,
    message: NodeId,
    text: String,
    space: Option<SpaceId>,
    woken: Vec<Woken>,
}

impl Spoken {
    /// A message, where it was said, and what it did to agents.
    pub(crate) fn of(node: &Node, space: Option<SpaceId>, woken: Vec<Woken>) -> Spoken {
        let text = |part: &Part| if let Part::Text(text) = part { Some(text.text.clone()) } else { None };
        let text = node.parts.iter().filter_map(text).collect::<Vec<_>>().join("\n");
        let at = node.created_at.as_ref().map(|at| at.millis());
        Spoken { at, author: node.author.clone(), message: node.id.clone(), text, space, woken }
    }
}

impl Round {
    /// Does all that is due.
    pub(in crate::team) fn work(gate: &Gate) -> Result<Round> {
        let began = now();
        let mut runs: Vec<RunId> = Vec::new();
        for (run, _) in gate.work_off()? {
            if !runs.contains(&run) {
                runs.push(run);
            }
        }
        let (store, people) = (gate.store(), People::of(gate.store())?);
        let one =
            |run: &RunId| Ok(Done { listed: Listed::one(store, &people, store.run(run)?)?, said: said(store, run, began)? });
        let done = runs.iter().map(one).collect::<Result<_>>()?;
        Ok(Round { done, people })
    }

    pub(in crate::team) fn record(&self) -> Vec<Value> {
        let one = |done: &Done| {
            let mut record = done.listed.record();
            record["said"] = done.said.iter().map(|said| json!({"message": said.message, "text": said.text})).collect();
            record
        };
        self.done.iter().map(one).collect()
    }
}

/// What a run said since a time.
fn said(store: &Store, run: &RunId, since: i64) -> Result<Vec<Spoken>> {
    let mut said = Vec::new();
    for step in store.steps(run)?.iter().filter(|step| step.message.is_some()) {
        let Some(posted) = store.sent_in(run, step.step)? else { continue };
        let node = &posted.message.node;
        if node.created_at.as_ref().is_some_and(|at| at.millis() >= since) {
            said.push(Spoken::of(node, spoken_in(store, run, &posted)?, posted.woken.clone()));
        }
    }
    Ok(said)
}

/// The space that a message was said in: one of those its run's agent belongs to.
fn spoken_in(store: &Store, run: &RunId, posted: &Posted) -> Result<Option<SpaceId>> {
    let run = store.run(run)?;
    let mut spaces: Vec<SpaceId> = run.space.into_iter().collect();
    spaces.extend(store.belonging(&run.agent)?.spaces.into_iter().map(|space| space.id));
    Ok(spaces.into_iter().find(|space| store.node(space, &posted.message.node.id).is_ok()))
}

/// Prints what was said, on stdout, and how each run was left, on stderr. `here` is the space one looks at.
pub(in crate::team) fn tell(round: &Round, here: Option<&SpaceId>) -> Result<()> {
    let mut said: Vec<&Spoken> = round.done.iter().flat_map(|done| &done.said).collect();
    said.sort_by_key(|said| said.at);
    for said in said {
        output::data(spoken(said, &round.people, here).as_bytes())?;
    }
    for line in round.done.iter().filter_map(left) {
        output::say(&format!("{line}\n"));
    }
    Ok(())
}

fn spoken(said: &Spoken, people: &People, here: Option<&SpaceId>) -> String {
    let style = Style::stdout();
    let elsewhere = said.space.as_ref().filter(|space| Some(*space) != here);
    let place = elsewhere.map_or_else(String::new, |space| format!(" (in {})", plain(space.as_str())));
    let mut text = format!("{}{place}: ", style.paint(Ink::Strong, &people.name(&said.author)));
    text += &message(&said.text).replace('\n', "\n  ");
    text.push('\n');
    for refusal in refusals(&said.woken, people) {
        text += &style.paint(Ink::Notice, &format!("  {refusal}\n"));
    }
    text
}

/// How a run was left, where that is worth a word.
fn left(done: &Done) -> Option<String> {
    let Done { listed, said } = done;
    let (run, agent, short) = (&listed.run, &listed.agent, short(&listed.run.id));
    let why = run.error.as_deref().map_or_else(String::new, |why| format!(": {}", plain(why)));
    let waits = listed.waits.as_deref().unwrap_or_default();
    let until = listed.until.map_or_else(String::new, |until| format!(" until {}", moment(now(), until)));
    match run.state {
        RunState::Completed => said.is_empty().then(|| format!("{agent} read it and said nothing (run {short})")),
        RunState::WaitingReply => Some(format!("{agent} waits for {waits}{until} (run {short})")),
        RunState::WaitingTool => {
            Some(format!("{agent} waits for {waits}{until}: weft runs allow {short}, or weft runs refuse {short}"))
        }
        RunState::Parked(_) => Some(format!("{agent} is {}{why}; weft runs retry {short} lets it go on", standing(run))),
        RunState::Failed => Some(format!("{agent} failed{why}; weft runs show {short} shows what it did")),
        RunState::Canceled => Some(format!("{agent} was stopped (run {short})")),
        RunState::Queued => Some(format!(
            "{agent} will be tried again {}{why}; weft runs work does it (run {short})",
            away(now(), run.available_at)
        )),
        RunState::Running => Some(format!("{agent} is still at work (run {short})")),
    }
}
