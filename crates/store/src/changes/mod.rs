//! What changes in a space besides new nodes, so that whoever watches learns of it.
//!
//! A change is numbered under the lock of its space, as a node is: nobody who goes on from a [`Moment`] misses one. New nodes
//! are numbered by their [`Seq`] alone and write nothing here.

mod news;

pub use news::News;

use crate::error::{Result, StoreError};
use crate::node::{Seq, at_id, children, one};
use crate::space::lock_space;
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use std::fmt;
use std::str::FromStr;
use weftwork::model::{EntityId, NodeId, Part, SpaceId, Status};

/// Changes of a space that are kept.
const KEPT: i64 = 10_000;
/// Older ones are taken out whenever so many have come.
const CUT: i64 = 1_000;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in the order of its space.
    pub no: i64,
    /// What changed.
    pub kind: ChangeKind,
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// A node: it came to its end, a flag of it, its bookmark, its links; or its content was taken out.
    Node(NodeId),
    /// A viewer's head, or the default one. A head on the newest node of its branch follows what is added there; of that
    /// nothing is said.
    Head(Option<EntityId>),
    /// Somebody came or went, or has another role.
    Member(EntityId),
    /// The header of the space.
    Space,
    /// Somebody has read further.
    Read(EntityId),
    /// Somebody wants this reply to stop.
    Stop(NodeId),
}

impl ChangeKind {
    fn number(&self) -> i64 {
        match self {
            ChangeKind::Node(_) => 0,
            ChangeKind::Head(_) => 1,
            ChangeKind::Member(_) => 2,
            ChangeKind::Space => 3,
            ChangeKind::Read(_) => 4,
            ChangeKind::Stop(_) => 5,
        }
    }

    fn subject(&self) -> &str {
        match self {
            ChangeKind::Node(node) | ChangeKind::Stop(node) => node.as_str(),
            ChangeKind::Head(Some(entity)) | ChangeKind::Member(entity) | ChangeKind::Read(entity) => entity.as_str(),
            ChangeKind::Head(None) | ChangeKind::Space => "",
        }
    }

    fn read(number: i64, subject: &str) -> Result<ChangeKind> {
        match number {
            0 => Ok(ChangeKind::Node(subject.into())),
            1 if subject.is_empty() => Ok(ChangeKind::Head(None)),
            1 => Ok(ChangeKind::Head(Some(subject.into()))),
            2 => Ok(ChangeKind::Member(subject.into())),
            3 => Ok(ChangeKind::Space),
            4 => Ok(ChangeKind::Read(subject.into())),
            5 => Ok(ChangeKind::Stop(subject.into())),
            other => Err(StoreError::Unreadable { detail: format!("a change of kind {other}") }),
        }
    }
}

/// How far a space has come: its last node and its last change. Nothing before it is new, everything after it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The last node.
    pub seq: Seq,
    /// The last change.
    pub change: i64,
}

/// The text is no place to go on from.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no place to go on from: take it from an earlier answer")]
pub struct NoPlace {
    /// What was given.
    pub text: String,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.seq.0, self.change)
    }
}

impl FromStr for Moment {
    type Err = NoPlace;

    fn from_str(text: &str) -> std::result::Result<Moment, NoPlace> {
        let number = |word: &str| word.parse().ok().filter(|number: &i64| *number >= 0);
        let moment =
            text.split_once('.').and_then(|(seq, change)| Some(Moment { seq: Seq(number(seq)?), change: number(change)? }));
        moment.ok_or_else(|| NoPlace { text: text.to_owned() })
    }
}

/// Writes a change down. Whoever calls it holds the lock of the space.
pub(crate) fn note(tx: &mut Tx<'_>, space: i64, kind: &ChangeKind) -> Result<()> {
    const SQL: &str = "INSERT INTO changes(space, no, kind, subject) SELECT CAST(?1 AS INTEGER), coalesce(max(no), 0) + 1, \
                       CAST(?2 AS INTEGER), CAST(?3 AS TEXT) FROM changes WHERE space = ?1 RETURNING no";
    let no = tx.first(SQL, args![space, kind.number(), kind.subject()], |row| row.int(0))?;
    if let Some(no) = no.filter(|no| no % CUT == 0) {
        tx.run("DELETE FROM changes WHERE space = ?1 AND no <= ?2", args![space, no - KEPT])?;
    }
    Ok(())
}

