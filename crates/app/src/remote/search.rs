//! Looking for what was said, a page after the other.

use super::ask::query;
use super::server::Server;
use anyhow::Result;
use serde::Deserialize;
use weftwork::model::{EntityId, Kind, NodeId, SpaceId, Timestamp};
use weftwork_store::{Found, Hit, Scope, Search, Seq, Snippet};

/// The most hits of a page.
const PAGE: usize = 100;

#[derive(Deserialize)]
struct FoundPage {
    hits: Vec<ShownHit>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct ShownHit {
    space: SpaceId,
    node: NodeId,
    seq: i64,
    kind: Kind,
    author: EntityId,
    at: Option<Timestamp>,
    snippet: ShownSnippet,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownSnippet {
    text: String,
    marks: Vec<[usize; 2]>,
    cut_before: bool,
    cut_after: bool,
}

impl From<ShownHit> for Hit {
    fn from(hit: ShownHit) -> Hit {
        let ShownHit { space, node, seq, kind, author, at, snippet } = hit;
        let ShownSnippet { text, marks, cut_before, cut_after } = snippet;
        // Marks are bytes of a text that another program wrote.
        let marks = marks.into_iter().map(|[from, to]| from..to).filter(|mark| text.get(mark.clone()).is_some()).collect();
        Hit { space, node, seq: Seq(seq), kind, author, at, snippet: Snippet { text, marks, cut_before, cut_after } }
    }
}

impl Server {
    /// A page of what is found. Where several spaces are meant, what is in others is left out.
    pub(crate) fn search(&self, search: &Search) -> Result<Found> {
        let spaces: &[SpaceId] = match &search.scope {
            Scope::All => &[],
            Scope::Spaces(spaces) => spaces,
        };
        let one = match spaces {
            [one] => Some(one.as_str().to_owned()),
            _ => None,
        };
        let time = |millis: Option<i64>| millis.and_then(Timestamp::from_millis).map(|time| time.to_string());
        let asked = query([
            ("q", Some(search.query.clone())),
            ("space", one),
            ("by", search.author.as_ref().map(|by| by.as_str().to_owned())),
            ("since", time(search.from)),
            ("until", time(search.to)),
            ("limit", Some(search.limit.clamp(1, PAGE).to_string())),
            ("after", search.after.as_ref().map(ToString::to_string)),
        ]);
        let page: FoundPage = self.get(&["search"], asked)?;
        let hits = page.hits.into_iter().map(Hit::from).filter(|hit| spaces.is_empty() || spaces.contains(&hit.space));
        Ok(Found { hits: hits.collect(), next: page.next.map(|next| next.parse()).transpose()? })
    }
}
