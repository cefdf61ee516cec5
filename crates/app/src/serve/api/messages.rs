//! What is said in a space: reading it, saying something, and what a chat does about it.

use super::spaces::{SpacePath, limit, not_for_agents};
use crate::serve::shown::Said;
use crate::serve::web::{About, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::ask::Settings;
use weftwork::model::{Entity, EntityId, EntityKind, Node, NodeId, Part, Sampling, SpaceId};
use weftwork_gateway::tools::Decision;
use weftwork_gateway::{Chat, How, LONGEST_MESSAGE, Message, Say};
use weftwork_store::runs::{Refusal, RunId, Woken};

const GROUP: &str = "Messages";
const USUAL: u32 = 50;
const MOST: u32 = 500;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Get,
        "/api/spaces/{space}/messages",
        about("messages", Need::Read, "The newest messages, or those before one; oldest first."),
        list,
    )
    .on(
        Verb::Post,
        "/api/spaces/{space}/messages",
        about("postMessage", Need::Write, "Say something. Agents wake; in a chat a reply begins, and comes by the events.")
            .gives(Given::Created),
        post,
    )
    .on(
        Verb::Put,
        "/api/spaces/{space}/read",
        about("readUpTo", Need::Write, "You have read up to here. It never moves back."),
        read,
    )
    .on(
        Verb::Put,
        "/api/spaces/{space}/permissions/{call}",
        about("permit", Need::Write, "Allow or refuse a tool that a reply in your chat asks for.").gives(Given::Nothing),
        permit,
    )
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MessagesQuery {
    /// Those before this message.
    before: Option<NodeId>,
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// Messages, oldest first.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MessagePage {
    messages: Vec<Said<'static>>,
    /// Whether there are earlier ones: ask with `before`, the first of these.
    earlier: bool,
    /// The place in the order of the space up to which you have read.
    read: i64,
}

async fn list(cx: Cx, input: Input<SpacePath, MessagesQuery>) -> Done<MessagePage> {
    let limit = limit(input.query.limit, USUAL, MOST)?;
    let (who, space) = (cx.who.entity().clone(), input.path.space);
    let page = cx.house.stored(move |store| store.page(&space, &who, input.query.before.as_ref(), limit)).await?;
    let page = page.ok_or_else(Problem::not_found)?;
    let messages = page.messages.into_iter().map(Said::from).collect();
    Ok(MessagePage { messages, earlier: page.earlier, read: page.cursor.0 }.into())
}

/// Something to say.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewMessage {
    /// What.
    #[schemars(length(min = 1, max = 65536))]
    text: String,
    /// Pictures and files beside the text; in chats only.
    #[serde(default)]
    parts: Vec<Part>,
    /// The message it replies to.
    reply_to: Option<NodeId>,
    /// What it hangs on; the head if not given.
    parent: Option<NodeId>,
    /// Whether you wait for a reply.
    #[serde(default)]
    expects_reply: bool,
    /// Whether a reply is made at once (in a chat of one person and one agent it is), agents are woken, or nothing happens.
    #[serde(default)]
    answer: AnswerBy,
    /// How a reply is made.
    how: Option<HowBody>,
    /// The conversation begins afresh here: nothing before it is sent any more.
    #[serde(default)]
    afresh: bool,
}

/// Who answers a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum AnswerBy {
    /// A chat's agent replies; in other spaces agents wake.
    #[default]
    Auto,
    /// The agent replies at once.
    Reply,
    /// Agents wake.
    Wake,
    /// It is only said: nobody replies, nobody wakes. In a space with one agent.
    Nobody,
}

impl AnswerBy {
    /// Whether an agent replies at once.
    pub(super) fn replies(self, chat: bool) -> bool {
        match self {
            AnswerBy::Auto => chat,
            AnswerBy::Reply => true,
            AnswerBy::Wake | AnswerBy::Nobody => false,
        }
    }
}

/// Whether these are a chat: one person, and one agent that lives here.
pub(super) fn is_chat(members: &[Entity]) -> bool {
    let of = |kind| members.iter().filter(move |member| member.kind == kind);
    let alone = of(EntityKind::Human).count() == 1 && of(EntityKind::Agent).count() == 1;
    alone && of(EntityKind::Agent).all(|agent| !agent.external)
}

