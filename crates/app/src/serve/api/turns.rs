//! What begins replies in a chat besides a message: other versions of what was said, more of it, summaries and titles; and
//! what stops them.

use super::messages::HowBody;
use super::nodes::NodePath;
use super::spaces::SpacePath;
use crate::serve::web::{About, Api, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::{Node, Part, SpaceId};
use weftwork_gateway::{Chat, How};

const GROUP: &str = "Tree";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, says| About::new(GROUP, name, Need::Write, says);
    api.on(
        Verb::Post,
        "/api/spaces/{space}/nodes/{node}/edit",
        about("editNode", "Say it otherwise, as a sibling; a reply begins unless it is not wanted.").gives(Given::Created),
        edit,
    )
    .on(
        Verb::Post,
        "/api/spaces/{space}/nodes/{node}/retry",
        about("retryNode", "Ask for a reply again, as a sibling.").gives(Given::Created),
        retry,
    )
    .on(
        Verb::Post,
        "/api/spaces/{space}/nodes/{node}/stop",
        about("stopNode", "Stop a reply that is being written; what came is kept.").gives(Given::Accepted),
        stop,
    )
    .on(
        Verb::Post,
        "/api/spaces/{space}/generate",
        about("generate", "Ask for several replies at once, each in its own way.").gives(Given::Created),
        generate,
    )
    .on(
        Verb::Post,
        "/api/spaces/{space}/continue",
        about("goOn", "Let the agent go on from your head.").gives(Given::Created),
        go_on,
    )
    .on(
        Verb::Post,
        "/api/spaces/{space}/summaries",
        about("summarize", "Sum up what was said, as a checkpoint.").gives(Given::Created),
        summarize,
    )
    .on(Verb::Post, "/api/spaces/{space}/titles", about("title", "Ask for a title.").gives(Given::Created), title)
}

/// Something said otherwise.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Edit {
    #[schemars(length(min = 1, max = 65536))]
    text: Option<String>,
    /// All of it, where it is more than text.
    parts: Option<Vec<Part>>,
    how: Option<HowBody>,
    /// Whether it is only said otherwise: then nobody replies.
    #[serde(default)]
    silent: bool,
}

/// What began.
#[derive(Serialize, JsonSchema)]
struct BegunNodes {
    /// The nodes that were added; one of them may be a reply that is being written.
    nodes: Vec<Node>,
}

async fn chat_of(cx: &Cx, space: &SpaceId) -> Result<Chat, Problem> {
    cx.house.member(cx.who.entity(), space).await?;
    Ok(Chat::of(&cx.house.gateway, space, cx.who.entity(), None).await?)
}

async fn edit(cx: Cx, input: Input<NodePath, (), Edit>) -> Done<BegunNodes> {
    let NodePath { space, node } = input.path;
    let Edit { text, parts, how, silent } = input.body;
    let parts = match (text, parts) {
        (Some(text), None) if !text.trim().is_empty() => vec![Part::text(text)],
        (None, Some(parts)) if !parts.is_empty() => parts,
        _ => return Err(Problem::bad("text", "give text or parts, and something in it")),
    };
    let chat = chat_of(&cx, &space).await?;
    let how: How = how.unwrap_or_default().into();
    let nodes = match silent {
        true => cx.house.begin(chat, move |chat, live| async move { chat.reword(&node, parts, &live).await }).await?,
        false => cx.house.begin(chat, move |chat, live| async move { chat.edit(&node, parts, &how, &live).await }).await?,
    };
    Ok(BegunNodes { nodes }.into())
}

/// How something is done again.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Again {
    how: HowBody,
}

async fn retry(cx: Cx, input: Input<NodePath, (), Again>) -> Done<BegunNodes> {
    let NodePath { space, node } = input.path;
    let chat = chat_of(&cx, &space).await?;
    let how: How = input.body.how.into();
    let nodes = cx.house.begin(chat, move |chat, live| async move { chat.retry(Some(&node), &how, &live).await }).await?;
    Ok(BegunNodes { nodes }.into())
}

async fn go_on(cx: Cx, input: Input<SpacePath, (), Again>) -> Done<BegunNodes> {
    let chat = chat_of(&cx, &input.path.space).await?;
    let how: How = input.body.how.into();
    let nodes = cx.house.begin(chat, move |chat, live| async move { chat.go_on(&how, &live).await }).await?;
    Ok(BegunNodes { nodes }.into())
}

/// Several replies.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Generate {
    /// How each is made: from 1 to 10.
    #[schemars(length(min = 1, max = 10))]
    ways: Vec<HowBody>,
}

async fn generate(cx: Cx, input: Input<SpacePath, (), Generate>) -> Done<BegunNodes> {
    let ways: Vec<How> = input.body.ways.into_iter().map(How::from).collect();
    if ways.is_empty() || ways.len() > 10 {
        return Err(Problem::bad("ways", "from 1 to 10"));
    }
    let chat = chat_of(&cx, &input.path.space).await?;
    let nodes = cx.house.begin(chat, move |chat, live| async move { chat.generate(&ways, &live).await }).await?;
    Ok(BegunNodes { nodes }.into())
}

/// How much of the newest is left as it is.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Summarize {
    /// Newest messages that are not summed up.
    #[schemars(range(max = 1000))]
    keep: u32,
}

async fn summarize(cx: Cx, input: Input<SpacePath, (), Summarize>) -> Done<BegunNodes> {
    let chat = chat_of(&cx, &input.path.space).await?;
    let keep = input.body.keep;
    let nodes = cx.house.begin(chat, move |chat, live| async move { chat.summarize(keep, &live).await }).await?;
    Ok(BegunNodes { nodes }.into())
}

async fn title(cx: Cx, input: Input<SpacePath>) -> Done<BegunNodes> {
    let chat = chat_of(&cx, &input.path.space).await?;
    let nodes = cx.house.begin(chat, move |chat, live| async move { chat.title(&live).await }).await?;
    Ok(BegunNodes { nodes }.into())
}

/// Whether there was something to stop.
#[derive(Serialize, JsonSchema)]
struct Stopped {
    /// Whether its turn was still going on.
    stopping: bool,
}

async fn stop(cx: Cx, input: Input<NodePath>) -> Done<Stopped> {
    let NodePath { space, node } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    let reply = node.clone();
    let asked = cx.house.stored(move |store| store.ask_to_stop(&space, &reply)).await?;
    // Between two replies only the process of the turn knows that it goes on.
    let stopping = cx.house.hub.stop(&node) || asked;
    cx.house.hub.changed();
    Ok(Stopped { stopping }.into())
}
