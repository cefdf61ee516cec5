//! Reading out of a selection only what a window can hold.
//!
//! The newest nodes are read back until more than a target is in hand, the first turn is read where the strategy keeps
//! it, pins are read where they stand. What lies between is a **gap**: too old to fit, known only as a range. Fitting
//! asks for more when the gap turns out to begin too early.

use super::brief::{Brief, Question};
use super::buffer;
use super::convert::{ToolParts, convert};
use super::repair::repair;
use super::select::Selection;
use super::speech::{Speech, calls_out, speech};
use crate::ask::Form;
use crate::model::Part;

/// How far to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Until the newest nodes hold more raw tokens than this.
    Tokens(u64),
    /// From a depth on, because everything before it is known to be cut.
    From(u32),
    /// Everything.
    All,
}

/// What was read, in path order.
pub(crate) struct Reading {
    /// The first turn, if it was asked for and is not part of the tail.
    pub(crate) front: Vec<u32>,
    /// Nodes inside the gap that may not be removed.
    pub(crate) kept: Vec<u32>,
    /// The newest nodes.
    pub(crate) tail: Vec<u32>,
    /// The depths that were not read.
    pub(crate) gap: Option<(u32, u32)>,
}

/// Whether the first turn is wanted although it lies before the gap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    /// Yes, as long as it holds no more raw tokens than this.
    Upto(u64),
    /// No.
    Unwanted,
}

/// Reads out what a window can hold.
pub(crate) fn read(selection: &Selection<'_>, brief: &Brief<'_>, reach: Reach, front: Front) -> Reading {
    let Some((tail, from)) = tail(selection, brief, reach) else { return everything(selection, brief) };
    let floor = selection.window;
    let heard = |depth: u32| {
        let node = selection.path.at(depth);
        speaks(selection, brief, node) && speech(selection, brief, node) != Speech::Silent
    };
    // Where nothing before it is heard, the tail begins the conversation; almost always the first node is.
    if !(floor..from).any(heard) {
        return everything(selection, brief);
    }
    let first = match front {
        Front::Unwanted => Vec::new(),
        Front::Upto(most) => match first_turn(selection, brief, from, most) {
            FirstTurn::Whole(nodes) => nodes,
            FirstTurn::TooLarge => Vec::new(),
            FirstTurn::Open => return everything(selection, brief),
        },
    };
    let begin = first.last().map_or(floor, |&last| brief.history.place(last).depth + 1);
    let Some(kept) = kept(selection, brief, (selection.floor, from), &first) else { return everything(selection, brief) };
    Reading { front: first, kept, tail, gap: Some((begin, from)) }
}

fn everything(selection: &Selection<'_>, brief: &Brief<'_>) -> Reading {
    let mut tail = besides(selection, brief, (selection.floor, selection.window), &[]);
    let nodes = selection.path.stretch(selection.window, selection.path.len);
    tail.extend(nodes.into_iter().filter(|&node| speaks(selection, brief, node)));
    Reading { front: Vec::new(), kept: Vec::new(), tail, gap: None }
}

/// Whether a node is selected and part of the conversation itself.
pub(crate) fn speaks(selection: &Selection<'_>, brief: &Brief<'_>, node: u32) -> bool {
    let link = brief.history.place(node);
    if link.special != node && !matches!(brief.input, Question::Node(_)) {
        return selection.reason_of_place(link.depth).is_none() || selection.reason(node).is_none();
    }
    !selection.is_aside(node) && selection.reason(node).is_none()
}

/// The newest nodes and the depth they begin at; none if the whole must be read.
fn tail(selection: &Selection<'_>, brief: &Brief<'_>, reach: Reach) -> Option<(Vec<u32>, u32)> {
    let (most, begin) = match reach {
        Reach::All => return None,
        Reach::From(depth) => (u64::MAX, depth),
        Reach::Tokens(most) => (most, 0),
    };
    let history = brief.history;
    let mut tail = Vec::new();
    let mut wanted: Vec<(&str, u32)> = Vec::new();
    let mut raw = 0;
    let mut heard = 0;
    let mut from = selection.path.len;
    for node in selection.path.back_from(selection.path.len) {
        let depth = history.place(node).depth;
        let enough = (raw > most && heard > brief.policy.minimum_recent_nodes) || depth < begin;
        if depth < selection.window || (enough && !pending(selection, brief, &mut wanted)) {
            break;
        }
        from = depth;
        if speaks(selection, brief, node) {
            raw += brief.counts.own(node).spoken(brief.meter.base());
            let calls_out = history.place(node).calls && calls_out(selection, brief, node);
            note_pairs(&history.at(node).parts, node, calls_out, &mut wanted);
            if heard <= brief.policy.minimum_recent_nodes {
                heard += u32::from(speech(selection, brief, node) != Speech::Silent);
            }
            tail.push(node);
        }
    }
    tail.reverse();
    Some((tail, from))
}

/// Walking back, a result asks for its call and a call is what was asked for.
fn note_pairs<'h>(parts: &'h [Part], node: u32, calls_out: bool, wanted: &mut Vec<(&'h str, u32)>) {
    for part in parts.iter().rev() {
        match part {
            Part::ToolResult(result) if result.native.is_none() => wanted.push((&result.id, node)),
            Part::ToolCall(call) if calls_out && call.native.is_none() => wanted.retain(|(id, _)| *id != call.id),
            Part::ToolResult(_) | Part::ToolCall(_) | Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
        }
    }
}

