//! A node as a row. What nearly every node has is a column; what few have is JSON beside it.

use super::{Key, Tallies};
use crate::error::{Result, StoreError};
use crate::sql::{Row, Tx, args};
use serde::{Deserialize, Serialize};
use weftwork::model::{
    Accounting, Edge, EntityId, ImportedRole, Kind, Node, NodeId, Origin, Part, Source, Status, Text, Timestamp, Usage,
};
use weftwork::provenance::Hash;

/// The columns that [`Reader`] reads, of `nodes n`.
macro_rules! columns {
    () => {
        "n.key, n.id, n.parent, n.lane, n.depth, n.author, n.at, n.kind, n.status, n.role, n.flags, n.text, n.parts, n.more, \
         n.tally, n.hash"
    };
}
pub(crate) use columns;

/// Flags of a node, as bits.
pub(crate) mod bits {
    pub(crate) const EXCLUDED: i64 = 1;
    pub(crate) const PRUNED: i64 = 2;
    pub(crate) const PINNED: i64 = 4;
    pub(crate) const BOOKMARKED: i64 = 8;
    pub(crate) const CONTEXT_EDGE: i64 = 16;
    pub(crate) const ANNOTATION: i64 = 32;
    /// Its parent was pending when it was made.
    pub(crate) const EARLY: i64 = 64;
    /// Its content was taken out for good.
    pub(crate) const PURGED: i64 = 128;
}

/// What few nodes have.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct More {
    /// The time as it was written, where that is not its milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edited_from: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_to: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covers: Option<NodeId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cache_marks: Vec<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accounting: Option<Accounting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<String>,
}

/// A node with what the store knows of it.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) key: Key,
    pub(crate) parent: Option<Key>,
    pub(crate) lane: Key,
    pub(crate) depth: u32,
    pub(crate) flags: i64,
    pub(crate) tallies: Tallies,
    pub(crate) hash: Option<Hash>,
    /// Its parent's id is filled in by whoever knows it.
    pub(crate) node: Node,
}

/// Reads rows whose authors are known.
pub(crate) struct Reader<'a> {
    pub(crate) authors: &'a [(i64, EntityId)],
    /// Whether nodes are given their hashes: no request holds one.
    pub(crate) hashes: bool,
}

impl Reader<'_> {
    pub(crate) fn read(&self, row: &Row<'_>) -> Result<Stored> {
        let flags = row.int(10)?;
        let author = row.int(5)?;
        let mut node = Node::new(row.text(1)?, None, self.author(author)?);
        node.kind = kind(row.int(7)?)?;
        node.status = status(row.int(8)?)?;
        node.role = row.maybe_int(9)?.map(role).transpose()?;
        node.created_at = row.maybe_int(6)?.and_then(Timestamp::from_millis);
        match (row.maybe_text(11)?, row.maybe_text(12)?) {
            (Some(text), _) => node.parts.push(Part::text(text)),
            (None, Some(parts)) => node.parts = serde_json::from_str(parts)?,
            (None, None) => {}
        }
        unpack_flags(flags, &mut node);
        if let Some(more) = row.maybe_text(13)? {
            unpack(serde_json::from_str(more)?, &mut node);
        }
        let hash = row.maybe_bytes(15)?.map(digest).transpose()?;
        if self.hashes {
            node.hash = hash.map(|hash| hash.to_string());
        }
        Ok(Stored {
            key: Key(row.int(0)?),
            parent: row.maybe_int(2)?.map(Key),
            lane: Key(row.int(3)?),
            depth: row.int(4)? as u32,
            flags,
            tallies: Tallies::from_bytes(row.bytes(14)?)?,
            hash,
            node,
        })
    }

    fn author(&self, no: i64) -> Result<EntityId> {
        let found = self.authors.iter().find(|(author, _)| *author == no);
        found.map(|(_, id)| id.clone()).ok_or_else(|| no_author(no))
    }
}

/// Writes a new row.
pub(crate) fn write(tx: &mut Tx<'_>, author: i64, special: bool, stored: &Stored) -> Result<()> {
    let node = &stored.node;
    let (text, parts) = body(&node.parts);
    let at = node.created_at.as_ref().map(Timestamp::millis);
    let more = pack(node, at);
    tx.run(
        "INSERT INTO nodes(key, space, id, parent, lane, depth, author, at, kind, status, role, flags, special, text, parts, \
         more, tally, hash) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        args![
            stored.key.0,
            stored.key.space(),
            node.id.as_str(),
            stored.parent.map(|parent| parent.0),
            stored.lane.0,
            stored.depth,
            author,
            at,
            kind_number(node.kind),
            status_number(node.status),
            node.role.map(role_number),
            stored.flags,
            special,
            text,
            parts.as_ref(),
            more.as_ref(),
            stored.tallies.to_bytes().as_slice(),
            stored.hash.as_ref().map(|hash| hash.0.as_slice()),
        ],
    )?;
    Ok(())
}

/// The text of a node that is one plain text part; else its parts as JSON.
pub(super) fn body(parts: &[Part]) -> (Option<&str>, Option<String>) {
    match parts {
        [] => (None, None),
        // JSON can write U+0000; as a text PostgreSQL refuses it.
        [Part::Text(Text { text, signature: None })] if !text.contains('\0') => (Some(text), None),
        parts => (None, Some(serde_json::to_string(parts).expect("parts serialise"))),
    }
}

