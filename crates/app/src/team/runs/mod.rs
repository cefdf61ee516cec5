//! `weft runs`: what agents do, wait for and have done.

mod act;
mod find;
mod list;
mod show;
mod steps;
mod waker;
mod watch;
mod work;

pub(super) use find::short;
pub(super) use list::runs_table;
pub(crate) use list::{Listed, waits_for};
pub(crate) use show::{Called, Tale, Waited};
pub(crate) use steps::Told;
pub(super) use steps::{refusals, woken_record};
pub(crate) use waker::Waker;
pub(super) use watch::interrupted;
pub(super) use work::tell;
pub(crate) use work::{Done, Round, Spoken};

use super::args::{RunsArgs, RunsCommand};
use super::who::People;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::remote::Place;
use crate::style::Style;
use anyhow::Result;
use weftwork_store::runs::RunQuery;

/// Runs that a server lists at most.
const MOST_THERE: u32 = 200;

/// Lists the runs, or does something with one.
pub(crate) fn run(args: &RunsArgs) -> Result<Outcome> {
    match &args.command {
        Some(RunsCommand::Show(args)) => show::show(args),
        Some(RunsCommand::Stop(args)) => act::stop(args),
        Some(RunsCommand::Retry(args)) => act::retry(args),
        Some(RunsCommand::Allow(args)) => act::decide(args, act::Word::Allow),
        Some(RunsCommand::Refuse(args)) => act::decide(args, act::Word::Refuse),
        Some(RunsCommand::Work(args)) => work::work(args),
        None if args.watch => watch::watch(args),
        None => list(args),
    }
}

fn list(args: &RunsArgs) -> Result<Outcome> {
    let place = args.list.place.read()?;
    let people = place.people()?;
    let runs = Listed::all(&place, &people, &query(args, &place, &people)?)?;
    if args.list.json {
        output::line(&serde_json::to_vec(&runs.iter().map(Listed::record).collect::<Vec<_>>())?)?;
    } else if runs.is_empty() {
        output::say("No such runs. A message wakes the agents of a space: weft spaces post SPACE TEXT\n");
    } else {
        output::data(runs_table(&runs, now(), Style::stdout()).as_bytes())?;
        match &place {
            Place::Here(_) if args.which.limit > 0 && runs.len() == args.which.limit as usize => {
                output::say("… there may be more: --limit 0 lists all\n");
            }
            Place::There(_) if runs.len() == args.which.limit.min(MOST_THERE) as usize || runs.len() == MOST_THERE as usize => {
                output::say(&format!("… there may be more: a server lists the newest {MOST_THERE} at most\n"));
            }
            Place::Here(_) | Place::There(_) => {}
        }
    }
    Ok(Outcome::Ok)
}

/// Which runs are meant.
fn query(args: &RunsArgs, place: &Place, people: &People) -> Result<RunQuery> {
    let agent = args.which.agent.as_deref().map(|agent| people.agent(agent)).transpose()?;
    let space = args.which.space.as_deref().map(|space| place.find_space(space)).transpose()?;
    Ok(RunQuery {
        agent: agent.map(|agent| agent.id.clone()),
        space,
        statuses: args.which.status.into_iter().collect(),
        limit: args.which.limit,
        ..RunQuery::default()
    })
}
