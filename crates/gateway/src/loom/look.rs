//! Looking around: view, list, tree, search, and where the agent looks.

use super::arguments::Arguments;
use super::show::{self, counted};
use super::{LoomTurn, Refused};
use weftwork::model::{Conversation, Part, SpaceId};
use weftwork::timeline::Encoded;
use weftwork_store::{Hit, Linked, LocalId, Scope, Search, Spot, Store, StoreError, Tree};

/// Nodes of a list.
const LISTED: usize = 30;
/// Nodes of a drawn tree.
const DRAWN: usize = 60;
/// Pages of a search that are looked through for something said.
const PAGES: usize = 5;

impl LoomTurn {
    pub(super) async fn view(&self, arguments: &Arguments) -> Result<String, Refused> {
        let spot = self.spot(arguments.node()).await?;
        let header = self.header().await?;
        let hangs = spot.parent.map_or_else(|| "It begins the tree.".to_owned(), |parent| format!("It hangs on {parent}."));
        let from = arguments.number("from", 0) as usize;
        Ok(format!("{}\n{hangs}\n{}", show::facts(&spot, &header), show::content(&spot.node, from)))
    }

    pub(super) async fn list(&self, arguments: &Arguments) -> Result<String, Refused> {
        match arguments.text("what").unwrap_or("children") {
            "bookmarks" => self.list_bookmarks().await,
            "links" => self.list_links(arguments).await,
            "siblings" => {
                let spot = self.spot(arguments.node()).await?;
                let parent = spot.node.parent.clone();
                let (spots, count) =
                    self.stored(move |store, space, _| store.spots_below(space, parent.as_ref(), LISTED)).await?;
                self.listed(&format!("beside {}, itself among them", spot.local), spots, count).await
            }
            _ => {
                let spot = self.spot(arguments.node()).await?;
                let parent = spot.node.id.clone();
                let (spots, count) = self.stored(move |store, space, _| store.spots_below(space, Some(&parent), LISTED)).await?;
                self.listed(&format!("below {}", spot.local), spots, count).await
            }
        }
    }

    async fn list_bookmarks(&self) -> Result<String, Refused> {
        let spots = self.stored(|store, space, _| store.bookmarks(space, LISTED as u32)).await?;
        let count = spots.len();
        self.listed("bookmarked, newest first", spots, count).await
    }

    async fn listed(&self, what: &str, spots: Vec<Spot>, count: usize) -> Result<String, Refused> {
        let header = self.header().await?;
        let heading = match count {
            0 => format!("Nothing is {what}."),
            count if count > spots.len() => format!("{} {what}, the first {}:", counted(count, "node"), spots.len()),
            count => format!("{} {what}:", counted(count, "node")),
        };
        let lines = spots.iter().map(|spot| show::line(spot, &header));
        Ok(std::iter::once(heading).chain(lines).collect::<Vec<_>>().join("\n"))
    }

    async fn list_links(&self, arguments: &Arguments) -> Result<String, Refused> {
        let spot = self.spot(arguments.node()).await?;
        let id = spot.node.id.clone();
        let links = self.stored(move |store, space, _| store.links(space, &id, LISTED as u32)).await?;
        if links.is_empty() {
            return Ok(format!("No link begins or ends at {}.", spot.local));
        }
        let line = |linked: &Linked| {
            let because =
                if linked.link.reason.is_empty() { String::new() } else { format!(": {}", Encoded::quoted(&linked.link.reason)) };
            format!("{} {} {}{because}", linked.from, linked.link.kind.word(), linked.to)
        };
        Ok(links.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    pub(super) async fn tree(&self, arguments: &Arguments) -> Result<String, Refused> {
        let name = self.spot(arguments.node()).await?.local.to_string();
        let wanted = Tree { up: arguments.number("up", 2), down: arguments.number("down", 3), most: DRAWN };
        let (centre, drawn) = self.stored(move |store, space, _| store.tree_around(space, &name, wanted)).await?;
        let here = format!("msg:{}", self.at());
        let here = self.stored(move |store, space, _| store.spot(space, &here)).await?.local;
        Ok(show::tree(&drawn, centre, here, &self.header().await?))
    }

    pub(super) async fn search(&self, arguments: &Arguments) -> Result<String, Refused> {
        let query = arguments.need("query", "Say what to look for.")?.to_owned();
        let limit = arguments.number("limit", 10) as usize;
        let (hits, is_all) = self.stored(move |store, space, _| said_hits(store, space, query, limit)).await?;
        if hits.is_empty() {
            return Ok("Nothing was found.".to_owned());
        }
        let header = self.header().await?;
        let mut lines: Vec<String> = hits.iter().map(|hit| found(hit, &header)).collect();
        if !is_all {
            lines.push("There may be more: look for something more precise.".to_owned());
        }
        Ok(lines.join("\n"))
    }

    pub(super) async fn switch(&self, arguments: &Arguments) -> Result<String, Refused> {
        let Some(name) = arguments.node() else {
            self.stored(|store, space, agent| store.drop_head(space, agent)).await?;
            self.trace("switched back to the conversation".to_owned()).await;
            return Ok("You look where the conversation is.".to_owned());
        };
        let spot = self.spot(Some(name)).await?;
        let id = spot.node.id.clone();
        self.stored(move |store, space, agent| store.move_head(space, Some(agent), &id, None)).await?;
        self.trace(format!("switched to {}", spot.local)).await;
        Ok(format!(
            "You look at {}. The conversation stays where it is.\n{}",
            spot.local,
            show::line(&spot, &self.header().await?)
        ))
    }
}

/// Hits among what was said, newest first, and whether these are all. Tools' own exchanges are left out: whoever searches would
/// find little but their own searches.
fn said_hits(store: &Store, space: &SpaceId, query: String, limit: usize) -> Result<(Vec<Hit>, bool), StoreError> {
    let mut search = Search { limit, ..Search::new(query, Scope::one(space)) };
    let mut hits: Vec<Hit> = Vec::new();
    for _ in 0..PAGES {
        let found = store.search(&search)?;
        for hit in found.hits {
            let says = store.node(space, &hit.node)?.parts.iter().any(|part| matches!(part, Part::Text(_)));
            if says {
                hits.push(hit);
            }
        }
        match found.next {
            Some(next) if hits.len() < limit => search.after = Some(next),
            next => {
                let is_all = next.is_none() && hits.len() <= limit;
                hits.truncate(limit);
                return Ok((hits, is_all));
            }
        }
    }
    Ok((hits, false))
}

/// A hit on a line.
fn found(hit: &Hit, header: &Conversation) -> String {
    let name = header.entities.iter().find(|entity| entity.id == hit.author).map_or("", |entity| entity.name.as_str());
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let text = format!("{}{}{}", cut(hit.snippet.cut_before), hit.snippet.text, cut(hit.snippet.cut_after));
    let at = hit.at.as_ref().map_or_else(String::new, |at| format!(" · {}", at.utc()));
    format!("{} · {}{at} · {}", LocalId::of(hit.seq), Encoded::name(name), Encoded::quoted(&text))
}
