//! Drop-in where a space holds the history: the client asks as ever, and what it asks is said in the space.
//!
//! What a client sends before its new message must be what is stored on its path, as far as it was told of it; else nothing
//! is done. One turn at a time: whoever asks while an answer is written is told to wait.

mod compare;
mod error;
mod stored;
mod telling;
mod turns;

pub use compare::{Again, Differs};
pub use error::HeldError;
pub use telling::{Telling, Told};

use super::response_id;
use crate::chat::{Chat, How, Replied, Say};
use crate::error::GatewayError;
use crate::event::Live;
use crate::gateway::{DIED, Gateway};
use crate::runs::LONGEST_MESSAGE;
use compare::{Decision, decide};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use stored::Stored;
use turns::{Asked, Entry, Meaning, Ran, Turn, Voice, turns};
use weftwork::decode::Stop;
use weftwork::encode::{Api, Heading};
use weftwork::intake::{Answer, Taken, take};
use weftwork::model::{EntityId, EntityKind, ImportedRole, Node, NodeId, Part, SpaceId, Status, ToolCall};
use weftwork::provenance::Hash;
use weftwork_store::{Draft, MoveHead};

/// What a client sent to a space.
#[derive(Clone, Debug)]
pub struct HeldAsk {
    /// The API it speaks.
    pub api: Api,
    /// The body.
    pub body: Vec<u8>,
    /// The space that holds the history.
    pub space: SpaceId,
    /// Whose client it is.
    pub person: EntityId,
    /// The agent that answers; that of the space, or its only one, if none.
    pub agent: Option<EntityId>,
    /// Whether it was sent before.
    pub again: Again,
    /// The client's own name for this act: what is said under it is said once, however often it fails.
    pub key: Option<String>,
}

/// What becomes of it.
pub enum Held {
    /// It is to be answered.
    Asked(Box<HeldTurn>),
    /// It was, before.
    Answered(Box<Told>),
}

/// A turn that is to be taken. Until this is dropped there is no other of the same person in the space.
pub struct HeldTurn {
    chat: Chat,
    how: How,
    what: What,
    client: Client,
    key: Option<String>,
    _going: Going,
}

/// How the client is told.
#[derive(Clone, Debug)]
struct Client {
    api: Api,
    answer: Answer,
    heading: Heading,
}

/// What the answer is to.
enum What {
    /// A node that waits for one.
    Waiting(NodeId),
    /// What is said first, a node each.
    New(Vec<Saying>),
}

/// What is said in one node.
struct Saying {
    parts: Vec<Part>,
    /// Where it stands among what was sent, from 1.
    at: usize,
}

impl Gateway {
    /// Finds out what is new in what a client sent to a space. Nothing is written yet.
    pub async fn held(&self, ask: HeldAsk) -> Result<Held, HeldError> {
        let taken = take(&ask.body, ask.api)?;
        let chat = Chat::of(self, &ask.space, &ask.person, ask.agent.as_ref()).await?;
        chat.lives_here().await?;
        let going = Going::begin(self, &ask.space, &ask.person).ok_or(HeldError::Going)?;
        let client = self.client(ask.api, &taken);
        let how = self.how(&chat, taken.ask.clone()).await?;
        let sent = sent(&taken);
        if !matches!(sent.last(), Some(Turn::Asked(_))) {
            return Err(HeldError::NothingNew);
        }
        let mut path = Stored::read(&chat, None, sent.len()).await?;
        if path.is_pending() {
            // Whoever wrote it may have died: then it has ended.
            self.stored(|store| store.fail_pending(DIED)).await?;
            path = Stored::read(&chat, None, sent.len()).await?;
        }
        if path.is_pending() {
            return Err(HeldError::Going);
        }
        let (stored, reach) = (path.unbroken(), path.reach);
        let decided = decide(&sent, &stored, reach, ask.again).or_else(|apart| {
            // A client may have kept what it saw of an answer that broke off.
            decide(&sent, &path.turns(), reach, Again::First).map_err(|_| apart)
        });
        let what = match decided.map_err(HeldError::Differs)? {
            Decision::Answered => return Ok(Held::Answered(Box::new(client.told(&path)))),
            Decision::Unanswered => What::Waiting(path.asked().ok_or(HeldError::NothingNew)?),
            Decision::New(new) => What::New(said(new, &waiting(&stored))?),
        };
        Ok(Held::Asked(Box::new(HeldTurn { chat, how, what, client, key: ask.key, _going: going })))
    }

    /// The answer that was given before to what is sent again: the turn that ends in `reply`.
    pub async fn held_before(&self, ask: HeldAsk, reply: NodeId) -> Result<Told, HeldError> {
        let taken = take(&ask.body, ask.api)?;
        let chat = Chat::of(self, &ask.space, &ask.person, ask.agent.as_ref()).await?;
        let client = self.client(ask.api, &taken);
        Ok(client.told(&Stored::read(&chat, Some(reply), 1).await?))
    }

    fn client(&self, api: Api, taken: &Taken) -> Client {
        let heading = Heading {
            id: response_id(api),
            model: taken.model.clone(),
            created: (self.now() / 1000).unsigned_abs(),
            include_usage: taken.include_usage,
        };
        Client { api, answer: taken.answer, heading }
    }

    /// How the answer is made: with the model and the settings of the space, and what the client asks for besides.
    async fn how(&self, chat: &Chat, ask: weftwork::ask::Ask) -> Result<How, HeldError> {
        let tools = ask.tools.unwrap_or_default();
        let how = How { sampling: ask.sampling, max_tokens: ask.settings.max_tokens, tools, ..How::default() };
        let own = chat.own_tools().await?;
        match how.tools.iter().find(|tool| own.contains(&tool.name)) {
            Some(tool) => Err(HeldError::ToolTaken { name: tool.name.clone() }),
            None => Ok(how),
        }
    }
}

