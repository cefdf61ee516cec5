//! `weft spaces read`: what was said, by whom, when, and what of it is new.

use super::super::args::ReadArgs;
use super::super::runs::{refusals, woken_record};
use super::super::when::away;
use super::super::who::{People, member};
use super::message::{find, short};
use crate::exit::Outcome;
use crate::keep::{find_space, minute, now};
use crate::number::many;
use crate::output;
use crate::preview::{self, plain};
use crate::style::{Ink, Style};
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use weftwork::model::{Entity, Node, Part, SpaceId};
use weftwork_store::Store;
use weftwork_store::runs::{Page, Woken};

/// A message, whether it is new, and what it did.
struct Line {
    node: Node,
    is_new: bool,
    woken: Vec<Woken>,
}

/// Shows what was said.
pub(super) fn read(args: &ReadArgs) -> Result<Outcome> {
    let store = if args.mark_read { args.list.db.change()? } else { args.list.db.read()? };
    let space = find_space(&store, &args.space)?;
    let reader = member(&store, &space, args.who.as_deref())?;
    let before = args.before.as_deref().map(|wanted| find(&store, &space, wanted)).transpose()?;
    let page = store.page(&space, &reader.id, before.as_ref(), args.limit)?;
    let page = page.ok_or_else(|| anyhow!("{} does not belong to {space}", reader.name))?;
    let unread = store.unread(&space, &reader.id)?;
    let lines = lines(&store, &space, &reader, &page)?;
    let people = People::of(&store)?;
    if args.list.json {
        let record = json!({"space": space, "name": page.space.space.name, "reader": reader.id, "unread": unread,
            "earlier": page.earlier, "messages": lines.iter().map(|line| line.record(&people)).collect::<Vec<_>>()});
        output::line(&serde_json::to_vec(&record)?)?;
    } else if lines.is_empty() {
        output::say(&format!("Nothing was said here yet. Begin: weft spaces post {space} \"Hello\"\n"));
    } else {
        output::data(picture(&page, &reader, unread, &lines, &people).as_bytes())?;
    }
    if let (true, Some(last)) = (args.mark_read, lines.last()) {
        store.read_up_to(&space, &reader.id, &last.node.id)?;
    }
    Ok(Outcome::Ok)
}

fn lines(store: &Store, space: &SpaceId, reader: &Entity, page: &Page) -> Result<Vec<Line>> {
    let line = |(seq, node): &(weftwork_store::Seq, Node)| {
        let is_new = *seq > page.cursor && node.author != reader.id;
        let mut node = node.clone();
        // Why a message was sent is told to those who could have read it there.
        let told = match node.origin.as_ref().and_then(|origin| origin.space.as_ref()) {
            Some(from) => store.is_member(from, &reader.id).unwrap_or(false),
            None => true,
        };
        node.origin = node.origin.filter(|_| told);
        Ok(Line { is_new, woken: store.woken(space, &node.id)?, node })
    };
    page.messages.iter().map(line).collect()
}

impl Line {
    fn record(&self, people: &People) -> Value {
        let Node { id, author, created_at, parts, reply_to, origin, .. } = &self.node;
        let text: Vec<&str> =
            parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None }).collect();
        json!({"id": id, "author": author, "name": people.name(author), "at": created_at, "text": text.join("\n"),
            "replyTo": reply_to, "origin": origin, "new": self.is_new,
            "woken": self.woken.iter().map(woken_record).collect::<Vec<_>>()})
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
        refusals(&self.woken, people).for_each(|line| text += &style.paint(Ink::Notice, &format!("    {line}\n")));
        text
    }
}

fn picture(page: &Page, reader: &Entity, unread: u64, lines: &[Line], people: &People) -> String {
    let style = Style::stdout();
    let space = &page.space.space;
    let name = plain(if space.name.is_empty() { space.id.as_str() } else { &space.name });
    let news = format!("{} for {}", many(unread, "unread message"), plain(&reader.name));
    let mut text = format!("{} · {} · {news}\n", style.paint(Ink::Strong, &name), plain(space.id.as_str()));
    if let (true, Some(first)) = (page.earlier, lines.first()) {
        text += &style.paint(Ink::Faint, &format!("  … earlier: --before {}\n", short(&first.node.id)));
    }
    for line in lines {
        text.push('\n');
        text += &line.picture(people, style);
    }
    text
}
