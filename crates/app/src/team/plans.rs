//! `weft plans`: what agents will do later.

use super::args::{AddPlanArgs, PlansArgs, PlansCommand, RemovePlanArgs};
use super::when::{away, moment, stamp};
use super::who::People;
use crate::exit::Outcome;
use crate::keep::{minute, near, now};
use crate::output;
use crate::preview::plain;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use weftwork::model::{EntityKind, Timestamp};
use weftwork_gateway::schedule::{When, shown};
use weftwork_store::Store;
use weftwork_store::runs::{NewPlan, StoredPlan};

/// A plan, and whose it is.
pub(super) struct Planned {
    plan: StoredPlan,
    agent: String,
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
    let store = args.list.db.read()?;
    let plans = all(&store, args.agent.as_deref())?;
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
fn all(store: &Store, agent: Option<&str>) -> Result<Vec<Planned>> {
    let people = People::of(store)?;
    let agents: Vec<_> = match agent {
        Some(wanted) => vec![people.agent(wanted)?],
        None => people.all(EntityKind::Agent).collect(),
    };
    let mut plans = Vec::new();
    for agent in agents {
        plans.extend(store.plans(&agent.id)?.into_iter().map(|plan| Planned::of(&people, plan)));
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
    let store = args.list.db.change()?;
    let people = People::of(&store)?;
    let agent = people.agent(&args.agent)?;
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
    let kept = Planned::of(&people, kept.ok_or_else(|| anyhow!("the plan {} is gone", plan.id))?);
    if args.list.json {
        output::line(&serde_json::to_vec(&kept.record())?)?;
    } else {
        output::line(plan.id.as_bytes())?;
        output::say(&format!("{}: {}\n", kept.agent, kept.next(now())));
    }
    Ok(Outcome::Ok)
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
    let store = args.list.db.change()?;
    let plans = all(&store, args.agent.as_deref())?;
    let wanted = args.plan.as_str();
    let by_id: Vec<&Planned> = plans.iter().filter(|planned| planned.plan.id == wanted).collect();
    let found = if by_id.is_empty() { plans.iter().filter(|planned| planned.plan.name == wanted).collect() } else { by_id };
    match found.as_slice() {
        [one] => {
            store.remove_plan(&one.plan.agent, &one.plan.id)?;
            if args.list.json {
                output::line(&serde_json::to_vec(&json!({"removed": one.plan.id, "agent": one.plan.agent}))?)?;
            } else {
                output::say(&format!("{:?} of {} is taken away\n", plain(&one.plan.name), one.agent));
            }
            Ok(Outcome::Ok)
        }
        [] => {
            let names = plans.iter().flat_map(|planned| [planned.plan.id.as_str(), planned.plan.name.as_str()]);
            match near(wanted, names).first() {
                Some(near) => bail!("there is no plan {wanted:?}: did you mean {:?}? weft plans lists all", plain(near)),
                None => bail!("there is no plan {wanted:?}: weft plans lists all {}", plans.len()),
            }
        }
        several => {
            let whose: Vec<&str> = several.iter().map(|planned| planned.agent.as_str()).collect();
            bail!("{} plans are called {wanted:?}: use the id, or --agent, one of {}", several.len(), whose.join(", "))
        }
    }
}

impl Planned {
    /// A plan with the name of its agent.
    pub(super) fn of(people: &People, plan: StoredPlan) -> Planned {
        Planned { agent: people.name(&plan.agent), plan }
    }

    pub(super) fn record(&self) -> Value {
        let StoredPlan { agent, id, name, instruction, next_fire, .. } = &self.plan;
        let schedule = shown(&self.plan).ok();
        json!({"id": id, "agent": agent, "agentName": self.agent, "name": name, "do": instruction, "next": stamp(*next_fire),
            "cron": schedule.as_ref().and_then(|plan| plan.cron.as_ref()),
            "after": schedule.as_ref().and_then(|plan| plan.run_after.as_ref()),
            "at": schedule.as_ref().and_then(|plan| plan.scheduled_at.as_ref())})
    }

    /// When it fires, as it was written.
    fn when(&self) -> String {
        match shown(&self.plan) {
            Ok(plan) => match (plan.cron, plan.run_after) {
                (Some(cron), _) => plain(&cron),
                (None, Some(after)) => format!("after {}", plain(&after)),
                (None, None) => "once".to_owned(),
            },
            Err(_) => "(unreadable)".to_owned(),
        }
    }

    fn next(&self, now: i64) -> String {
        self.plan.next_fire.map_or_else(|| "never again".to_owned(), |next| moment(now, next))
    }
}

/// Plans in a table.
pub(super) fn plans_table(plans: &[Planned], now: i64, style: Style) -> String {
    let mut table = Table::of_ids(&[Align::Left; 6]);
    table.row(Ink::Faint, ["plan", "agent", "when", "next", "at (UTC)", "what"].map(str::to_owned));
    for planned in plans {
        let StoredPlan { id, name, instruction, next_fire, .. } = &planned.plan;
        let ink = if next_fire.is_some() { Ink::Plain } else { Ink::Faint };
        let far = next_fire.map_or_else(|| "never again".to_owned(), |next| away(now, next));
        let at = minute(next_fire.and_then(Timestamp::from_millis).as_ref());
        let what = format!("{}: {}", plain(name), plain(instruction));
        table.row(ink, [plain(id), planned.agent.clone(), planned.when(), far, at, what]);
    }
    table.show(style)
}
