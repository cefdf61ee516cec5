//! The tools of the MCP server. Each answers in text that a model reads; what goes wrong is told so that it can act on it.

use crate::explain::explain;
use crate::serve::api::assemble::weave_next;
use crate::serve::api::messages::say_text;
use crate::serve::api::spaces::cards;
use crate::serve::web::{Attempt, Code, Cx, Problem, Turn, check_key};
use crate::serve::who::Need;
use crate::style::Style;
use http::StatusCode;
use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;
use tracing::Instrument;
use weftwork::model::{EntityId, Node, NodeId, Part, SpaceId, Timestamp};
use weftwork_store::{Scope, Search};

/// Columns of a report.
const WIDTH: usize = 120;
const USUAL: u32 = 20;
const MOST: u32 = 100;

/// Every tool.
pub(super) fn list() -> Vec<Tool> {
    let looks = || ToolAnnotations::new().read_only(true).open_world(false);
    let says = ToolAnnotations::new().read_only(false).destructive(false).idempotent(false).open_world(false);
    let tool = |name: &'static str, does: &'static str| Tool::new(name, does, serde_json::Map::new());
    vec![
        tool("list_spaces", "The spaces you belong to, newest first: id, name, unread messages, when something was said last.")
            .with_input_schema::<ListSpaces>()
            .with_annotations(looks()),
        tool("read_space", "The newest messages of a space, or those before one of them; oldest first.")
            .with_input_schema::<ReadSpace>()
            .with_annotations(looks()),
        tool("search", "Find messages in your spaces. All words must be there; \"words in quotes\" as they stand; wor* begins a word; -word must not be there.")
            .with_input_schema::<Find>()
            .with_annotations(looks()),
        tool("assemble", "What a model would be sent in a space now, and why: every message with the decision about it, the budget, repairs, cache. Nothing is sent.")
            .with_input_schema::<Assemble>()
            .with_annotations(looks()),
        tool("post_message", "Say something in a space. Agents there may wake or reply; read_space shows what they say.")
            .with_input_schema::<PostMessage>()
            .with_annotations(says),
    ]
}

/// Calls a tool; none if there is none of that name.
pub(super) async fn call(cx: &Cx, name: &str, args: Value) -> Option<Result<String, Problem>> {
    Some(match name {
        "list_spaces" => match read(args) {
            Ok(args) => list_spaces(cx, args).await,
            Err(problem) => Err(problem),
        },
        "read_space" => match read(args) {
            Ok(args) => read_space(cx, args).await,
            Err(problem) => Err(problem),
        },
        "search" => match read(args) {
            Ok(args) => find(cx, args).await,
            Err(problem) => Err(problem),
        },
        "assemble" => match read(args) {
            Ok(args) => assemble(cx, args).await,
            Err(problem) => Err(problem),
        },
        "post_message" => match read(args) {
            Ok(args) => post_message(cx, args).await,
            Err(problem) => Err(problem),
        },
        _ => return None,
    })
}

fn read<A: DeserializeOwned>(args: Value) -> Result<A, Problem> {
    serde_path_to_error::deserialize(args).map_err(|error| Problem::new(Code::BadRequest, format!("the arguments: {error}")))
}

fn limited(limit: Option<u32>) -> u32 {
    limit.unwrap_or(USUAL).clamp(1, MOST)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListSpaces {
    /// What the list before ended with, to go on from there.
    after: Option<String>,
    /// At most so many: 20 if not given, 100 at most.
    limit: Option<u32>,
}

async fn list_spaces(cx: &Cx, args: ListSpaces) -> Result<String, Problem> {
    let after = args.after.map(|after| after.parse()).transpose();
    let after = after.map_err(|error: weftwork_store::NoPlace| Problem::bad("after", format!("after: {error}")))?;
    let (who, limit) = (cx.who.entity().clone(), limited(args.limit));
    let (spaces, next) = cx.house.stored(move |store| cards(store, &who, after, limit)).await?;
    let mut text = String::new();
    for space in &spaces {
        let _ = writeln!(text, "{}  {:?}  {} unread  last {}", space.id, space.name, space.unread, time(space.last_at.as_ref()));
    }
    if let Some(next) = next {
        let _ = writeln!(text, "there are more: after {next}");
    }
    Ok(if text.is_empty() { "you belong to no space".to_owned() } else { text })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadSpace {
    /// The space's id, as list_spaces gives it.
    space: SpaceId,
    /// Only what stands before this message.
    before: Option<NodeId>,
    /// At most so many: 20 if not given, 100 at most.
    limit: Option<u32>,
}

async fn read_space(cx: &Cx, args: ReadSpace) -> Result<String, Problem> {
    let (who, limit) = (cx.who.entity().clone(), limited(args.limit));
    let ReadSpace { space, before, .. } = args;
    let page = cx.house.stored(move |store| store.page(&space, &who, before.as_ref(), limit)).await?;
    let page = page.ok_or_else(no_space)?;
    let names: HashMap<&EntityId, &str> = page.space.entities.iter().map(|entity| (&entity.id, entity.name.as_str())).collect();
    let mut text = String::new();
    if let Some((_, first)) = page.messages.first().filter(|_| page.earlier) {
        let _ = writeln!(text, "(there is more before {})\n", first.id);
    }
    for (_, node) in &page.messages {
        let name = names.get(&node.author).copied().unwrap_or(node.author.as_str());
        let _ = writeln!(text, "[{}] {name}, {}:\n{}\n", node.id, time(node.created_at.as_ref()), words(node));
    }
    Ok(if text.is_empty() { "nothing was said here".to_owned() } else { text })
}

/// What was said, as text.
fn words(node: &Node) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => Some(text.text.clone()),
        Part::Reasoning(_) => None,
        Part::ToolCall(call) => Some(format!("(called {} with {})", call.name, call.args.text())),
        Part::ToolResult(_) => Some("(a tool's result)".to_owned()),
        Part::Image(image) => Some(format!("({})", image.media_type)),
        Part::File(file) => Some(format!("({}, {})", file.name, file.media_type)),
    };
    node.parts.iter().filter_map(part).collect::<Vec<_>>().join("\n")
}

