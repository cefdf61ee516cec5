//! **merge**: neighbours of one role into one message, where the dialect wants alternation.
//!
//! Order is kept. Texts are joined by a blank line; two senders are never joined without their prefix, which `convert`
//! has put there.

use super::brief::Brief;
use super::convert::cost;
use super::repair::Said;
use crate::dialect::{Closing, Dialect, JOINT, Opening};
use crate::prompt::{Message, Piece, Role};
use crate::report::{Repair, RepairKind};

/// What stands before a conversation that does not begin with the user.
const OPENER: &str = "(conversation begins)";

/// What stands behind a conversation that does not end with the user.
const CLOSER: &str = "(continue)";

/// Messages as they will be sent.
pub(crate) struct Merged<'h> {
    pub(crate) said: Vec<Said<'h>>,
    /// What merging added to the raw cost; less than nothing where it saved.
    pub(crate) added: i64,
    pub(crate) repairs: Vec<Repair>,
}

/// Merges neighbours and opens with the user where the dialect wants it.
pub(crate) fn merge<'h>(said: Vec<Said<'h>>, brief: &Brief<'h>) -> Merged<'h> {
    let mut merged = if brief.merges { neighbours(said, brief) } else { Merged { said, added: 0, repairs: Vec::new() } };
    let several = merged.said.iter().filter(|said| !is_one_text(&said.message.pieces));
    merged.added += several.map(|said| written_as_one(&said.message.pieces, brief)).sum::<i64>();
    open(&mut merged, brief);
    close(&mut merged, brief);
    merged
}

fn neighbours<'h>(said: Vec<Said<'h>>, brief: &Brief<'h>) -> Merged<'h> {
    let mut merged = Merged { said: Vec::with_capacity(said.len()), added: 0, repairs: Vec::new() };
    for next in said {
        match merged.said.last_mut() {
            Some(last) if last.message.role == next.message.role => merged.added += join(last, next, brief),
            Some(_) | None => merged.said.push(next),
        }
    }
    merged
}

/// Nearly every message and result is a single text: nothing is joined there.
fn is_one_text(pieces: &[Piece<'_>]) -> bool {
    matches!(pieces, [Piece::Text(_)])
}

/// What it adds to the raw cost that texts beside each other are written as one string.
fn written_as_one(pieces: &[Piece<'_>], brief: &Brief<'_>) -> i64 {
    let one = match brief.dialect {
        Dialect::Anthropic | Dialect::Gemini => false,
        Dialect::OpenAi
        | Dialect::Responses
        | Dialect::Ollama
        | Dialect::Completions
        | Dialect::AiSdk
        | Dialect::Text
        | Dialect::Messages => pieces.len() > 1 && pieces.iter().all(|piece| matches!(piece, Piece::Text(_))),
    };
    let inside = |piece: &Piece<'_>| match piece {
        Piece::Result(result) if !is_one_text(&result.content) => written_as_one(&result.content, brief),
        Piece::Result(_) | Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Image(_) | Piece::File(_) => 0,
    };
    let results: i64 = pieces.iter().map(inside).sum();
    if !one {
        return results;
    }
    let texts = || pieces.iter().filter_map(|piece| if let Piece::Text(text) = piece { Some(&*text.text) } else { None });
    let apart: u64 = texts().map(|text| brief.meter.raw(text)).sum();
    let joined = brief.meter.raw(&texts().collect::<Vec<_>>().join(JOINT));
    joined.saturating_sub(apart) as i64
}

/// Appends a message to its neighbour; tells what that added to the raw cost.
fn join<'h>(last: &mut Said<'h>, next: Said<'h>, brief: &Brief<'h>) -> i64 {
    let raw = |said: &Said<'h>| cost(&said.message.pieces, brief.meter.base(), brief.overhead()) as i64;
    last.nodes.extend(next.nodes.iter().copied());
    let joins = matches!((last.message.pieces.last(), next.message.pieces.first()), (Some(Piece::Text(a)), Some(Piece::Text(b))) if a.signature.is_none() && b.signature.is_none());
    if !joins {
        let thinks = last.message.role == Role::Assistant;
        // Thinking is valid only at the beginning of what it led to, and that is in the middle now.
        last.message
            .pieces
            .extend(next.message.pieces.into_iter().filter(|piece| !(thinks && matches!(piece, Piece::Reasoning(_)))));
        return 0;
    }
    let before = raw(last) + raw(&next);
    let mut pieces = next.message.pieces.into_iter();
    if let (Some(Piece::Text(end)), Some(Piece::Text(begin))) = (last.message.pieces.last_mut(), pieces.next()) {
        end.text = format!("{}{JOINT}{}", end.text, begin.text).into();
    }
    last.message.pieces.extend(pieces);
    raw(last) - before
}

fn open(merged: &mut Merged<'_>, brief: &Brief<'_>) {
    let begins = merged.said.first().is_none_or(|said| said.message.role == Role::User);
    if begins || brief.dialect.opening() == Opening::Free {
        return;
    }
    let opener = super::frame::user(Piece::text(OPENER), None);
    merged.added += (brief.meter.raw(OPENER) + brief.overhead()) as i64;
    merged.said.insert(0, opener);
    let detail = format!("{} conversations begin with the user: {OPENER:?} was put first", brief.dialect);
    merged.repairs.push(Repair { node: None, kind: RepairKind::Opener, detail });
}

/// Ends with the user where the dialect wants it. Anthropic refuses blanks at the end of a last assistant message, which it takes as the beginning of the reply.
fn close(merged: &mut Merged<'_>, brief: &Brief<'_>) {
    let Some(Said { message: Message { role: Role::Assistant, pieces, .. }, .. }) = merged.said.last_mut() else { return };
    if brief.dialect.closing(brief.model.as_ref()) == Closing::User {
        merged.added += (brief.meter.raw(CLOSER) + brief.overhead()) as i64;
        merged.said.push(super::frame::user(Piece::text(CLOSER), None));
        let detail = format!("{} conversations end with the user: {CLOSER:?} was put last", brief.dialect);
        merged.repairs.push(Repair { node: None, kind: RepairKind::Closer, detail });
        return;
    }
    if brief.dialect != Dialect::Anthropic {
        return;
    }
    if let Some(Piece::Text(text)) = pieces.last_mut()
        && text.text.ends_with(char::is_whitespace)
    {
        text.text = text.text.trim_end().to_owned().into();
    }
}
