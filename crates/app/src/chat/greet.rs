//! The first lines: where we are, who answers, what was said last.

use super::screen::{Screen, Shown, safe};
use super::session::{Place, Session};
use super::status::short;
use super::talk::text_of;
use super::tree::{InStore, path};
use crate::preview::{self, plain};
use crate::style::Ink;
use anyhow::Result;
use weftwork::model::{EntityId, Kind, Node, Part, Status};
use weftwork_gateway::Chat;

/// Lines of one message that are shown again.
const LINES: usize = 12;
/// Messages that are shown again when a chat is opened.
pub(super) const RECALLED: usize = 6;
/// Nodes that are looked at for them; those of tools come between.
pub(super) const LOOKED_AT: usize = 100;

impl Session {
    /// One line about where we are, and the last messages.
    pub(crate) fn greet(&mut self) -> Result<()> {
        if !self.screen.is_terminal() {
            return Ok(());
        }
        let model = self.model_name()?;
        let target = self.gateway.providers().resolve(&model).ok();
        let window = target.and_then(|target| target.model.context_length);
        let name = match &self.place {
            Place::New(_) => "new chat".to_owned(),
            Place::In(chat) => self.name(chat)?,
        };
        headline(self.screen, &model, window, &name)?;
        self.recall(RECALLED)
    }

    fn name(&self, chat: &Chat) -> Result<String> {
        let header = chat.gateway().store().header(chat.space())?;
        let name = if header.space.name.is_empty() { header.space.id.as_str() } else { &header.space.name };
        Ok(name.to_owned())
    }

    /// Shows the last messages of the path again.
    pub(super) fn recall(&mut self, most: usize) -> Result<()> {
        let Place::In(chat) = &self.place else { return Ok(()) };
        let chat = chat.clone();
        let head = self.wait(chat.head())?;
        let path = path(&InStore { store: chat.gateway().store(), space: chat.space() }, head.as_ref(), LOOKED_AT)?;
        say_again(self.screen, &path, chat.person(), most)
    }
}

/// The first line: who answers, with which window, and where.
pub(super) fn headline(screen: Screen, model: &str, window: Option<u64>, name: &str) -> Result<()> {
    let window = window.map(|tokens| format!("{} window", short(tokens)));
    let words: Vec<String> = [Some(plain(model)), window, Some(plain(name))].into_iter().flatten().collect();
    screen.data(&format!("{} · {} · /help\n", screen.style().paint(Ink::Strong, "weft"), words.join(" · ")))
}

/// The last messages of a path, as somebody sees them who said some of them.
pub(super) fn say_again(screen: Screen, path: &[Node], person: &EntityId, most: usize) -> Result<()> {
    let spoken: Vec<&Node> = path.iter().filter(|node| is_spoken(node)).collect();
    let skipped = spoken.len().saturating_sub(most);
    if skipped > 0 || path.first().is_some_and(|node| node.parent.is_some()) {
        screen.note("… /tree shows what was said before")?;
    }
    spoken[skipped..].iter().try_for_each(|node| screen.show(&again(screen, node, person)))
}

/// A message as it was, shortened: of the person as it was typed, of the model as it was drawn.
fn again(screen: Screen, node: &Node, person: &EntityId) -> Vec<Shown> {
    let text = text_of(&node.parts);
    let mut voice = screen.voice();
    let (sign, said) = match node.author == *person {
        true => (screen.style().paint(Ink::Faint, "› "), safe(&text)),
        false => (String::new(), voice.push(&text) + &voice.finish()),
    };
    let said = if said.is_empty() { preview::node(node) } else { said };
    let mut lines: Vec<String> = said.lines().take(LINES).map(|line| format!("{sign}{line}\n")).collect();
    if said.lines().count() > LINES {
        lines.push("…\n".to_owned());
    }
    lines.extend(broken(node).map(|why| screen.inked(Ink::Notice, &why)));
    vec![Shown::Said(lines.concat())]
}

/// Why a message is not whole; nothing if it is.
fn broken(node: &Node) -> Option<String> {
    match (node.status, &node.error) {
        (Status::Sent, _) => None,
        (Status::Pending, _) => Some("[being written]".to_owned()),
        (Status::Error, None) => Some("[stopped]".to_owned()),
        (Status::Error, Some(why)) => Some(format!("[broke off: {}]", plain(why))),
    }
}

/// Whether a node is something that was said, and not only the answer of a tool.
fn is_spoken(node: &Node) -> bool {
    let only_results = node.parts.iter().all(|part| matches!(part, Part::ToolResult(_)));
    node.kind == Kind::Message && (!only_results || node.status == Status::Error)
}
