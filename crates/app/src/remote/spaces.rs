//! Spaces: which there are, making one, coming and going, reading and taking back.

use super::ask::{Body, is_missing, query};
use super::server::{Card, Server};
use anyhow::Result;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use weftwork::model::{Conversation, Entity, EntityId, Node, NodeId, Space, SpaceId, Timestamp, Wake};
use weftwork_store::{Listed, Seq};

/// Spaces that are asked for at a time.
const PAGE: u32 = 200;
/// The most messages of a page.
const MESSAGES: u32 = 500;

#[derive(Deserialize)]
struct SpacePage {
    spaces: Vec<SpaceCard>,
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpaceCard {
    id: SpaceId,
    name: String,
    nodes: u64,
    members: u64,
    last_at: Option<Timestamp>,
}

impl From<SpaceCard> for Listed {
    fn from(card: SpaceCard) -> Listed {
        let SpaceCard { id, name, nodes, members, last_at } = card;
        Listed { id, name, nodes, members, last: last_at.map_or(0, |at| at.millis()) }
    }
}

#[derive(Deserialize)]
struct ShownSpace {
    space: Space,
    members: Vec<Card>,
    unread: u64,
}

#[derive(Deserialize)]
pub(super) struct Said {
    pub(super) seq: i64,
    pub(super) node: Node,
}

#[derive(Deserialize)]
struct MessagePage {
    messages: Vec<Said>,
    earlier: bool,
    read: i64,
}

/// The newest messages of a space, and how far one has read.
pub(crate) struct Talk {
    pub(crate) name: String,
    pub(crate) messages: Vec<(Seq, Node)>,
    /// Whether there are earlier ones.
    pub(crate) earlier: bool,
    pub(crate) read: Seq,
    pub(crate) unread: u64,
}

impl Server {
    /// The spaces one belongs to, those with the newest messages first.
    pub(crate) fn spaces(&self) -> Result<Vec<Listed>> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page: SpacePage = self.get(&["spaces"], query([("limit", Some(PAGE.to_string())), ("after", after)]))?;
            all.extend(page.spaces.into_iter().map(Listed::from));
            after = page.next;
            if after.is_none() {
                return Ok(all);
            }
        }
    }

    /// A space and who belongs to it. Who only spoke in it and left is not told of.
    pub(crate) fn header(&self, space: &SpaceId) -> Result<Conversation> {
        let shown: ShownSpace = self.get(&["spaces", space.as_str()], Vec::new())?;
        let mut header = Conversation::new(shown.space);
        header.entities = shown.members.into_iter().map(Entity::from).collect();
        Ok(header)
    }

    /// Makes a space, of which one is a member oneself.
    pub(crate) fn make_space(
        &self,
        name: &str,
        confidential: bool,
        wake: Wake,
        members: &[EntityId],
    ) -> Result<(Space, Vec<Entity>)> {
        let body = json!({"name": name, "confidential": confidential, "wake": wake, "members": members});
        let made: ShownSpace = self.act(Method::POST, &["spaces"], body)?;
        Ok((made.space, made.members.into_iter().map(Entity::from).collect()))
    }

    /// Lets somebody join.
    pub(crate) fn join(&self, space: &SpaceId, who: &EntityId) -> Result<()> {
        self.act_only(Method::PUT, &["spaces", space.as_str(), "members", who.as_str()], Body::Nothing)
    }

    /// Lets somebody leave.
    pub(crate) fn leave(&self, space: &SpaceId, who: &EntityId) -> Result<()> {
        self.act_only(Method::DELETE, &["spaces", space.as_str(), "members", who.as_str()], Body::Nothing)
    }

    /// What was said last, or before a message, as somebody who belongs to the space.
    pub(crate) fn talk(&self, space: &SpaceId, before: Option<&NodeId>, limit: u32) -> Result<Talk> {
        let shown: ShownSpace = self.get(&["spaces", space.as_str()], Vec::new())?;
        let mut talk = Talk { name: shown.space.name, messages: Vec::new(), earlier: true, read: Seq(0), unread: shown.unread };
        let mut before = before.cloned();
        while talk.earlier && talk.messages.len() < limit as usize {
            let left = limit - u32::try_from(talk.messages.len()).unwrap_or(limit);
            let asked = query([
                ("limit", Some(left.min(MESSAGES).to_string())),
                ("before", before.as_ref().map(|node| node.as_str().to_owned())),
            ]);
            let page: MessagePage = self.get(&["spaces", space.as_str(), "messages"], asked)?;
            before = page.messages.first().map(|said| said.node.id.clone());
            (talk.earlier, talk.read) = (page.earlier && before.is_some(), Seq(page.read));
            talk.messages.splice(0..0, page.messages.into_iter().map(|said| (Seq(said.seq), said.node)));
        }
        Ok(talk)
    }

    /// One has read up to here.
    pub(crate) fn read_up_to(&self, space: &SpaceId, node: &NodeId) -> Result<()> {
        self.act::<Value>(Method::PUT, &["spaces", space.as_str(), "read"], json!({"node": node})).map(drop)
    }

    /// One node; none if it is not in the space.
    pub(crate) fn node(&self, space: &SpaceId, node: &NodeId) -> Result<Option<Node>> {
        match self.get::<Said>(&["spaces", space.as_str(), "nodes", node.as_str()], Vec::new()) {
            Err(error) if is_missing(&error) => Ok(None),
            result => result.map(|said| Some(said.node)),
        }
    }

    /// The messages of which the id begins so, of the newest.
    pub(crate) fn beginning_with(&self, space: &SpaceId, start: &str) -> Result<Vec<NodeId>> {
        let talk = self.talk(space, None, MESSAGES)?;
        let ids = talk.messages.into_iter().map(|(_, node)| node.id);
        Ok(ids.filter(|id| id.as_str().starts_with(start)).collect())
    }

    /// Takes back what was said.
    pub(crate) fn delete_message(&self, space: &SpaceId, node: &NodeId) -> Result<()> {
        self.act_only(Method::DELETE, &["spaces", space.as_str(), "nodes", node.as_str()], Body::Nothing)
    }
}
