//! `enter_space` and `read_messages`: what was said, as a timeline tells it.

use super::super::drive::{Drive, DriveError};
use super::super::kept::Answered;
use super::{Came, arguments};
use serde::Deserialize;
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, Node, NodeId, Part, SpaceId, ToolCall};
use weftwork::timeline::{self, Because, Body, Encoded, Entry, Post, Seen, SpaceHistory, Speaker};
use weftwork_store::Seq;
use weftwork_store::runs::Page;

/// What there is not, or is not the agent's.
const NO_SPACE: &str = "There is no space with this id among your spaces. YOUR SPACES lists them.";
/// What a run is told that is in no space.
pub(super) const NOWHERE: &str = "No space is active. Call enter_space first, or give a spaceId.";

const USUAL: u32 = 50;
const MOST: u32 = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Enter {
    space_id: String,
    limit: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Read {
    space_id: Option<String>,
    limit: Option<u32>,
    before: Option<String>,
}

impl Drive<'_> {
    pub(super) async fn enter_space(&self, call: &ToolCall) -> Result<Came, DriveError> {
        let asked: Enter = match arguments(call) {
            Ok(asked) => asked,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let space = SpaceId::from(asked.space_id.as_str());
        let Some(page) = self.page(&space, None, asked.limit).await? else {
            return Ok(Came::Answer(Answered::error(call, NO_SPACE)));
        };
        let mut text =
            format!("ACTIVE SPACE: {} (id: {})\n", Encoded::quoted(&page.space.space.name), Encoded::id(space.as_str()));
        text.push_str(&self.told(&page));
        let answer = Answered { entered: Some(space.clone()), ..Answered::text(call, text) };
        self.reads(&space, &page);
        Ok(Came::Answer(answer))
    }

    pub(super) async fn read_messages(&self, call: &ToolCall) -> Result<Came, DriveError> {
        let asked: Read = match arguments(call) {
            Ok(asked) => asked,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let Some(space) = asked.space_id.as_deref().map(SpaceId::from).or_else(|| self.active()) else {
            return Ok(Came::Answer(Answered::error(call, NOWHERE)));
        };
        let before = asked.before.as_deref().map(message_id);
        let Some(page) = self.page(&space, before, asked.limit).await? else {
            return Ok(Came::Answer(Answered::error(call, NO_SPACE)));
        };
        let answer = Answered::text(call, self.told(&page));
        self.reads(&space, &page);
        Ok(Came::Answer(answer))
    }

    /// What of a space the agent may see now.
    async fn page(&self, space: &SpaceId, before: Option<NodeId>, limit: Option<u32>) -> Result<Option<Page>, DriveError> {
        let (space, agent, limit) = (space.clone(), self.run.agent.clone(), limit.unwrap_or(USUAL).clamp(1, MOST));
        Ok(self.gateway.stored(move |store| store.page(&space, &agent, before.as_ref(), limit)).await?)
    }

    /// Remembers that the run has read so far.
    fn reads(&self, space: &SpaceId, page: &Page) {
        // What is confidential counts as read even when nothing was said in it.
        let newest = page.messages.last().map_or(Seq(0), |(seq, _)| *seq);
        self.note_read(space.clone(), newest);
    }

    fn told(&self, page: &Page) -> String {
        let entries: Vec<Entry<'_>> =
            page.messages.iter().map(|(seq, node)| entry(&page.space, &self.run.agent, node, *seq <= page.cursor)).collect();
        let history = SpaceHistory { space: page.space.space.name.as_str().into(), entries };
        let mut text = timeline::render(&history);
        if page.messages.is_empty() {
            text.push_str("\n  (nothing was said here yet)");
        }
        if let (true, Some((_, first))) = (page.earlier, page.messages.first()) {
            text.push_str(&format!("\n[… there is more: read_messages before msg:{} …]", Encoded::id(first.id.as_str())));
        }
        text
    }
}

/// The id of a message, with or without the word before it.
pub(super) fn message_id(text: &str) -> NodeId {
    let text = text.trim();
    NodeId::from(text.strip_prefix("msg:").unwrap_or(text))
}

/// A message as a line of a timeline.
fn entry<'p>(space: &'p Conversation, viewer: &EntityId, node: &'p Node, read: bool) -> Entry<'p> {
    let author = space.entities.iter().find(|entity| entity.id == node.author);
    let own = node.author == *viewer;
    let text = said(node);
    Entry::Post(Post {
        id: node.id.clone(),
        time: node.created_at.as_ref().map(std::borrow::Cow::Borrowed),
        speaker: author.map_or_else(|| stranger(node), |author: &Entity| Speaker::of(author, viewer)),
        body: match &node.origin {
            Some(origin) if own => Body::SentBecause { because: Because::from(origin), text: text.into() },
            Some(_) | None => Body::Said(text.into()),
        },
        seen: Some(if own || read { Seen::Seen } else { Seen::New }),
        mark: None,
    })
}

/// Somebody of whom nothing is known but the id.
fn stranger(node: &Node) -> Speaker<'_> {
    Speaker::Other { name: node.author.as_str().into(), kind: EntityKind::Human, id: node.author.clone() }
}

/// The words of a message; what is no text is named.
pub(crate) fn said(node: &Node) -> String {
    let words = node.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.text.clone()),
        Part::Image(_) => Some("[image]".to_owned()),
        Part::File(file) => Some(format!("[file {}]", file.name)),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => None,
    });
    words.collect::<Vec<_>>().join("\n\n")
}
