//! Spaces and who belongs to them.

use crate::serve::live::{EventsQuery, account_events, space_events};
use crate::serve::session::new_id;
use crate::serve::shown::Card;
use crate::serve::web::{About, Answer, Api, Code, Cx, Done, Given, Input, Plain, Problem, Verb};
use crate::serve::who::Need;
use axum::routing::get;
use http::header;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use weftwork::ask::Settings;
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, Mode, NodeId, Space, SpaceId, Timestamp, Wake};
use weftwork_store::{ListPlace, Overview, Store, StoreError};

const GROUP: &str = "Spaces";
/// Spaces of one page.
const USUAL: u32 = 50;
const MOST: u32 = 200;
/// Who can be named when a space is made.
const MOST_MEMBERS: usize = 100;
const LONGEST_NAME: usize = 200;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    let events = |name, says| About::new("Live", name, Need::Read, says);
    api.on(Verb::Get, "/api/spaces", about("listSpaces", Need::Read, "The spaces you belong to, newest first."), list)
        .on(
            Verb::Post,
            "/api/spaces",
            about("makeSpace", Need::Write, "Make a space: a chat, a loom, a channel.").gives(Given::Created),
            make,
        )
        .on(Verb::Get, "/api/spaces/{space}", about("space", Need::Read, "A space and who belongs to it."), show)
        .on(Verb::Patch, "/api/spaces/{space}", about("changeSpace", Need::Write, "Change a space."), change)
        .on(
            Verb::Put,
            "/api/spaces/{space}/members/{entity}",
            about("addMember", Need::Write, "Let somebody in who shares a space with you, or an agent of yours."),
            add_member,
        )
        .on(
            Verb::Delete,
            "/api/spaces/{space}/members/{entity}",
            about("removeMember", Need::Write, "Leave, or take somebody out.").gives(Given::Nothing),
            remove_member,
        )
        .raw("/api/spaces/{space}/events", get(space_events), |doc| {
            let about = events("spaceEvents", "What happens in a space, as server-sent events; resumable by Last-Event-ID.");
            let (verb, path) = (Verb::Get, "/api/spaces/{space}/events");
            doc.plain::<SpacePath, EventsQuery>(&Plain { verb, path, about, kind: "text/event-stream", takes: None });
        })
        .raw("/api/events", get(account_events), |doc| {
            let about = events(
                "accountEvents",
                "Your spaces, all at first and then each as it changes, and the runs that wait for you, as server-sent events.",
            );
            let (verb, path) = (Verb::Get, "/api/events");
            doc.plain::<(), ()>(&Plain { verb, path, about, kind: "text/event-stream", takes: None });
        })
}

/// A space.
#[derive(Deserialize, JsonSchema)]
pub(in crate::serve) struct SpacePath {
    /// Its id.
    pub(in crate::serve) space: SpaceId,
}

/// A member of a space.
#[derive(Deserialize, JsonSchema)]
struct MemberPath {
    /// The space.
    space: SpaceId,
    /// Who.
    entity: EntityId,
}

/// A page of a list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// `next` of the page before.
    after: Option<String>,
    /// At most so many.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

/// A space in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::serve) struct SpaceCard {
    /// Its id.
    pub(in crate::serve) id: SpaceId,
    pub(in crate::serve) name: String,
    mode: Mode,
    wake: Wake,
    /// Whether its words stay among its members.
    confidential: bool,
    nodes: u64,
    members: u64,
    /// Messages you have not read.
    pub(in crate::serve) unread: u64,
    /// When something was said last.
    pub(in crate::serve) last_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_message: Option<LastMessage>,
}

/// How the last message begins.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct LastMessage {
    author: EntityId,
    text: String,
}

impl From<Overview> for SpaceCard {
    fn from(overview: Overview) -> SpaceCard {
        let Overview { listed, unread, last_message, confidential, wake, mode } = overview;
        SpaceCard {
            id: listed.id,
            name: listed.name,
            mode,
            wake,
            confidential,
            nodes: listed.nodes,
            members: listed.members,
            unread,
            last_at: Timestamp::from_millis(listed.last),
            last_message: last_message.map(|last| LastMessage { author: last.author, text: last.text }),
        }
    }
}

/// The spaces of somebody, as a list shows them.
pub(in crate::serve) fn cards(
    store: &Store,
    who: &EntityId,
    after: Option<ListPlace>,
    limit: u32,
) -> Result<(Vec<SpaceCard>, Option<ListPlace>), StoreError> {
    let (spaces, next) = store.listed_for(who, after, limit)?;
    Ok((spaces.into_iter().map(SpaceCard::from).collect(), next))
}

