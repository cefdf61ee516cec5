//! Full-text search in every script.
//!
//! One analyser makes the terms for both databases ([`unit`]), the index of words gives candidates ([`index`]), and the
//! text itself decides ([`query`]): both databases find the same, indexed or not.

mod cursor;
mod find;
mod fold;
mod index;
mod query;
mod snippet;
mod stream;
mod text;
mod unit;

pub use cursor::{BadCursor, Cursor};
pub(crate) use index::{finished, forget};
pub use snippet::Snippet;

use crate::error::{Result, StoreError};
use crate::node::Seq;
use crate::open::Access;
use crate::scope::Scope;
use crate::store::Store;
use index::BATCH;
use query::Query;
use weftwork::model::{EntityId, Kind, NodeId, SpaceId, Timestamp};

/// What is looked for, and where.
///
/// Words are all looked for, in any order; `"words in quotes"` stand one after another; `wor*` begins a word; `-word` must
/// not be there. Any text is a query.
#[derive(Clone, Debug)]
pub struct Search {
    /// The query.
    pub query: String,
    /// Whether its last word may go on.
    pub last: LastWord,
    /// The spaces that the viewer may see.
    pub scope: Scope,
    /// Only what they said.
    pub author: Option<EntityId>,
    /// Only what was said then or later, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Only what was said before.
    pub to: Option<i64>,
    /// Only what is on the path to this node.
    pub branch: Option<NodeId>,
    /// Only nodes of this kind; all but requests for titles and summaries if none.
    pub kind: Option<Kind>,
    /// After the page before.
    pub after: Option<Cursor>,
    /// Results on a page.
    pub limit: usize,
}

/// Whether the last word of a query is all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastWord {
    /// It is a word.
    #[default]
    Whole,
    /// It is being typed: words that begin so are found.
    Begun,
}

/// A page of results, newest first: spaces are merged by time, and each is in the order it was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What was found.
    pub hits: Vec<Hit>,
    /// Where the next page begins; none if there is no more. A page may be short, even empty, and still have a next one:
    /// a search looks at a bounded number of nodes at a time.
    pub next: Option<Cursor>,
}

/// A node that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its space.
    pub space: SpaceId,
    /// Its id.
    pub node: NodeId,
    /// Its place in the order of the space.
    pub seq: Seq,
    /// What it is for.
    pub kind: Kind,
    /// Who said it.
    pub author: EntityId,
    /// When.
    pub at: Option<Timestamp>,
    /// What was found in it.
    pub snippet: Snippet,
}

impl Search {
    /// The first page of a query.
    pub fn new(query: impl Into<String>, scope: Scope) -> Search {
        Search {
            query: query.into(),
            last: LastWord::Whole,
            scope,
            author: None,
            from: None,
            to: None,
            branch: None,
            kind: None,
            after: None,
            limit: 20,
        }
    }
}

impl Store {
    /// Looks for text. A query without a word to look for finds nothing.
    pub fn search(&self, search: &Search) -> Result<Found> {
        let query = Query::parse(&search.query, search.last);
        if query.is_empty() || search.limit == 0 {
            return Ok(Found { hits: Vec::new(), next: None });
        }
        if self.access() == Access::Write {
            match self.catch_up(&search.scope, u64::MAX) {
                // Where nothing can be written, what is in the index can still be found.
                Ok(_) | Err(StoreError::Full { .. } | StoreError::Broken { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.reading(|tx| find::find(tx, search, &query))
    }

    /// Brings up to `limit` nodes into the search index and says how many there were. Searching does the same first; a
    /// server does it while nothing else is to be done.
    pub fn index(&self, limit: u64) -> Result<u64> {
        self.catch_up(&Scope::All, limit)
    }

    fn catch_up(&self, scope: &Scope, limit: u64) -> Result<u64> {
        let spaces = self.reading(|tx| stream::spaces(tx, scope))?;
        let mut done = 0;
        for space in spaces.iter().filter(|space| space.last > space.searched) {
            loop {
                let batch = u64::from(BATCH).min(limit - done) as u32;
                let count = if batch == 0 { 0 } else { self.writing(|tx| index::catch_up(tx, space.no, batch))? };
                done += u64::from(count);
                if count < batch || batch == 0 {
                    break;
                }
            }
        }
        Ok(done)
    }
}
