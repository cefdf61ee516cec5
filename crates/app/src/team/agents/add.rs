//! `weft agents add` and `set`: an agent is made, or made another.

use super::super::args::{AddAgentArgs, SetAgentArgs};
use super::super::who::People;
use super::{model, prompt};
use crate::exit::Outcome;
use crate::keep::find_space;
use crate::output;
use anyhow::{Result, bail};
use serde_json::json;
use weftwork::model::{Entity, EntityKind, SpaceId};

/// Makes an agent.
pub(super) fn add(args: &AddAgentArgs) -> Result<Outcome> {
    let model = args.model.as_deref().map(model).transpose()?;
    let system_prompt = args.prompt.as_deref().map(prompt).transpose()?;
    let store = args.list.db.write()?;
    let people = People::of(&store)?;
    let name = people.new_name(&args.name, None)?;
    let id = match &args.id {
        Some(id) if people.find(id).is_ok_and(|known| known.id.as_str() == id) => {
            bail!("the id {id:?} is taken: choose another --id, or change that one with weft agents set {id}")
        }
        Some(id) => id.as_str().into(),
        None => people.new_id(&name),
    };
    let spaces: Vec<SpaceId> = args.space.iter().map(|space| find_space(&store, space)).collect::<Result<_>>()?;
    let (external, loom_aware) = (args.external, args.loom_aware);
    let agent = Entity { model, system_prompt, external, loom_aware, ..Entity::new(id, name, EntityKind::Agent) };
    store.put_entity(&agent)?;
    spaces.iter().try_for_each(|space| store.join(space, &agent.id, None))?;
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

/// Changes an agent.
pub(super) fn set(args: &SetAgentArgs) -> Result<Outcome> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let new_model = given(&args.model).as_deref().map(model).transpose()?;
    let new_prompt = given(&args.prompt).as_deref().map(prompt).transpose()?;
    if args.name.is_none()
        && args.model.is_none()
        && args.prompt.is_none()
        && args.external.is_none()
        && args.loom_aware.is_none()
    {
        bail!("there is nothing to change: give --name, --model, --prompt, --external or --loom-aware");
    }
    let store = args.list.db.change()?;
    let people = People::of(&store)?;
    let mut agent = people.agent(&args.agent)?.clone();
    if let Some(name) = &args.name {
        agent.name = people.new_name(name, Some(&agent.id))?;
    }
    if args.model.is_some() {
        agent.model = new_model;
    }
    if args.prompt.is_some() {
        agent.system_prompt = new_prompt;
    }
    agent.external = args.external.unwrap_or(agent.external);
    agent.loom_aware = args.loom_aware.unwrap_or(agent.loom_aware);
    store.put_entity(&agent)?;
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"agent": agent}))?)?;
    } else {
        output::say(&format!("{} is changed: the next run is as it is now\n", agent.name));
    }
    Ok(Outcome::Ok)
}
