//! Accepting a message: into the space, to those who wait for it, to those it wakes, all at once or not at all.

use super::caps::Caps;
use super::root::{RootRow, lock_root, new_root};
use super::row::RunId;
use super::start::NewTrigger;
use super::state::TriggerKind;
use super::wait::{Ending, OpenWait, close, end, lock_open, matching};
use super::wake::{Audience, Spoken, Wake, Woken, lock_audience, wake, woken_by};
use crate::error::{Result, StoreError};
use crate::node::{self, Appended, Draft, Key, at_id};
use crate::space::{SpaceRow, entity_row, is_member, lock_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{Edge, EntityKind, Kind, Node, Part, SpaceId, Status};

/// A message of a person or a service.
#[derive(Clone, Debug)]
pub struct Post {
    /// Where.
    pub space: SpaceId,
    /// What.
    pub draft: Draft,
    /// Whom it may wake.
    pub wake: Wake,
    /// Whether the sender waits for a reply.
    pub expects_reply: bool,
}

/// A message that was accepted.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The message.
    pub message: Appended,
    /// What it did to the agents of the space.
    pub woken: Vec<Woken>,
    /// Runs that waited for it.
    pub resumed: Vec<RunId>,
}

impl Store {
    /// Accepts a message of a person or a service. The same key is accepted once, and wakes once.
    pub fn post(&self, post: &Post, caps: &Caps, now: i64) -> Result<Posted> {
        self.writing(|tx| accept(tx, post, caps, now))
    }

    /// Adds what somebody says to an agent who answers them at once: it wakes nobody, and whoever waits for it goes on.
    pub fn say(&self, space: &SpaceId, draft: &Draft, now: i64) -> Result<Posted> {
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            let open = lock_open(tx, row.no)?;
            let message = node::append(tx, space, draft.clone())?;
            let said = &message.node;
            let is_message = said.kind == Kind::Message && said.status == Status::Sent && said.edge == Edge::Continuation;
            // What a tool gave back is no word of anybody.
            let is_word = said.parts.iter().any(|part| !matches!(part, Part::ToolResult(_)));
            let mut resumed = Vec::new();
            if is_message && is_word && !message.repeated && !open.is_empty() {
                let (sender, _) = entity_row(tx, &said.author)?;
                let reply = reply_key(tx, &row, said)?;
                for wait in matching(tx, &open, sender, reply)? {
                    resumed.push(end(tx, &wait, Ending::Message(Key::new(row.no, message.seq)), now)?);
                }
            }
            Ok(Posted { message, woken: Vec::new(), resumed })
        })
    }
}

fn accept(tx: &mut Tx<'_>, post: &Post, caps: &Caps, now: i64) -> Result<Posted> {
    let author = &post.draft.node.author;
    let row = lock_space(tx, &post.space)?;
    if !is_member(tx, row.no, author)? {
        return Err(StoreError::NoMember { space: post.space.clone(), entity: author.clone() });
    }
    let (sender, kind) = entity_row(tx, author)?;
    if kind == EntityKind::Agent {
        return Err(StoreError::AgentWithoutRun { entity: author.clone() });
    }
    let audience = lock_audience(tx, row.no)?;
    let message = node::append(tx, &post.space, post.draft.clone())?;
    if !message.repeated {
        let cause = format!("message:{}:{}", post.space, message.node.id);
        let root = new_root(tx, &cause, caps, now)?;
        let mut root = lock_root(tx, root)?;
        let reply = reply_key(tx, &row, &message.node)?;
        let resolved = matching(tx, &audience.open, sender, reply)?;
        let sending = Sending { sender, run: None, depth: 0, expects: post.expects_reply, wake: &post.wake, caps, now };
        spread(tx, &row, &message, &sending, &audience, &resolved, &mut root)?;
        root.save(tx)?;
    }
    posted(tx, row.no, message)
}

/// Who sends a message, and how far it reaches.
pub(super) struct Sending<'a> {
    pub(super) sender: i64,
    /// Run and step of an agent's message.
    pub(super) run: Option<(i64, u32)>,
    pub(super) depth: u32,
    pub(super) expects: bool,
    pub(super) wake: &'a Wake,
    pub(super) caps: &'a Caps,
    pub(super) now: i64,
}

/// The node that a message replies to, if it is in the same space.
pub(super) fn reply_key(tx: &mut Tx<'_>, row: &SpaceRow, message: &Node) -> Result<Option<Key>> {
    match &message.reply_to {
        Some(id) => Ok(at_id(tx, row.no, id.as_str())?.map(|place| place.key)),
        None => Ok(None),
    }
}

/// Ends the waits that a new message ends, wakes those it wakes, and writes down where in a chain it stands.
pub(super) fn spread(
    tx: &mut Tx<'_>,
    row: &SpaceRow,
    message: &Appended,
    sending: &Sending<'_>,
    audience: &Audience,
    resolved: &[OpenWait],
    root: &mut RootRow,
) -> Result<()> {
    let node = Key::new(row.no, message.seq);
    for wait in resolved {
        close(tx, wait, Ending::Message(node), sending.now)?;
    }
    let key = format!("message:{}:{}", row.no, message.node.id);
    let trigger = NewTrigger {
        key: &key,
        kind: TriggerKind::Message,
        node: Some(node.0),
        sender: sending.run.map(|_| sending.sender),
        body: None,
        root: root.no,
        depth: sending.depth,
        at: sending.now,
    };
    let run = sending.run.map(|(run, _)| run);
    let (sender, wake_whom, caps) = (sending.sender, sending.wake, sending.caps);
    let said = Spoken { space: row.no, node, sender, run, trigger, wake: wake_whom, resolved, caps };
    let is_message = message.node.kind == Kind::Message && message.node.status == Status::Sent;
    let meant = if is_message { wake(tx, &said, audience, root)? } else { 0 };
    tx.run(
        "INSERT INTO posts(node, run, step, root, depth, reply_to, expects, meant, at) \
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        args![
            node.0,
            run,
            sending.run.map(|(_, step)| step),
            root.no,
            sending.depth,
            message.node.reply_to.as_ref().map(weftwork::model::NodeId::as_str),
            sending.expects,
            meant,
            sending.now
        ],
    )?;
    Ok(())
}

/// What is known of a message that was accepted, now or before.
pub(super) fn posted(tx: &mut Tx<'_>, space: i64, message: Appended) -> Result<Posted> {
    const RESUMED: &str = "SELECT r.id FROM waits w JOIN runs r ON r.no = w.run WHERE w.space = ?1 AND w.resolved = ?2 \
                           ORDER BY w.no";
    let node = Key::new(space, message.seq);
    let resumed = tx.list(RESUMED, args![space, node.0], |row| Ok(RunId::from(row.text(0)?)))?;
    Ok(Posted { woken: woken_by(tx, node)?, resumed, message })
}
