//! `weft spaces create`.

use super::super::args::CreateArgs;
use super::super::who::{People, fresh, own_name};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use crate::remote::{Place, Server};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, Space};
use weftwork_store::Store;

/// Characters of a space's name.
const LONGEST: usize = 200;

/// Makes a space.
pub(super) fn create(args: &CreateArgs) -> Result<Outcome> {
    let name = args.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST || name.chars().any(char::is_control) {
        bail!("a space needs a name of 1 to {LONGEST} characters in one line");
    }
    let (space, members) = match args.list.place.write()? {
        Place::Here(store) => make(&store, args, name)?,
        Place::There(server) => make_there(&server, args, name)?,
    };
    if args.list.json {
        let member = |entity: &Entity| json!({"id": entity.id, "name": entity.name, "type": entity.kind.word()});
        let members: Vec<Value> = members.iter().map(member).collect();
        output::line(&serde_json::to_vec(&json!({"space": space, "members": members}))?)?;
        return Ok(Outcome::Ok);
    }
    let id = space.id.as_str();
    output::line(id.as_bytes())?;
    let names: Vec<String> = members.iter().map(|member| plain(&member.name)).collect();
    output::say(&format!("{} belong{} to it", names.join(", "), if names.len() == 1 { "s" } else { "" }));
    let agents = members.iter().any(|member| member.kind == EntityKind::Agent);
    let next = if agents { format!("weft spaces post {id} \"Hello\"") } else { format!("weft agents add NAME --space {id}") };
    output::say(&format!("; go on with: {next}\n"));
    Ok(Outcome::Ok)
}

fn make(store: &Store, args: &CreateArgs, name: &str) -> Result<(Space, Vec<Entity>)> {
    let people = People::of(store)?;
    let mut members: Vec<Entity> = args.member.iter().map(|who| people.find(who).cloned()).collect::<Result<_>>()?;
    for person in &args.person {
        members.push(People::of(store)?.person(store, person)?);
    }
    let alone = !members.iter().any(|member| member.kind == EntityKind::Human);
    if alone {
        members.insert(0, people.person(store, &own_name())?);
    }
    let spaces = store.spaces()?;
    let is_taken = |id: &str| spaces.iter().any(|space| space.id.as_str() == id);
    let id = match &args.id {
        Some(id) if is_taken(id) => bail!("there is a space {id:?} already: choose another --id"),
        Some(id) => id.clone(),
        None => fresh(name, "space", is_taken),
    };
    let mut header = Conversation::new(Space::new(id.as_str(), name));
    (header.space.confidential, header.space.wake) = (args.confidential, args.wake.rule());
    header.entities = members;
    store.create_space(&header, now())?;
    Ok((header.space, header.entities))
}

fn make_there(server: &Server, args: &CreateArgs, name: &str) -> Result<(Space, Vec<Entity>)> {
    if args.id.is_some() {
        return server.refuse("--id", "a server chooses the id; leave it out");
    }
    let people = server.people()?;
    let mut members: Vec<Entity> = args.member.iter().map(|who| people.find(who).cloned()).collect::<Result<_>>()?;
    members.extend(server.known_people(&people, &args.person)?);
    let ids: Vec<EntityId> = members.into_iter().map(|member| member.id).collect();
    server.make_space(name, args.confidential, args.wake.rule(), &ids)
}
