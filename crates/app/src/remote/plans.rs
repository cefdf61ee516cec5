//! What agents will do later.

use super::ask::Body;
use super::server::Server;
use crate::team::Planned;
use anyhow::Result;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use weftwork::model::{Entity, EntityId, Timestamp};
use weftwork_gateway::schedule::When;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownPlan {
    id: String,
    name: String,
    instruction: String,
    run_after: Option<String>,
    scheduled_at: Option<Timestamp>,
    cron: Option<String>,
    next: Option<Timestamp>,
}

impl ShownPlan {
    fn of(self, agent: &Entity) -> Planned {
        let ShownPlan { id, name, instruction, run_after, scheduled_at, cron, next } = self;
        Planned {
            agent: agent.id.clone(),
            agent_name: crate::preview::plain(&agent.name),
            id,
            name,
            instruction,
            cron,
            after: run_after,
            at: scheduled_at,
            next: next.map(|next| next.millis()),
            readable: true,
        }
    }
}

impl Server {
    /// The plans of an agent that one manages.
    pub(crate) fn plans(&self, agent: &Entity) -> Result<Vec<Planned>> {
        let plans: Vec<ShownPlan> = self.get(&["agents", agent.id.as_str(), "plans"], Vec::new())?;
        Ok(plans.into_iter().map(|plan| plan.of(agent)).collect())
    }

    /// Lets an agent do something later.
    pub(crate) fn add_plan(&self, agent: &Entity, name: &str, instruction: &str, when: &When) -> Result<Planned> {
        let mut body = Map::from_iter([("name".to_owned(), json!(name)), ("instruction".to_owned(), json!(instruction))]);
        let When { run_after, scheduled_at, cron, time_zone } = when;
        for (key, value) in [("runAfter", run_after), ("scheduledAt", scheduled_at), ("cron", cron), ("timeZone", time_zone)] {
            if let Some(value) = value {
                body.insert(key.to_owned(), json!(value));
            }
        }
        let made: ShownPlan = self.act(Method::POST, &["agents", agent.id.as_str(), "plans"], Value::Object(body))?;
        Ok(made.of(agent))
    }

    /// Takes a plan away.
    pub(crate) fn remove_plan(&self, agent: &EntityId, plan: &str) -> Result<()> {
        self.act_only(Method::DELETE, &["agents", agent.as_str(), "plans", plan], Body::Nothing)
    }
}
