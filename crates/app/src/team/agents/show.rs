//! `weft agents show`: one agent, what it is after, remembers, plans and does.

use super::super::args::OneAgentArgs;
use super::super::plans::{Planned, plans_table};
use super::super::runs::{Listed, runs_table};
use super::super::who::People;
use super::list::shown;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::{message, plain};
use crate::remote::Place;
use crate::style::{Ink, Style};
use anyhow::{Result, anyhow};
use serde_json::json;
use weftwork::model::{Entity, Goal, Memory, SpaceRef};
use weftwork_store::runs::RunQuery;

/// Runs that are shown of an agent.
const RUNS: u32 = 10;

/// Everything about an agent.
struct Portrait {
    agent: Entity,
    spaces: Vec<SpaceRef>,
    goals: Vec<Goal>,
    memories: Vec<Memory>,
    plans: Vec<Planned>,
    runs: Vec<Listed>,
}

/// Shows an agent.
pub(super) fn show(args: &OneAgentArgs) -> Result<Outcome> {
    let place = args.list.place.read()?;
    let people = place.people()?;
    let portrait = portrait(&place, &people, people.agent(&args.agent)?.clone())?;
    if args.list.json {
        let Portrait { agent, spaces, goals, memories, plans, runs } = &portrait;
        let all = json!({"agent": agent, "spaces": spaces, "goals": goals, "memories": memories,
            "plans": plans.iter().map(Planned::record).collect::<Vec<_>>(),
            "runs": runs.iter().map(Listed::record).collect::<Vec<_>>()});
        output::line(&serde_json::to_vec(&all)?)?;
    } else {
        output::data(portrait.picture(Style::stdout()).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

fn portrait(place: &Place, people: &People, agent: Entity) -> Result<Portrait> {
    let id = agent.id.clone();
    let query = RunQuery { agent: Some(id.clone()), limit: RUNS, ..RunQuery::default() };
    let runs = Listed::all(place, people, &query)?;
    match place {
        Place::Here(store) => Ok(Portrait {
            agent,
            spaces: store.belonging(&id)?.spaces,
            goals: store.goals(&id)?,
            memories: store.memories(&id)?,
            plans: store.plans(&id)?.into_iter().map(|plan| Planned::of(people, plan)).collect(),
            runs,
        }),
        Place::There(server) => {
            let mind = server.minds()?.into_iter().find(|mind| mind.agent.id == id);
            let mind = mind.ok_or_else(|| anyhow!("the agent {id} is gone"))?;
            let (goals, memories) = (server.goals(&mind)?, server.memories(&mind)?);
            let plans = if mind.managed { server.plans(&agent)? } else { Vec::new() };
            Ok(Portrait { agent, spaces: mind.spaces, goals, memories, plans, runs })
        }
    }
}

impl Portrait {
    fn picture(&self, style: Style) -> String {
        let Entity { id, name, model, external, loom_aware, system_prompt, .. } = &self.agent;
        let facts = [
            Some(plain(id.as_str())),
            Some(model.as_deref().map_or_else(|| "the usual model".to_owned(), plain)),
            external.then(|| "done by a program elsewhere".to_owned()),
            loom_aware.then(|| "sees the tree".to_owned()),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        let mut text = format!("{} · {}\n", style.paint(Ink::Strong, &plain(name)), facts.join(" · "));
        let section = |heading: &str, lines: Vec<String>| match lines.is_empty() {
            true => String::new(),
            false => format!("\n{}\n{}", style.paint(Ink::Strong, heading), lines.concat()),
        };
        let told = system_prompt.iter().flat_map(|prompt| prompt.lines());
        text += &section("prompt", told.map(|line| format!("  {}\n", message(line))).collect());
        let spaces = self.spaces.iter().map(|space| format!("  {} · {}\n", shown(space), plain(space.id.as_str())));
        text += &section("spaces", spaces.collect());
        text += &section("goals", self.goals.iter().map(goal).collect());
        let memory = |memory: &Memory| format!("  {}: {}\n", plain(&memory.topic), plain(&memory.text));
        text += &section("memories", self.memories.iter().map(memory).collect());
        text += &section("plans", one(!self.plans.is_empty(), || plans_table(&self.plans, now(), style)));
        text += &section("runs", one(!self.runs.is_empty(), || runs_table(&self.runs, now(), style)));
        if self.spaces.is_empty() {
            text += &format!("\nIt belongs to no space yet: weft spaces join SPACE {}\n", plain(id.as_str()));
        }
        text
    }
}

fn one(there: bool, text: impl FnOnce() -> String) -> Vec<String> {
    there.then(text).into_iter().collect()
}

fn goal(goal: &Goal) -> String {
    let priority = goal.priority.map(|priority| format!("priority {priority}"));
    let notes: Vec<String> = priority.into_iter().chain(goal.long_term.then(|| "for good".to_owned())).collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    format!("  {}{notes}\n", plain(&goal.text))
}
