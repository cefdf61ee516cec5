//! `weft runs --watch`: a line for each change of a run, whoever makes it.

use super::list::{Listed, ink, standing};
use super::query;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use crate::style::Style;
use crate::team::args::RunsArgs;
use crate::team::when::{span, stamp};
use crate::team::who::People;
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::time::Duration;
use tokio::runtime::Runtime;
use weftwork::model::Timestamp;
use weftwork_store::Store;
use weftwork_store::runs::{Run, RunId, RunQuery, RunState};

/// How often the database is looked at.
pub(super) const POLL: Duration = Duration::from_millis(300);
/// Runs that are looked at, the newest; a change of an older one is not seen.
const LOOKED_AT: u32 = 500;

/// What was told of runs last.
#[derive(Default)]
pub(super) struct Seen(HashMap<RunId, (RunState, u32, bool, Option<String>)>);

impl Seen {
    /// Which of the runs have changed, oldest first.
    pub(super) fn news(&mut self, runs: Vec<Run>) -> Vec<Run> {
        let mut changed = Vec::new();
        for run in runs.into_iter().rev() {
            let mark = (run.state, run.progress, run.cancel, run.error.clone());
            if self.0.insert(run.id.clone(), mark.clone()) != Some(mark) {
                changed.push(run);
            }
        }
        changed
    }
}

/// Prints changes until Ctrl-C.
pub(super) fn watch(args: &RunsArgs) -> Result<Outcome> {
    let store = args.list.db.read()?;
    let people = People::of(&store)?;
    let query = RunQuery { limit: LOOKED_AT, ..query(args, &store, &people)? };
    let runtime = Runtime::new().context("threads")?;
    let mut seen = Seen::default();
    let first: Vec<Run> = seen.news(store.runs(&query)?).into_iter().filter(|run| !run.state.is_over()).collect();
    tell(&store, first, args.list.json)?;
    while !stopped_within(&runtime, POLL) {
        let news = seen.news(store.runs(&query)?);
        tell(&store, news, args.list.json)?;
    }
    Ok(Outcome::Ok)
}

/// Whether somebody presses Ctrl-C within a time.
pub(super) fn stopped_within(runtime: &Runtime, time: Duration) -> bool {
    runtime.block_on(async {
        tokio::select! {
            heard = tokio::signal::ctrl_c() => heard.is_ok(),
            () = tokio::time::sleep(time) => false,
        }
    })
}

/// A line for each run.
pub(super) fn tell(store: &Store, runs: Vec<Run>, json: bool) -> Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    // People may have come meanwhile.
    let people = People::of(store)?;
    let style = Style::stdout();
    for run in runs {
        let listed = Listed::one(store, &people, run)?;
        if json {
            let mut record = listed.record();
            record["at"] = stamp(now());
            output::line(&serde_json::to_vec(&record)?)?;
        } else {
            output::line(style.paint(ink(listed.run.state), &line(&listed)).as_bytes())?;
        }
    }
    Ok(())
}

fn line(listed: &Listed) -> String {
    let time = Timestamp::from_millis(now()).map(|time| time.utc()).unwrap_or_default();
    let until = listed.until.map_or_else(String::new, |until| format!(", {} left", span(until - now())));
    let waits = listed.waits.as_ref().map(|waits| format!("waits for {waits}{until}"));
    let steps = (listed.run.progress > 0).then(|| format!("step {}", listed.run.progress));
    let why = listed.run.error.as_deref().map(plain);
    let place = (!listed.space.is_empty()).then(|| format!("in {}", listed.space));
    let words = [place, steps, waits, why, Some(listed.trigger.clone())];
    let words: Vec<String> = words.into_iter().flatten().filter(|word| !word.is_empty()).collect();
    let time = time.get(11..19).unwrap_or_default();
    format!("{time}  {}  {}  {} · {}", super::find::short(&listed.run.id), listed.agent, standing(&listed.run), words.join(" · "))
}
