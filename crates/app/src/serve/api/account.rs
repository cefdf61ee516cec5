//! Signing in and out, who one is, invitations, tokens.

use crate::serve::house::House;
use crate::serve::session::used_up;
use crate::serve::shown::Card;
use crate::serve::web::{About, Answer, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::{Need, hash, new_secret};
use http::header;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::{EntityId, SpaceId, Timestamp};
use weftwork_store::{NewPass, Pass, PassKind, Role, Scopes};

const HOUR: i64 = 60 * 60 * 1000;
/// How long an invitation is good, in hours.
const USUAL_HOURS: i64 = 7 * 24;
const MOST_HOURS: i64 = 90 * 24;
const GROUP: &str = "Account";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(Verb::Post, "/api/session", about("join", Need::Nobody, "Sign in with an invitation.").gives(Given::Created), join)
        .on(
            Verb::Post,
            "/api/session/demo",
            about("joinDemo", Need::Nobody, "Sign in to the demo, where there is one.").gives(Given::Created),
            join_demo,
        )
        .on(
            Verb::Post,
            "/api/session/invitation",
            about("lookAtInvitation", Need::Nobody, "What an invitation is for. Looking at it does not use it up."),
            look,
        )
        .on(Verb::Get, "/api/session", about("me", Need::Read, "Who you are."), me)
        .on(Verb::Delete, "/api/session", about("signOut", Need::Read, "Sign out.").gives(Given::Nothing), sign_out)
        .on(Verb::Get, "/api/tokens", about("listTokens", Need::Read, "Your tokens."), tokens)
        .on(
            Verb::Post,
            "/api/tokens",
            about("makeToken", Need::Write, "Make a token for a program. It is shown once.").gives(Given::Created),
            make_token,
        )
        .on(Verb::Delete, "/api/tokens/{id}", about("revokeToken", Need::Write, "Revoke a token.").gives(Given::Nothing), revoke)
        .on(Verb::Get, "/api/invitations", about("listInvitations", Need::Read, "Invitations that are still good."), invitations)
        .on(
            Verb::Post,
            "/api/invitations",
            about("invite", Need::Write, "Make a link that lets one person in, once.").gives(Given::Created),
            invite,
        )
        .on(
            Verb::Delete,
            "/api/invitations/{id}",
            about("revokeInvitation", Need::Write, "Revoke an invitation.").gives(Given::Nothing),
            revoke,
        )
}

/// An invitation and a name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Join {
    /// What stands behind `/join/` in the link.
    invitation: String,
    /// What you are called; not needed by somebody who is known.
    name: Option<String>,
}

/// Who you are.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Me {
    /// The entity that acts for you.
    me: Card,
    /// owner or member
    role: &'static str,
    /// What this session or token may do.
    scopes: Vec<&'static str>,
    /// The space that the invitation led to.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    /// Whether this is the demo.
    demo: bool,
    /// The server's version.
    version: &'static str,
}

async fn shown_me(house: &House, entity: EntityId, role: Role, scopes: Scopes, space: Option<SpaceId>) -> Result<Me, Problem> {
    let card = house.stored(move |store| store.entity(&entity)).await?.into();
    let (demo, version) = (house.settings.demo, env!("CARGO_PKG_VERSION"));
    Ok(Me { me: card, role: word(role), scopes: scopes.words().collect(), space, demo, version })
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Owner => "owner",
        Role::Member => "member",
    }
}

async fn join(cx: Cx, input: Input<(), (), Join>) -> Done<Me> {
    if !cx.house.is_own_page(&cx.headers) {
        return Err(foreign_page());
    }
    let (accepted, secret) = cx.house.join(&input.body.invitation, input.body.name.as_deref()).await?;
    let role = accepted.session.role.unwrap_or(Role::Member);
    let me = shown_me(&cx.house, accepted.entity, role, accepted.session.scopes, accepted.space).await?;
    Ok(Answer::from(me).with(header::SET_COOKIE, &cx.house.cookie(&secret)))
}

/// Nobody is signed in by another page: it would be as somebody of its choice.
fn foreign_page() -> Problem {
    Problem::new(Code::NotAllowed, "signing in happens on our own page")
}

async fn join_demo(cx: Cx, _: Input) -> Done<Me> {
    if !cx.house.settings.demo || cx.headers.contains_key("forwarded") || cx.headers.contains_key("x-forwarded-for") {
        return Err(Problem::not_found());
    }
    let demo = cx.house.gateway.make_demo().await.map_err(|error| Problem::internal(&error))?;
    let secret = cx.house.sit_down(demo.person.clone(), Role::Owner).await?;
    let me = shown_me(&cx.house, demo.person, Role::Owner, Scopes::ALL, None).await?;
    Ok(Answer::from(me).with(header::SET_COOKIE, &cx.house.cookie(&secret)))
}