fn time(at: Option<&Timestamp>) -> String {
    at.map_or_else(|| "at no known time".to_owned(), Timestamp::utc)
}

fn no_space() -> Problem {
    Problem::new(Code::NotFound, "you belong to no such space: list_spaces gives the ids of yours")
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Find {
    /// What to look for.
    query: String,
    /// Only in this space.
    space: Option<SpaceId>,
    /// At most so many: 20 if not given, 100 at most.
    limit: Option<u32>,
}

async fn find(cx: &Cx, args: Find) -> Result<String, Problem> {
    let (who, limit) = (cx.who.entity().clone(), limited(args.limit));
    let Find { query, space, .. } = args;
    let hits = cx.house.stored(move |store| {
        let mine = store.belonging(&who)?;
        let spaces = mine.spaces.into_iter().map(|mine| mine.id).filter(|id| space.as_ref().is_none_or(|space| space == id));
        let spaces: Vec<SpaceId> = spaces.collect();
        if spaces.is_empty() {
            return Ok(None);
        }
        let names: HashMap<EntityId, String> = mine.entities.into_iter().map(|entity| (entity.id, entity.name)).collect();
        let mut search = Search::new(query, Scope::Spaces(spaces));
        search.limit = limit as usize;
        Ok(Some((store.search(&search)?.hits, names)))
    });
    let (hits, names) = hits.await?.ok_or_else(no_space)?;
    let mut text = String::new();
    for hit in &hits {
        let name = names.get(&hit.author).map_or(hit.author.as_str(), String::as_str);
        let _ = writeln!(text, "[{} in {}] {name}, {}:\n{}\n", hit.node, hit.space, time(hit.at.as_ref()), hit.snippet.text);
    }
    Ok(if text.is_empty() { "nothing was found: try fewer or other words".to_owned() } else { text })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Assemble {
    /// The space's id, as list_spaces gives it.
    space: SpaceId,
    /// The agent that would be asked, where there are several.
    agent: Option<EntityId>,
    /// What you would say; in a chat of one person and one agent only.
    input: Option<String>,
}

async fn assemble(cx: &Cx, args: Assemble) -> Result<String, Problem> {
    let woven = weave_next(cx, &args.space, args.agent, args.input).await?;
    let report = explain(&woven.history, &woven.assembly.report, Style::bare(WIDTH));
    Ok(format!("model {}\n{report}", woven.model))
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PostMessage {
    /// The space's id, as list_spaces gives it.
    space: SpaceId,
    /// What to say.
    text: String,
    /// The message it replies to; not in a chat of one person and one agent.
    reply_to: Option<NodeId>,
    /// A name of your own for this act: sent again under the same name, it is said once.
    key: Option<String>,
}

async fn post_message(cx: &Cx, args: PostMessage) -> Result<String, Problem> {
    if !cx.who.may(Need::Write) {
        return Err(Problem::new(Code::NotAllowed, "this token may only read: ask for one with the scope write"));
    }
    let Some(key) = args.key.clone() else { return said_once(cx, args).await };
    check_key(&key)?;
    let body = serde_json::to_vec(&args).map_err(|error| Problem::internal(&error))?;
    let attempt = match Attempt::begin(&cx.house, cx.who.entity(), &key, "mcp post_message", &body).await? {
        Turn::Fresh(attempt) => attempt,
        Turn::Answered(_, told) => return Ok(String::from_utf8_lossy(&told).into_owned()),
    };
    let cx = Cx { key: Some(key), ..cx.clone() };
    // An agent that goes away must find its answer when it comes back with the key.
    let finished = cx.house.clone().work.spawn(finish(cx, args, attempt).in_current_span());
    finished.await.unwrap_or_else(|died| Err(Problem::internal(&died)))
}

/// Says something to its end, and keeps what is told of it under its key.
async fn finish(cx: Cx, args: PostMessage, attempt: Attempt) -> Result<String, Problem> {
    match said_once(&cx, args).await {
        Ok(told) => {
            attempt.done(StatusCode::OK, told.clone().into_bytes()).await?;
            Ok(told)
        }
        Err(problem) => {
            attempt.failed().await;
            Err(problem)
        }
    }
}

async fn said_once(cx: &Cx, args: PostMessage) -> Result<String, Problem> {
    let (said, reply, woken) = say_text(cx, args.space, args.text, args.reply_to).await?;
    let then = match (reply, woken) {
        (Some(reply), _) => format!("; the reply is being written as {reply}: read_space shows it when it is done"),
        (None, 0) => String::new(),
        (None, agents) => format!("; {agents} of the agents here woke"),
    };
    Ok(format!("said as {said}{then}"))
}
