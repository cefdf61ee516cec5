//! `weft agents add` and `set`: an agent is made, or made another.

use super::super::args::{AddAgentArgs, SetAgentArgs};
use super::super::who::People;
use super::{model, prompt};
use crate::exit::Outcome;
use crate::output;
use crate::remote::{AgentChange, Place, PlaceArgs, Server};
use anyhow::{Result, bail};
use serde_json::json;
use weftwork::model::{Entity, EntityKind, SpaceId};
use weftwork_store::Store;

/// Makes an agent.
pub(super) fn add(args: &AddAgentArgs) -> Result<Outcome> {
    let prompt = args.prompt.as_deref().map(prompt).transpose()?;
    let model = resolved(&args.list.place, args.model.as_deref())?;
    let place = args.list.place.write()?;
    let spaces: Vec<SpaceId> = args.space.iter().map(|space| place.find_space(space)).collect::<Result<_>>()?;
    let agent = match &place {
        Place::Here(store) => make(store, args, model, prompt)?,
        Place::There(server) => make_there(server, args, model, prompt)?,
    };
    for space in &spaces {
        match &place {
            Place::Here(store) => store.join(space, &agent.id, None)?,
            Place::There(server) => server.join(space, &agent.id)?,
        }
    }
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"agent": agent, "spaces": spaces}))?)?;
        return Ok(Outcome::Ok);
    }
    output::line(agent.id.as_str().as_bytes())?;
    if spaces.is_empty() {
        output::say(&format!("{} belongs to no space yet: weft spaces join SPACE {}\n", agent.name, agent.id));
    }
    Ok(Outcome::Ok)
}

fn make(store: &Store, args: &AddAgentArgs, model: Option<String>, system_prompt: Option<String>) -> Result<Entity> {
    let people = People::of(store)?;
    let name = people.new_name(&args.name, None)?;
    let id = match &args.id {
        Some(id) if people.find(id).is_ok_and(|known| known.id.as_str() == id) => {
            bail!("the id {id:?} is taken: choose another --id, or change that one with weft agents set {id}")
        }
        Some(id) => id.as_str().into(),
        None => people.new_id(&name),
    };
    let (external, loom_aware) = (args.external, args.loom_aware);
    let agent = Entity { model, system_prompt, external, loom_aware, ..Entity::new(id, name, EntityKind::Agent) };
    store.put_entity(&agent)?;
    Ok(agent)
}

fn make_there(server: &Server, args: &AddAgentArgs, model: Option<String>, system_prompt: Option<String>) -> Result<Entity> {
    if args.id.is_some() {
        return server.refuse("--id", "a server chooses the id; leave it out");
    }
    server.make_agent(&AgentChange {
        name: Some(args.name.clone()),
        model,
        system_prompt,
        external: Some(args.external),
        loom_aware: Some(args.loom_aware),
    })
}

/// Changes an agent.
pub(super) fn set(args: &SetAgentArgs) -> Result<Outcome> {
    if args.name.is_none()
        && args.model.is_none()
        && args.prompt.is_none()
        && args.external.is_none()
        && args.loom_aware.is_none()
    {
        bail!("there is nothing to change: give --name, --model, --prompt, --external or --loom-aware");
    }
    let given = args.prompt.as_deref().map(|text| if text.is_empty() { Ok(String::new()) } else { prompt(text) }).transpose()?;
    let change = AgentChange {
        name: args.name.clone(),
        model: resolved(&args.list.place, args.model.as_deref())?,
        system_prompt: given,
        external: args.external,
        loom_aware: args.loom_aware,
    };
    let place = args.list.place.change()?;
    let people = place.people()?;
    let agent = people.agent(&args.agent)?.clone();
    let agent = match &place {
        Place::Here(store) => changed(store, &people, agent, change)?,
        Place::There(server) => server.change_agent(&agent.id, &change)?,
    };
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"agent": agent}))?)?;
    } else {
        output::say(&format!("{} is changed: the next run is as it is now\n", agent.name));
    }
    Ok(Outcome::Ok)
}

fn changed(store: &Store, people: &People, mut agent: Entity, change: AgentChange) -> Result<Entity> {
    let AgentChange { name, model, system_prompt, external, loom_aware } = change;
    if let Some(name) = name {
        agent.name = people.new_name(&name, Some(&agent.id))?;
    }
    // Nothing is the usual model, and no prompt.
    if let Some(model) = model {
        agent.model = Some(model).filter(|model| !model.is_empty());
    }
    if let Some(prompt) = system_prompt {
        agent.system_prompt = Some(prompt).filter(|prompt| !prompt.is_empty());
    }
    agent.external = external.unwrap_or(agent.external);
    agent.loom_aware = loom_aware.unwrap_or(agent.loom_aware);
    store.put_entity(&agent)?;
    Ok(agent)
}

/// The name of a model as it is kept. One that leads nowhere is said before anything is made; a server elsewhere knows its own.
fn resolved(place: &PlaceArgs, name: Option<&str>) -> Result<Option<String>> {
    match name {
        Some(name) if !name.is_empty() && place.address()?.is_none() => model(name).map(Some),
        name => Ok(name.map(str::to_owned)),
    }
}
