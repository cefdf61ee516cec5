//! What loom-aware agents are shown of the tree they stand in.

use super::brief::Brief;
use crate::model::Loom;
use crate::prompt::{Block, Piece, Pieces, Section, Stability};
use crate::timeline::{Encoded, LOOM_MEMORY, TREE_POSITION, escape_loom};
use std::borrow::Cow;

fn loom<'h>(brief: &Brief<'h>) -> Option<&'h Loom> {
    brief.history.file().loom.as_ref()
}

/// A line about one node, before what it says.
#[inline]
pub(crate) fn metadata(brief: &Brief<'_>, index: u32) -> Option<String> {
    line(brief, loom(brief)?, index)
}

fn line(brief: &Brief<'_>, loom: &Loom, index: u32) -> Option<String> {
    let node = brief.history.at(index);
    let known = loom.nodes.get(&node.id)?;
    let author = brief.history.author(index);
    let mut line = format!("[{} · {} ({})", Encoded::name(&known.local_id), Encoded::name(&author.name), author.kind.word());
    if let Some(time) = &node.created_at {
        line += &format!(" · {}", time.utc());
    }
    if known.siblings > 1 {
        line += &format!(" · {} siblings", known.siblings);
    }
    match known.children {
        // One continuation is what follows. Said, it would change the text of every node as soon as it is answered, and what
        // a provider has cached of it would be worth nothing.
        0 | 1 => {}
        n => line += &format!(" · {n} continuations"),
    }
    Some(line + "]")
}

/// Puts the line before what a node says, and takes from its text whatever could be read as such a line. Nothing is put where
/// only tools speak: text may stand neither before a result nor before the thinking that led to a call.
pub(crate) fn put(line: &str, pieces: &mut Pieces<'_>) {
    let mut said = false;
    for piece in pieces.iter_mut() {
        if let Piece::Text(text) = piece {
            let safe = escape_loom(&text.text);
            text.text = Cow::Owned(if said { safe.into_owned() } else { format!("{line}\n{safe}") });
            said = true;
        }
    }
    let is_media = |piece: &Piece<'_>| matches!(piece, Piece::Image(_) | Piece::File(_));
    if !said && !pieces.is_empty() && pieces.iter().all(is_media) {
        pieces.insert(0, Piece::text(line.to_owned()));
    }
}

/// What is added to the prompt.
pub(crate) fn addendum<'h>(brief: &Brief<'h>) -> Option<Block<'h>> {
    let text = loom(brief)?.addendum.as_str();
    let block = Block { section: Section::Addendum, text: Cow::Borrowed(text), stability: Stability::Stable, mark: false };
    (!text.is_empty()).then_some(block)
}

/// The operational memory, and where in the tree the conversation stands: the last thing before the input. Both change with
/// every act; before the conversation they would take the provider's cache from all that follows them.
pub(crate) fn position(brief: &Brief<'_>) -> Option<String> {
    let loom = loom(brief)?;
    let told = [(LOOM_MEMORY, &loom.memory), (TREE_POSITION, &loom.position)].into_iter().filter(|(_, lines)| !lines.is_empty());
    let told: Vec<String> = told.map(|(heading, lines)| list(heading, lines)).collect();
    (!told.is_empty()).then(|| told.join("\n\n"))
}

fn list(heading: &str, lines: &[String]) -> String {
    lines.iter().fold(heading.to_owned(), |text, line| format!("{text}\n  - {}", Encoded::line(line)))
}