/// A page of spaces.
#[derive(Serialize, JsonSchema)]
struct SpacePage {
    spaces: Vec<SpaceCard>,
    /// Where the list goes on, as `after`; none at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

async fn list(cx: Cx, input: Input<(), ListQuery>) -> Done<SpacePage> {
    let limit = input.query.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(Problem::bad("limit", format!("from 1 to {MOST}")));
    }
    let after = input.query.after.map(|text| text.parse()).transpose();
    let after = after.map_err(|error: weftwork_store::NoPlace| Problem::bad("after", error.to_string()))?;
    let who = cx.who.entity().clone();
    let (spaces, next) = cx.house.stored(move |store| cards(store, &who, after, limit)).await?;
    Ok(SpacePage { spaces, next: next.map(|next| next.to_string()) }.into())
}

/// A space to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewSpace {
    /// Its name; may be empty.
    #[serde(default)]
    #[schemars(length(max = 200))]
    name: String,
    /// Dialogue, or buffer: one text that is continued.
    #[serde(default)]
    mode: Mode,
    /// Which agents a message wakes.
    #[serde(default)]
    wake: Wake,
    /// Whether its words stay among its members.
    #[serde(default)]
    confidential: bool,
    /// System text of the space.
    #[serde(default)]
    #[schemars(length(max = 65536))]
    system_context: String,
    /// Who belongs to it besides you: who shares a space with you.
    #[serde(default)]
    #[schemars(length(max = 100))]
    members: Vec<EntityId>,
    /// An agent of its own, as a chat has.
    agent: Option<NewAgent>,
}

/// The agent of a new chat.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewAgent {
    /// What it is called; Assistant if not given.
    #[schemars(length(max = 64))]
    name: Option<String>,
    /// Its model, as provider/model; the server's own if not given.
    #[schemars(length(max = 200))]
    model: Option<String>,
    /// What it is told.
    #[schemars(length(max = 65536))]
    system_prompt: Option<String>,
}

/// A space and who belongs to it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownSpace {
    space: Space,
    members: Vec<Card>,
    /// Your head, or the default one; none while nothing was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<NodeId>,
    unread: u64,
    /// Up to which place in the order of the space each member has read.
    reads: BTreeMap<String, i64>,
    /// From where to follow what happens: `after` of the events.
    moment: String,
}

async fn make(cx: Cx, input: Input<(), (), NewSpace>) -> Done<ShownSpace> {
    let NewSpace { name, mode, wake, confidential, system_context, members, agent } = input.body;
    if name.len() > LONGEST_NAME {
        return Err(Problem::bad("name", format!("at most {LONGEST_NAME} bytes")));
    }
    if members.len() > MOST_MEMBERS {
        return Err(Problem::bad("members", format!("at most {MOST_MEMBERS}; others are invited later")));
    }
    let id = match &cx.key {
        // Whoever asks again after a crash finds the same space.
        Some(key) => id_of_key("space", cx.who.entity(), key),
        None => new_id("space")?,
    };
    let space = Space { mode, wake, confidential, system_context, ..Space::new(id.as_str(), name) };
    let mut header = Conversation::new(space);
    let me = cx.who.entity().clone();
    let mut others = Vec::new();
    for member in members.iter().filter(|member| **member != me) {
        others.push(known(&cx, member).await?);
    }
    let myself = cx.house.stored(move |store| store.entity(&me)).await?;
    header.entities.push(myself);
    header.entities.extend(others);
    header.entities.dedup_by(|one, other| one.id == other.id);
    if let Some(agent) = agent {
        header.entities.push(new_agent(&cx, &id, agent).await?);
    }
    let (made, now) = (header.clone(), cx.house.gateway.now());
    let result = cx.house.gateway.stored(move |store| store.create_space(&made, now)).await;
    match result {
        Err(weftwork_gateway::GatewayError::Store(StoreError::Taken { what: "space", .. })) if cx.key.is_some() => {}
        result => result?,
    }
    let shown = shown(&cx, header.space.id).await?;
    Ok(Answer::from(shown).with(header::LOCATION, &format!("/api/spaces/{id}")))
}

/// The id that somebody's key stands for.
pub(in crate::serve) fn id_of_key(kind: &str, who: &EntityId, key: &str) -> String {
    let hash = Sha256::new().chain_update(who.as_str()).chain_update([0]).chain_update(key).finalize();
    let hex: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{kind}-{hex}")
}

async fn new_agent(cx: &Cx, space: &str, agent: NewAgent) -> Result<Entity, Problem> {
    let NewAgent { name, model, system_prompt } = agent;
    let name = match name {
        // Two chats may each have a Guide; nobody has an agent that is called like a person.
        Some(name) => cx.house.name(&name, &[EntityKind::Human]).await?,
        None => "Assistant".to_owned(),
    };
    if let Some(model) = &model {
        cx.house.gateway.providers().resolve(model).map_err(|error| Problem::bad("agent.model", error.to_string()))?;
    }
    let id = format!("{space}-agent");
    Ok(Entity { model, system_prompt, ..Entity::new(id.as_str(), name, EntityKind::Agent) })
}

