//! **convert**: nodes into what they say, seen by the viewer.
//!
//! A node that has nothing left to say comes back with the reason. Nothing falls back: what cannot be said in a dialect
//! is left to `repair`, which reports it.

use super::brief::Brief;
use super::side::{Side, side, voice};
use crate::ask::{ReasoningPolicy, ToolPolicy};
use crate::count::{Base, file_cost, image_cost};
use crate::history::History;
use crate::model::{EntityKind, Node, Part, Reasoning, ResultContent, Status, ToolCall, ToolResult};
use crate::prompt::{CallPiece, Piece, Pieces, ResultPiece, TextPiece};
use crate::report::Reason;
use crate::timeline;
use std::borrow::Cow;
use std::collections::HashSet;

/// Stands where a tool said nothing: some APIs refuse an empty answer.
pub(crate) const NO_OUTPUT: &str = "(no output)";

/// What one node says.
#[derive(Debug)]
pub(crate) struct Saying<'h> {
    pub(crate) node: u32,
    pub(crate) side: Side,
    pub(crate) pieces: Pieces<'h>,
    /// What it costs, raw.
    pub(crate) raw: u64,
    /// Why it may not be removed.
    pub(crate) fixed: Option<Reason>,
    /// Whether tool parts were left out of it.
    pub(crate) stripped: bool,
    /// Why it says nothing.
    pub(crate) silent: Option<Reason>,
}

/// Which tool parts are said.
pub(crate) enum ToolParts<'h> {
    All,
    None,
    /// Of nodes at or below this depth.
    From(u32),
    /// Of these calls.
    Chosen(HashSet<&'h str>),
}

/// The tool parts that the policy lets through.
pub(crate) fn tool_parts<'h>(brief: &Brief<'h>, nodes: impl Iterator<Item = u32>, open_from: u32) -> ToolParts<'h> {
    match brief.policy.tool_policy {
        ToolPolicy::Cached | ToolPolicy::AllOn => ToolParts::All,
        ToolPolicy::AllOff => ToolParts::None,
        ToolPolicy::Auto => ToolParts::From(open_from),
        ToolPolicy::Manual => {
            let parts = nodes.flat_map(|node| &brief.history.at(node).parts);
            ToolParts::Chosen(
                parts
                    .filter_map(|part| match part {
                        Part::ToolCall(call) => call.included.then_some(call.id.as_str()),
                        Part::ToolResult(result) => result.included.then_some(result.id.as_str()),
                        Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => None,
                    })
                    .collect(),
            )
        }
    }
}

impl ToolParts<'_> {
    fn lets(&self, id: &str, depth: u32) -> bool {
        match self {
            ToolParts::All => true,
            ToolParts::None => false,
            ToolParts::From(open) => depth >= *open,
            ToolParts::Chosen(ids) => ids.contains(id),
        }
    }
}

/// What a node says.
pub(crate) fn convert<'h>(brief: &Brief<'h>, index: u32, tools: &ToolParts<'h>) -> Saying<'h> {
    let history: &'h History = brief.history;
    let node = history.at(index);
    let side = side(brief, index);
    let mut saying = Saying {
        node: index,
        side,
        pieces: Pieces::with_capacity(node.parts.len()),
        raw: 0,
        fixed: fixed(brief, index),
        stripped: false,
        silent: None,
    };
    let mut cached = brief.overhead() == brief.meter.base().overhead();
    if !node.sources.is_empty() {
        cached = false;
        context(history, node, &mut saying.pieces);
    }
    let foreign = is_foreign_on(side, brief, index);
    let depth = history.place(index).depth;
    for part in &node.parts {
        cached &= say(brief, node, part, &mut saying, &|id| !foreign && tools.lets(id, depth));
    }
    if node.status == Status::Error {
        cached = false;
        saying.pieces.push(Piece::text(note(node)));
    }
    if !brief.dialect.reasoning_may_end() {
        led_to_something(&mut saying.pieces);
    }
    if let Some(prefix) = prefix(brief, index, side) {
        cached = false;
        put_prefix(&prefix, &mut saying.pieces);
    }
    if let Some(line) = super::loom::metadata(brief, index) {
        cached = false;
        super::loom::put(&line, &mut saying.pieces);
    }
    if saying.pieces.is_empty() {
        saying.silent = Some(if saying.stripped { Reason::ToolPolicy } else { Reason::Empty });
    }
    let base = brief.meter.base();
    saying.raw = if cached { brief.counts.own(index).spoken(base) } else { cost(&saying.pieces, base, brief.overhead()) };
    saying
}

/// Whether a node is another agent's: its tools are its own affair.
pub(crate) fn is_foreign(brief: &Brief<'_>, index: u32) -> bool {
    is_foreign_on(side(brief, index), brief, index)
}

