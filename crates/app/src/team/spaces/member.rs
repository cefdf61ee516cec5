//! `weft spaces join` and `leave`.

use super::super::args::{JoinArgs, LeaveArgs};
use super::super::who::{People, member_of};
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use anyhow::Result;
use serde_json::json;
use weftwork::model::{Entity, SpaceId};

/// Lets somebody join.
pub(super) fn join(args: &JoinArgs) -> Result<Outcome> {
    let place = args.list.place.change()?;
    let space = place.find_space(&args.space)?;
    let people = place.people()?;
    let mut who: Vec<Entity> = args.who.iter().map(|who| people.find(who).cloned()).collect::<Result<_>>()?;
    match &place {
        Place::Here(store) => {
            for person in &args.person {
                who.push(People::of(store)?.person(store, person)?);
            }
        }
        Place::There(server) => who.extend(server.known_people(&people, &args.person)?),
    }
    let there = members(&place, &space)?;
    let mut joined = Vec::new();
    for entity in &who {
        let was = there.iter().any(|member| member.id == entity.id);
        match &place {
            Place::Here(store) => store.join(&space, &entity.id, None)?,
            Place::There(server) => server.join(&space, &entity.id)?,
        }
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
    let place = args.list.place.change()?;
    let space = place.find_space(&args.space)?;
    let gone = member_of(&members(&place, &space)?, &space, &args.who)?;
    match &place {
        Place::Here(store) => drop(store.depart(&space, &gone.id, now())?),
        Place::There(server) => server.leave(&space, &gone.id)?,
    }
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"space": space, "left": gone.id}))?)?;
    } else {
        output::say(&format!("{} left\n", plain(&gone.name)));
    }
    Ok(Outcome::Ok)
}

/// Who belongs to a space.
pub(super) fn members(place: &Place, space: &SpaceId) -> Result<Vec<Entity>> {
    match place {
        Place::Here(store) => Ok(store.members(space)?),
        Place::There(server) => server.members(space),
    }
}
