//! A tree at a glance: every node with where it hangs, what it is and how it begins. Little is read of each.

use crate::error::Result;
use crate::node::{Flag, Key, Seq, bits, kind, status};
use crate::space::{authors_of, find_for};
use crate::sql::{Row, args};
use crate::store::Store;
use std::collections::HashMap;
use weftwork::model::{Edge, EntityId, Kind, NodeId, Part, SpaceId, Status, Timestamp};

/// Characters of its text that a node is known by.
const BEGINNING: usize = 80;

/// A node at a glance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its id.
    pub id: NodeId,
    /// What it hangs on.
    pub parent: Option<NodeId>,
    /// Its place in the order of the space.
    pub seq: Seq,
    /// Who said it.
    pub author: EntityId,
    /// What it is.
    pub kind: Kind,
    /// Whether it is final.
    pub status: Status,
    /// Whether it goes on from what it hangs on, or remarks on it.
    pub edge: Edge,
    /// What was changed about it.
    pub flags: Vec<Flag>,
    /// Whether its content was taken out for good.
    pub purged: bool,
    /// When it was said.
    pub created_at: Option<Timestamp>,
    /// How its text begins.
    pub text: String,
}

impl Store {
    /// The nodes of a space after a place in its order, up to `limit`, at a glance; none if the viewer does not belong to it,
    /// or there is no such space.
    pub fn outline(&self, space: &SpaceId, viewer: &EntityId, after: Seq, limit: u32) -> Result<Option<Vec<Outline>>> {
        const SQL: &str = "SELECT n.key, n.id, p.id, n.author, n.kind, n.status, n.flags, n.at, substr(n.text, 1, 80), \
                           CASE WHEN n.text IS NULL THEN n.parts END FROM nodes n LEFT JOIN nodes p ON p.key = n.parent \
                           WHERE n.key > ?1 AND n.key < ?2 ORDER BY n.key LIMIT ?3";
        self.reading(|tx| {
            let Some(row) = find_for(tx, space, viewer)? else { return Ok(None) };
            let authors: HashMap<i64, EntityId> = authors_of(tx, row.no)?.into_iter().collect();
            let (from, to) = (Key::new(row.no, after), Key::range(row.no).1);
            tx.list(SQL, args![from.0, to, limit], |row| read(row, &authors)).map(Some)
        })
    }
}

fn read(row: &Row<'_>, authors: &HashMap<i64, EntityId>) -> Result<Outline> {
    let (author, flags) = (row.int(3)?, row.int(6)?);
    Ok(Outline {
        id: row.text(1)?.into(),
        parent: row.maybe_text(2)?.map(NodeId::from),
        seq: Key(row.int(0)?).seq(),
        author: authors.get(&author).cloned().ok_or_else(|| crate::node::no_author(author))?,
        kind: kind(row.int(4)?)?,
        status: status(row.int(5)?)?,
        edge: if flags & bits::ANNOTATION != 0 { Edge::Annotation } else { Edge::Continuation },
        flags: Flag::of_bits(flags),
        purged: flags & bits::PURGED != 0,
        created_at: row.maybe_int(7)?.and_then(Timestamp::from_millis),
        text: beginning(row.maybe_text(8)?, row.maybe_text(9)?, BEGINNING)?,
    })
}

/// How a node's text begins, out of its column for plain text or, where it is more, out of its parts.
pub(crate) fn beginning(text: Option<&str>, parts: Option<&str>, most: usize) -> Result<String> {
    let (None, Some(parts)) = (text, parts) else { return Ok(text.unwrap_or_default().chars().take(most).collect()) };
    let parts: Vec<Part> = serde_json::from_str(parts)?;
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.text.as_str()),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    });
    Ok(texts.flat_map(str::chars).take(most).collect())
}
