//! The tree of a space: paths, heads, flags.

use super::spaces::{SpacePath, limit};
use crate::serve::shown::Said;
use crate::serve::web::{About, Answer, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use http::header;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::{Edge, EntityId, Kind, Node, NodeId, SpaceId, Status, Timestamp};
use weftwork_store::{Flag, Outline, Placed, Seq};

const GROUP: &str = "Tree";
const USUAL: u32 = 100;
const MOST: u32 = 1000;
const MOST_OUTLINED: u32 = 10_000;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Get,
        "/api/spaces/{space}/path",
        about("path", Need::Read, "The newest nodes of a path, or those before one, with their siblings; oldest first."),
        path,
    )
    .on(
        Verb::Get,
        "/api/spaces/{space}/tree",
        about("tree", Need::Read, "Every node at a glance, in the order of the space."),
        tree,
    )
    .on(Verb::Get, "/api/spaces/{space}/nodes", about("nodes", Need::Read, "Everything said, in the order of the space."), nodes)
    .on(Verb::Get, "/api/spaces/{space}/nodes/{node}", about("node", Need::Read, "One node."), node)
    .on(Verb::Patch, "/api/spaces/{space}/nodes/{node}", about("flagNode", Need::Write, "Set or clear flags of a node."), flag)
    .on(
        Verb::Delete,
        "/api/spaces/{space}/nodes/{node}",
        about("deleteNode", Need::Write, "Take back what you said; its hash stays.").gives(Given::Nothing),
        delete,
    )
    .on(
        Verb::Get,
        "/api/spaces/{space}/head",
        about("head", Need::Read, "Where your path ends. Its ETag goes into If-Match."),
        head,
    )
    .on(
        Verb::Put,
        "/api/spaces/{space}/head",
        about("moveHead", Need::Write, "Move your head, or the default one. With If-Match only if it has not moved."),
        move_head,
    )
}

/// A node of a space.
#[derive(Deserialize, JsonSchema)]
pub(super) struct NodePath {
    /// The space.
    pub(super) space: SpaceId,
    /// The node.
    pub(super) node: NodeId,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PathQuery {
    /// Where the path ends; your head if not given.
    head: Option<NodeId>,
    /// Those before this node.
    before: Option<NodeId>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// A stretch of a path.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownPath {
    /// Oldest first.
    nodes: Vec<OnPath>,
    /// Remarks that hang on these.
    remarks: Vec<Said<'static>>,
    /// Whether there are earlier ones: ask with `before`, the first of these.
    earlier: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<NodeId>,
    /// The place in the order of the space up to which you have read.
    read: i64,
    /// From where to follow what happens: `after` of the events.
    moment: String,
}

/// A node of a path.
#[derive(Serialize, JsonSchema)]
struct OnPath {
    /// Its place in the order of the space.
    seq: i64,
    node: Node,
    /// Which of its siblings it is, from 1.
    place: u32,
    /// How many there are, itself among them.
    siblings: u32,
}

impl From<Placed> for OnPath {
    fn from(placed: Placed) -> OnPath {
        OnPath { seq: placed.seq.0, node: placed.node, place: placed.place, siblings: placed.siblings }
    }
}

async fn path(cx: Cx, input: Input<SpacePath, PathQuery>) -> Done<ShownPath> {
    let PathQuery { head, before, limit: most } = input.query;
    let limit = limit(most, USUAL, MOST)?;
    let (who, space) = (cx.who.entity().clone(), input.path.space);
    let found = cx.house.stored(move |store| store.stretch(&space, head.as_ref(), &who, before.as_ref(), limit)).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(ShownPath {
        nodes: found.nodes.into_iter().map(OnPath::from).collect(),
        remarks: found.remarks.into_iter().map(Said::from).collect(),
        earlier: found.earlier,
        head: found.head,
        read: found.cursor.0,
        moment: found.upto.to_string(),
    }
    .into())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AfterQuery {
    /// Those after this place in the order of the space.
    #[serde(default)]
    #[schemars(range(min = 0))]
    after: i64,
    #[schemars(range(min = 1, max = 10000))]
    limit: Option<u32>,
}

/// A place in the order of a space.
fn place(after: i64) -> Result<Seq, Problem> {
    if (0..=i64::from(u32::MAX)).contains(&after) { Ok(Seq(after)) } else { Err(Problem::bad("after", "a place is 0 or more")) }
}

/// A node at a glance.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Glance {
    id: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    seq: i64,
    author: EntityId,
    kind: Kind,
    status: Status,
    edge: Edge,
    flags: Vec<&'static str>,
    purged: bool,
    created_at: Option<Timestamp>,
    /// How its text begins.
    text: String,
}

impl From<Outline> for Glance {
    fn from(outline: Outline) -> Glance {
        let Outline { id, parent, seq, author, kind, status, edge, flags, purged, created_at, text } = outline;
        let flags = flags.into_iter().map(word).collect();
        Glance { id, parent, seq: seq.0, author, kind, status, edge, flags, purged, created_at, text }
    }
}

fn word(flag: Flag) -> &'static str {
    match flag {
        Flag::Excluded => "excluded",
        Flag::Pruned => "pruned",
        Flag::Pinned => "pinned",
        Flag::Bookmarked => "bookmarked",
        Flag::ContextEdge => "contextEdge",
    }
}

/// A tree at a glance.
#[derive(Serialize, JsonSchema)]
struct ShownTree {
    nodes: Vec<Glance>,
}

