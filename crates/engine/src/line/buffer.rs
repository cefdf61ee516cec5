//! The buffer form in the line: node texts one after the other, with nothing between, then the working text.

use super::brief::Brief;
use super::fit::{Fate, Fitted, Room};
use super::read::Reading;
use super::repair::{Atom, Repaired, Said};
use super::side::Side;
use crate::ask::{Form, Strategy};
use crate::model::Part;
use crate::prompt::{Message, Piece, Role};
use crate::report::Reason;
use smallvec::smallvec;
use std::borrow::Cow;

/// The end of a node that did not fit as a whole.
pub(crate) struct Remainder {
    /// The atom it is the end of.
    pub(crate) atom: usize,
    /// The byte it begins at.
    pub(crate) from: usize,
    /// What it costs, raw.
    pub(crate) raw: u64,
}

/// Each node as an atom of its text.
pub(crate) fn atoms<'h>(reading: &Reading, brief: &Brief<'h>) -> Repaired<'h> {
    let mut repaired = Repaired { atoms: Vec::new(), repairs: Vec::new(), silent: Vec::new(), repeats: false };
    for &node in reading.front.iter().chain(&reading.kept).chain(&reading.tail) {
        let text = text(brief, node);
        if text.is_empty() {
            repaired.silent.push((node, Reason::Empty));
            continue;
        }
        let raw = brief.meter.raw(&text);
        let message = Message { role: Role::User, pieces: Piece::text(text).into(), mark: false };
        let fixed = brief.history.at(node).pinned.then_some(Reason::Pinned);
        let said = smallvec![Said { message, nodes: smallvec![node] }];
        repaired.atoms.push(Atom { nodes: smallvec![node], side: Side::User, said, raw, fixed });
    }
    repaired
}

/// Whether a node holds no text.
pub(crate) fn is_silent(brief: &Brief<'_>, node: u32) -> bool {
    text(brief, node).is_empty()
}

/// Texts are joined as they are, blank ones too: in a document every character counts.
pub(crate) fn text<'h>(brief: &Brief<'h>, node: u32) -> Cow<'h, str> {
    let mut texts = brief.history.at(node).parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.text.as_str()),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    });
    let Some(first) = texts.next() else { return Cow::Borrowed("") };
    texts.fold(Cow::Borrowed(first), |all, next| all + next)
}

/// What still fits of the node before the first kept one, cut at a character.
pub(crate) fn remainder(brief: &Brief<'_>, atoms: &[Atom<'_>], fitted: &Fitted, room: Room) -> Option<Remainder> {
    let rolls = matches!(brief.policy.strategy, Strategy::RollingWindow | Strategy::StickyWindow);
    // A cut that is held stays between nodes: a cut at a character would move with every word.
    if brief.form != Form::Buffer || !rolls || !fitted.cut || brief.holds() {
        return None;
    }
    let cut = fitted.fates.iter().rposition(|fate| matches!(fate, Fate::Dropped(_)))?;
    let kept: u64 =
        atoms.iter().zip(&fitted.fates).filter(|(_, fate)| matches!(fate, Fate::Kept(_))).map(|(atom, _)| atom.raw).sum();
    let left = room.raw.saturating_sub(room.marker).saturating_sub(kept);
    let text = atom_text(&atoms[cut]);
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = starts.partition_point(|&at| brief.meter.raw(&text[at..]) > left);
    let from = *starts.get(at)?;
    Some(Remainder { atom: cut, from, raw: brief.meter.raw(&text[from..]) })
}

/// The text of a buffer's atom.
pub(crate) fn atom_text<'a>(atom: &'a Atom<'_>) -> &'a str {
    match atom.said.first().and_then(|said| said.message.pieces.first()) {
        Some(Piece::Text(text)) => &text.text,
        Some(Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_) | Piece::Image(_) | Piece::File(_)) | None => "",
    }
}
