//! `weft spaces create`.

use super::super::args::CreateArgs;
use super::super::who::{People, fresh, own_name};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use weftwork::model::{Conversation, Entity, EntityKind, Space};

/// Characters of a space's name.
const LONGEST: usize = 200;

/// Makes a space.
pub(super) fn create(args: &CreateArgs) -> Result<Outcome> {
    let name = args.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST || name.chars().any(char::is_control) {
        bail!("a space needs a name of 1 to {LONGEST} characters in one line");
    }
    let store = args.list.db.write()?;
    let people = People::of(&store)?;
    let mut members: Vec<Entity> = args.member.iter().map(|who| people.find(who).cloned()).collect::<Result<_>>()?;
    for person in &args.person {
        members.push(People::of(&store)?.person(&store, person)?);
    }
    let alone = !members.iter().any(|member| member.kind == EntityKind::Human);
    if alone {
        members.insert(0, people.person(&store, &own_name())?);
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
    if args.list.json {
        let member = |entity: &Entity| json!({"id": entity.id, "name": entity.name, "type": entity.kind.word()});
        let members: Vec<Value> = header.entities.iter().map(member).collect();
        output::line(&serde_json::to_vec(&json!({"space": header.space, "members": members}))?)?;
        return Ok(Outcome::Ok);
    }
    output::line(id.as_bytes())?;
    let names: Vec<String> = header.entities.iter().map(|member| plain(&member.name)).collect();
    output::say(&format!("{} belong{} to it", names.join(", "), if names.len() == 1 { "s" } else { "" }));
    let agents = header.entities.iter().any(|member| member.kind == EntityKind::Agent);
    let next = if agents { format!("weft spaces post {id} \"Hello\"") } else { format!("weft agents add NAME --space {id}") };
    output::say(&format!("; go on with: {next}\n"));
    Ok(Outcome::Ok)
}
