//! `weft plans`: what agents will do later.

use super::args::{AddPlanArgs, PlansArgs, PlansCommand, RemovePlanArgs};
use super::when::{away, moment, stamp};
use super::who::People;
use crate::exit::Outcome;
use crate::keep::{minute, near, now};
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use weftwork::model::{Entity, EntityId, EntityKind, Timestamp};
use weftwork_gateway::schedule::{Schedule, When, shown};
use weftwork_store::Store;
use weftwork_store::runs::{NewPlan, StoredPlan};

/// A plan, and whose it is.
pub(crate) struct Planned {
    pub(crate) agent: EntityId,
    pub(crate) agent_name: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) instruction: String,
    /// The cron line, with its zone unless that is UTC.
    pub(crate) cron: Option<String>,
    /// The delay, as it was written.
    pub(crate) after: Option<String>,
    pub(crate) at: Option<Timestamp>,
    /// When it fires next; never again if there is none.
    pub(crate) next: Option<i64>,
    /// Whether its schedule is one that this program knows.
    pub(crate) readable: bool,
}

/// Lists the plans, adds one or takes one away.
pub(crate) fn run(args: &PlansArgs) -> Result<Outcome> {
    match &args.command {
        Some(PlansCommand::Add(args)) => add(args),
        Some(PlansCommand::Remove(args)) => remove(args),
        None => list(args),
    }
}

