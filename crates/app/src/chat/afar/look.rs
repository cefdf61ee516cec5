//! Commands that only look.

use super::source::Outline;
use super::{Afar, Place};
use crate::chat::status::{ring, short};
use crate::chat::tree::{Tree, draw};
use crate::chat::view::exchanged;
use crate::explain::bar;
use crate::keep;
use crate::number::{grouped, many};
use crate::preview::plain;
use crate::remote::Weight;
use crate::style::Ink;
use crate::table::{Align, Table};
use anyhow::{Result, anyhow};
use std::collections::HashMap;
use weftwork::model::{Node, NodeId};

impl Afar {
    pub(super) fn tree(&mut self) -> Result<()> {
        let Place::In(room) = &self.place else { return self.screen.note("nothing was said yet") };
        let head = self.server.head(&room.space)?;
        let tree = Tree::gather(&Outline::of(&self.server, &room.space)?, head.as_ref())?;
        if tree.rows.is_empty() {
            return self.screen.note("nothing was said yet");
        }
        self.shown = tree.rows.iter().map(|row| row.node.id.clone()).collect();
        self.lines.know(&self.shown);
        self.screen.data(&draw(&tree, &room.members, self.screen.style()))
    }

    /// What would be sent now: where the window goes, and what becomes of each node.
    pub(super) fn context(&mut self, input: Option<&str>) -> Result<()> {
        let space = self.there()?;
        let assembled = self.server.assembled(&space, input, &self.how)?;
        let nodes: HashMap<NodeId, Node> = self.server.outline(&space)?.into_iter().map(|node| (node.id.clone(), node)).collect();
        let style = self.screen.style();
        let mut table = Table::of_ids(&[Align::Left, Align::Right, Align::Left, Align::Left]);
        for item in &assembled.report.items {
            let ink = if item.decision == "included" { Ink::Plain } else { Ink::Faint };
            table.row(ink, [plain(&item.decision), grouped(item.tokens), plain(&item.reason), words(item, &nodes)]);
        }
        let heading = style.paint(Ink::Strong, &plain(&assembled.model));
        self.screen.data(&format!("{heading}\n\n{}\n{}", bar(&assembled.report.budget, style), table.show(style)))
    }

    pub(super) fn cost(&mut self) -> Result<()> {
        let Place::In(room) = &self.place else { return self.screen.note("nothing was asked yet: no tokens, no money") };
        let figures = self.server.figures(&room.space)?;
        let mut text = keep::usage_at(&self.server, &room.space)?;
        text += &format!("\nwindow          {}\n", ring(&figures));
        if let Some(next) = figures.next {
            text += &format!("next request    about {} before you say more\n", many(next, "token"));
        }
        self.screen.data(&text)
    }

    /// Which models there are; the one in use has a sign.
    pub(super) fn models(&mut self) -> Result<()> {
        let in_use = match &self.place {
            Place::New { model, .. } => model.clone(),
            Place::In(room) => room.agent.as_ref().and_then(|agent| agent.model.clone()),
        };
        let mut table = Table::of_ids(&[Align::Left, Align::Right]);
        for model in self.server.models()? {
            let (sign, ink) =
                if in_use.as_ref().is_some_and(|name| model.is(name)) { ("●", Ink::Strong) } else { (" ", Ink::Plain) };
            let window = model.context_length.map_or_else(String::new, short);
            table.row(ink, [format!("{sign} {}", plain(&model.id)), window]);
        }
        self.screen.data(&table.show(self.screen.style()))
    }

    /// The last request and its response.
    pub(super) fn raw(&mut self) -> Result<()> {
        let nothing = || anyhow!("no model was asked yet");
        let Place::In(room) = &self.place else { return Err(nothing()) };
        let [request, response] = self.server.exchanged(&room.space)?.ok_or_else(nothing)?;
        exchanged(self.screen, request, response)
    }
}

/// The first words of what an item is about.
fn words(item: &Weight, nodes: &HashMap<NodeId, Node>) -> String {
    let first = item.node.as_ref().or(item.from.as_ref()).and_then(|id| nodes.get(id));
    let words = first.map_or_else(String::new, crate::preview::node);
    match item.nodes {
        Some(count) => format!("{} from {words}", many(count, "node")),
        None => words,
    }
}
