//! `weft runs work`: being the worker. And what came of working, for every verb that does what is due.

use super::find::short;
use super::list::{Listed, standing};
use super::steps::refusals;
use super::watch::{POLL, Seen, stopped_within, tell as tell_changes};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::{message, plain};
use crate::style::{Ink, Style};
use crate::team::args::WorkArgs;
use crate::team::gate::Gate;
use crate::team::when::{away, moment};
use crate::team::who::People;
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::{Part, SpaceId};
use weftwork_gateway::{Ended, Worker};
use weftwork_store::Store;
use weftwork_store::runs::{Posted, RunId, RunQuery, RunState};

/// Runs that are looked at while a worker works.
const LOOKED_AT: u32 = 500;

/// Works, once or until Ctrl-C.
pub(super) fn work(args: &WorkArgs) -> Result<Outcome> {
    let gate = Gate::open(&args.list.db)?;
    if args.once {
        let round = Round::work(&gate)?;
        if args.list.json {
            output::line(&serde_json::to_vec(&round.record(gate.store())?)?)?;
        } else if round.done.is_empty() {
            output::say("nothing is due\n");
        } else {
            tell(&round, gate.store(), None)?;
        }
        return Ok(Outcome::Ok);
    }
    let (mut seen, query) = (Seen::default(), RunQuery { limit: LOOKED_AT, ..RunQuery::default() });
    seen.news(gate.store().runs(&query)?);
    let worker = {
        let _in_runtime = gate.runtime.enter();
        Worker::start(&gate.gateway, gate.settings())
    };
    output::say("working; Ctrl-C ends it when the runs at work have come to an end\n");
    let mut failed = Ok(());
    while failed.is_ok() && !stopped_within(&gate.runtime, POLL) {
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
    let news = seen.news(gate.store().runs(query)?);
    tell_changes(gate.store(), news, json)
}

/// What was done in one go.
#[derive(Default)]
pub(in crate::team) struct Round {
    began: i64,
    done: Vec<(RunId, Ended)>,
}

impl Round {
    /// Does all that is due.
    pub(in crate::team) fn work(gate: &Gate) -> Result<Round> {
        let began = now();
        Ok(Round { began, done: gate.work_off()? })
    }

    /// What a run said in this round.
    fn said(&self, store: &Store, run: &RunId) -> Result<Vec<Posted>> {
        let mut said = Vec::new();
        for step in store.steps(run)?.iter().filter(|step| step.message.is_some()) {
            let posted = store.sent_in(run, step.step)?;
            let is_new = |posted: &Posted| posted.message.node.created_at.as_ref().is_some_and(|at| at.millis() >= self.began);
            said.extend(posted.filter(is_new));
        }
        Ok(said)
    }

    /// Each run that was done, once, in the order they were done last.
    fn runs(&self) -> Vec<&RunId> {
        let mut runs: Vec<&RunId> = Vec::new();
        for (run, _) in &self.done {
            if !runs.contains(&run) {
                runs.push(run);
            }
        }
        runs
    }

    pub(in crate::team) fn record(&self, store: &Store) -> Result<Vec<Value>> {
        let people = People::of(store)?;
        let one = |run: &RunId| {
            let mut record = Listed::one(store, &people, store.run(run)?)?.record();
            let said = self.said(store, run)?;
            record["said"] =
                said.iter().map(|posted| json!({"message": posted.message.node.id, "text": words(posted)})).collect();
            Ok(record)
        };
        self.runs().into_iter().map(one).collect()
    }
}

/// What a message says.
fn words(posted: &Posted) -> String {
    let text = |part: &Part| if let Part::Text(text) = part { Some(text.text.clone()) } else { None };
    posted.message.node.parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

/// Prints what was said, on stdout, and how each run was left, on stderr. `here` is the space one looks at.
pub(in crate::team) fn tell(round: &Round, store: &Store, here: Option<&SpaceId>) -> Result<()> {
    let people = People::of(store)?;
    let mut said = Vec::new();
    for run in round.runs() {
        for posted in round.said(store, run)? {
            said.push((posted.message.node.created_at.as_ref().map(|at| at.millis()), run.clone(), posted));
        }
    }
    said.sort_by_key(|(at, _, _)| *at);
    for (_, run, posted) in &said {
        output::data(spoken(store, &people, run, posted, here)?.as_bytes())?;
    }
    for run in round.runs() {
        let silent = !said.iter().any(|(_, by, _)| by == run);
        if let Some(line) = left(store, &people, run, silent)? {
            output::say(&format!("{line}\n"));
        }
    }
    Ok(())
}

fn spoken(store: &Store, people: &People, run: &RunId, posted: &Posted, here: Option<&SpaceId>) -> Result<String> {
    let style = Style::stdout();
    let node = &posted.message.node;
    let elsewhere = spoken_in(store, run, posted)?.filter(|space| Some(space) != here);
    let place = elsewhere.map_or_else(String::new, |space| format!(" (in {})", plain(space.as_str())));
    let mut text = format!("{}{place}: ", style.paint(Ink::Strong, &people.name(&node.author)));
    text += &message(&words(posted)).replace('\n', "\n  ");
    text.push('\n');
    for refusal in refusals(&posted.woken, people) {
        text += &style.paint(Ink::Notice, &format!("  {refusal}\n"));
    }
    Ok(text)
}

/// The space that a message was said in: one of those its run's agent belongs to.
fn spoken_in(store: &Store, run: &RunId, posted: &Posted) -> Result<Option<SpaceId>> {
    let run = store.run(run)?;
    let mut spaces: Vec<SpaceId> = run.space.into_iter().collect();
    spaces.extend(store.belonging(&run.agent)?.spaces.into_iter().map(|space| space.id));
    Ok(spaces.into_iter().find(|space| store.node(space, &posted.message.node.id).is_ok()))
}

/// How a run was left, where that is worth a word.
fn left(store: &Store, people: &People, id: &RunId, silent: bool) -> Result<Option<String>> {
    let listed = Listed::one(store, people, store.run(id)?)?;
    let (run, agent, short) = (&listed.run, &listed.agent, short(id));
    let why = run.error.as_deref().map_or_else(String::new, |why| format!(": {}", plain(why)));
    let waits = listed.waits.as_deref().unwrap_or_default();
    let until = listed.until.map_or_else(String::new, |until| format!(" until {}", moment(now(), until)));
    Ok(match run.state {
        RunState::Completed => silent.then(|| format!("{agent} read it and said nothing (run {short})")),
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
    })
}
