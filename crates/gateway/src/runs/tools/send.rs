//! `send_message`: an agent speaks, and may wait for a reply.

use super::super::drive::{Drive, DriveError};
use super::super::kept::Answered;
use super::super::mention::whom;
use super::super::post::LONGEST_MESSAGE;
use super::read::{NOWHERE, message_id, said};
use super::{Came, arguments};
use crate::schedule::{Schedule, When};
use serde::Deserialize;
use weftwork::ask::Preset;
use weftwork::model::{Conversation, Entity, EntityId, Node, Origin, Part, SpaceId, ToolCall};
use weftwork::timeline::Encoded;
use weftwork_store::runs::{Accept, Posted, Refusal, Send, SendRefusal, Sent, StepRefusal, Trigger, TriggerKind, WaitFor, Woken};
use weftwork_store::{Draft, MoveHead, Parent, StoreError};

/// How long a wait lasts in preset `hsafa` when nobody says.
const HSAFA_WAIT: i64 = 5 * 60 * 1_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    text: String,
    message_id: Option<String>,
    #[serde(default)]
    wait: bool,
    accept: Option<Accepted>,
    timeout: Option<Timeout>,
    space_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Accepted {
    Word(String),
    From(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Timeout {
    Seconds(u32),
    Text(String),
}

/// Whether a call asks its run to wait.
pub(crate) fn waits(call: &ToolCall) -> bool {
    super::Own::named(&call.name) == Some(super::Own::SendMessage) && arguments::<Message>(call).is_ok_and(|message| message.wait)
}

impl Drive<'_> {
    pub(super) async fn send_message(&self, call: &ToolCall, mark: [u8; 32], step: u32) -> Result<Came, DriveError> {
        let message: Message = match arguments(call) {
            Ok(message) => message,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let asked = message.space_id.as_deref().filter(|id| !id.trim().is_empty()).map(SpaceId::from);
        let Some(space) = asked.or_else(|| self.active()) else {
            return Ok(Came::Answer(Answered::error(call, NOWHERE)));
        };
        let there = space.clone();
        let header = match self.gateway.stored(move |store| Ok((store.header(&there)?, store.members(&there)?))).await {
            Ok(header) => header,
            Err(crate::GatewayError::Store(StoreError::NoSpace { .. })) => {
                return Ok(Came::Answer(Answered::error(call, refused(SendRefusal::NoSpace))));
            }
            Err(error) => return Err(error.into()),
        };
        let send = match self.compose(&message, mark, step, &space, &header.0, &header.1).await? {
            Ok(send) => send,
            Err(why) => return Ok(Came::Answer(Answered::error(call, why))),
        };
        let waits = send.wait.is_some();
        let (guard, caps, now) = (self.guard.clone(), self.gateway.caps.clone(), self.gateway.now());
        let done = self.gateway.stored(move |store| store.agent_send(&guard, &send, &caps, now)).await;
        let done = match done {
            // What it replies to went in between, or never was in this space.
            Err(crate::GatewayError::Store(StoreError::NoNode { node, .. })) => {
                let why = format!("There is no message {} in this space.", Encoded::id(node.as_str()));
                return Ok(Came::Answer(Answered::error(call, why)));
            }
            Err(crate::GatewayError::Store(StoreError::NoEntity { entity })) => {
                let why = format!("Nobody has the entity id {}.", Encoded::id(entity.as_str()));
                return Ok(Came::Answer(Answered::error(call, why)));
            }
            done => self.held(done?)?,
        };
        self.gateway.hint();
        Ok(match done {
            Sent::Refused(SendRefusal::Canceled) => return Err(DriveError::Stopped),
            Sent::Refused(SendRefusal::Taken) => return Err(DriveError::Refused(StepRefusal::Taken)),
            Sent::Refused(why) => Came::Answer(Answered::error(call, refused(why))),
            Sent::Posted(_) if waits => Came::Waits,
            Sent::Posted(_) => Came::Kept,
        })
    }

    /// The message as it is sent, or why it cannot be.
    async fn compose(
        &self,
        message: &Message,
        mark: [u8; 32],
        step: u32,
        space: &SpaceId,
        header: &Conversation,
        members: &[Entity],
    ) -> Result<Result<Send, String>, DriveError> {
        let text = message.text.trim_end();
        if text.trim().is_empty() {
            return Ok(Err("The text is empty: nothing was sent.".to_owned()));
        }
        if text.len() > LONGEST_MESSAGE {
            let why = format!("The text has {} bytes; {LONGEST_MESSAGE} are allowed. Send it in parts.", text.len());
            return Ok(Err(why));
        }
        if text.contains('\0') {
            return Ok(Err("The text holds a NUL character, which no space can keep.".to_owned()));
        }
        let now = self.gateway.now();
        let wait = match message.wait.then(|| wait_for(message, header, now)).transpose() {
            Ok(wait) => wait,
            Err(why) => return Ok(Err(why)),
        };
        let reply_to = message.message_id.as_deref().filter(|id| !id.trim().is_empty()).map(message_id);
        let mut node = Node::new("", None, self.run.agent.clone());
        node.parts = vec![Part::text(text)];
        node.created_at = self.gateway.timestamp();
        node.origin = self.origin(space).await?;
        let parent = match (&reply_to, self.branch(space)) {
            (Some(reply), _) => Parent::Branch(reply.clone()),
            (None, Some(trigger)) => Parent::Branch(trigger),
            (None, None) => Parent::Head,
        };
        node.reply_to = reply_to;
        let draft = Draft { node, parent, head: MoveHead::Same, key: None };
        let wake = whom(header.space.wake, text, members);
        Ok(Ok(Send { step, request: Some(mark), space: space.clone(), draft, wake, wait }))
    }

    /// Why a message crosses spaces: who asked for it, where. None where the run was woken in that very space, or by no message,
    /// and none where it was asked in confidence: what hangs on a message outlives the run, and who is let in later reads it.
    async fn origin(&self, space: &SpaceId) -> Result<Option<Origin>, DriveError> {
        let Some(from) = self.run.space.clone().filter(|from| from != space) else { return Ok(None) };
        let id = self.run.id.clone();
        let agent = self.run.agent.clone();
        let asked = self.gateway.stored(move |store| {
            // What is said there is no longer the agent's to repeat.
            if !store.is_member(&from, &agent)? {
                return Ok(None);
            }
            let asking =
                |trigger: &Trigger| trigger.kind == TriggerKind::Message && trigger.how != weftwork_store::runs::How::Resumed;
            let triggers = store.triggers(&id)?;
            let Some(message) = triggers.iter().rev().find(|trigger| asking(trigger)).and_then(|trigger| trigger.message.clone())
            else {
                return Ok(None);
            };
            let node = store.node(&from, &message)?;
            let (sender, asked_in) = (store.entity(&node.author)?, store.header(&from)?.space);
            if asked_in.confidential {
                return Ok(None);
            }
            let message = if node.pruned || node.purged { "[deleted]".to_owned() } else { said(&node) };
            Ok(Some(Origin { space: Some(from), space_name: asked_in.name, sender_name: sender.name, message }))
        });
        Ok(asked.await?)
    }
}

fn wait_for(message: &Message, header: &Conversation, now: i64) -> Result<WaitFor, String> {
    let accept = match &message.accept {
        None => Accept::Any,
        Some(Accepted::Word(word)) if word == "any" => Accept::Any,
        Some(Accepted::Word(word)) if word == "reply" => Accept::Reply,
        Some(Accepted::Word(other)) => Accept::From(vec![EntityId::from(other.as_str())]),
        Some(Accepted::From(named)) if named.is_empty() => {
            return Err("accept names nobody: leave it out, or name somebody.".to_owned());
        }
        Some(Accepted::From(named)) => Accept::From(named.iter().map(|id| EntityId::from(id.as_str())).collect()),
    };
    let after = |text: &str| When { run_after: Some(text.to_owned()), ..When::default() }.read(now);
    let due = |schedule: Schedule| schedule.first(now);
    let deadline = match &message.timeout {
        Some(Timeout::Seconds(seconds)) => Some(now.saturating_add(i64::from(*seconds) * 1_000)),
        Some(Timeout::Text(text)) if text.trim().is_empty() => None,
        Some(Timeout::Text(text)) => after(text).map(due).map_err(|error| format!("timeout: {error}"))?,
        None => None,
    };
    let usual = (header.space.settings.preset == Some(Preset::Hsafa)).then(|| now.saturating_add(HSAFA_WAIT));
    Ok(WaitFor { accept, deadline: deadline.or(usual) })
}

/// Why a message was not sent, in words an agent can act on.
fn refused(why: SendRefusal) -> &'static str {
    match why {
        SendRefusal::Canceled | SendRefusal::Taken => "Not sent: this run was asked to stop.",
        SendRefusal::NoSpace => "Not sent: there is no space with this id among your spaces. YOUR SPACES lists them.",
        SendRefusal::RootMessages => {
            "Not sent: the agents have said as much as they may about what started this. Wait for a person to speak, and end this run."
        }
        SendRefusal::Waits => "Not sent: this run has waited as often as a run may. Send it without wait, or end this run.",
        SendRefusal::WaitingRuns => "Not sent: as many of your runs wait as may. Send it without wait, or stop one of them.",
        SendRefusal::Confidential => {
            "Not sent: this run has read a confidential space, and somebody in this space does not belong to it."
        }
        SendRefusal::Alone => "Not sent: there is nobody who could reply. Send it without wait.",
        SendRefusal::Deadlock => {
            "Not sent: everyone who could reply is waiting for you. Send it without wait, or reply to them first."
        }
    }
}

/// What an agent is told of a message that it sent.
pub(crate) fn sent(posted: &Posted, name: impl Fn(&EntityId) -> String) -> String {
    let mut text = format!("Sent as msg:{}.", posted.message.node.id);
    let woken: Vec<String> = posted
        .woken
        .iter()
        .filter_map(|woken| match woken {
            Woken::Run { agent, .. } => Some(Encoded::name(&name(agent)).to_string()),
            Woken::Refused { .. } => None,
        })
        .collect();
    if !woken.is_empty() {
        text.push_str(&format!(" Woken: {}.", woken.join(", ")));
    }
    for woken in &posted.woken {
        if let Woken::Refused { agent, why } = woken {
            text.push_str(&format!(" Not woken: {} ({}).", Encoded::name(&name(agent)), not_woken(*why)));
        }
    }
    text
}

/// Why somebody was not woken.
pub fn not_woken(why: Refusal) -> &'static str {
    match why {
        Refusal::Depth => "the chain of agents is as long as it may be",
        Refusal::RootRuns => "what started this has had all its runs",
        Refusal::RootMessages => "what started this has had all its messages of agents",
        Refusal::Pair => "these two have written to each other too often of late",
        Refusal::Overlap => "the last run of this plan has not ended",
    }
}
