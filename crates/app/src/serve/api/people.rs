//! People: who there is besides you, what you are called, and who may no longer sign in.

use super::agents::name_of;
use crate::serve::shown::Card;
use crate::serve::web::{About, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::{EntityId, EntityKind, Timestamp};
use weftwork_store::{Account, PassKind, Role, Store, StoreError};

const GROUP: &str = "People";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Get,
        "/api/people",
        about("listPeople", Need::Read, "The people you share a space with; for owners, everybody who has an account."),
        list,
    )
    .on(Verb::Patch, "/api/me", about("changeMe", Need::Write, "Be called something else."), rename)
    .on(
        Verb::Delete,
        "/api/people/{entity}",
        about("closeAccount", Need::Owner, "Close an account: its sessions, tokens and invitations open nothing any more.")
            .gives(Given::Nothing),
        close,
    )
}

/// Somebody, and for owners what is known of their account.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Neighbour {
    person: Card,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<ShownAccount>,
}

/// An account.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AccountOf")]
struct ShownAccount {
    /// owner or member
    role: &'static str,
    created_at: Option<Timestamp>,
    /// When they came last, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_seen: Option<Timestamp>,
    /// Since when it is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_at: Option<Timestamp>,
}

async fn list(cx: Cx, _: Input) -> Done<Vec<Neighbour>> {
    let (who, is_owner) = (cx.who.entity().clone(), cx.who.is_owner());
    let all = cx.house.stored(move |store| {
        let near = store.belonging(&who)?.entities.into_iter().filter(|entity| entity.kind == EntityKind::Human);
        let mut people: Vec<Neighbour> = Vec::new();
        if is_owner {
            people = store.accounts()?.into_iter().map(|account| known(store, account)).collect::<Result<_, _>>()?;
        } else {
            // Who belongs nowhere yet is still somebody.
            people.push(Neighbour { person: store.entity(&who)?.into(), account: None });
        }
        for entity in near {
            if !people.iter().any(|one| one.person.id == entity.id) {
                people.push(Neighbour { person: entity.into(), account: None });
            }
        }
        Ok(people)
    });
    Ok(all.await?.into())
}

fn known(store: &Store, account: Account) -> Result<Neighbour, StoreError> {
    let Account { entity, role, created_at, closed_at } = account;
    let mut passes = store.passes(&entity, PassKind::Session)?;
    passes.extend(store.passes(&entity, PassKind::Token)?);
    let last_seen = passes.iter().filter_map(|pass| pass.used_at).max();
    let role = match role {
        Role::Owner => "owner",
        Role::Member => "member",
    };
    let account = ShownAccount {
        role,
        created_at: Timestamp::from_millis(created_at),
        last_seen: last_seen.and_then(Timestamp::from_millis),
        closed_at: closed_at.and_then(Timestamp::from_millis),
    };
    Ok(Neighbour { person: store.entity(&entity)?.into(), account: Some(account) })
}

/// What you are called.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MyName {
    /// No two names may look alike.
    #[schemars(length(min = 1, max = 64))]
    name: String,
}

async fn rename(cx: Cx, input: Input<(), (), MyName>) -> Done<Card> {
    let person = cx.house.person(&cx.who).await?;
    let mut me = person.ok_or_else(|| Problem::new(Code::NotAllowed, "an agent is renamed by whoever manages it"))?;
    if input.body.name != me.name {
        me.name = name_of(&cx, &input.body.name, &me.id).await?;
        let kept = me.clone();
        cx.house.stored(move |store| store.put_entity(&kept)).await?;
    }
    Ok(Card::from(me).into())
}

/// Somebody.
#[derive(Deserialize, JsonSchema)]
struct PersonPath {
    /// Who.
    entity: EntityId,
}

async fn close(cx: Cx, input: Input<PersonPath>) -> Done<()> {
    let (entity, now) = (input.path.entity, cx.house.gateway.now());
    match cx.house.stored(move |store| store.close_account(&entity, now)).await? {
        true => Ok(().into()),
        false => Err(Problem::not_found()),
    }
}