/// Whether a result in hand still waits for a call that may be sent.
fn pending(selection: &Selection<'_>, brief: &Brief<'_>, wanted: &mut Vec<(&str, u32)>) -> bool {
    wanted.retain(|(id, node)| {
        brief.history.caller(id, *node, |caller| caller != *node && calls_out(selection, brief, caller)).is_some()
    });
    !wanted.is_empty()
}

enum FirstTurn {
    /// The first turn, whole.
    Whole(Vec<u32>),
    /// It is larger than wanted.
    TooLarge,
    /// It does not end before the tail, or a call in it is answered later.
    Open,
}

/// Reads the first turn, if it ends before `until`.
fn first_turn(selection: &Selection<'_>, brief: &Brief<'_>, until: u32, most: u64) -> FirstTurn {
    // Nearly every first turn is short, and what lies behind it may not be there to be read.
    let mut chunk = 4;
    let mut nodes = Vec::new();
    let mut raw = 0;
    // An agent that speaks before anybody asked belongs to the first turn, too.
    let (mut asked, mut answered) = (false, false);
    let mut from = selection.window;
    while from < until {
        let to = until.min(from.saturating_add(chunk));
        chunk = chunk.saturating_mul(2);
        for node in selection.path.stretch(from, to).into_iter().filter(|&node| speaks(selection, brief, node)) {
            // In a buffer every node is a turn.
            if brief.form == Form::Buffer && !nodes.is_empty() && speech(selection, brief, node) != Speech::Silent {
                return close(selection, brief, nodes);
            }
            match speech(selection, brief, node) {
                Speech::Asks if answered => return close(selection, brief, nodes),
                Speech::Asks => asked = true,
                Speech::Answers => answered |= asked,
                Speech::Joins | Speech::Silent => {}
            }
            raw += brief.counts.own(node).spoken(brief.meter.base());
            nodes.push(node);
            if raw > most {
                // Less may be said than is written down.
                raw = weigh(brief, &nodes);
            }
            if raw > most {
                return FirstTurn::TooLarge;
            }
        }
        from = to;
    }
    FirstTurn::Open
}

/// What nodes say, raw.
fn weigh(brief: &Brief<'_>, nodes: &[u32]) -> u64 {
    match brief.form {
        Form::Dialogue | Form::Timeline => {
            let sayings = nodes.iter().map(|&node| convert(brief, node, &ToolParts::All));
            repair(sayings, brief).atoms.iter().map(|atom| atom.raw).sum()
        }
        Form::Buffer => nodes.iter().map(|&node| brief.meter.raw(&buffer::text(brief, node))).sum(),
    }
}

fn close(selection: &Selection<'_>, brief: &Brief<'_>, mut nodes: Vec<u32>) -> FirstTurn {
    while nodes.pop_if(|node| speech(selection, brief, *node) == Speech::Silent).is_some() {}
    let parts = || nodes.iter().flat_map(|&node| &brief.history.at(node).parts);
    let mut answers: Vec<&str> = Vec::new();
    answers.extend(parts().filter_map(|part| if let Part::ToolResult(result) = part { Some(result.id.as_str()) } else { None }));
    // A call in it that is answered later, or answered again, is mended only where both are seen.
    let settled = |id: &str| {
        let here = answers.iter().filter(|answer| **answer == id).count();
        here > 0 && here == brief.history.answers(id) as usize
    };
    let is_settled = |part: &Part| match part {
        Part::ToolCall(call) => call.native.is_some() || settled(&call.id),
        Part::ToolResult(_) | Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => true,
    };
    if parts().all(is_settled) { FirstTurn::Whole(nodes) } else { FirstTurn::Open }
}

/// Nodes inside the gap that may not be removed; none if one of them is part of a tool exchange.
fn kept(selection: &Selection<'_>, brief: &Brief<'_>, gap: (u32, u32), first: &[u32]) -> Option<Vec<u32>> {
    let kept = besides(selection, brief, gap, first);
    let exchange =
        |node: &u32| brief.history.at(*node).parts.iter().any(|part| matches!(part, Part::ToolCall(_) | Part::ToolResult(_)));
    (!kept.iter().any(exchange)).then_some(kept)
}

/// Pins and what caused the run, between two depths.
fn besides(selection: &Selection<'_>, brief: &Brief<'_>, between: (u32, u32), first: &[u32]) -> Vec<u32> {
    let causes = [brief.trigger, brief.reply, brief.waited_on].into_iter().flatten();
    let inside = |node: &u32| {
        let depth = brief.history.place(*node).depth;
        between.0 <= depth && depth < between.1 && selection.path.holds(*node)
    };
    let mut nodes: Vec<u32> = selection.pinned.iter().copied().chain(causes).filter(inside).collect();
    nodes.retain(|&node| speaks(selection, brief, node) && !first.contains(&node));
    nodes.sort_by_key(|&node| brief.history.place(node).depth);
    nodes.dedup();
    nodes
}