async fn tree(cx: Cx, input: Input<SpacePath, AfterQuery>) -> Done<ShownTree> {
    let limit = limit(input.query.limit, MOST_OUTLINED, MOST_OUTLINED)?;
    let (who, space, after) = (cx.who.entity().clone(), input.path.space, place(input.query.after)?);
    let found = cx.house.stored(move |store| store.outline(&space, &who, after, limit)).await?;
    let nodes = found.ok_or_else(Problem::not_found)?.into_iter().map(Glance::from).collect();
    Ok(ShownTree { nodes }.into())
}

/// Nodes in the order of the space.
#[derive(Serialize, JsonSchema)]
struct NodePage {
    nodes: Vec<Said<'static>>,
    /// Where to go on, as `after`; none when there is nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<i64>,
}

async fn nodes(cx: Cx, input: Input<SpacePath, AfterQuery>) -> Done<NodePage> {
    let limit = limit(input.query.limit, USUAL, MOST)?;
    let (space, after) = (input.path.space, place(input.query.after)?);
    cx.house.member(cx.who.entity(), &space).await?;
    let found = cx.house.stored(move |store| store.after(&space, after, limit)).await?;
    let next = (found.len() == limit as usize).then(|| found.last().map(|(seq, _)| seq.0)).flatten();
    Ok(NodePage { nodes: found.into_iter().map(Said::from).collect(), next }.into())
}

async fn node(cx: Cx, input: Input<NodePath>) -> Done<Said<'static>> {
    let NodePath { space, node } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    Ok(said(&cx, space, node).await?.into())
}

async fn said(cx: &Cx, space: SpaceId, node: NodeId) -> Result<Said<'static>, Problem> {
    let found = cx.house.stored(move |store| Ok((store.seq(&space, &node)?, store.node(&space, &node)?))).await?;
    Ok(Said::from(found))
}

/// Flags to set or clear; what is not given stays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Flags {
    /// Not sent to models.
    excluded: Option<bool>,
    /// Hidden with all below it.
    pruned: Option<bool>,
    /// Always sent.
    pinned: Option<bool>,
    bookmarked: Option<bool>,
    /// Nothing before it is sent.
    context_edge: Option<bool>,
}

async fn flag(cx: Cx, input: Input<NodePath, (), Flags>) -> Done<Said<'static>> {
    let NodePath { space, node } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    let Flags { excluded, pruned, pinned, bookmarked, context_edge } = input.body;
    let wanted = [
        (Flag::Excluded, excluded),
        (Flag::Pruned, pruned),
        (Flag::Pinned, pinned),
        (Flag::Bookmarked, bookmarked),
        (Flag::ContextEdge, context_edge),
    ];
    let (place, id, now) = (space.clone(), node.clone(), cx.house.gateway.now());
    cx.house
        .stored(move |store| {
            for (flag, on) in wanted {
                if let Some(on) = on {
                    store.set_flag(&place, &id, flag, on, now)?;
                }
            }
            Ok(())
        })
        .await?;
    if pruned == Some(true) {
        cx.house.gateway.hint();
    }
    Ok(said(&cx, space, node).await?.into())
}

async fn delete(cx: Cx, input: Input<NodePath>) -> Done<()> {
    let NodePath { space, node } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    let (place, id) = (space.clone(), node.clone());
    let found = cx.house.stored(move |store| store.node(&place, &id)).await?;
    if found.author != *cx.who.entity() && !cx.who.is_owner() {
        return Err(Problem::new(Code::NotAllowed, "only what you said yourself can be taken back; an owner may take back all"));
    }
    let now = cx.house.gateway.now();
    cx.house.stored(move |store| store.delete_message(&space, &node, now)).await?;
    cx.house.gateway.hint();
    Ok(().into())
}

/// Where a path ends.
#[derive(Serialize, JsonSchema)]
struct Head {
    /// None while nothing was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<NodeId>,
}

fn tagged(node: Option<NodeId>) -> Answer<Head> {
    let tag = format!("\"{}\"", node.as_ref().map_or("", NodeId::as_str));
    Answer::from(Head { node }).with(header::ETAG, &tag)
}

async fn head(cx: Cx, input: Input<SpacePath>) -> Done<Head> {
    let (who, space) = (cx.who.entity().clone(), input.path.space);
    cx.house.member(&who, &space).await?;
    Ok(tagged(cx.house.stored(move |store| store.head(&space, Some(&who))).await?))
}

/// Where a head is to go.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoveHead {
    node: NodeId,
    /// Whether the default head moves, which all have who never moved their own.
    #[serde(default)]
    default: bool,
    /// Whether it goes to the newest end of the branch through the node.
    #[serde(default)]
    tip: bool,
}

async fn move_head(cx: Cx, input: Input<SpacePath, (), MoveHead>) -> Done<Head> {
    let (who, space, body) = (cx.who.entity().clone(), input.path.space, input.body);
    cx.house.member(&who, &space).await?;
    let expected = cx.headers.get(header::IF_MATCH).and_then(|tag| tag.to_str().ok()).map(|tag| tag.trim().trim_matches('"'));
    let expected = expected.filter(|tag| *tag != "*").map(NodeId::from);
    let moved = cx
        .house
        .stored(move |store| {
            let to = if body.tip { store.tip_below(&space, &body.node)? } else { body.node };
            let viewer = (!body.default).then_some(&who);
            store.move_head(&space, viewer, &to, expected.as_ref())?;
            // Whoever moves the default one goes along, also if they had one of their own.
            if body.default && store.head(&space, Some(&who))?.as_ref() != Some(&to) {
                store.move_head(&space, Some(&who), &to, None)?;
            }
            Ok(to)
        })
        .await?;
    Ok(tagged(Some(moved)))
}