/// What few nodes have, as JSON; none if this one has none of it. `millis` is what the column holds.
pub(super) fn pack(node: &Node, millis: Option<i64>) -> Option<String> {
    let exact = |time: &Timestamp| millis.and_then(Timestamp::from_millis).is_some_and(|kept| kept.as_str() == time.as_str());
    let more = More {
        at: node.created_at.clone().filter(|time| !exact(time)),
        model: node.model.clone(),
        usage: node.usage,
        error: node.error.clone(),
        sources: node.sources.clone(),
        edited_from: node.edited_from.clone(),
        reply_to: node.reply_to.clone(),
        origin: node.origin.clone(),
        covers: node.covers.clone(),
        cache_marks: node.cache_marks.clone(),
        accounting: node.accounting.clone(),
        response: node.response.clone(),
    };
    (more != More::default()).then(|| serde_json::to_string(&more).expect("plain data serialises"))
}

fn unpack(more: More, node: &mut Node) {
    if more.at.is_some() {
        node.created_at = more.at;
    }
    node.model = more.model;
    node.usage = more.usage;
    node.error = more.error;
    node.sources = more.sources;
    node.edited_from = more.edited_from;
    node.reply_to = more.reply_to;
    node.origin = more.origin;
    node.covers = more.covers;
    node.cache_marks = more.cache_marks;
    node.accounting = more.accounting;
    node.response = more.response;
}

/// The flags of a node, as bits.
pub(super) fn pack_flags(node: &Node) -> i64 {
    let flag = |set: bool, bit: i64| if set { bit } else { 0 };
    flag(node.excluded, bits::EXCLUDED)
        | flag(node.pruned, bits::PRUNED)
        | flag(node.purged, bits::PURGED)
        | flag(node.pinned, bits::PINNED)
        | flag(node.bookmarked, bits::BOOKMARKED)
        | flag(node.context_edge, bits::CONTEXT_EDGE)
        | flag(node.edge == Edge::Annotation, bits::ANNOTATION)
}

/// The flags of a node that may have been hung on its parent before that was final.
pub(crate) fn flags_of(node: &Node, early: bool) -> i64 {
    pack_flags(node) | if early { bits::EARLY } else { 0 }
}

/// Whether a node was hung on its parent before that was final.
pub(crate) fn is_early(flags: i64) -> bool {
    flags & bits::EARLY != 0
}

fn unpack_flags(flags: i64, node: &mut Node) {
    node.excluded = flags & bits::EXCLUDED != 0;
    node.pruned = flags & bits::PRUNED != 0;
    node.purged = flags & bits::PURGED != 0;
    node.pinned = flags & bits::PINNED != 0;
    node.bookmarked = flags & bits::BOOKMARKED != 0;
    node.context_edge = flags & bits::CONTEXT_EDGE != 0;
    node.edge = if flags & bits::ANNOTATION != 0 { Edge::Annotation } else { Edge::Continuation };
}

pub(super) fn digest(bytes: &[u8]) -> Result<Hash> {
    bytes.try_into().map(Hash).map_err(|_| unreadable(format!("a hash of {} bytes", bytes.len())))
}

/// A row names somebody who is not there.
pub(crate) fn no_author(no: i64) -> StoreError {
    unreadable(format!("a node's author {no} is no entity of the space"))
}

fn unreadable(detail: String) -> StoreError {
    StoreError::Unreadable { detail }
}

pub(crate) fn kind(number: i64) -> Result<Kind> {
    const KINDS: [Kind; 6] =
        [Kind::Message, Kind::Summary, Kind::SummaryRequest, Kind::Title, Kind::TitleRequest, Kind::Accounting];
    KINDS.get(number as usize).copied().ok_or_else(|| unreadable(format!("a node of kind {number}")))
}

pub(crate) fn kind_number(kind: Kind) -> i64 {
    match kind {
        Kind::Message => 0,
        Kind::Summary => 1,
        Kind::SummaryRequest => 2,
        Kind::Title => 3,
        Kind::TitleRequest => 4,
        Kind::Accounting => 5,
    }
}

pub(crate) fn status(number: i64) -> Result<Status> {
    const STATUSES: [Status; 3] = [Status::Sent, Status::Pending, Status::Error];
    STATUSES.get(number as usize).copied().ok_or_else(|| unreadable(format!("a node of status {number}")))
}

pub(super) fn status_number(status: Status) -> i64 {
    match status {
        Status::Sent => 0,
        Status::Pending => 1,
        Status::Error => 2,
    }
}

fn role(number: i64) -> Result<ImportedRole> {
    const ROLES: [ImportedRole; 3] = [ImportedRole::System, ImportedRole::User, ImportedRole::Assistant];
    ROLES.get(number as usize).copied().ok_or_else(|| unreadable(format!("a node of role {number}")))
}

fn role_number(role: ImportedRole) -> i64 {
    match role {
        ImportedRole::System => 0,
        ImportedRole::User => 1,
        ImportedRole::Assistant => 2,
    }
}
