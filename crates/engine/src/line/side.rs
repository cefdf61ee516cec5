//! On which side of the conversation a node stands, seen by the viewer. Decided here and nowhere else.

use super::brief::Brief;
use crate::history::History;
use crate::model::{EntityKind, ImportedRole};
use crate::prompt::Role;

/// A side of the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Everyone but the viewer.
    User,
    /// The viewer.
    Assistant,
    /// An imported system message.
    System,
}

impl Side {
    /// Whether a turn may begin here.
    pub(crate) fn asks(self) -> bool {
        match self {
            Side::User | Side::System => true,
            Side::Assistant => false,
        }
    }

    pub(crate) fn role(self) -> Role {
        match self {
            Side::User => Role::User,
            Side::Assistant => Role::Assistant,
            Side::System => Role::System,
        }
    }
}

/// The side of a node: own is assistant, all others are user; with no viewer, agents are assistant.
pub(crate) fn side(brief: &Brief<'_>, index: u32) -> Side {
    let link = brief.history.place(index);
    if link.plain_voice {
        return whose(brief, link.author);
    }
    let node = brief.history.at(index);
    if node.role == Some(ImportedRole::System) {
        return Side::System;
    }
    let author = voice(brief.history, index);
    match (brief.viewer, node.role) {
        (Some(viewer), Some(ImportedRole::Assistant) | None) if author == viewer => Side::Assistant,
        (Some(_), _) => Side::User,
        (None, Some(ImportedRole::Assistant)) => Side::Assistant,
        (None, Some(ImportedRole::User | ImportedRole::System)) => Side::User,
        (None, None) => whose(brief, author),
    }
}

/// The side of an entity.
fn whose(brief: &Brief<'_>, author: u32) -> Side {
    let own = match brief.viewer {
        Some(viewer) => viewer == author,
        None => brief.history.entity_at(author).kind == EntityKind::Agent,
    };
    if own { Side::Assistant } else { Side::User }
}

/// Whose voice a node has: an edit keeps the voice of what it edits, whoever made it.
pub(crate) fn voice(history: &History, index: u32) -> u32 {
    if history.place(index).plain_voice {
        return history.place(index).author;
    }
    const MOST_EDITS: usize = 1000;
    let edits = std::iter::successors(Some(index), |&node| history.find(history.at(node).edited_from.as_ref()?.as_str()));
    history.place(edits.take(MOST_EDITS).last().unwrap_or(index)).author
}
