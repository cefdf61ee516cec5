//! `weft spaces show`: one space, who belongs to it and how it branches.

use super::args::ShowArgs;
use super::mirror::Mirror;
use super::when::minute;
use crate::exit::Outcome;
use crate::number::{grouped, many};
use crate::output;
use crate::preview::{self, plain};
use crate::remote::Place;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use weftwork::model::{Conversation, Edge, EntityId, Node};
use weftwork_store::Store;

/// Branches that a table lists at most.
const LISTED: usize = 20;

/// From a root to a node that nothing continues.
struct Branch<'f> {
    tip: &'f Node,
    nodes: u64,
}

/// A member, and how much they have not read.
struct Reader<'f> {
    id: &'f EntityId,
    role: Option<&'f str>,
    unread: u64,
}

/// Shows a space.
pub(super) fn show(args: &ShowArgs) -> Result<Outcome> {
    let place = args.list.place.read()?;
    let file = place.export(&place.find_space(&args.space)?)?;
    let readers = match &place {
        Place::Here(store) => readers(store, &file)?,
        // A server tells of nobody else's reading but how far they are.
        Place::There(_) => readers(Mirror::of(&file)?.store(), &file)?,
    };
    let branches = branches(&file);
    if args.list.json {
        output::line(&serde_json::to_vec(&record(&file, &readers, &branches))?)?;
    } else {
        output::data(picture(&file, &readers, &branches, Style::stdout()).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

fn readers<'f>(store: &Store, file: &'f Conversation) -> Result<Vec<Reader<'f>>> {
    let reader = |member: &'f weftwork::model::Member| {
        let unread = store.unread(&file.space.id, &member.entity)?;
        Ok(Reader { id: &member.entity, role: member.role.as_deref(), unread })
    };
    file.members.iter().map(reader).collect()
}

/// The branches, newest first. Remarks continue nothing.
fn branches(file: &Conversation) -> Vec<Branch<'_>> {
    let spoken = || file.nodes.iter().filter(|node| node.edge == Edge::Continuation);
    let continued: HashSet<&str> = spoken().filter_map(|node| Some(node.parent.as_ref()?.as_str())).collect();
    let mut depths: HashMap<&str, u64> = HashMap::new();
    for node in &file.nodes {
        let above = node.parent.as_ref().and_then(|parent| depths.get(parent.as_str()));
        let depth = above.map_or(1, |above| above + 1);
        depths.insert(node.id.as_str(), depth);
    }
    let tips = spoken().filter(|node| !continued.contains(node.id.as_str())).rev();
    tips.map(|tip| Branch { tip, nodes: depths.get(tip.id.as_str()).copied().unwrap_or(1) }).collect()
}

fn record(file: &Conversation, readers: &[Reader<'_>], branches: &[Branch<'_>]) -> Value {
    let member = |reader: &Reader<'_>| {
        let entity = file.entities.iter().find(|entity| entity.id == *reader.id);
        json!({"id": reader.id, "name": entity.map(|entity| &entity.name), "type": entity.map(|entity| entity.kind.word()),
            "role": reader.role, "cursor": file.cursors.get(reader.id), "unread": reader.unread,
            "head": file.heads.get(reader.id)})
    };
    let branch = |branch: &Branch<'_>| json!({"tip": branch.tip.id, "nodes": branch.nodes, "last": branch.tip.created_at});
    json!({"id": file.space.id, "name": file.space.name, "nodes": file.nodes.len(), "calls": file.calls.len(),
        "head": file.head, "members": readers.iter().map(member).collect::<Vec<_>>(),
        "branches": branches.iter().map(branch).collect::<Vec<_>>()})
}

fn picture(file: &Conversation, readers: &[Reader<'_>], branches: &[Branch<'_>], style: Style) -> String {
    let name = if file.space.name.is_empty() { file.space.id.as_str() } else { &file.space.name };
    let counts =
        [many(file.nodes.len() as u64, "node"), many(branches.len() as u64, "tip"), many(file.calls.len() as u64, "call")];
    let headline = style.paint(Ink::Strong, &plain(name));
    let mut text = format!("{headline} · {} · {}\n\n", plain(file.space.id.as_str()), counts.join(" · "));
    text += &members(file, readers).show(style);
    text.push('\n');
    text += &tips(file, branches).show(style);
    if branches.len() > LISTED {
        text += &format!("  … and {} more\n", branches.len() - LISTED);
    }
    text
}

fn members(file: &Conversation, readers: &[Reader<'_>]) -> Table {
    let mut table = Table::of_ids(&[Align::Left, Align::Left, Align::Left, Align::Left, Align::Right, Align::Left]);
    table.row(Ink::Faint, ["member", "type", "role", "has read", "unread", "name"].map(str::to_owned));
    for reader in readers {
        let entity = file.entities.iter().find(|entity| entity.id == *reader.id);
        let cells = [
            plain(reader.id.as_str()),
            entity.map_or(String::new(), |entity| entity.kind.word().to_owned()),
            plain(reader.role.unwrap_or_default()),
            file.cursors.get(reader.id).map_or("-".to_owned(), |node| plain(node.as_str())),
            grouped(reader.unread),
            entity.map_or(String::new(), |entity| plain(&entity.name)),
        ];
        table.row(Ink::Plain, cells);
    }
    table
}

/// A row for each branch; its heads are those who look at it.
fn tips(file: &Conversation, branches: &[Branch<'_>]) -> Table {
    let mut table = Table::of_ids(&[Align::Left, Align::Right, Align::Left, Align::Left, Align::Left]);
    table.row(Ink::Faint, ["tip", "nodes", "last message", "head of", "text"].map(str::to_owned));
    for Branch { tip, nodes } in branches.iter().take(LISTED) {
        let all = (file.head.as_ref() == Some(&tip.id)).then(|| "all".to_owned());
        let own = file.heads.iter().filter(|(_, head)| **head == tip.id).map(|(viewer, _)| plain(viewer.as_str()));
        let heads: Vec<String> = all.into_iter().chain(own).collect();
        let last = minute(tip.created_at.as_ref());
        table.row(Ink::Plain, [plain(tip.id.as_str()), grouped(*nodes), last, heads.join(", "), preview::node(tip)]);
    }
    table
}