/// Somebody whom the asker may add to a space: an owner anybody, others those they share a space with.
async fn known(cx: &Cx, entity: &EntityId) -> Result<Entity, Problem> {
    let (who, whom, owner) = (cx.who.entity().clone(), entity.clone(), cx.who.is_owner());
    let found = cx.house.stored(move |store| {
        if owner {
            return store.entity(&whom).map(Some);
        }
        Ok(store.belonging(&who)?.entities.into_iter().find(|entity| entity.id == whom))
    });
    found.await?.ok_or_else(Problem::not_found)
}

async fn show(cx: Cx, input: Input<SpacePath>) -> Done<ShownSpace> {
    cx.house.member(cx.who.entity(), &input.path.space).await?;
    Ok(shown(&cx, input.path.space).await?.into())
}

async fn shown(cx: &Cx, space: SpaceId) -> Result<ShownSpace, Problem> {
    let who = cx.who.entity().clone();
    cx.house
        .stored(move |store| {
            let header = store.header(&space)?;
            let moment = store.moment(&space)?.ok_or(StoreError::NoSpace { space: space.clone() })?;
            Ok(ShownSpace {
                members: store.members(&space)?.into_iter().map(Card::from).collect(),
                head: store.head(&space, Some(&who))?,
                unread: store.unread(&space, &who)?,
                reads: store.reads(&space)?.into_iter().map(|(who, seq)| (who.to_string(), seq.0)).collect(),
                space: header.space,
                moment: moment.to_string(),
            })
        })
        .await
}

/// What is to change; what is not given stays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SpaceChange {
    #[schemars(length(max = 200))]
    name: Option<String>,
    mode: Option<Mode>,
    wake: Option<Wake>,
    confidential: Option<bool>,
    #[schemars(length(max = 65536))]
    system_context: Option<String>,
    /// How requests are assembled here.
    settings: Option<Settings>,
}

async fn change(cx: Cx, input: Input<SpacePath, (), SpaceChange>) -> Done<ShownSpace> {
    let space = input.path.space;
    cx.house.member(cx.who.entity(), &space).await?;
    let SpaceChange { name, mode, wake, confidential, system_context, settings } = input.body;
    if name.as_ref().is_some_and(|name| name.len() > LONGEST_NAME) {
        return Err(Problem::bad("name", format!("at most {LONGEST_NAME} bytes")));
    }
    let place = space.clone();
    cx.house
        .stored(move |store| {
            let mut header = store.header(&place)?;
            let now = &mut header.space;
            now.name = name.unwrap_or(std::mem::take(&mut now.name));
            now.mode = mode.unwrap_or(now.mode);
            now.wake = wake.unwrap_or(now.wake);
            now.confidential = confidential.unwrap_or(now.confidential);
            now.system_context = system_context.unwrap_or(std::mem::take(&mut now.system_context));
            now.settings = settings.unwrap_or(std::mem::take(&mut now.settings));
            store.put_header(&header)
        })
        .await?;
    Ok(shown(&cx, space).await?.into())
}

async fn add_member(cx: Cx, input: Input<MemberPath>) -> Done<Card> {
    let MemberPath { space, entity } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    let member = known(&cx, &entity).await?;
    cx.house.stored(move |store| store.join(&space, &entity, None)).await?;
    Ok(Card::from(member).into())
}

async fn remove_member(cx: Cx, input: Input<MemberPath>) -> Done<()> {
    let MemberPath { space, entity } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    let (now, whom) = (cx.house.gateway.now(), entity.clone());
    let place = space.clone();
    let there = cx.house.stored(move |store| store.is_member(&place, &whom)).await?;
    if !there {
        return Err(Problem::not_found());
    }
    // Whoever could take others out could make themselves the only one an agent has.
    let mine = entity == *cx.who.entity() || cx.who.is_owner() || cx.house.managed(&cx.who, &entity).await.is_ok();
    if !mine {
        return Err(Problem::new(
            Code::NotAllowed,
            "you may leave, or take out an agent that you manage; others are an owner's to take out",
        ));
    }
    cx.house.stored(move |store| store.depart(&space, &entity, now)).await?;
    cx.house.gateway.hint();
    Ok(().into())
}

/// The place of a page of something, from text.
pub(in crate::serve) fn limit(given: Option<u32>, usual: u32, most: u32) -> Result<u32, Problem> {
    let limit = given.unwrap_or(usual);
    if (1..=most).contains(&limit) { Ok(limit) } else { Err(Problem::bad("limit", format!("from 1 to {most}"))) }
}

/// What cannot be done by an agent through a token of its own.
pub(in crate::serve) fn not_for_agents() -> Problem {
    Problem::new(Code::NotAllowed, "an agent says things in its runs: take one first")
}
