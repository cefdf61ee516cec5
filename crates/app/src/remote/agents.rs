//! Agents, and what they are after, remember and plan.

use super::ask::query;
use super::server::Server;
use anyhow::Result;
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use weftwork::model::{Entity, EntityId, EntityKind, Goal, LoomAccess, Memory, Sampling, SpaceId, SpaceRef};

/// An agent, and what it has to do.
pub(crate) struct Mind {
    pub(crate) agent: Entity,
    pub(crate) spaces: Vec<SpaceRef>,
    pub(crate) open_runs: u64,
    /// Whether one manages it; else its goals, memories and plans are not told.
    pub(crate) managed: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownAgent {
    id: EntityId,
    name: String,
    model: Option<String>,
    external: bool,
    loom_aware: bool,
    loom_access: LoomAccess,
    may: String,
    spaces: Vec<SpaceRef>,
    open_runs: u64,
    system_prompt: Option<String>,
    sampling: Option<Sampling>,
}

impl From<ShownAgent> for Mind {
    fn from(shown: ShownAgent) -> Mind {
        let ShownAgent { id, name, model, external, loom_aware, loom_access, system_prompt, sampling, .. } = shown;
        let agent = Entity {
            model,
            external,
            loom_aware,
            loom_access,
            system_prompt,
            sampling,
            ..Entity::new(id, name, EntityKind::Agent)
        };
        Mind { agent, spaces: shown.spaces, open_runs: shown.open_runs, managed: shown.may == "manage" }
    }
}

/// What is to change of an agent, or what a new one is like; what is not given stays.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) external: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) loom_aware: Option<bool>,
}

/// What an agent would be sent.
#[derive(Deserialize)]
pub(crate) struct Preview {
    pub(crate) model: String,
    pub(crate) run: Option<String>,
    pub(crate) request: Value,
    pub(crate) neutral: Value,
    pub(crate) report: Value,
}

#[derive(Deserialize)]
struct Goals {
    goals: Vec<Goal>,
}

#[derive(Deserialize)]
struct Memories {
    memories: Vec<Memory>,
}

impl Server {
    /// The agents one knows of.
    pub(crate) fn minds(&self) -> Result<Vec<Mind>> {
        let all: Vec<ShownAgent> = self.get(&["agents"], Vec::new())?;
        Ok(all.into_iter().map(Mind::from).collect())
    }

    /// What an agent is after.
    pub(crate) fn goals(&self, mind: &Mind) -> Result<Vec<Goal>> {
        if !mind.managed {
            return Ok(Vec::new());
        }
        self.get::<Goals>(&["agents", mind.agent.id.as_str(), "goals"], Vec::new()).map(|found| found.goals)
    }

    /// What an agent remembers.
    pub(crate) fn memories(&self, mind: &Mind) -> Result<Vec<Memory>> {
        if !mind.managed {
            return Ok(Vec::new());
        }
        self.get::<Memories>(&["agents", mind.agent.id.as_str(), "memories"], Vec::new()).map(|found| found.memories)
    }

    /// Makes an agent.
    pub(crate) fn make_agent(&self, agent: &AgentChange) -> Result<Entity> {
        let made: ShownAgent = self.act(Method::POST, &["agents"], json!(agent))?;
        Ok(Mind::from(made).agent)
    }

    /// Changes an agent.
    pub(crate) fn change_agent(&self, agent: &EntityId, change: &AgentChange) -> Result<Entity> {
        let changed: ShownAgent = self.act(Method::PATCH, &["agents", agent.as_str()], json!(change))?;
        Ok(Mind::from(changed).agent)
    }

    /// What an agent would be sent in a space now.
    pub(crate) fn preview(&self, agent: &EntityId, space: &SpaceId) -> Result<Preview> {
        self.get(&["agents", agent.as_str(), "preview"], query([("space", Some(space.as_str().to_owned()))]))
    }
}