async fn me(cx: Cx, _: Input) -> Done<Me> {
    let role = cx.who.role().unwrap_or(Role::Member);
    Ok(shown_me(&cx.house, cx.who.entity().clone(), role, cx.who.scopes(), None).await?.into())
}

async fn sign_out(cx: Cx, _: Input) -> Done<()> {
    let (who, now) = (cx.who.entity().clone(), cx.house.gateway.now());
    if let Some(pass) = cx.who.pass().map(str::to_owned) {
        cx.house.stored(move |store| store.revoke_pass(&pass, Some(&who), now)).await?;
    }
    Ok(Answer::from(()).with(header::SET_COOKIE, &cx.house.no_cookie()))
}

/// A token or an invitation, without its secret.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownPass {
    id: String,
    /// What its maker calls it.
    name: String,
    /// Who acts through it.
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<EntityId>,
    scopes: Vec<&'static str>,
    /// The space that an invitation leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    created_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    /// When it was used last, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    used_at: Option<Timestamp>,
    /// The token itself, or the link. Shown once, when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl From<Pass> for ShownPass {
    fn from(pass: Pass) -> ShownPass {
        let Pass { id, entity, name, scopes, space, created_at, expires_at, used_at, .. } = pass;
        let (scopes, secret) = (scopes.words().collect(), None);
        let time = |at: Option<i64>| at.and_then(Timestamp::from_millis);
        ShownPass {
            id,
            name,
            entity,
            scopes,
            space,
            created_at: Timestamp::from_millis(created_at),
            expires_at: time(expires_at),
            used_at: time(used_at),
            secret,
        }
    }
}

/// Made just now: shown with its secret, kept without.
fn made(pass: Pass, secret: String) -> Done<ShownPass> {
    let mut shown = ShownPass::from(pass);
    let kept = serde_json::to_value(&shown).unwrap_or_default();
    shown.secret = Some(secret);
    Ok(Answer::from(shown).keeping(kept))
}

async fn tokens(cx: Cx, _: Input) -> Done<Vec<ShownPass>> {
    let who = cx.who.entity().clone();
    let passes = cx.house.stored(move |store| store.passes(&who, PassKind::Token)).await?;
    Ok(passes.into_iter().map(ShownPass::from).collect::<Vec<_>>().into())
}

/// A token to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewToken {
    /// What it is for.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// read, write, models, admin; all that you have if none are given.
    scopes: Option<Vec<String>>,
    /// Who acts through it, if not you: an agent that lives elsewhere. For owners.
    entity: Option<EntityId>,
    /// After how many days it ends; never if not given.
    #[schemars(range(min = 1, max = 3650))]
    expires_in_days: Option<u32>,
}

async fn make_token(cx: Cx, input: Input<(), (), NewToken>) -> Done<ShownPass> {
    let NewToken { name, scopes, entity, expires_in_days } = input.body;
    if name.trim().is_empty() || name.len() > 200 {
        return Err(Problem::bad("name", "say in 1 to 200 bytes what the token is for"));
    }
    if expires_in_days.is_some_and(|days| days == 0 || days > 3650) {
        return Err(Problem::bad("expiresInDays", "from 1 to 3650"));
    }
    let scopes = wanted(scopes, cx.who.scopes())?;
    let other = entity.filter(|entity| entity != cx.who.entity());
    if other.is_some() && !cx.who.is_owner() {
        return Err(Problem::new(Code::NotAllowed, "only an owner makes tokens for others"));
    }
    let (secret, now) = (new_secret(PassKind::Token)?, cx.house.gateway.now());
    let pass = NewPass {
        entity: Some(other.clone().unwrap_or_else(|| cx.who.entity().clone())),
        name,
        scopes,
        made_by: Some(cx.who.entity().clone()),
        // What ends makes nothing that outlives it.
        expires_at: expires_in_days.map(|days| now + i64::from(days) * 24 * HOUR).into_iter().chain(token_ends(&cx)).min(),
        ..NewPass::new(PassKind::Token, hash(&secret))
    };
    let kept = cx
        .house
        .stored(move |store| {
            if let Some(entity) = &other
                && store.account(entity)?.is_none()
            {
                store.put_account(entity, Role::Member, now)?;
            }
            store.put_pass(&pass, now)
        })
        .await?;
    made(kept, secret)
}

/// When the token ends that somebody came with; a session's end bounds nothing that its person makes.
fn token_ends(cx: &Cx) -> Option<i64> {
    cx.who.is_program().then(|| cx.who.ends()).flatten()
}

