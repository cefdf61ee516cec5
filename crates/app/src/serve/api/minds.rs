//! What an agent is after, remembers and plans. For whoever manages it: to everybody else there is nothing here.

use super::agents::AgentPath;
use crate::serve::session::new_id;
use crate::serve::web::{About, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::{EntityId, Goal, Memory, Timestamp};
use weftwork_gateway::schedule::{When, shown};
use weftwork_store::runs::{NewPlan, StoredPlan};

const GROUP: &str = "Agents";
/// Goals, memories or plans of one agent: all of them are in every request of it.
const MOST: usize = 100;
/// Characters of a goal or a memory.
const LONGEST: usize = 2_000;
/// Characters of a plan's name, and of what it says to do.
const LONGEST_NAME: usize = 200;
const LONGEST_INSTRUCTION: usize = 4_000;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(Verb::Get, "/api/agents/{agent}/goals", about("agentGoals", Need::Read, "What an agent is after."), goals)
        .on(Verb::Put, "/api/agents/{agent}/goals", about("setAgentGoals", Need::Write, "Set all its goals."), set_goals)
        .on(Verb::Get, "/api/agents/{agent}/memories", about("agentMemories", Need::Read, "What an agent remembers."), memories)
        .on(
            Verb::Put,
            "/api/agents/{agent}/memories",
            about("setAgentMemories", Need::Write, "Set all that it remembers."),
            set_memories,
        )
        .on(Verb::Get, "/api/agents/{agent}/plans", about("agentPlans", Need::Read, "What an agent will do later."), plans)
        .on(
            Verb::Post,
            "/api/agents/{agent}/plans",
            about("makePlan", Need::Write, "Let an agent do something later, or again and again.").gives(Given::Created),
            make_plan,
        )
        .on(
            Verb::Delete,
            "/api/agents/{agent}/plans/{plan}",
            about("removePlan", Need::Write, "Take a plan away: it never fires again.").gives(Given::Nothing),
            remove_plan,
        )
}

/// Goals of an agent, in its order.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Goals {
    #[schemars(length(max = 100))]
    goals: Vec<Goal>,
}

/// Memories of an agent, in its order.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Memories {
    #[schemars(length(max = 100))]
    memories: Vec<Memory>,
}

async fn goals(cx: Cx, input: Input<AgentPath>) -> Done<Goals> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let goals = cx.house.stored(move |store| store.goals(&agent)).await?;
    Ok(Goals { goals }.into())
}

async fn set_goals(cx: Cx, input: Input<AgentPath, (), Goals>) -> Done<Goals> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let goals = input.body.goals;
    check("goals", goals.iter().map(|goal| [("text", goal.text.as_str())]))?;
    let set = goals.clone();
    cx.house.stored(move |store| store.set_goals(&agent, &set)).await?;
    Ok(Goals { goals }.into())
}

async fn memories(cx: Cx, input: Input<AgentPath>) -> Done<Memories> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let memories = cx.house.stored(move |store| store.memories(&agent)).await?;
    Ok(Memories { memories }.into())
}

async fn set_memories(cx: Cx, input: Input<AgentPath, (), Memories>) -> Done<Memories> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let memories = input.body.memories;
    check("memories", memories.iter().map(|memory| [("topic", memory.topic.as_str()), ("text", memory.text.as_str())]))?;
    let set = memories.clone();
    cx.house.stored(move |store| store.set_memories(&agent, &set)).await?;
    Ok(Memories { memories }.into())
}

/// Refuses more than there may be, and texts that an agent itself could not set.
fn check<'t, const N: usize>(what: &str, items: impl ExactSizeIterator<Item = [(&'t str, &'t str); N]>) -> Result<(), Problem> {
    if items.len() > MOST {
        return Err(Problem::bad(what, format!("at most {MOST}")));
    }
    for (at, texts) in items.enumerate() {
        for (field, text) in texts {
            check_text(&format!("{what}[{at}].{field}"), text, LONGEST)?;
        }
    }
    Ok(())
}

fn check_text(at: &str, text: &str, most: usize) -> Result<(), Problem> {
    if text.trim().is_empty() || text.contains('\0') || text.chars().count() > most {
        return Err(Problem::bad(at, format!("from 1 to {most} characters, none of them NUL")));
    }
    Ok(())
}