/// What a client sent, by turns. System texts are not compared: the space has its own.
fn sent(taken: &Taken) -> Vec<Turn> {
    let agents = taken.conversation.entities.iter().filter(|entity| entity.kind == EntityKind::Agent);
    let agents: BTreeSet<_> = agents.map(|entity| &entity.id).collect();
    let nodes = taken.conversation.nodes.iter().enumerate().filter(|(_, node)| node.role != Some(ImportedRole::System));
    turns(nodes.map(|(at, node)| Entry {
        voice: if agents.contains(&node.author) { Voice::Agent } else { Voice::Client },
        results: Ran::There,
        parts: &node.parts,
        broke_off: false,
        at: at + 1,
    }))
}

/// The calls that wait for the client's results.
fn waiting(stored: &[Turn]) -> Vec<ToolCall> {
    let mut answered = BTreeSet::new();
    for turn in stored.iter().rev() {
        match turn {
            Turn::Asked(all) => answered.extend(all.iter().filter_map(|asked| match &asked.meaning {
                Meaning::Result { id, .. } => Some(id.as_str()),
                Meaning::Said { .. } => None,
            })),
            Turn::Answered(answer) => {
                return answer.calls.iter().filter(|call| !answered.contains(call.id.as_str())).cloned().collect();
            }
        }
    }
    Vec::new()
}

/// What is new, a node each: results together first, as they answer what came before.
fn said(new: Vec<Asked>, waiting: &[ToolCall]) -> Result<Vec<Saying>, HeldError> {
    let (mut results, mut messages): (Option<Saying>, Vec<Saying>) = (None, Vec::new());
    for Asked { mut parts, at, .. } in new {
        let Some(Part::ToolResult(result)) = parts.first_mut() else {
            check_length(&parts, at)?;
            messages.push(Saying { parts, at });
            continue;
        };
        let call = waiting.iter().find(|call| call.id == result.id);
        let call = call.ok_or_else(|| HeldError::NoCall { id: result.id.clone() })?;
        (result.name, result.included) = (Some(call.name.clone()), call.included);
        results.get_or_insert(Saying { parts: Vec::new(), at }).parts.append(&mut parts);
    }
    let all: Vec<Saying> = results.into_iter().chain(messages).collect();
    if all.is_empty() { Err(HeldError::NothingNew) } else { Ok(all) }
}

/// A message is no longer here than one that comes by the API.
fn check_length(parts: &[Part], message: usize) -> Result<(), HeldError> {
    let bytes = parts.iter().map(|part| if let Part::Text(text) = part { text.text.len() } else { 0 }).sum();
    if bytes > LONGEST_MESSAGE { Err(HeldError::TooLong { message, bytes }) } else { Ok(()) }
}

impl HeldTurn {
    /// Who tells the client what happens.
    pub fn telling(&self) -> Telling {
        Telling::new(self.client.clone(), self.how.tools.iter().map(|tool| tool.name.clone()).collect())
    }

    /// The space.
    pub fn chat(&self) -> &Chat {
        &self.chat
    }

    /// Says what is new and gets the answer.
    pub async fn take(self, live: Live) -> Result<Replied, GatewayError> {
        let HeldTurn { chat, how, what, key, .. } = &self;
        // A model that is not there is told of before anything is said.
        chat.target(&chat.header().await?, how)?;
        let new = match what {
            What::Waiting(node) => return chat.reply_to(node.clone(), chat.moves(), how, &live).await,
            What::New(new) => new,
        };
        let parts = || new.iter().flat_map(|saying| &saying.parts);
        if !parts().any(|part| matches!(part, Part::ToolResult(_))) {
            let say = Say { parts: parts().cloned().collect(), ..Say::default() };
            chat.summarize_if_due(&say, how, &live).await?;
        }
        let mut last = None;
        for Saying { parts, at } in new {
            let mut node = Node::new("", None, chat.person().clone());
            node.parts = parts.clone();
            // A client's key may be as long as one may be.
            let key = key.as_ref().map(|key| Hash::of(format!("held {at} {key}").as_bytes()).to_string());
            last = Some(chat.add(Draft { node, parent: chat.at_head(), head: chat.moves(), key }, &live).await?);
        }
        let last = last.ok_or(GatewayError::NothingThere { what: "there is nothing to say" })?;
        if last.repeated
            && let Some(node) = chat.answer_to(&last.node.id).await?
            && node.status == Status::Sent
        {
            // It was answered, and only that was not kept under the key.
            return Ok(Replied { node, stop: Stop::End });
        }
        // A head on a message follows its first reply; what was said before had one, which failed. Where the conversation has
        // gone on since, nobody is taken back to it.
        let stands = last.repeated && Stored::read(chat, None, 0).await?.asked().as_ref() == Some(&last.node.id);
        let head = if stands { chat.moves() } else { MoveHead::Nobody };
        chat.reply_to(last.node.id, head, how, &live).await
    }
}

/// Turns that are going on in this process.
pub(crate) type Goings = Arc<Mutex<BTreeSet<(SpaceId, EntityId)>>>;

/// One of them, for as long as it is held.
struct Going {
    all: Goings,
    this: (SpaceId, EntityId),
}

impl Going {
    fn begin(gateway: &Gateway, space: &SpaceId, person: &EntityId) -> Option<Going> {
        let (all, this) = (gateway.goings.clone(), (space.clone(), person.clone()));
        let fresh = all.lock().unwrap_or_else(PoisonError::into_inner).insert(this.clone());
        fresh.then_some(Going { all, this })
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.this);
    }
}
