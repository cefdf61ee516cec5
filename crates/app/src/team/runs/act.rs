//! `weft runs stop`, `retry`, `allow` and `refuse`: what a person does about a run.

use super::find::{find, short};
use super::work::{Round, tell};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use crate::team::args::{DecideArgs, OneRunArgs, RetryArgs, ThenArgs};
use crate::team::gate::Gate;
use crate::team::who::{People, member, own_name};
use anyhow::{Result, bail};
use serde_json::json;
use weftwork::model::EntityId;
use weftwork_gateway::asked;
use weftwork_gateway::tools::Decision;
use weftwork_store::runs::{Canceled, Guarded, Run, RunState};

/// What a person says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Allow,
    Refuse,
}

/// Stops a run.
pub(super) fn stop(args: &OneRunArgs) -> Result<Outcome> {
    let store = args.list.db.change()?;
    let run = find(&store, &args.run)?;
    let (word, said) = match store.cancel(&run.id, now())? {
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
    let gate = Gate::open(&args.one.list.db)?;
    let run = find(gate.store(), &args.one.run)?;
    if !matches!(run.state, RunState::Parked(_)) {
        let state = super::list::standing(&run);
        bail!("run {} is {state}: only one that is parked can be tried again", short(&run.id));
    }
    match gate.store().unpark(&run.id, now())? {
        Guarded::Held(()) => go_on(&gate, &args.one, &args.then, &run, "it is queued again"),
        Guarded::Lost => bail!("run {} no longer stands still: look again with weft runs show {0}", short(&run.id)),
    }
}

/// Decides about the call that a run waits with.
pub(super) fn decide(args: &DecideArgs, word: Word) -> Result<Outcome> {
    let gate = Gate::open(&args.one.list.db)?;
    let run = find(gate.store(), &args.one.run)?;
    let Some(waiting) = asked(gate.store(), run.clone())? else {
        let state = super::list::standing(&run);
        bail!("run {} asks about nothing (it is {state}): weft runs --status waiting_tool lists those that do", short(&run.id));
    };
    let by = decider(&gate, &run, args.who.as_deref())?;
    let decision = match (word, args.always) {
        (Word::Allow, false) => Decision::Once,
        (Word::Allow, true) => Decision::Always,
        (Word::Refuse, false) => Decision::Refuse,
        (Word::Refuse, true) => Decision::Never,
    };
    gate.wait(gate.gateway.decide(&run.id, decision, &by))?;
    let what = match decision {
        Decision::Once => "may run this once",
        Decision::Always => "may always run from now on",
        Decision::Refuse => "may not run this time",
        Decision::Never => "may never run",
    };
    let call = format!("{}({})", plain(&waiting.call.name), plain(waiting.call.args.text()));
    go_on(&gate, &args.one, &args.then, &run, &format!("{call} {what}"))
}

/// Who decides: the person that is named, else one of the run's space, else the person at this machine.
fn decider(gate: &Gate, run: &Run, wanted: Option<&str>) -> Result<EntityId> {
    let store = gate.store();
    let people = People::of(store)?;
    match (wanted, &run.space) {
        (Some(wanted), _) => Ok(people.find(wanted)?.id.clone()),
        (None, Some(space)) => Ok(member(store, space, None)?.id),
        (None, None) => Ok(people.person(store, &own_name())?.id),
    }
}

/// Says what was done, and does what is due after it.
fn go_on(gate: &Gate, args: &OneRunArgs, then: &ThenArgs, run: &Run, said: &str) -> Result<Outcome> {
    if !args.list.json {
        output::say(&format!("{said}\n"));
    }
    let round = if then.no_work { Round::default() } else { Round::work(gate)? };
    if args.list.json {
        let record = json!({"run": run.id.as_str(), "done": said, "runs": round.record(gate.store())?});
        output::line(&serde_json::to_vec(&record)?)?;
        return Ok(Outcome::Ok);
    }
    tell(&round, gate.store(), run.space.as_ref())?;
    Ok(Outcome::Ok)
}
