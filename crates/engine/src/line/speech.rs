//! What a node does to the turns around it, known before it is converted.
//!
//! It tells the same of nodes as fitting sees in atoms, so that what was not read is judged like what was.

use super::brief::{Brief, Question};
use super::buffer;
use super::convert::{ToolParts, convert, is_foreign};
use super::fit::turn_starts;
use super::read::speaks;
use super::repair::repair;
use super::select::Selection;
use super::side::{Side, side};
use crate::ask::{Form, ToolPolicy};
use crate::history::NONE;
use crate::model::{Part, ToolResult};

/// What a selected node does to the turns around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speech {
    /// It may begin a turn.
    Asks,
    /// It goes on with one.
    Answers,
    /// It answers an earlier node's call and is one with it, whoever wrote it down.
    Joins,
    /// It says nothing that is sent.
    Silent,
}

/// What a selected node does.
pub(crate) fn speech(selection: &Selection<'_>, brief: &Brief<'_>, index: u32) -> Speech {
    if brief.form == Form::Buffer {
        return if buffer::is_silent(brief, index) { Speech::Silent } else { Speech::Answers };
    }
    let link = brief.history.place(index);
    let words = link.words || (link.special == index && brief.history.has_words(index));
    let tools = brief.policy.tool_policy != ToolPolicy::AllOff;
    if tools && link.answers && joins(selection, brief, index) {
        return Speech::Joins;
    }
    // Half of an exchange that a provider ran itself is not sent.
    let halves = || repair([convert(brief, index, &ToolParts::All)], brief).atoms.is_empty();
    if link.native && !words && halves() {
        return Speech::Silent;
    }
    match side(brief, index) {
        Side::User | Side::System if words => Speech::Asks,
        Side::Assistant if words || (tools && link.calls) => Speech::Answers,
        Side::User | Side::System | Side::Assistant => Speech::Silent,
    }
}

/// Whether a node holds the answer to an earlier node's call.
fn joins(selection: &Selection<'_>, brief: &Brief<'_>, index: u32) -> bool {
    if is_foreign(brief, index) {
        return false;
    }
    let plain = brief.history.place(index).caller;
    if plain != NONE && calls_out(selection, brief, plain) {
        return true;
    }
    let own_calls_out = calls_out(selection, brief, index);
    let mut called: Vec<&str> = Vec::new();
    brief.history.at(index).parts.iter().any(|part| match part {
        Part::ToolCall(call) if own_calls_out => {
            called.push(&call.id);
            false
        }
        Part::ToolResult(ToolResult { native: Some(_), .. }) => false,
        Part::ToolResult(result) if !called.contains(&result.id.as_str()) => {
            let earlier = |caller: u32| caller != index && calls_out(selection, brief, caller);
            brief.history.caller(&result.id, index, earlier).is_some()
        }
        Part::ToolCall(_) | Part::ToolResult(_) | Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => false,
    })
}

/// Whether the calls of a node are sent.
pub(crate) fn calls_out(selection: &Selection<'_>, brief: &Brief<'_>, node: u32) -> bool {
    side(brief, node) == Side::Assistant && speaks(selection, brief, node)
}

/// The nodes that say something, and whether a turn begins at each; also at the input, where there is one.
pub(crate) fn turns(selection: &Selection<'_>, brief: &Brief<'_>, nodes: &[u32]) -> (Vec<u32>, Vec<bool>) {
    let heard = nodes.iter().map(|&node| (node, speech(selection, brief, node)));
    let heard: Vec<(u32, Speech)> = heard.filter(|(_, speech)| *speech != Speech::Silent).collect();
    let own = heard.iter().filter(|(_, speech)| *speech != Speech::Joins).map(|(_, speech)| *speech == Speech::Asks);
    let input = match brief.input {
        Question::None => None,
        Question::Parts(_) | Question::Node(_) => Some(true),
    };
    let mut starts = turn_starts(own.chain(input), None).into_iter();
    let mut turns: Vec<bool> =
        heard.iter().map(|(_, speech)| *speech != Speech::Joins && starts.next().unwrap_or(false)).collect();
    turns.extend(starts);
    (heard.into_iter().map(|(node, _)| node).collect(), turns)
}
