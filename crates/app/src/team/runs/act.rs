//! `weft runs stop`, `retry`, `allow` and `refuse`: what a person does about a run.

use super::find::{find, short};
use super::work::{Round, tell};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use crate::remote::{Place, Server};
use crate::team::args::{DecideArgs, OneRunArgs, RetryArgs, ThenArgs};
use crate::team::gate::Gate;
use crate::team::who::{People, member, own_name};
use anyhow::{Result, bail};
use serde_json::json;
use weftwork::model::EntityId;
use weftwork_gateway::asked;
use weftwork_gateway::tools::Decision;
use weftwork_store::Store;
use weftwork_store::runs::{Canceled, Guarded, Run, RunState};

/// What a person says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Allow,
    Refuse,
}

/// Stops a run.
pub(super) fn stop(args: &OneRunArgs) -> Result<Outcome> {
    let place = args.list.place.change()?;
    let run = find(&place, &args.run)?;
    let canceled = match &place {
        Place::Here(store) => store.cancel(&run.id, now())?,
        Place::There(server) => server.cancel(&run.id)?,
    };
    let (word, said) = match canceled {
        Canceled::Now => ("stopped", format!("run {} is stopped", short(&run.id))),
        Canceled::Asked => ("asked", format!("run {} is at work and will stop after what it is doing", short(&run.id))),
        Canceled::Over => ("over", format!("run {} had ended already", short(&run.id))),
    };
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"run": run.id.as_str(), "stopped": word}))?)?;
    } else {
        output::say(&format!("{said}\n"));
    }
    Ok(Outcome::Ok)
}

/// Lets a run go on that stands still.
pub(super) fn retry(args: &RetryArgs) -> Result<Outcome> {
    let place = args.one.list.place.change()?;
    let run = find(&place, &args.one.run)?;
    if !matches!(run.state, RunState::Parked(_)) {
        let state = super::list::standing(&run);
        bail!("run {} is {state}: only one that is parked can be tried again", short(&run.id));
    }
    let said = "it is queued again";
    match place {
        Place::Here(store) => match store.unpark(&run.id, now())? {
            Guarded::Held(()) => work_on(&Gate::on(store)?, &args.one, &args.then, &run, said),
            Guarded::Lost => bail!("run {} no longer stands still: look again with weft runs show {0}", short(&run.id)),
        },
        Place::There(server) => follow(&server, &args.one, &args.then, &run, said, |server| server.retry(&run.id)),
    }
}

/// Decides about the call that a run waits with.
pub(super) fn decide(args: &DecideArgs, word: Word) -> Result<Outcome> {
    let place = args.one.list.place.change()?;
    let run = find(&place, &args.one.run)?;
    let waiting = match &place {
        Place::Here(store) => {
            let waiting = asked(store, run.clone())?;
            waiting.map(|waiting| (waiting.call.name.clone(), waiting.call.args.text().to_owned()))
        }
        Place::There(server) => server.asks(&run.id)?,
    };
    let Some((name, given)) = waiting else {
        let state = super::list::standing(&run);
        bail!("run {} asks about nothing (it is {state}): weft runs --status waiting_tool lists those that do", short(&run.id));
    };
    let decision = match (word, args.always) {
        (Word::Allow, false) => Decision::Once,
        (Word::Allow, true) => Decision::Always,
        (Word::Refuse, false) => Decision::Refuse,
        (Word::Refuse, true) => Decision::Never,
    };
    let what = match decision {
        Decision::Once => "may run this once",
        Decision::Always => "may always run from now on",
        Decision::Refuse => "may not run this time",
        Decision::Never => "may never run",
    };
    let said = format!("{}({}) {what}", plain(&name), plain(&given));
    match place {
        Place::Here(store) => {
            let by = decider(&store, &run, args.who.as_deref())?;
            let gate = Gate::on(store)?;
            gate.wait(gate.gateway.decide(&run.id, decision, &by))?;
            work_on(&gate, &args.one, &args.then, &run, &said)
        }
        Place::There(server) => {
            server.myself(args.who.as_deref())?;
            let decide = |server: &Server| server.decide(&run.id, word == Word::Allow, args.always);
            follow(&server, &args.one, &args.then, &run, &said, decide)
        }
    }
}

/// Who decides: the person that is named, else one of the run's space, else the person at this machine.
fn decider(store: &Store, run: &Run, wanted: Option<&str>) -> Result<EntityId> {
    let people = People::of(store)?;
    match (wanted, &run.space) {
        (Some(wanted), _) => Ok(people.find(wanted)?.id.clone()),
        (None, Some(space)) => Ok(member(store, space, None)?.id),
        (None, None) => Ok(people.person(store, &own_name())?.id),
    }
}

/// Does what is due after something was done here.
fn work_on(gate: &Gate, args: &OneRunArgs, then: &ThenArgs, run: &Run, said: &str) -> Result<Outcome> {
    say(args, said);
    let round = if then.no_work { Round::default() } else { Round::work(gate)? };
    end(args, run, said, &round)
}

/// Does something at a server, and listens to what comes of it.
fn follow(
    server: &Server,
    args: &OneRunArgs,
    then: &ThenArgs,
    run: &Run,
    said: &str,
    act: impl FnOnce(&Server) -> Result<()>,
) -> Result<Outcome> {
    let before = server.before()?;
    act(server)?;
    say(args, said);
    let round = if then.no_work { Round::default() } else { server.follow(&before, std::slice::from_ref(&run.id))? };
    end(args, run, said, &round)
}

fn say(args: &OneRunArgs, said: &str) {
    if !args.list.json {
        output::say(&format!("{said}\n"));
    }
}

/// Says what came of it.
fn end(args: &OneRunArgs, run: &Run, said: &str, round: &Round) -> Result<Outcome> {
    if args.list.json {
        let record = json!({"run": run.id.as_str(), "done": said, "runs": round.record()});
        output::line(&serde_json::to_vec(&record)?)?;
    } else {
        tell(round, run.space.as_ref())?;
    }
    Ok(Outcome::Ok)
}
