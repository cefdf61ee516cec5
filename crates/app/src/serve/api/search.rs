//! Looking for what was said, in the spaces of whoever asks and in no others.

use super::spaces::limit;
use crate::serve::manage::Asker;
use crate::serve::web::{About, Api, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::model::{EntityId, Kind, NodeId, SpaceId, Timestamp};
use weftwork_store::{BadCursor, Found, Hit, Scope, Search, Snippet};

const GROUP: &str = "Search";
const USUAL: u32 = 20;
const MOST: u32 = 100;
/// Bytes of a query.
const LONGEST: usize = 1_000;

pub(super) fn routes(api: Api) -> Api {
    let says = "What was said in your spaces, newest first. All words are looked for; \"words in quotes\" stand together; wor* \
                begins a word; -word must not be there.";
    api.on(Verb::Get, "/api/search", About::new(GROUP, "search", Need::Read, says), search)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchQuery {
    /// What is looked for.
    #[schemars(length(max = 1000))]
    q: String,
    /// Only in this space.
    space: Option<SpaceId>,
    /// Only what they said.
    by: Option<EntityId>,
    /// Only what was said then or later.
    since: Option<Timestamp>,
    /// Only what was said before.
    until: Option<Timestamp>,
    /// At most so many.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// `next` of the page before, of the same search.
    after: Option<String>,
}

/// What was found.
#[derive(Serialize, JsonSchema)]
struct FoundPage {
    hits: Vec<ShownHit>,
    /// Where the search goes on, as `after`; none at its end. A page may be short, even empty, and have a next one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A message that was found.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Hit")]
struct ShownHit {
    space: SpaceId,
    node: NodeId,
    /// Its place in the order of the space.
    seq: i64,
    kind: Kind,
    author: EntityId,
    at: Option<Timestamp>,
    snippet: ShownSnippet,
}

/// The words around what was found.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Snippet")]
struct ShownSnippet {
    text: String,
    /// Where in `text` it was found: from and to, in bytes of UTF-8.
    marks: Vec<[usize; 2]>,
    /// Whether something stands before it.
    cut_before: bool,
    /// Whether something stands after it.
    cut_after: bool,
}

impl From<Hit> for ShownHit {
    fn from(hit: Hit) -> ShownHit {
        let Hit { space, node, seq, kind, author, at, snippet } = hit;
        let Snippet { text, marks, cut_before, cut_after } = snippet;
        let marks = marks.into_iter().map(|mark| [mark.start, mark.end]).collect();
        ShownHit { space, node, seq: seq.0, kind, author, at, snippet: ShownSnippet { text, marks, cut_before, cut_after } }
    }
}

async fn search(cx: Cx, input: Input<(), SearchQuery>) -> Done<FoundPage> {
    let SearchQuery { q, space, by, since, until, limit: most, after } = input.query;
    if q.len() > LONGEST {
        return Err(Problem::bad("q", format!("at most {LONGEST} bytes")));
    }
    let limit = limit(most, USUAL, MOST)?;
    let after = after.map(|text| text.parse()).transpose();
    let after = after.map_err(|error: BadCursor| Problem::bad("after", error.to_string()))?;
    if let Some(space) = &space {
        cx.house.member(cx.who.entity(), space).await?;
    }
    let asker = Asker::from(&cx.who);
    let found = cx.house.stored(move |store| {
        let scope = match &space {
            Some(space) => Scope::one(space),
            None => Scope::Spaces(asker.spaces(store)?.into_iter().collect()),
        };
        let search = Search {
            author: by,
            from: since.as_ref().map(Timestamp::millis),
            to: until.as_ref().map(Timestamp::millis),
            after,
            limit: limit as usize,
            ..Search::new(q, scope)
        };
        store.search(&search)
    });
    let Found { hits, next } = found.await?;
    Ok(FoundPage { hits: hits.into_iter().map(ShownHit::from).collect(), next: next.map(|next| next.to_string()) }.into())
}