/// A plan.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentPlan")]
struct ShownPlan {
    id: String,
    name: String,
    /// What the agent is to do then.
    instruction: String,
    /// The delay, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    run_after: Option<String>,
    /// The time of one that fires once.
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduled_at: Option<Timestamp>,
    /// The cron line, with its zone unless that is UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    cron: Option<String>,
    /// When it fires next; never again if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Timestamp>,
}

impl From<StoredPlan> for ShownPlan {
    fn from(plan: StoredPlan) -> ShownPlan {
        // A schedule that cannot be read is one of a newer program: it is shown without.
        let when = shown(&plan).ok();
        let (run_after, scheduled_at, cron) =
            when.map_or((None, None, None), |plan| (plan.run_after, plan.scheduled_at, plan.cron));
        let StoredPlan { id, name, instruction, next_fire, .. } = plan;
        ShownPlan { id, name, instruction, run_after, scheduled_at, cron, next: next_fire.and_then(Timestamp::from_millis) }
    }
}

async fn plans(cx: Cx, input: Input<AgentPath>) -> Done<Vec<ShownPlan>> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let plans = cx.house.stored(move |store| store.plans(&agent)).await?;
    Ok(plans.into_iter().map(ShownPlan::from).collect::<Vec<_>>().into())
}

/// A plan to be made: exactly one of `runAfter`, `scheduledAt` and `cron`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PlanToMake {
    /// A short name.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// What the agent is to do then.
    #[schemars(length(min = 1, max = 4000))]
    instruction: String,
    /// A delay from now, such as `2 hours`.
    run_after: Option<String>,
    /// A time: RFC 3339, or without an offset together with `timeZone`.
    scheduled_at: Option<String>,
    /// A cron line of five fields: minute, hour, day of the month, month, weekday.
    cron: Option<String>,
    /// The IANA name of the zone of `cron` or `scheduledAt`; UTC without it.
    time_zone: Option<String>,
}

async fn make_plan(cx: Cx, input: Input<AgentPath, (), PlanToMake>) -> Done<ShownPlan> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let PlanToMake { name, instruction, run_after, scheduled_at, cron, time_zone } = input.body;
    check_text("name", &name, LONGEST_NAME)?;
    check_text("instruction", &instruction, LONGEST_INSTRUCTION)?;
    let now = cx.house.gateway.now();
    let when = When { run_after, scheduled_at, cron, time_zone };
    let schedule = when.read(now).map_err(|error| Problem::new(Code::BadRequest, error.to_string()))?;
    let id = match &cx.key {
        // Whoever asks again after a crash finds the same plan.
        Some(key) => super::spaces::id_of_key("plan", cx.who.entity(), key),
        None => new_id("plan")?,
    };
    let (text, next_fire) = (schedule.to_text(), schedule.first(now));
    let plan = NewPlan { id: id.clone(), name, instruction, schedule: text, next_fire, chain: None };
    let made = cx.house.stored(move |store| {
        let there = store.plans(&agent)?;
        if there.iter().filter(|plan| plan.next_fire.is_some() && plan.id != id).count() >= MOST {
            return Ok(None);
        }
        store.put_plan(&agent, &plan)?;
        Ok(store.plans(&agent)?.into_iter().find(|plan| plan.id == id))
    });
    let full = || Problem::new(Code::Conflict, format!("an agent has {MOST} plans at most: take one away first"));
    let made = made.await?.ok_or_else(full)?;
    cx.house.gateway.hint();
    Ok(ShownPlan::from(made).into())
}

/// A plan of an agent.
#[derive(Deserialize, JsonSchema)]
struct PlanPath {
    /// The agent.
    agent: EntityId,
    /// The plan's id.
    plan: String,
}

async fn remove_plan(cx: Cx, input: Input<PlanPath>) -> Done<()> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    match cx.house.stored(move |store| store.remove_plan(&agent, &input.path.plan)).await? {
        true => Ok(().into()),
        false => Err(Problem::not_found()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_neither_empty_nor_too_long() {
        for (text, fits) in [("a", true), ("", false), (" \n", false), ("a\0", false), ("ééé", true), ("éééé", false)] {
            assert_eq!(check_text("at", text, 3).is_ok(), fits, "{text:?}");
        }
    }
}