/// The scopes that are asked for: nobody gives more than they have.
fn wanted(words: Option<Vec<String>>, own: Scopes) -> Result<Scopes, Problem> {
    let Some(words) = words else { return Ok(own) };
    let mut scopes = Scopes::NONE;
    for word in &words {
        let scope = Scopes::of_word(word)
            .ok_or_else(|| Problem::bad("scopes", format!("{word:?} is none of read, write, models, admin")))?;
        scopes = scopes | scope;
    }
    if own.has(scopes) { Ok(scopes) } else { Err(Problem::new(Code::NotAllowed, "nobody gives more than they have")) }
}

/// A token or an invitation.
#[derive(Deserialize, JsonSchema)]
struct PassPath {
    /// Its id.
    id: String,
}

async fn revoke(cx: Cx, input: Input<PassPath>) -> Done<()> {
    let owner = (!cx.who.is_owner()).then(|| cx.who.entity().clone());
    let now = cx.house.gateway.now();
    match cx.house.stored(move |store| store.revoke_pass(&input.path.id, owner.as_ref(), now)).await? {
        true => Ok(().into()),
        false => Err(Problem::not_found()),
    }
}

async fn invitations(cx: Cx, _: Input) -> Done<Vec<ShownPass>> {
    let made_by = (!cx.who.is_owner()).then(|| cx.who.entity().clone());
    let now = cx.house.gateway.now();
    let passes = cx.house.stored(move |store| store.open_invitations(made_by.as_ref(), now)).await?;
    Ok(passes.into_iter().map(ShownPass::from).collect::<Vec<_>>().into())
}

/// An invitation to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewInvitation {
    /// The space it leads to. Who is no owner invites into a space of theirs.
    space: Option<SpaceId>,
    /// For whom it is meant, as a note to yourself.
    #[serde(default)]
    #[schemars(length(max = 200))]
    name: String,
    /// Somebody who is known and has lost their session. For owners.
    entity: Option<EntityId>,
    /// Whether whoever comes becomes an owner. For owners.
    #[serde(default)]
    owner: bool,
    /// For how many hours it is good; a week if not given.
    #[schemars(range(min = 1, max = 2160))]
    expires_in_hours: Option<i64>,
}

async fn invite(cx: Cx, input: Input<(), (), NewInvitation>) -> Done<ShownPass> {
    let NewInvitation { space, name, entity, owner, expires_in_hours } = input.body;
    let hours = expires_in_hours.unwrap_or(USUAL_HOURS);
    if !(1..=MOST_HOURS).contains(&hours) {
        return Err(Problem::bad("expiresInHours", format!("from 1 to {MOST_HOURS}")));
    }
    if name.len() > 200 {
        return Err(Problem::bad("name", "at most 200 bytes"));
    }
    if let Some(space) = &space {
        cx.house.member(cx.who.entity(), space).await?;
    }
    if !cx.who.is_owner() && (owner || entity.is_some() || space.is_none()) {
        return Err(Problem::new(Code::NotAllowed, "who is no owner invites new people into a space of theirs"));
    }
    let (secret, now) = (new_secret(PassKind::Invitation)?, cx.house.gateway.now());
    let pass = NewPass {
        entity,
        name,
        scopes: cx.who.scopes(),
        space,
        role: Some(if owner { Role::Owner } else { Role::Member }),
        made_by: Some(cx.who.entity().clone()),
        expires_at: Some(now + hours * HOUR),
        ..NewPass::new(PassKind::Invitation, hash(&secret))
    };
    let kept = cx.house.stored(move |store| store.put_pass(&pass, now)).await?;
    made(kept, cx.house.link(&secret))
}

/// What an invitation is for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Shown {
    /// What stands behind `/join/` in the link.
    #[schemars(length(max = 200))]
    invitation: String,
}

/// What an invitation is for.
#[derive(Serialize, JsonSchema)]
struct Invited {
    /// Whether it is for somebody who has a name here already.
    known: bool,
    /// The name of the space that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<String>,
}

async fn look(cx: Cx, input: Input<(), (), Shown>) -> Done<Invited> {
    let (hash, now) = (hash(&input.body.invitation), cx.house.gateway.now());
    let found = cx.house.stored(move |store| {
        let Some(pass) = store.pass(&hash, Some(PassKind::Invitation), now)? else { return Ok(None) };
        let space = pass.space.map(|space| store.header(&space)).transpose()?;
        Ok(Some(Invited { known: pass.entity.is_some(), space: space.map(|header| header.space.name) }))
    });
    found.await?.map(Answer::from).ok_or_else(used_up)
}