/// The two numbers of a moment, of `spaces s`.
macro_rules! moment_columns {
    () => {
        "coalesce((SELECT n.key FROM nodes n WHERE n.key > s.no * 4294967296 AND n.key < (s.no + 1) * 4294967296 \
         ORDER BY n.key DESC LIMIT 1) - s.no * 4294967296, 0), \
         coalesce((SELECT c.no FROM changes c WHERE c.space = s.no ORDER BY c.no DESC LIMIT 1), 0)"
    };
}

fn read_moment(row: &Row<'_>, from: usize) -> Result<Moment> {
    Ok(Moment { seq: Seq(row.int(from)?), change: row.int(from + 1)? })
}

/// How far a space has come.
pub(crate) fn moment_of(tx: &mut Tx<'_>, space: i64) -> Result<Moment> {
    const SQL: &str = concat!("SELECT ", moment_columns!(), " FROM spaces s WHERE s.no = ?1");
    let found = tx.first(SQL, args![space], |row| read_moment(row, 0))?;
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("space {space} is gone") })
}

impl Store {
    /// How far a space has come; none if there is no such space.
    pub fn moment(&self, space: &SpaceId) -> Result<Option<Moment>> {
        Ok(self.moments(std::slice::from_ref(space))?.pop().flatten())
    }

    /// How far each of some spaces has come, in one look; none for one that is not there.
    pub fn moments(&self, spaces: &[SpaceId]) -> Result<Vec<Option<Moment>>> {
        const SQL: &str = concat!(
            "SELECT s.id, ",
            moment_columns!(),
            " FROM /*lite json_each(?1)*/ /*pg jsonb_array_elements_text(CAST(CAST(?1 AS TEXT) AS JSONB))*/ k \
             JOIN spaces s ON s.id = k.value"
        );
        let ids = serde_json::to_string(&spaces.iter().map(SpaceId::as_str).collect::<Vec<_>>())?;
        let found =
            self.reading(|tx| tx.list(SQL, args![&ids], |row| Ok((SpaceId::from(row.text(0)?), read_moment(row, 1)?))))?;
        let found: std::collections::HashMap<SpaceId, Moment> = found.into_iter().collect();
        Ok(spaces.iter().map(|space| found.get(space).copied()).collect())
    }

    /// Asks whichever process writes a reply, or runs the tools it called, to stop. Says whether one may be at it: the reply is
    /// pending, or nothing hangs on its calls yet.
    pub fn ask_to_stop(&self, space: &SpaceId, node: &NodeId) -> Result<bool> {
        self.writing(|tx| {
            let row = lock_space(tx, space)?;
            let place = at_id(tx, row.no, node.as_str())?;
            let place = place.ok_or_else(|| StoreError::NoNode { space: space.clone(), node: node.clone() })?;
            let reply = one(tx, place.key)?.node;
            let calls = reply.parts.iter().any(|part| matches!(part, Part::ToolCall(_)));
            let under_way = match reply.status {
                Status::Pending => true,
                Status::Sent => calls && children(tx, row.no, Some(&place))?.is_empty(),
                Status::Error => false,
            };
            if under_way {
                note(tx, row.no, &ChangeKind::Stop(node.clone()))?;
            }
            Ok(under_way)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_text() {
        let moment = Moment { seq: Seq(12), change: 5 };
        assert_eq!(moment.to_string(), "12.5");
        assert_eq!("12.5".parse(), Ok(moment));
        for bad in ["", "12", "12.", ".5", "-1.5", "1.-5", "1.2.3", "x.y"] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }
}
