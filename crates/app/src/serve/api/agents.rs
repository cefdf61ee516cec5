//! Agents: who there is, what they are, and what one would be given now.

use super::spaces::id_of_key;
use crate::serve::manage::{Asker, Known, Reach};
use crate::serve::session::new_id;
use crate::serve::web::{About, Answer, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use http::header;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use weftwork::model::{Entity, EntityId, EntityKind, LoomAccess, Sampling, SpaceId, SpaceRef};
use weftwork_gateway::new_name;
use weftwork_store::{Store, StoreError};

const GROUP: &str = "Agents";
const LONGEST_PROMPT: usize = 64 << 10;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(Verb::Get, "/api/agents", about("listAgents", Need::Read, "The agents you share a space with; owners see all."), list)
        .on(
            Verb::Post,
            "/api/agents",
            about("makeAgent", Need::Owner, "Make an agent. It wakes in the spaces it is let into.").gives(Given::Created),
            make,
        )
        .on(Verb::Get, "/api/agents/{agent}", about("agent", Need::Read, "An agent; its prompt for whoever manages it."), show)
        .on(Verb::Patch, "/api/agents/{agent}", about("changeAgent", Need::Write, "Change an agent you manage."), change)
        .on(
            Verb::Get,
            "/api/agents/{agent}/preview",
            about(
                "previewAgent",
                Need::Read,
                "See as: what an agent you manage would be sent if it ran in a space now, and why. Nothing is sent.",
            ),
            preview,
        )
}

/// An agent.
#[derive(Deserialize, JsonSchema)]
pub(super) struct AgentPath {
    /// Its id.
    pub(super) agent: EntityId,
}

/// An agent, as far as you may see it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Agent")]
struct ShownAgent {
    id: EntityId,
    name: String,
    /// Its model, as provider/model; the server's own if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Whether its runs are done by a program elsewhere.
    external: bool,
    /// Whether it is shown the tree it stands in.
    loom_aware: bool,
    /// How far it may act in that tree.
    loom_access: LoomAccess,
    /// What you may do with it.
    may: Reach,
    /// The spaces you share with it.
    spaces: Vec<SpaceRef>,
    /// To how many other spaces it belongs; for whoever manages it.
    #[serde(skip_serializing_if = "Option::is_none")]
    elsewhere: Option<usize>,
    /// Its runs that have not ended.
    open_runs: usize,
    /// What it is told before all else; for whoever manages it.
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    /// How its model samples; for whoever manages it.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<Sampling>,
}

fn shown(store: &Store, who: &EntityId, known: Known) -> Result<ShownAgent, StoreError> {
    let Known { agent, reach, belonging } = known;
    let open_runs = store.open_runs(&agent.id)?.len();
    let all = belonging.spaces.len();
    let spaces: Vec<SpaceRef> = belonging.spaces.into_iter().filter(|space| space.members.contains(who)).collect();
    let elsewhere = all - spaces.len();
    let manages = reach == Reach::Manage;
    let Entity { id, name, model, external, loom_aware, loom_access, system_prompt, sampling, .. } = agent;
    Ok(ShownAgent {
        id,
        name,
        model,
        external,
        loom_aware,
        loom_access,
        may: reach,
        spaces,
        elsewhere: manages.then_some(elsewhere),
        open_runs,
        system_prompt: system_prompt.filter(|_| manages),
        sampling: sampling.filter(|_| manages),
    })
}

async fn list(cx: Cx, _: Input) -> Done<Vec<ShownAgent>> {
    let asker = Asker::from(&cx.who);
    let all = cx.house.stored(move |store| {
        let known = asker.all(store)?.into_iter();
        known.map(|known| shown(store, &asker.entity, known)).collect::<Result<Vec<_>, _>>()
    });
    Ok(all.await?.into())
}

async fn show(cx: Cx, input: Input<AgentPath>) -> Done<ShownAgent> {
    Ok(shown_one(&cx, input.path.agent).await?.into())
}

async fn shown_one(cx: &Cx, agent: EntityId) -> Result<ShownAgent, Problem> {
    let asker = Asker::from(&cx.who);
    let found = cx.house.stored(move |store| {
        let known = asker.known(store, &agent)?;
        known.map(|known| shown(store, &asker.entity, known)).transpose()
    });
    found.await?.ok_or_else(Problem::not_found)
}

/// An agent to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(rename = "AgentToMake")]
struct NewAgent {
    /// What it is called; no two names may look alike.
    #[schemars(length(min = 1, max = 64))]
    name: String,
    /// Its model, as provider/model; the server's own if not given.
    #[schemars(length(max = 200))]
    model: Option<String>,
    /// What it is told before all else.
    #[schemars(length(max = 65536))]
    system_prompt: Option<String>,
    /// How its model samples.
    sampling: Option<Sampling>,
    /// Whether it is shown the tree it stands in.
    #[serde(default)]
    loom_aware: bool,
    /// How far it may act in that tree.
    #[serde(default)]
    loom_access: LoomAccess,
    /// Whether its runs are done by a program elsewhere.
    #[serde(default)]
    external: bool,
}

async fn make(cx: Cx, input: Input<(), (), NewAgent>) -> Done<ShownAgent> {
    let NewAgent { name, model, system_prompt, sampling, loom_aware, loom_access, external } = input.body;
    let model = model.as_deref().map(|model| resolved(&cx, model)).transpose()?.flatten();
    let system_prompt = system_prompt.map(checked_prompt).transpose()?.flatten();
    let id = match &cx.key {
        // Whoever asks again after a crash finds the same agent.
        Some(key) => id_of_key("agent", cx.who.entity(), key),
        None => new_id("agent")?,
    };
    let mut agent = Entity {
        model,
        system_prompt,
        sampling,
        loom_aware,
        loom_access,
        external,
        ..Entity::new(id.as_str(), name, EntityKind::Agent)
    };
    agent.name = name_of(&cx, &agent.name, &agent.id).await?;
    cx.house.stored(move |store| store.put_entity(&agent)).await?;
    let shown = shown_one(&cx, EntityId::from(id.as_str())).await?;
    Ok(Answer::from(shown).with(header::LOCATION, &format!("/api/agents/{id}")))
}