fn list(args: &PlansArgs) -> Result<Outcome> {
    let plans = all(&args.list.place.read()?, args.agent.as_deref())?;
    if args.list.json {
        output::line(&serde_json::to_vec(&plans.iter().map(Planned::record).collect::<Vec<_>>())?)?;
    } else if plans.is_empty() {
        output::say("No plans yet. Make one: weft plans add --agent AGENT NAME --do TEXT --cron \"0 9 * * 1-5\"\n");
    } else {
        output::data(plans_table(&plans, now(), Style::stdout()).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

/// The plans of an agent, or of all.
fn all(place: &Place, agent: Option<&str>) -> Result<Vec<Planned>> {
    let people = place.people()?;
    let agents: Vec<_> = match agent {
        Some(wanted) => vec![people.agent(wanted)?],
        None => people.all(EntityKind::Agent).collect(),
    };
    let managed = match place {
        Place::There(server) if agent.is_none() => Some(server.minds()?),
        Place::Here(_) | Place::There(_) => None,
    };
    let mut plans = Vec::new();
    for agent in agents {
        match place {
            Place::Here(store) => plans.extend(store.plans(&agent.id)?.into_iter().map(|plan| Planned::of(&people, plan))),
            // Those of others are not told.
            Place::There(_) if managed.iter().flatten().any(|mind| mind.agent.id == agent.id && !mind.managed) => {}
            Place::There(server) => plans.extend(server.plans(agent)?),
        }
    }
    Ok(plans)
}

fn add(args: &AddPlanArgs) -> Result<Outcome> {
    let when = When {
        run_after: args.after.clone(),
        scheduled_at: args.at.clone(),
        cron: args.cron.clone(),
        time_zone: args.zone.clone(),
    };
    let schedule = when.read(now()).map_err(|error| anyhow!("{}", in_our_words(&error.to_string())))?;
    for (what, text) in [("NAME", &args.name), ("--do", &args.instruction)] {
        if text.trim().is_empty() {
            bail!("{what} is empty");
        }
    }
    let place = args.list.place.change()?;
    let people = place.people()?;
    let agent = people.agent(&args.agent)?;
    let kept = match &place {
        Place::Here(store) => keep(store, &people, agent, args, &schedule)?,
        Place::There(server) => server.add_plan(agent, &args.name, &args.instruction, &when)?,
    };
    if args.list.json {
        output::line(&serde_json::to_vec(&kept.record())?)?;
    } else {
        output::line(kept.id.as_bytes())?;
        output::say(&format!("{}: {}\n", kept.agent_name, kept.next(now())));
    }
    Ok(Outcome::Ok)
}

fn keep(store: &Store, people: &People, agent: &Entity, args: &AddPlanArgs, schedule: &Schedule) -> Result<Planned> {
    let plan = NewPlan {
        id: format!("plan-{:08x}", rand()),
        name: args.name.clone(),
        instruction: args.instruction.clone(),
        schedule: schedule.to_text(),
        next_fire: schedule.first(now()),
        chain: None,
    };
    store.put_plan(&agent.id, &plan)?;
    let kept = store.plans(&agent.id)?.into_iter().find(|kept| kept.id == plan.id);
    Ok(Planned::of(people, kept.ok_or_else(|| anyhow!("the plan {} is gone", plan.id))?))
}

/// What no other has by chance.
pub(super) fn rand() -> u32 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_i64(now());
    hasher.finish() as u32
}

/// What is wrong with a schedule, with the names that arguments have here.
fn in_our_words(error: &str) -> String {
    error
        .replace("runAfter", "--after")
        .replace("scheduledAt", "--at")
        .replace("timeZone", "--zone")
        .replace(" cron ", " --cron ")
}

fn remove(args: &RemovePlanArgs) -> Result<Outcome> {
    let place = args.list.place.change()?;
    let plans = all(&place, args.agent.as_deref())?;
    let wanted = args.plan.as_str();
    let by_id: Vec<&Planned> = plans.iter().filter(|planned| planned.id == wanted).collect();
    let found = if by_id.is_empty() { plans.iter().filter(|planned| planned.name == wanted).collect() } else { by_id };
    match found.as_slice() {
        [one] => {
            match &place {
                Place::Here(store) => drop(store.remove_plan(&one.agent, &one.id)?),
                Place::There(server) => server.remove_plan(&one.agent, &one.id)?,
            }
            if args.list.json {
                output::line(&serde_json::to_vec(&json!({"removed": one.id, "agent": one.agent}))?)?;
            } else {
                output::say(&format!("{:?} of {} is taken away\n", plain(&one.name), one.agent_name));
            }
            Ok(Outcome::Ok)
        }
        [] => {
            let names = plans.iter().flat_map(|planned| [planned.id.as_str(), planned.name.as_str()]);
            match near(wanted, names).first() {
                Some(near) => bail!("there is no plan {wanted:?}: did you mean {:?}? weft plans lists all", plain(near)),
                None => bail!("there is no plan {wanted:?}: weft plans lists all {}", plans.len()),
            }
        }
        several => {
            let whose: Vec<&str> = several.iter().map(|planned| planned.agent_name.as_str()).collect();
            bail!("{} plans are called {wanted:?}: use the id, or --agent, one of {}", several.len(), whose.join(", "))
        }
    }
}

impl Planned {
    /// A plan of a database, with the name of its agent.
    pub(super) fn of(people: &People, plan: StoredPlan) -> Planned {
        let schedule = shown(&plan).ok();
        let StoredPlan { agent, id, name, instruction, next_fire, .. } = plan;
        Planned {
            agent_name: people.name(&agent),
            agent,
            id,
            name,
            instruction,
            next: next_fire,
            readable: schedule.is_some(),
            cron: schedule.as_ref().and_then(|plan| plan.cron.clone()),
            after: schedule.as_ref().and_then(|plan| plan.run_after.clone()),
            at: schedule.and_then(|plan| plan.scheduled_at),
        }
    }

    pub(super) fn record(&self) -> Value {
        let Planned { agent, agent_name, id, name, instruction, cron, after, at, next, .. } = self;
        json!({"id": id, "agent": agent, "agentName": agent_name, "name": name, "do": instruction, "next": stamp(*next),
            "cron": cron, "after": after, "at": at})
    }

    /// When it fires, as it was written.
    fn when(&self) -> String {
        match (&self.cron, &self.after) {
            _ if !self.readable => "(unreadable)".to_owned(),
            (Some(cron), _) => plain(cron),
            (None, Some(after)) => format!("after {}", plain(after)),
            (None, None) => "once".to_owned(),
        }
    }

    fn next(&self, now: i64) -> String {
        self.next.map_or_else(|| "never again".to_owned(), |next| moment(now, next))
    }
}

/// Plans in a table.
pub(super) fn plans_table(plans: &[Planned], now: i64, style: Style) -> String {
    let mut table = Table::of_ids(&[Align::Left; 6]);
    table.row(Ink::Faint, ["plan", "agent", "when", "next", "at (UTC)", "what"].map(str::to_owned));
    for planned in plans {
        let Planned { id, name, instruction, next, .. } = planned;
        let ink = if next.is_some() { Ink::Plain } else { Ink::Faint };
        let far = next.map_or_else(|| "never again".to_owned(), |next| away(now, next));
        let at = minute(next.and_then(Timestamp::from_millis).as_ref());
        let what = format!("{}: {}", plain(name), plain(instruction));
        table.row(ink, [plain(id), planned.agent_name.clone(), planned.when(), far, at, what]);
    }
    table.show(style)
}
