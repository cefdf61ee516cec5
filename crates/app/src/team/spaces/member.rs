//! `weft spaces join` and `leave`.

use super::super::args::{JoinArgs, LeaveArgs};
use super::super::who::{People, member};
use crate::exit::Outcome;
use crate::keep::{find_space, now};
use crate::output;
use crate::preview::plain;
use anyhow::Result;
use serde_json::json;
use weftwork::model::Entity;

/// Lets somebody join.
pub(super) fn join(args: &JoinArgs) -> Result<Outcome> {
    let store = args.list.db.change()?;
    let space = find_space(&store, &args.space)?;
    let people = People::of(&store)?;
    let mut who: Vec<Entity> = args.who.iter().map(|who| people.find(who).cloned()).collect::<Result<_>>()?;
    for person in &args.person {
        who.push(People::of(&store)?.person(&store, person)?);
    }
    let mut joined = Vec::new();
    for entity in &who {
        let was = store.is_member(&space, &entity.id)?;
        store.join(&space, &entity.id, None)?;
        joined.push(json!({"id": entity.id, "name": entity.name, "joined": !was}));
        let word = if was { "belonged to it already" } else { "joined" };
        if !args.list.json {
            output::say(&format!("{} {word}\n", plain(&entity.name)));
        }
    }
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"space": space, "members": joined}))?)?;
    }
    Ok(Outcome::Ok)
}

/// Lets somebody leave.
pub(super) fn leave(args: &LeaveArgs) -> Result<Outcome> {
    let store = args.list.db.change()?;
    let space = find_space(&store, &args.space)?;
    let gone = member(&store, &space, Some(&args.who))?;
    store.depart(&space, &gone.id, now())?;
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"space": space, "left": gone.id}))?)?;
    } else {
        output::say(&format!("{} left\n", plain(&gone.name)));
    }
    Ok(Outcome::Ok)
}
