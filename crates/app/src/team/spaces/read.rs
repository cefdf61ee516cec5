//! `weft spaces read`: what was said, by whom, when, and what of it is new.

use super::super::args::ReadArgs;
use super::super::runs::{refusals, woken_record};
use super::super::when::away;
use super::super::who::{People, member};
use super::message::{find, short};
use crate::exit::Outcome;
use crate::keep::{minute, now};
use crate::number::many;
use crate::output;
use crate::preview::{self, plain};
use crate::remote::{Place, Server};
use crate::style::{Ink, Style};
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use weftwork::model::{Entity, Node, NodeId, Part, SpaceId};
use weftwork_store::runs::{Page, Woken};
use weftwork_store::{Seq, Store};

/// What was said in a space, for one who reads.
struct Reading {
    space: SpaceId,
    name: String,
    reader: Entity,
    unread: u64,
    earlier: bool,
    lines: Vec<Line>,
    people: People,
}

/// A message, whether it is new, and what it did, where that is told.
struct Line {
    node: Node,
    is_new: bool,
    woken: Option<Vec<Woken>>,
}

/// Shows what was said.
pub(super) fn read(args: &ReadArgs) -> Result<Outcome> {
    let place = if args.mark_read { args.list.place.change()? } else { args.list.place.read()? };
    let space = place.find_space(&args.space)?;
    let before = args.before.as_deref().map(|wanted| find(&place, &space, wanted)).transpose()?;
    let people = place.people()?;
    let reading = match &place {
        Place::Here(store) => reading(store, people, &space, args, before.as_ref())?,
        Place::There(server) => reading_there(server, people, &space, args, before.as_ref())?,
    };
    let Reading { lines, reader, people, .. } = &reading;
    if args.list.json {
        let record = json!({"space": space, "name": reading.name, "reader": reader.id, "unread": reading.unread,
            "earlier": reading.earlier, "messages": lines.iter().map(|line| line.record(people)).collect::<Vec<_>>()});
        output::line(&serde_json::to_vec(&record)?)?;
    } else if lines.is_empty() {
        output::say(&format!("Nothing was said here yet. Begin: weft spaces post {space} \"Hello\"\n"));
    } else {
        output::data(reading.picture().as_bytes())?;
    }
    if let (true, Some(last)) = (args.mark_read, lines.last()) {
        match &place {
            Place::Here(store) => drop(store.read_up_to(&space, &reader.id, &last.node.id)?),
            Place::There(server) => server.read_up_to(&space, &last.node.id)?,
        }
    }
    Ok(Outcome::Ok)
}

fn reading(store: &Store, people: People, space: &SpaceId, args: &ReadArgs, before: Option<&NodeId>) -> Result<Reading> {
    let reader = member(store, space, args.who.as_deref())?;
    let page = store.page(space, &reader.id, before, args.limit)?;
    let page = page.ok_or_else(|| anyhow!("{} does not belong to {space}", reader.name))?;
    let unread = store.unread(space, &reader.id)?;
    let lines = lines(store, space, &reader, &page)?;
    let (space, name) = (space.clone(), page.space.space.name);
    Ok(Reading { space, name, reader, unread, earlier: page.earlier, lines, people })
}

fn reading_there(server: &Server, people: People, space: &SpaceId, args: &ReadArgs, before: Option<&NodeId>) -> Result<Reading> {
    let reader = server.myself(args.who.as_deref())?;
    let talk = server.talk(space, before, args.limit)?;
    let read = talk.read;
    let line = |(seq, node): (Seq, Node)| Line { is_new: seq > read && node.author != reader.id, woken: None, node };
    let lines = talk.messages.into_iter().map(line).collect();
    let (space, name) = (space.clone(), talk.name);
    Ok(Reading { space, name, unread: talk.unread, earlier: talk.earlier, lines, people, reader })
}

fn lines(store: &Store, space: &SpaceId, reader: &Entity, page: &Page) -> Result<Vec<Line>> {
    let line = |(seq, node): &(Seq, Node)| {
        let is_new = *seq > page.cursor && node.author != reader.id;
        let mut node = node.clone();
        // Why a message was sent is told to those who could have read it there.
        let told = match node.origin.as_ref().and_then(|origin| origin.space.as_ref()) {
            Some(from) => store.is_member(from, &reader.id).unwrap_or(false),
            None => true,
        };
        node.origin = node.origin.filter(|_| told);
        Ok(Line { is_new, woken: Some(store.woken(space, &node.id)?), node })
    };
    page.messages.iter().map(line).collect()
}

impl Line {
    fn record(&self, people: &People) -> Value {
        let Node { id, author, created_at, parts, reply_to, origin, .. } = &self.node;
        let text: Vec<&str> =
            parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None }).collect();
        let mut record = json!({"id": id, "author": author, "name": people.name(author), "at": created_at,
            "text": text.join("\n"), "replyTo": reply_to, "origin": origin, "new": self.is_new});
        if let Some(woken) = &self.woken {
            record["woken"] = woken.iter().map(woken_record).collect();
        }
        record
    }

    fn picture(&self, people: &People, style: Style) -> String {
        let node = &self.node;
        let mark = if self.is_new { "●" } else { " " };
        let time = minute(node.created_at.as_ref());
        let far = node.created_at.as_ref().map_or_else(String::new, |at| format!(" ({})", away(now(), at.millis())));
        let reply = node.reply_to.as_ref().map_or_else(String::new, |to| format!(" · replies to {}", short(to)));
        let name = style.paint(Ink::Strong, &people.name(&node.author));
        let facts = style.paint(Ink::Faint, &format!(" · {time}{far} · {}{reply}", short(&node.id)));
        let mut text = format!("{mark} {name}{facts}\n");
        for part in &node.parts {
            let said = if let Part::Text(said) = part { said.text.clone() } else { preview::node(node) };
            said.lines().for_each(|line| text += &format!("    {}\n", preview::message(line)));
        }
        if let Some(origin) = &node.origin {
            let (who, place, why) = (plain(&origin.sender_name), plain(&origin.space_name), plain(&origin.message));
            text += &style.paint(Ink::Faint, &format!("    ↳ because {who} said in {place}: \"{why}\"\n"));
        }
        let refused = self.woken.iter().flat_map(|woken| refusals(woken, people));
        refused.for_each(|line| text += &style.paint(Ink::Notice, &format!("    {line}\n")));
        text
    }
}

impl Reading {
    fn picture(&self) -> String {
        let style = Style::stdout();
        let name = plain(if self.name.is_empty() { self.space.as_str() } else { &self.name });
        let news = format!("{} for {}", many(self.unread, "unread message"), plain(&self.reader.name));
        let mut text = format!("{} · {} · {news}\n", style.paint(Ink::Strong, &name), plain(self.space.as_str()));
        if let (true, Some(first)) = (self.earlier, self.lines.first()) {
            text += &style.paint(Ink::Faint, &format!("  … earlier: --before {}\n", short(&first.node.id)));
        }
        for line in &self.lines {
            text.push('\n');
            text += &line.picture(&self.people, style);
        }
        text
    }
}
