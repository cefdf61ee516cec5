//! The spaces of one who belongs to them, as a list shows them: newest first, page by page, in one look.

use crate::changes::NoPlace;
use crate::error::Result;
use crate::outline::beginning;
use crate::space::entity_row;
use crate::sql::{Row, args};
use crate::store::{Listed, Store};
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;
use weftwork::model::{EntityId, Mode, Space, SpaceId, Wake};

/// Characters of its last message that a space is shown with.
const BEGINNING: usize = 120;

/// A space as one of its members sees it in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// The space.
    pub listed: Listed,
    /// Messages that the member has not read.
    pub unread: u64,
    /// The last message that can be seen.
    pub last_message: Option<LastMessage>,
    /// Whether its words stay among its members.
    pub confidential: bool,
    /// Whom a message wakes.
    pub wake: Wake,
    /// How its tree is read.
    pub mode: Mode,
}

/// How the last message of a space begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMessage {
    /// Who said it.
    pub author: EntityId,
    /// Its beginning.
    pub text: String,
}

/// Where a list goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    last: i64,
    no: i64,
}

impl fmt::Display for ListPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.last, self.no)
    }
}

impl FromStr for ListPlace {
    type Err = NoPlace;

    fn from_str(text: &str) -> std::result::Result<ListPlace, NoPlace> {
        let place =
            text.split_once('.').and_then(|(last, no)| Some(ListPlace { last: last.parse().ok()?, no: no.parse().ok()? }));
        place.ok_or_else(|| NoPlace { text: text.to_owned() })
    }
}

impl Store {
    /// The spaces an entity belongs to now, those with the newest nodes first, up to `limit` after a place; and where the list
    /// goes on, if it does.
    pub fn listed_for(
        &self,
        entity: &EntityId,
        after: Option<ListPlace>,
        limit: u32,
    ) -> Result<(Vec<Overview>, Option<ListPlace>)> {
        // The page is found first; only what is on it is looked at. The last message is nearly always the last node.
        const SQL: &str = "SELECT s.id, s.name, t.seq, (SELECT count(*) FROM members m WHERE m.space = s.no AND m.gone IS NULL), \
            t.last, t.no, (SELECT count(*) FROM nodes n WHERE n.key > t.no * 4294967296 + t.cursor \
              AND n.key < (t.no + 1) * 4294967296 AND n.author <> ?1 AND n.kind = 0 AND n.status = 0 AND n.flags & 2 = 0), \
            s.confidential, s.header, e.id, substr(w.text, 1, 120), CASE WHEN w.text IS NULL THEN w.parts END \
            FROM (SELECT d.no, d.cursor, d.seq, d.last FROM (SELECT u.no, u.cursor, \
                coalesce(u.newest - u.no * 4294967296, 0) AS seq, \
                coalesce((SELECT n.at FROM nodes n WHERE n.key = u.newest), u.created_at) AS last \
                FROM (SELECT s.no, m.cursor, s.created_at, (SELECT n.key FROM nodes n WHERE n.key > s.no * 4294967296 \
                    AND n.key < (s.no + 1) * 4294967296 ORDER BY n.key DESC LIMIT 1) AS newest \
                  FROM members m JOIN spaces s ON s.no = m.space WHERE m.entity = ?1 AND m.gone IS NULL) u) d \
              WHERE d.last < ?2 OR d.last = ?2 AND d.no < ?3 ORDER BY d.last DESC, d.no DESC LIMIT ?4) t \
            JOIN spaces s ON s.no = t.no LEFT JOIN nodes w ON w.key = (SELECT n.key FROM nodes n \
              WHERE n.key > t.no * 4294967296 AND n.key < (t.no + 1) * 4294967296 AND n.kind = 0 AND n.status = 0 \
              AND n.flags & 130 = 0 ORDER BY n.key DESC LIMIT 1) \
            LEFT JOIN entities e ON e.no = w.author ORDER BY t.last DESC, t.no DESC";
        let ListPlace { last, no } = after.unwrap_or(ListPlace { last: i64::MAX, no: i64::MAX });
        let mut found = self.reading(|tx| {
            let (entity, _) = entity_row(tx, entity)?;
            tx.list(SQL, args![entity, last, no, i64::from(limit) + 1], read)
        })?;
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|(place, _)| *place);
        Ok((found.into_iter().map(|(_, overview)| overview).collect(), next))
    }
}

/// What a list shows of a header.
#[derive(Deserialize)]
struct Header {
    space: Space,
}

fn read(row: &Row<'_>) -> Result<(ListPlace, Overview)> {
    let listed = Listed {
        id: SpaceId::from(row.text(0)?),
        name: row.text(1)?.to_owned(),
        nodes: row.int(2)? as u64,
        members: row.int(3)? as u64,
        last: row.int(4)?,
    };
    let Header { space } = serde_json::from_str(row.text(8)?)?;
    let last_message = match row.maybe_text(9)? {
        Some(author) => {
            Some(LastMessage { author: author.into(), text: beginning(row.maybe_text(10)?, row.maybe_text(11)?, BEGINNING)? })
        }
        None => None,
    };
    let place = ListPlace { last: listed.last, no: row.int(5)? };
    let (unread, confidential) = (row.int(6)? as u64, row.int(7)? != 0);
    Ok((place, Overview { listed, unread, last_message, confidential, wake: space.wake, mode: space.mode }))
}
