//! `weft search`: what was said, newest first.

use super::args::SearchArgs;
use super::near::near;
use super::space::scope;
use super::when::minute;
use crate::exit::Outcome;
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use crate::style::{Ink, Style};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::collections::HashMap;
use weftwork::model::{EntityId, SpaceId};
use weftwork_store::{Hit, Scope, Search, Snippet};

/// Results asked for at a time.
const PAGE: usize = 100;

/// Names of spaces and authors.
struct Names {
    spaces: HashMap<SpaceId, String>,
    entities: HashMap<EntityId, String>,
}

/// Looks and prints.
pub(crate) fn run(args: &SearchArgs) -> Result<Outcome> {
    let place = args.list.place.read()?;
    let scope = scope(&place, &args.space)?;
    if args.branch.is_some() && args.space.len() != 1 {
        bail!("--branch needs the one --space that the node is in");
    }
    let mut search = Search::new(args.query.join(" "), scope);
    search.author = args.by.as_deref().map(|by| author(&place, &search.scope, by)).transpose()?;
    (search.from, search.to) = (args.period.since, args.period.until);
    if let (Some(branch), Scope::Spaces(spaces)) = (&args.branch, &search.scope) {
        search.branch = match &place {
            Place::Here(store) => Some(store.node(&spaces[0], &branch.as_str().into())?.id),
            Place::There(server) => return server.refuse("--branch", "leave it out, or search in an export of the space"),
        };
    }
    let (hits, more) = find(&place, search, args.limit as usize)?;
    if args.list.json {
        let hits: Vec<Value> = hits.iter().map(record).collect();
        output::line(&serde_json::to_vec(&hits)?)?;
    } else {
        output::data(text(&place, &hits, Style::stdout())?.as_bytes())?;
    }
    if more {
        output::say(&format!("there is more: raise --limit, now {}\n", args.limit));
    }
    if hits.is_empty() {
        output::say("nothing found\n");
    }
    Ok(if hits.is_empty() { Outcome::Findings } else { Outcome::Ok })
}

/// The newest hits, and whether there are more.
fn find(place: &Place, mut search: Search, limit: usize) -> Result<(Vec<Hit>, bool)> {
    let mut hits = Vec::new();
    loop {
        search.limit = PAGE.min(limit + 1 - hits.len());
        let found = match place {
            Place::Here(store) => store.search(&search)?,
            Place::There(server) => server.search(&search)?,
        };
        hits.extend(found.hits);
        search.after = found.next;
        if hits.len() > limit || search.after.is_none() {
            let more = hits.len() > limit;
            hits.truncate(limit);
            return Ok((hits, more));
        }
    }
}

/// The author that is meant: by id, or by a name that only one has in these spaces.
fn author(place: &Place, scope: &Scope, wanted: &str) -> Result<EntityId> {
    let names = names(place, scope)?.entities;
    if let Some((id, _)) = names.get_key_value(&EntityId::from(wanted)) {
        return Ok(id.clone());
    }
    let mut ids: Vec<&EntityId> = names.iter().filter(|(_, name)| *name == wanted).map(|(id, _)| id).collect();
    ids.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    match ids.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            let all = names.iter().flat_map(|(id, name)| [id.as_str(), name.as_str()]);
            let near: Vec<String> = near(wanted, all).into_iter().map(|name| format!("{:?}", plain(name))).collect();
            let hint = if near.is_empty() { String::new() } else { format!(": did you mean {}?", near.join(", ")) };
            bail!("--by {wanted:?} is nobody in these spaces{hint}")
        }
        several => {
            let ids: Vec<&str> = several.iter().take(20).map(|id| id.as_str()).collect();
            bail!("--by {wanted:?} is the name of {}: use the id, one of {}", several.len(), ids.join(", "))
        }
    }
}

fn names(place: &Place, scope: &Scope) -> Result<Names> {
    let spaces = match scope {
        Scope::All => place.spaces()?.into_iter().map(|space| space.id).collect(),
        Scope::Spaces(spaces) => spaces.clone(),
    };
    let mut names = Names { spaces: HashMap::new(), entities: HashMap::new() };
    for space in spaces {
        let header = match place {
            Place::Here(store) => store.header(&space)?,
            Place::There(server) => server.header(&space)?,
        };
        names.entities.extend(header.entities.into_iter().map(|entity| (entity.id, entity.name)));
        names.spaces.insert(space, header.space.name);
    }
    Ok(names)
}

fn record(hit: &Hit) -> Value {
    let Snippet { text, marks, cut_before, cut_after } = &hit.snippet;
    let marks: Vec<[usize; 2]> = marks.iter().map(|mark| [mark.start, mark.end]).collect();
    json!({"space": hit.space, "node": hit.node, "kind": hit.kind, "author": hit.author, "at": hit.at,
        "snippet": {"text": text, "marks": marks, "cutBefore": cut_before, "cutAfter": cut_after}})
}

/// Two lines a hit: where, who and when; what.
fn text(place: &Place, hits: &[Hit], style: Style) -> Result<String> {
    let mut spaces: Vec<SpaceId> = hits.iter().map(|hit| hit.space.clone()).collect();
    spaces.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    spaces.dedup();
    let names = names(place, &Scope::Spaces(spaces))?;
    let mut text = String::new();
    for hit in hits {
        let space = names.spaces.get(&hit.space).filter(|name| !name.is_empty()).map_or(hit.space.as_str(), String::as_str);
        let author = names.entities.get(&hit.author).map_or(hit.author.as_str(), String::as_str);
        let place = [plain(space), plain(hit.node.as_str()), plain(author), minute(hit.at.as_ref())].join(" · ");
        text += &format!("{}\n  {}\n", style.paint(Ink::Faint, &place), marked(&hit.snippet, style));
    }
    Ok(text)
}

/// The snippet with what was found in colour.
fn marked(snippet: &Snippet, style: Style) -> String {
    let mut text = if snippet.cut_before { "…".to_owned() } else { String::new() };
    let mut at = 0;
    for mark in &snippet.marks {
        text += &plain(&snippet.text[at..mark.start]);
        text += &style.paint(Ink::Notice, &plain(&snippet.text[mark.clone()]));
        at = mark.end;
    }
    text += &plain(&snippet.text[at..]);
    if snippet.cut_after { text + "…" } else { text }
}