fn is_foreign_on(side: Side, brief: &Brief<'_>, index: u32) -> bool {
    brief.viewer.is_some() && side == Side::User && brief.history.author(index).kind == EntityKind::Agent
}

/// Says one part; tells whether its cost is what the cache of counts says it is.
fn say<'h>(brief: &Brief<'h>, node: &'h Node, part: &'h Part, saying: &mut Saying<'h>, lets: &dyn Fn(&str) -> bool) -> bool {
    match part {
        Part::Text(text) if is_blank(&text.text) => return text.text.is_empty(),
        Part::Text(text) => {
            saying.pieces.push(Piece::Text(TextPiece { text: Cow::Borrowed(&text.text), signature: text.signature.as_deref() }));
        }
        Part::Reasoning(reasoning) => return think(brief, node, reasoning, saying),
        Part::Image(image) => saying.pieces.push(Piece::Image(image)),
        Part::File(file) => saying.pieces.push(Piece::File(file)),
        Part::ToolCall(call) => {
            let said = saying.side == Side::Assistant && lets(&call.id);
            saying.stripped |= !said;
            if said {
                saying.pieces.push(Piece::Call(call_piece(call)));
            }
            return said;
        }
        Part::ToolResult(result) => {
            let said = lets(&result.id);
            saying.stripped |= !said;
            if said {
                saying.pieces.push(Piece::Result(result_piece(result)));
            }
            return said && !is_empty(&result.content);
        }
    }
    true
}

/// Reasoning goes back only to the model that signed it: others refuse foreign signatures, or drop them unsaid.
fn think<'h>(brief: &Brief<'h>, node: &Node, reasoning: &'h Reasoning, saying: &mut Saying<'h>) -> bool {
    if saying.side != Side::Assistant {
        return true;
    }
    match brief.policy.reasoning {
        ReasoningPolicy::Drop => true,
        ReasoningPolicy::Keep if is_own_thought(brief, node.model.as_deref(), reasoning) => {
            saying.pieces.push(Piece::Reasoning(reasoning));
            false
        }
        ReasoningPolicy::Keep => true,
        ReasoningPolicy::Concat => {
            if reasoning.text.trim().is_empty() {
                return true;
            }
            saying.pieces.push(Piece::text(reasoning.text.as_str()));
            false
        }
    }
}

/// Whether the model that is asked signed this itself.
pub(crate) fn is_own_thought(brief: &Brief<'_>, writer: Option<&str>, reasoning: &Reasoning) -> bool {
    let same = brief.model.as_ref().is_some_and(|model| writer == Some(model.name.as_str()));
    let signed = reasoning.signature.as_ref().is_some_and(|signature| !signature.is_empty());
    let carried =
        brief.model.as_ref().and_then(|model| model.provider()).is_none_or(|provider| brief.dialect.speaks_for(provider));
    same && signed && carried && brief.dialect.accepts_reasoning(reasoning)
}

/// Drops reasoning that led to nothing: it was cut off, and APIs refuse it without what follows.
fn led_to_something(pieces: &mut Pieces<'_>) {
    if !pieces.iter().any(|piece| matches!(piece, Piece::Reasoning(_))) {
        return;
    }
    let mut followed = false;
    let mut kept: Vec<bool> = pieces
        .iter()
        .rev()
        .map(|piece| match piece {
            Piece::Reasoning(_) => followed,
            Piece::Text(_) | Piece::Call(_) | Piece::Image(_) | Piece::File(_) => {
                followed = true;
                true
            }
            Piece::Result(_) => {
                followed = false;
                true
            }
        })
        .collect();
    pieces.retain(|_| kept.pop().unwrap_or(true));
}

pub(crate) fn call_piece(call: &ToolCall) -> CallPiece<'_> {
    CallPiece {
        id: Cow::Borrowed(&call.id),
        name: Cow::Borrowed(&call.name),
        args: Cow::Borrowed(call.args.text()),
        signature: call.signature.as_deref(),
        native: call.native.as_ref().map(|native| native.text()),
    }
}

pub(crate) fn result_piece(result: &ToolResult) -> ResultPiece<'_> {
    let content = match &result.content {
        ResultContent::Text(text) if text.is_empty() => vec![Piece::text(NO_OUTPUT)],
        ResultContent::Text(text) => vec![Piece::text(text.as_str())],
        ResultContent::Parts(parts) => {
            let pieces: Vec<_> = parts.iter().filter_map(plain).collect();
            if pieces.is_empty() { vec![Piece::text(NO_OUTPUT)] } else { pieces }
        }
    };
    ResultPiece {
        id: Cow::Borrowed(&result.id),
        name: Cow::Borrowed(result.name.as_deref().unwrap_or_default()),
        content,
        is_error: result.is_error,
        native: result.native.as_ref().map(|native| native.text()),
    }
}

