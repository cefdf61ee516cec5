//! What loom-aware agents are shown of the tree they stand in.

use super::brief::Brief;
use crate::model::Loom;
use crate::prompt::{Block, Section, Stability};
use crate::timeline::Encoded;
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
        0 => {}
        1 => line += " · 1 continuation",
        n => line += &format!(" · {n} continuations"),
    }
    Some(line + "]")
}

/// The addendum and the operational memory: they follow the prompt.
pub(crate) fn blocks<'h>(brief: &Brief<'h>) -> Vec<Block<'h>> {
    let Some(loom) = loom(brief) else { return Vec::new() };
    let mut blocks = Vec::new();
    if !loom.addendum.is_empty() {
        let text = Cow::Borrowed(loom.addendum.as_str());
        blocks.push(Block { section: Section::Addendum, text, stability: Stability::Stable, mark: false });
    }
    if !loom.memory.is_empty() {
        let text = Cow::Owned(list("OPERATIONAL MEMORY:", &loom.memory));
        blocks.push(Block { section: Section::LoomMemory, text, stability: Stability::Volatile, mark: false });
    }
    blocks
}

/// Where in the tree the conversation stands: the last thing before the input.
pub(crate) fn position(brief: &Brief<'_>) -> Option<String> {
    let lines = &loom(brief)?.position;
    (!lines.is_empty()).then(|| list("TREE POSITION:", lines))
}

fn list(heading: &str, lines: &[String]) -> String {
    lines.iter().fold(heading.to_owned(), |text, line| format!("{text}\n  - {}", Encoded::line(line)))
}
