//! `weft runs --watch`: a line for each change of a run, whoever makes it.

use super::list::{Listed, ink, standing};
use super::query;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use crate::style::Style;
use crate::team::args::RunsArgs;
use crate::team::when::{span, stamp};
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use weftwork::model::Timestamp;
use weftwork_store::runs::{Run, RunId, RunQuery, RunState};

/// How often the database is looked at.
pub(super) const POLL: Duration = Duration::from_millis(300);
/// How often a server is asked.
const POLL_SERVER: Duration = Duration::from_secs(1);
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
    let place = args.list.place.read()?;
    let query = RunQuery { limit: LOOKED_AT, ..query(args, &place, &place.people()?)? };
    let runtime = Runtime::new().context("threads")?;
    let stop = interrupted(&runtime);
    let mut seen = Seen::default();
    let first: Vec<Run> = seen.news(runs(&place, &query)?).into_iter().filter(|run| !run.state.is_over()).collect();
    tell(&told(&place, first)?, args.list.json)?;
    let pause = match place {
        Place::Here(_) => POLL,
        Place::There(_) => POLL_SERVER,
    };
    while !stopped_within(&runtime, &stop, pause) {
        let news = seen.news(runs(&place, &query)?);
        tell(&told(&place, news)?, args.list.json)?;
    }
    Ok(Outcome::Ok)
}

fn runs(place: &Place, query: &RunQuery) -> Result<Vec<Run>> {
    match place {
        Place::Here(store) => Ok(store.runs(query)?),
        Place::There(server) => server.runs(query),
    }
}

/// What there is to tell of runs. People may have come meanwhile, so they are asked for again.
fn told(place: &Place, runs: Vec<Run>) -> Result<Vec<Listed>> {
    match place {
        _ if runs.is_empty() => Ok(Vec::new()),
        Place::Here(store) => Listed::these(store, &place.people()?, runs),
        Place::There(server) => server.listed(&place.people()?, runs),
    }
}

/// Hears Ctrl-C, once and for all: also while nobody waits for it.
pub(in crate::team) fn interrupted(runtime: &Runtime) -> CancellationToken {
    let stop = CancellationToken::new();
    let told = stop.clone();
    runtime.spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            told.cancel();
        }
    });
    stop
}

/// Whether it is stopped within a time, or was before.
pub(super) fn stopped_within(runtime: &Runtime, stop: &CancellationToken, time: Duration) -> bool {
    runtime.block_on(async { tokio::time::timeout(time, stop.cancelled()).await.is_ok() })
}

/// A line for each run.
pub(super) fn tell(runs: &[Listed], json: bool) -> Result<()> {
    let style = Style::stdout();
    for listed in runs {
        if json {
            let mut record = listed.record();
            record["at"] = stamp(now());
            output::line(&serde_json::to_vec(&record)?)?;
        } else {
            output::line(style.paint(ink(listed.run.state), &line(listed)).as_bytes())?;
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
