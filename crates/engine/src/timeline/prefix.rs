//! Who speaks, where history is rendered as messages: `[Husam (human)] Hello`.
//!
//! Invariant: in text that passed [`escape_imitations`] no line begins like a prefix, or like another label that the engine
//! puts at the beginning of a line; and the escape can be undone.

use super::encode::{Encoded, is_blank};
use super::message::SUMMARY_LABEL;
use crate::model::EntityKind;
use std::borrow::Cow;

/// What stands before the text of somebody else.
pub fn sender_prefix(name: &str, kind: EntityKind) -> String {
    format!("[{} ({})] ", Encoded::name(name), kind.word())
}

/// Puts a backslash before the bracket of each line that imitates a prefix or a label of the engine.
///
/// Blanks, invisible characters and backslashes before the bracket do not hide it, so a line that was escaped already
/// gets one more.
pub fn escape_imitations(text: &str) -> Cow<'_, str> {
    rewrite(text, |line, bracket| Some((&line[..bracket], "\\")))
}

/// Undoes [`escape_imitations`].
pub fn unescape_imitations(text: &str) -> Cow<'_, str> {
    rewrite(text, |line, bracket| line[..bracket].strip_suffix('\\').map(|before| (before, "")))
}

/// The heading of a loom-aware agent's operational memory.
pub const LOOM_MEMORY: &str = "OPERATIONAL MEMORY:";
/// The heading over where in its tree a loom-aware agent stands.
pub const TREE_POSITION: &str = "TREE POSITION:";

/// What parts the facts of a node's line, and what looks like it.
const DOTS: [char; 7] = ['·', '•', '‧', '∙', '⋅', '・', '･'];

/// Puts a backslash before each line that imitates what a loom-aware agent is shown: a node's line of facts
/// (`[k3m · Husam (human)]`), or a heading of what the engine tells it.
pub fn escape_loom(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut copied, mut start) = (0, 0);
    for line in text.split_inclusive(breaks_line) {
        let rest = line.trim_start_matches(|c| c == '\\' || is_blank(c));
        let before = line.len() - rest.len();
        if !rest.is_empty() && imitates_loom(&text[start + before..]) {
            out.push_str(&text[copied..start + before]);
            out.push('\\');
            copied = start + before;
        }
        start += line.len();
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn imitates_loom(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or_default();
    let begins = |heading: &str| line.get(..heading.len()).is_some_and(|start| start.eq_ignore_ascii_case(heading));
    (line.starts_with('[') && line.contains(DOTS)) || begins(LOOM_MEMORY) || begins(TREE_POSITION)
}

/// Replaces what stands before the bracket of each imitating line by the two texts that `change` gives.
///
/// Readers do not agree on what breaks a line, so a label may begin after any break but end only before a newline.
fn rewrite<'t>(text: &'t str, change: impl Fn(&'t str, usize) -> Option<(&'t str, &'static str)>) -> Cow<'t, str> {
    let mut out = String::new();
    let (mut copied, mut start) = (0, 0);
    for whole in text.split_inclusive('\n') {
        let named = last_kind(whole).map(|end| start + end);
        for line in whole.split_inclusive(breaks_line) {
            if let Some(bracket) = bracket(line)
                && (named.is_some_and(|end| start + bracket < end) || is_label(&text[start + bracket..]))
                && let Some((before, added)) = change(line, bracket)
            {
                out.push_str(&text[copied..start]);
                out.push_str(before);
                out.push_str(added);
                copied = start + bracket;
            }
            start += line.len();
        }
    }
    if copied == 0 && out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Where the bracket stands that `line` begins with.
fn bracket(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches(|c| c == '\\' || is_blank(c));
    rest.starts_with('[').then(|| line.len() - rest.len())
}

/// Whether `text` begins with a label that the engine writes where nobody speaks.
fn is_label(text: &str) -> bool {
    text.starts_with("[…") || text.starts_with(SUMMARY_LABEL)
}

/// Where the last `(human)]` or its like ends in `line`, in any case and with any blanks.
fn last_kind(line: &str) -> Option<usize> {
    line.rmatch_indices(']').map(|(end, _)| end).find(|&end| {
        let Some(before) = line[..end].trim_end_matches(is_blank).strip_suffix(')') else { return false };
        let before = before.trim_end_matches(is_blank);
        [EntityKind::Human, EntityKind::Agent, EntityKind::Service].into_iter().any(|kind| {
            let at = before.len().checked_sub(kind.word().len());
            let Some((head, word)) = at.and_then(|at| before.split_at_checked(at)) else { return false };
            word.eq_ignore_ascii_case(kind.word()) && head.trim_end_matches(is_blank).ends_with('(')
        })
    })
}

/// Whether a line ends with `c` for some reader.
fn breaks_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