fn is_empty(content: &ResultContent) -> bool {
    match content {
        ResultContent::Text(text) => text.is_empty(),
        ResultContent::Parts(parts) => parts.iter().filter_map(plain).count() != parts.len() || parts.is_empty(),
    }
}

/// A part that can stand anywhere.
fn plain(part: &Part) -> Option<Piece<'_>> {
    match part {
        Part::Text(text) if is_blank(&text.text) => None,
        Part::Text(text) => Some(Piece::text(text.text.as_str())),
        Part::Image(image) => Some(Piece::Image(image)),
        Part::File(file) => Some(Piece::File(file)),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => None,
    }
}

/// Whether a text says nothing. Looks no further than the first character that does, so not at its end either.
fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Context sources come before what draws on them.
fn context<'h>(history: &'h History, node: &'h Node, pieces: &mut Pieces<'h>) {
    pieces.extend(history.context_of(node).flat_map(|source| &source.parts).filter_map(plain));
}

fn note(node: &Node) -> String {
    match &node.error {
        Some(reason) => format!("[generation failed: {reason}]"),
        None => "[generation stopped]".to_owned(),
    }
}

fn fixed(brief: &Brief<'_>, index: u32) -> Option<Reason> {
    if brief.trigger == Some(index) {
        Some(Reason::Trigger)
    } else if brief.reply == Some(index) {
        Some(Reason::Reply)
    } else {
        brief.history.at(index).pinned.then_some(Reason::Pinned)
    }
}

/// The sender's name, where several people speak in one role.
fn prefix(brief: &Brief<'_>, index: u32, side: Side) -> Option<String> {
    let told_apart = match side {
        Side::User => brief.user_prefixes,
        Side::Assistant => brief.assistant_prefixes,
        Side::System => false,
    };
    if !told_apart {
        return None;
    }
    let author = brief.history.entity_at(voice(brief.history, index));
    Some(timeline::sender_prefix(&author.name, author.kind))
}

fn put_prefix(prefix: &str, pieces: &mut Pieces<'_>) {
    let mut said = false;
    for piece in pieces.iter_mut() {
        if let Piece::Text(text) = piece {
            let safe = timeline::escape_imitations(&text.text);
            text.text = Cow::Owned(if said { safe.into_owned() } else { format!("{prefix}{safe}") });
            said = true;
        }
    }
    if !said && pieces.iter().any(|piece| matches!(piece, Piece::Image(_) | Piece::File(_))) {
        pieces.insert(0, Piece::text(prefix.trim_end().to_owned()));
    }
}

/// What pieces cost, raw, with the overhead of the messages they make.
pub(crate) fn cost(pieces: &[Piece<'_>], base: Base, overhead: u64) -> u64 {
    let mut raw = 0;
    let mut open = Open::None;
    for piece in pieces {
        let now = match piece {
            Piece::Text(_) | Piece::Image(_) | Piece::File(_) | Piece::Reasoning(_) => Open::Said,
            Piece::Call(_) => Open::Called,
            Piece::Result(_) => Open::Answered,
        };
        raw += piece_cost(piece, base);
        let fresh = match (open, now) {
            (_, Open::Answered) | (Open::None | Open::Answered, _) | (Open::Called, Open::Said) => true,
            (Open::Said | Open::Called, _) => false,
        };
        raw += if fresh { overhead } else { 0 };
        open = now;
    }
    raw
}

#[derive(Clone, Copy)]
enum Open {
    None,
    Said,
    Called,
    Answered,
}

/// What one piece costs, raw.
pub(crate) fn piece_cost(piece: &Piece<'_>, base: Base) -> u64 {
    match piece {
        Piece::Text(text) => base.text(&text.text),
        Piece::Reasoning(reasoning) => base.text(&reasoning.text),
        Piece::Call(call) => base.text(&call.name) + base.text(&call.args),
        Piece::Result(result) => result.content.iter().map(|piece| piece_cost(piece, base)).sum(),
        Piece::Image(image) => image_cost(image),
        Piece::File(file) => file_cost(&file.name, base),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::content_cost;

    #[test]
    fn a_result_costs_the_same_counted_as_part_and_as_piece() {
        let part = Part::result("t1", "four and a half");
        let Part::ToolResult(result) = &part else { return };
        let piece = Piece::Result(result_piece(result));
        assert_eq!(piece_cost(&piece, Base::Chars4), content_cost(&result.content, Base::Chars4));
    }
}