/// How a reply is made; what is not given is the space's, then the agent's.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct HowBody {
    /// The model, as provider/model.
    model: Option<String>,
    sampling: Option<Sampling>,
    /// Tokens the reply may have.
    max_tokens: Option<u64>,
    /// How the request is assembled.
    settings: Settings,
}

impl From<HowBody> for How {
    fn from(body: HowBody) -> How {
        How { model: body.model, sampling: body.sampling, max_tokens: body.max_tokens, settings: body.settings, ..How::default() }
    }
}

/// What became of a message.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Posted {
    message: Said<'static>,
    /// The reply that began; its text comes by the events.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<NodeId>,
    /// What it did to the agents of the space.
    woken: Vec<WokenAgent>,
    /// Runs that waited for it.
    #[schemars(with = "Vec<String>")]
    resumed: Vec<RunId>,
}

/// What a message did to an agent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WokenAgent {
    agent: EntityId,
    /// The run it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    run: Option<RunId>,
    /// Why it was not woken: depth, rootRuns, rootMessages, pair, overlap.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
}

fn refused(why: Refusal) -> &'static str {
    match why {
        Refusal::Depth => "depth",
        Refusal::RootRuns => "rootRuns",
        Refusal::RootMessages => "rootMessages",
        Refusal::Pair => "pair",
        Refusal::Overlap => "overlap",
    }
}

async fn post(cx: Cx, input: Input<SpacePath, (), NewMessage>) -> Done<Posted> {
    Ok(say(&cx, input.path.space, input.body).await?.into())
}

/// Says a text; gives its id, that of a reply that began, and how many agents woke.
pub(in crate::serve) async fn say_text(
    cx: &Cx,
    space: SpaceId,
    text: String,
    reply_to: Option<NodeId>,
) -> Result<(NodeId, Option<NodeId>, usize), Problem> {
    let body = NewMessage {
        text,
        reply_to,
        parts: Vec::new(),
        parent: None,
        expects_reply: false,
        answer: AnswerBy::Auto,
        how: None,
        afresh: false,
    };
    let posted = say(cx, space, body).await?;
    let woken = posted.woken.iter().filter(|woken| woken.run.is_some()).count();
    Ok((posted.message.node().id.clone(), posted.reply, woken))
}

async fn say(cx: &Cx, space: SpaceId, body: NewMessage) -> Result<Posted, Problem> {
    let (who, place) = (cx.who.entity().clone(), space.clone());
    let seen = cx
        .house
        .stored(move |store| {
            if !store.is_member(&place, &who)? {
                return Ok(None);
            }
            let members = store.members(&place)?;
            let kind = members.iter().find(|member| member.id == who).map(|member| member.kind);
            Ok(Some((is_chat(&members), kind)))
        })
        .await?;
    let (chat, kind) = seen.ok_or_else(Problem::not_found)?;
    if kind == Some(EntityKind::Agent) {
        return Err(not_for_agents());
    }
    if body.text.len() > LONGEST_MESSAGE {
        return Err(Problem::new(Code::TooLarge, format!("a message has at most {LONGEST_MESSAGE} bytes: send it in parts")));
    }
    match body.answer {
        AnswerBy::Nobody => write(cx, space, body).await,
        answer if answer.replies(chat) => reply(cx, space, body).await,
        _ => wake(cx, space, body).await,
    }
}

async fn wake(cx: &Cx, space: SpaceId, body: NewMessage) -> Result<Posted, Problem> {
    let NewMessage { text, parts, reply_to, parent, expects_reply, .. } = body;
    if !parts.is_empty() {
        return Err(Problem::bad("parts", "in a space where agents wake, a message is text"));
    }
    let message = Message { text, reply_to, parent, expects_reply, key: cx.key.clone() };
    let posted = cx.house.gateway.post(&space, cx.who.entity(), message).await?;
    let node = posted.message.node.id.clone();
    let seq = cx.house.stored(move |store| store.seq(&space, &node)).await?;
    let woken = posted.woken.into_iter().map(WokenAgent::from).collect();
    let message = Said::from((seq, posted.message.node));
    Ok(Posted { message, reply: None, woken, resumed: posted.resumed })
}