/// The name of a model as it is kept; none for the server's own, which is meant by nothing.
fn resolved(cx: &Cx, model: &str) -> Result<Option<String>, Problem> {
    if model.is_empty() {
        return Ok(None);
    }
    let target = cx.house.gateway.providers().resolve(model).map_err(|error| Problem::bad("model", error.to_string()))?;
    Ok(Some(target.model.name.clone()))
}

fn checked_prompt(prompt: String) -> Result<Option<String>, Problem> {
    if prompt.len() > LONGEST_PROMPT {
        return Err(Problem::bad("systemPrompt", format!("at most {LONGEST_PROMPT} bytes")));
    }
    Ok(Some(prompt).filter(|prompt| !prompt.is_empty()))
}

/// A name that nobody else can be mistaken for.
pub(super) async fn name_of(cx: &Cx, name: &str, whose: &EntityId) -> Result<String, Problem> {
    let (name, whose) = (name.to_owned(), whose.clone());
    let checked = cx.house.stored(move |store| {
        let mut others = Vec::new();
        for kind in [EntityKind::Human, EntityKind::Agent, EntityKind::Service] {
            others.extend(store.entities(kind)?);
        }
        Ok(new_name(&name, others.iter().filter(|entity| entity.id != whose)))
    });
    checked.await?.map_err(|error| Problem::bad("name", told(error, cx.who.is_owner())))
}

/// Why nobody can be called so. Whose name it is too is for owners: others need not know who there is.
fn told(error: weftwork_gateway::BadName, is_owner: bool) -> String {
    match error {
        weftwork_gateway::BadName::Taken { name, .. } if !is_owner => {
            format!("{name:?} looks like the name of somebody else: choose another name")
        }
        error => error.to_string(),
    }
}

/// What is to change; what is not given stays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AgentChange {
    /// What it is called.
    #[schemars(length(min = 1, max = 64))]
    name: Option<String>,
    /// Its model, as provider/model; empty for the server's own.
    #[schemars(length(max = 200))]
    model: Option<String>,
    /// What it is told before all else; empty for nothing.
    #[schemars(length(max = 65536))]
    system_prompt: Option<String>,
    /// How its model samples, all of it.
    sampling: Option<Sampling>,
    /// Whether it is shown the tree it stands in.
    loom_aware: Option<bool>,
    /// How far it may act in that tree.
    loom_access: Option<LoomAccess>,
    /// Whether its runs are done by a program elsewhere.
    external: Option<bool>,
}

async fn change(cx: Cx, input: Input<AgentPath, (), AgentChange>) -> Done<ShownAgent> {
    let known = cx.house.managed(&cx.who, &input.path.agent).await?;
    let AgentChange { name, model, system_prompt, sampling, loom_aware, loom_access, external } = input.body;
    let mut agent = known.agent;
    if let Some(name) = name.filter(|name| *name != agent.name) {
        agent.name = name_of(&cx, &name, &agent.id).await?;
    }
    if let Some(model) = model {
        agent.model = resolved(&cx, &model)?;
    }
    if let Some(prompt) = system_prompt {
        agent.system_prompt = checked_prompt(prompt)?;
    }
    agent.sampling = sampling.or(agent.sampling);
    agent.loom_aware = loom_aware.unwrap_or(agent.loom_aware);
    agent.loom_access = loom_access.unwrap_or(agent.loom_access);
    agent.external = external.unwrap_or(agent.external);
    cx.house.stored(move |store| store.put_entity(&agent)).await?;
    cx.house.gateway.hint();
    Ok(shown_one(&cx, input.path.agent).await?.into())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PreviewQuery {
    /// The space it would run in.
    space: SpaceId,
}

/// What an agent would be sent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentPreview {
    /// The model, as provider/model.
    model: String,
    /// The run that is due; none if one was imagined, as if the newest message of somebody else had woken the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// The request, as its provider would get it.
    request: Value,
    /// The same for people to read: system text, messages, tools.
    neutral: Value,
    /// What happened to every node, and where the window went.
    report: Value,
}

/// The request tells of all spaces of the agent, so it is for those who belong to all of them.
async fn preview(cx: Cx, input: Input<AgentPath, PreviewQuery>) -> Done<AgentPreview> {
    let (agent, space) = (input.path.agent, input.query.space);
    cx.house.member(cx.who.entity(), &space).await?;
    let known = cx.house.managed(&cx.who, &agent).await?;
    if !known.belonging.spaces.iter().any(|place| place.id == space) {
        return Err(Problem::not_found());
    }
    if !known.is_all_known_to(cx.who.entity()) {
        return Err(Problem::new(Code::NotAllowed, "the agent is also told of spaces that you do not belong to"));
    }
    let preview = cx.house.gateway.preview_run(&space, &agent).await?;
    let json = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(|error| Problem::internal(&error));
    Ok(AgentPreview {
        request: json(&preview.assembly.request)?,
        neutral: json(&preview.neutral)?,
        report: serde_json::to_value(&preview.assembly.report).map_err(|error| Problem::internal(&error))?,
        run: preview.run.map(|run| run.to_string()),
        model: preview.model,
    }
    .into())
}
