//! Commands that only look.

use super::command::COMMANDS;
use super::screen::Screen;
use super::session::{Place, Session};
use super::status::{ring, short};
use super::tree::{InStore, Tree, draw};
use crate::explain::explain;
use crate::keep;
use crate::number::{grouped, many};
use crate::preview::{message, plain};
use crate::style::Ink;
use crate::table::{Align, Table};
use anyhow::{Result, anyhow};
use weftwork::model::Purpose;
use weftwork_store::CallsOf;

/// Models that a list names.
const MOST_MODELS: usize = 60;

impl Session {
    /// What would be sent now, and why.
    pub(super) fn context(&mut self, input: Option<&str>) -> Result<()> {
        let chat = self.chat()?;
        let (history, assembly) = self.wait(chat.preview(input, &self.how))?;
        self.screen.data(&explain(&history, &assembly.report, self.screen.style()))
    }

    pub(super) fn tree(&mut self) -> Result<()> {
        let Place::In(chat) = &self.place else { return self.screen.note("nothing was said yet") };
        let chat = chat.clone();
        let head = self.wait(chat.head())?;
        let store = chat.gateway().store();
        let tree = Tree::gather(&InStore { store, space: chat.space() }, head.as_ref())?;
        if tree.rows.is_empty() {
            return self.screen.note("nothing was said yet");
        }
        self.shown = tree.rows.iter().map(|row| row.node.id.clone()).collect();
        self.lines.know(&self.shown);
        let header = store.header(chat.space())?;
        self.screen.data(&draw(&tree, &header.entities, self.screen.style()))
    }

    pub(super) fn cost(&mut self) -> Result<()> {
        let Place::In(chat) = &self.place else { return self.screen.note("nothing was asked yet: no tokens, no money") };
        let chat = chat.clone();
        let figures = self.wait(chat.figures())?;
        let mut text = keep::usage_of(chat.gateway().store(), chat.space())?;
        text += &format!("\nwindow          {}\n", ring(&figures));
        if let Some(next) = figures.next {
            text += &format!("next request    about {} before you say more\n", many(next, "token"));
        }
        self.screen.data(&text)
    }

    /// Which models there are; the one in use has a sign.
    pub(super) fn models(&mut self) -> Result<()> {
        let mut in_use = self.model_name()?;
        let providers = self.gateway.providers().clone();
        // Names are whole in the list, and may be bare in use.
        in_use = providers.resolve(&in_use).map_or(in_use, |target| target.model.name);
        // Servers are asked again: somebody may have pulled a model meanwhile.
        let found = self.runtime.block_on(providers.discover());
        let mut table = Table::of_ids(&[Align::Left, Align::Right, Align::Left]);
        let models = providers.models();
        for model in models.iter().take(MOST_MODELS) {
            let (sign, ink) = if model.name == in_use { ("●", Ink::Strong) } else { (" ", Ink::Plain) };
            let window = model.context_length.map_or_else(String::new, short);
            let price = model
                .prices
                .map_or_else(String::new, |price| format!("${} in, ${} out for a million tokens", price.input, price.output));
            table.row(ink, [format!("{sign} {}", plain(&model.name)), window, price]);
        }
        let mut text = table.show(self.screen.style());
        if models.len() > MOST_MODELS {
            text += &format!("  … and {} more: Tab completes their names\n", grouped((models.len() - MOST_MODELS) as u64));
        }
        for silent in found.iter().filter(|found| found.models.is_err() && found.provider != "ollama") {
            text += &format!("  {} does not say which it has\n", plain(&silent.provider));
        }
        self.screen.data(&text)
    }

    /// The last request and its response.
    pub(super) fn raw(&mut self) -> Result<()> {
        let nothing = || anyhow!("no model was asked yet");
        let Place::In(chat) = &self.place else { return Err(nothing()) };
        let (store, space) = (chat.gateway().store(), chat.space());
        // A title is made beside the conversation, and nobody asked for it.
        let mut calls = store.calls(CallsOf::Space(space))?.into_iter().filter(|call| call.purpose != Purpose::Title);
        let call = calls.next_back().ok_or_else(nothing)?;
        let exchange = store.exchange(space, &call.id)?;
        exchanged(self.screen, exchange.request, exchange.response)
    }
}

/// The commands and the keys.
pub(super) fn help(screen: Screen) -> Result<()> {
    let mut table = Table::new(&[Align::Left, Align::Left]);
    for listed in COMMANDS {
        table.row(Ink::Plain, [format!("/{} {}", listed.name, listed.takes).trim_end().to_owned(), listed.does.to_owned()]);
    }
    let keys = "Enter sends. Alt-Enter, a backslash at the end of a line, or pasting keeps line breaks. Ctrl-C stops a reply, \
        Ctrl-R searches what you typed, Tab completes. A message that begins with // sends one slash.";
    screen.data(&format!("{}\n", table.show(screen.style())))?;
    screen.note(keys)
}

/// A request and its response, byte for byte but for what steers terminals.
pub(super) fn exchanged(screen: Screen, request: Option<Vec<u8>>, response: Option<Vec<u8>>) -> Result<()> {
    let mut text = String::new();
    for (heading, bytes) in [("request", request), ("response", response)] {
        let body = bytes.map_or_else(|| "(none)".to_owned(), |bytes| pretty(&bytes));
        text += &format!("{}\n{}\n", screen.style().paint(Ink::Strong, heading), message(body.trim_end()));
    }
    screen.data(&text)
}

/// JSON on many lines; anything else as it is.
fn pretty(bytes: &[u8]) -> String {
    let value = serde_json::from_slice::<serde_json::Value>(bytes).ok();
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    pretty.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
}
