//! What stands around the history: system text, tools, summary, input, and how much room they leave.

use super::brief::{Brief, Question};
use super::convert::{ToolParts, convert, cost};
use super::error::{AssembleError, Sized};
use super::fit::Room;
use super::repair::{Nodes, Said, label};
use super::select::Selection;
use super::side::Side;
use super::{loom, rounds, system, timeline};
use crate::ask::{Form, Strategy};
use crate::model::Part;
use crate::prompt::{Block, Message, Piece, Pieces, Role};
use crate::report::Budget;
use smallvec::smallvec;
use std::borrow::Cow;
use std::ops::Range;

/// What stands around the history.
pub(crate) struct Frame<'h> {
    pub(crate) system: Vec<Block<'h>>,
    /// Before the history.
    pub(crate) opening: Option<Said<'h>>,
    /// After the history: where the agent stands in the tree, then the input.
    pub(crate) closing: Vec<Said<'h>>,
    /// How many of the last messages will not be in the next request.
    volatile: usize,
    /// Where in it the blocks of the history stand.
    told: Range<usize>,
    /// The system text without the history.
    system_text: String,
    system_raw: u64,
    tools_raw: u64,
    closing_raw: u64,
    opening_raw: u64,
    marker_raw: u64,
}

impl<'h> Frame<'h> {
    pub(crate) fn new(brief: &Brief<'h>, selection: &Selection<'h>) -> Result<Frame<'h>, AssembleError> {
        let (system, at) = match brief.form {
            Form::Dialogue | Form::Buffer => (system::system(brief, selection), 0),
            Form::Timeline => timeline::around(brief, selection)?,
        };
        let opening = system::summary_message(brief, selection).map(|text| user(Piece::text(text), selection.summary));
        let closing = closing(brief);
        let base = brief.meter.base();
        let raw = |said: &[Said<'_>]| said.iter().map(|said| cost(&said.message.pieces, base, brief.overhead())).sum();
        let system_text: String = system.iter().map(|block| &*block.text).collect();
        Ok(Frame {
            system_raw: if system_text.is_empty() { 0 } else { brief.ask.recall.lines(base, &system_text) + brief.overhead() },
            tools_raw: brief.tools.iter().map(|tool| tool_raw(tool, brief)).sum(),
            closing_raw: raw(&closing),
            opening_raw: opening.as_ref().map_or(0, |said| raw(std::slice::from_ref(said))),
            marker_raw: marker_raw(brief, selection),
            volatile: match brief.form {
                // A run with tools goes on with what it was sent, and more behind it.
                Form::Timeline if brief.tools.is_empty() => closing.len(),
                Form::Timeline => 0,
                Form::Dialogue | Form::Buffer if brief.history.file().loom.is_some() => closing.len(),
                Form::Dialogue | Form::Buffer => 0,
            },
            told: at..at,
            system_text,
            system,
            opening,
            closing,
        })
    }

    /// How much of the window is left, or why it is less than nothing. `slack` is kept free besides.
    pub(crate) fn room(&self, brief: &Brief<'_>, slack: u64) -> Result<Room, AssembleError> {
        let budget = self.budget(brief, false);
        let limit = brief.context_length.saturating_sub(brief.reserve);
        if budget.system + budget.tools > limit {
            let needed = budget.system + budget.tools;
            return Err(AssembleError::SystemTooLarge { needed, limit, budget, largest: self.largest(&budget) });
        }
        let needed = budget.system + budget.tools + budget.input;
        if needed > limit {
            // The input itself is too much, so the room is told that it would have had.
            let budget = Budget { available: limit - budget.system - budget.tools, ..budget };
            return Err(AssembleError::DoesNotFit { needed: budget.input, budget, largest: self.largest(&budget) });
        }
        let raw = brief.meter.unscale(limit - needed).saturating_sub(self.opening_raw).saturating_sub(slack);
        Ok(Room { raw, marker: self.marker_raw })
    }

    /// What a held cut is measured against: the system text rounded up, so that a changing line does not move it.
    pub(crate) fn steady_room(&self, brief: &Brief<'_>) -> u64 {
        let scale = |raw| brief.meter.scale(raw);
        let around =
            scale(self.system_raw).next_multiple_of(1024) + scale(self.tools_raw) + brief.reserve + scale(self.marker_raw);
        brief.meter.unscale(brief.context_length.saturating_sub(around)).saturating_sub(self.opening_raw)
    }

    /// Raw cost of the input.
    pub(crate) fn input_raw(&self) -> u64 {
        self.closing_raw
    }

    /// Where the window goes; `history` is still to be filled in.
    pub(crate) fn budget(&self, brief: &Brief<'_>, marked: bool) -> Budget {
        let scale = |raw| brief.meter.scale(raw);
        let mut budget = Budget {
            context_length: brief.context_length,
            reserve: brief.reserve,
            system: scale(self.system_raw),
            tools: scale(self.tools_raw),
            input: scale(self.closing_raw),
            markers: if marked { scale(self.marker_raw) } else { 0 },
            available: 0,
            history: 0,
        };
        let taken = budget.reserve + budget.system + budget.tools + budget.input + budget.markers;
        budget.available = budget.context_length.saturating_sub(taken);
        budget
    }

    /// Raw cost of tool schemas.
    pub(crate) fn tools_raw(&self) -> u64 {
        self.tools_raw
    }

    /// Raw cost of system text, tools and input.
    pub(crate) fn raw(&self) -> u64 {
        self.system_raw + self.tools_raw + self.closing_raw + self.opening_raw
    }

    /// How many of the last messages will not be in the next request.
    pub(crate) fn volatile_messages(&self) -> usize {
        self.volatile
    }