impl From<Woken> for WokenAgent {
    fn from(woken: Woken) -> WokenAgent {
        match woken {
            Woken::Run { agent, run, .. } => WokenAgent { agent, run: Some(run), refused: None },
            Woken::Refused { agent, why } => WokenAgent { agent, run: None, refused: Some(refused(why)) },
        }
    }
}

/// What is said in a chat, where it goes on from the head.
fn said_of(body: NewMessage, key: Option<String>) -> Result<Say, Problem> {
    let NewMessage { text, parts, parent, afresh, reply_to, .. } = body;
    if parent.is_some() || reply_to.is_some() {
        return Err(Problem::bad("parent", "in a chat a message goes on from your head: move it, or edit a message"));
    }
    if text.trim().is_empty() && parts.is_empty() {
        return Err(Problem::bad("text", "the message is empty"));
    }
    let mut said: Vec<Part> = parts;
    if !text.trim().is_empty() {
        said.insert(0, Part::text(text));
    }
    Ok(Say { parts: said, afresh, key })
}

async fn write(cx: &Cx, space: SpaceId, body: NewMessage) -> Result<Posted, Problem> {
    let say = said_of(body, cx.key.clone())?;
    let chat = Chat::of(&cx.house.gateway, &space, cx.who.entity(), None).await?;
    let begun = cx.house.begin(chat, move |chat, live| async move { chat.write(say, &live).await }).await?;
    posted(cx, space, begun).await
}

async fn reply(cx: &Cx, space: SpaceId, mut body: NewMessage) -> Result<Posted, Problem> {
    let how: How = body.how.take().unwrap_or_default().into();
    let say = said_of(body, cx.key.clone())?;
    let chat = Chat::of(&cx.house.gateway, &space, cx.who.entity(), None).await?;
    let begun = cx.house.begin(chat, move |chat, live| async move { chat.say(say, &how, &live).await }).await?;
    posted(cx, space, begun).await
}

/// What became of a message in a chat, from the nodes that were added.
async fn posted(cx: &Cx, space: SpaceId, begun: Vec<Node>) -> Result<Posted, Problem> {
    let mine = begun.iter().find(|node| node.author == *cx.who.entity()).or(begun.first()).cloned();
    let message = mine.ok_or_else(|| Problem::new(Code::Conflict, "nothing was said"))?;
    let reply = begun.iter().find(|node| node.author != *cx.who.entity()).map(|node| node.id.clone());
    let id = message.id.clone();
    let seq = cx.house.stored(move |store| store.seq(&space, &id)).await?;
    Ok(Posted { message: Said::from((seq, message)), reply, woken: Vec::new(), resumed: Vec::new() })
}

/// Up to where.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadUpTo {
    /// The last message you have read.
    node: NodeId,
}

/// How far somebody has read.
#[derive(Serialize, JsonSchema)]
struct HasRead {
    /// The place in the order of the space up to which you have read.
    read: i64,
    unread: u64,
}

async fn read(cx: Cx, input: Input<SpacePath, (), ReadUpTo>) -> Done<HasRead> {
    let (who, space) = (cx.who.entity().clone(), input.path.space);
    cx.house.member(&who, &space).await?;
    let (read, unread) = cx
        .house
        .stored(move |store| Ok((store.read_up_to(&space, &who, &input.body.node)?, store.unread(&space, &who)?)))
        .await?;
    Ok(HasRead { read: read.0, unread }.into())
}

/// A tool's call in a chat.
#[derive(Deserialize, JsonSchema)]
struct CallPath {
    space: SpaceId,
    /// The id of the call.
    call: String,
}

/// Whether it may run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Permit {
    allow: bool,
    /// Whether this holds for the tool from now on.
    #[serde(default)]
    always: bool,
}

async fn permit(cx: Cx, input: Input<CallPath, (), Permit>) -> Done<()> {
    let CallPath { space, call } = input.path;
    cx.house.member(cx.who.entity(), &space).await?;
    if input.body.always && !cx.who.is_owner() {
        return Err(Problem::new(Code::NotAllowed, "what holds for a tool from now on is an owner's to say"));
    }
    let decision = match (input.body.allow, input.body.always) {
        (true, true) => Decision::Always,
        (true, false) => Decision::Once,
        (false, true) => Decision::Never,
        (false, false) => Decision::Refuse,
    };
    cx.house.permissions.answer(&space, &call, cx.who.entity(), decision)?;
    Ok(().into())
}