    /// Raw cost by which a joined history goes over.
    pub(crate) fn over(&self, brief: &Brief<'_>, history: u64, added: i64) -> u64 {
        let budget = self.budget(brief, false);
        let limit = brief.meter.unscale(budget.available);
        let used = (self.opening_raw + history) as i64 + added;
        (used.max(0) as u64).saturating_sub(limit)
    }

    /// The error when no cut is small enough.
    pub(crate) fn too_small(&self, brief: &Brief<'_>, history: u64) -> AssembleError {
        let mut budget = self.budget(brief, false);
        budget.history = brief.meter.scale(history + self.opening_raw);
        AssembleError::DoesNotFit { needed: budget.history, budget, largest: self.largest(&budget) }
    }

    /// Puts the history into the system text, in the place of the one that was there. Says the raw cost of all that stands
    /// around the messages then.
    pub(crate) fn put_in(&mut self, brief: &Brief<'_>, history: Vec<Block<'h>>) -> u64 {
        let text: String = history.iter().map(|block| &*block.text).collect();
        let Range { start, .. } = self.told;
        let end = start + history.len();
        self.system.splice(std::mem::replace(&mut self.told, start..end), history);
        // What stands around the history is most of it, and was counted with it left out.
        let at = self.system[..start].iter().map(|block| block.text.len()).sum();
        let known = self.system_raw.saturating_sub(if self.system_text.is_empty() { 0 } else { brief.overhead() });
        self.raw() - self.system_raw
            + brief.ask.recall.with(brief.meter.base(), &self.system_text, known, at, &text)
            + brief.overhead()
    }

    /// Raw cost of a summary that stands before the history.
    pub(crate) fn opening_raw(&self) -> u64 {
        self.opening_raw
    }

    fn largest(&self, budget: &Budget) -> Vec<Sized> {
        let mut items = vec![("system", budget.system), ("tools", budget.tools), ("input", budget.input)];
        items.retain(|(_, tokens)| *tokens > 0);
        items.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
        items.into_iter().map(|(what, tokens)| Sized { what: what.to_owned(), tokens }).collect()
    }
}

/// A user message with one piece.
pub(crate) fn user<'h>(piece: Piece<'h>, node: Option<u32>) -> Said<'h> {
    Said { message: Message { role: Role::User, pieces: piece.into(), mark: false }, nodes: node.into_iter().collect() }
}

fn closing<'h>(brief: &Brief<'h>) -> Vec<Said<'h>> {
    let mut closing: Vec<Said<'h>> = loom::position(brief).map(|text| user(Piece::text(text), None)).into_iter().collect();
    match brief.input {
        Question::None => {}
        Question::Parts(parts) => {
            let pieces: Pieces<'h> = parts.iter().filter_map(input_piece).collect();
            if !pieces.is_empty() {
                closing.push(Said { message: Message { role: Role::User, pieces, mark: false }, nodes: Nodes::new() });
            }
        }
        Question::Node(node) => {
            let mut saying = convert(brief, node, &ToolParts::None);
            let role = match saying.side {
                Side::User => Role::User,
                Side::Assistant => Role::Assistant,
                Side::System => {
                    label(&mut saying.pieces);
                    Role::User
                }
            };
            if !saying.pieces.is_empty() {
                closing.push(Said { message: Message { role, pieces: saying.pieces, mark: false }, nodes: smallvec![node] });
            }
        }
    }
    match (brief.form, brief.buffer) {
        (Form::Timeline, _) => closing.push(user(Piece::text(timeline::closing(brief)), None)),
        (Form::Buffer, Some(buffer)) if !buffer.is_empty() => closing.push(user(Piece::text(buffer), None)),
        (Form::Dialogue | Form::Buffer, _) => {}
    }
    match brief.form {
        Form::Timeline | Form::Dialogue => closing.extend(rounds::messages(brief)),
        // A text has no replies and no calls.
        Form::Buffer => {}
    }
    closing
}

fn input_piece(part: &Part) -> Option<Piece<'_>> {
    match part {
        Part::Text(text) if text.text.trim().is_empty() => None,
        Part::Text(text) => Some(Piece::text(text.text.as_str())),
        Part::Image(image) => Some(Piece::Image(image)),
        Part::File(file) => Some(Piece::File(file)),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => None,
    }
}

fn tool_raw(tool: &crate::model::Tool, brief: &Brief<'_>) -> u64 {
    let base = brief.meter.base();
    let texts = [&*tool.name, &*tool.description, tool.input_schema.text()];
    texts.into_iter().map(|text| brief.ask.recall.text(base, text)).sum::<u64>() + brief.overhead()
}

/// What a marker costs at most: its number has no more digits than the path has nodes.
fn marker_raw(brief: &Brief<'_>, selection: &Selection<'_>) -> u64 {
    if !shows_marker(brief) {
        return 0;
    }
    let text = marker(u64::from(selection.path.len));
    brief.meter.raw(&text) + brief.overhead()
}

/// Whether a cut is marked.
pub(crate) fn shows_marker(brief: &Brief<'_>) -> bool {
    let usual = match (brief.form, brief.policy.strategy) {
        (Form::Dialogue, Strategy::TruncateMiddle) | (Form::Timeline, _) => true,
        (Form::Dialogue, Strategy::RollingWindow | Strategy::StopAtLimit | Strategy::DropOldest | Strategy::StickyWindow) => {
            false
        }
        (Form::Buffer, _) => false,
    };
    brief.policy.marker.unwrap_or(usual)
}

/// The visible sign of a cut.
pub(crate) fn marker(nodes: u64) -> Cow<'static, str> {
    match nodes {
        1 => Cow::Borrowed("[… 1 message omitted …]"),
        n => Cow::Owned(format!("[… {n} messages omitted …]")),
    }
}
