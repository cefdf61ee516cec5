//! What a client is shown, step by step. Each API is a place that such steps are written to.
//!
//! A tool that the provider ran itself is shown only in the API whose own block it is: elsewhere the client would take it
//! for a call that it has to answer. A picture that an API cannot answer with is named in the text.

use crate::decode::{Delta, Reply};
use crate::dialect::Dialect;
use crate::dialect::media::{file_note, image_note};
use crate::line::native::is_own;
use crate::model::{Json, Part, Reasoning, ToolCall};

/// Where steps are written to.
pub(super) trait Sink {
    /// Whose blocks may be shown as they are.
    const DIALECT: Dialect;

    fn text(&mut self, piece: &str);
    fn reasoning(&mut self, piece: &str);
    /// Thinking is whole; `reasoning` is all of it, said before or not.
    fn reasoning_end(&mut self, reasoning: &Reasoning);
    fn call(&mut self, index: usize, id: &str, name: &str);
    fn args(&mut self, index: usize, piece: &str);
    /// A block of the API's own, as it is.
    fn native(&mut self, block: &Json);
}

/// Writes what a delta shows.
pub(super) fn show(delta: &Delta, to: &mut impl Sink) {
    match delta {
        Delta::Text(piece) => to.text(piece),
        Delta::Reasoning(piece) => to.reasoning(piece),
        Delta::ReasoningEnd(reasoning) => to.reasoning_end(reasoning),
        Delta::CallStart { index, id, name } => to.call(*index, id, name),
        Delta::CallArgs { index, text } => to.args(*index, text),
        Delta::Part(part) => show_whole(part, to),
        Delta::Usage(_) => {}
    }
}

/// Writes what a part shows that came whole beside the calls.
fn show_whole<S: Sink>(part: &Part, to: &mut S) {
    match part {
        Part::Text(text) => to.text(&text.text),
        Part::Reasoning(reasoning) => to.reasoning_end(reasoning),
        Part::Image(image) => to.text(&image_note(image)),
        Part::File(file) => to.text(&file_note(file)),
        Part::ToolCall(call) => own::<S>(call.native.as_ref()).into_iter().for_each(|block| to.native(block)),
        Part::ToolResult(result) => own::<S>(result.native.as_ref()).into_iter().for_each(|block| to.native(block)),
    }
}

fn own<S: Sink>(native: Option<&Json>) -> Option<&Json> {
    native.filter(|block| is_own(S::DIALECT, block.text()))
}

/// Writes every part of a reply.
pub(super) fn show_all(parts: &[Part], to: &mut impl Sink) {
    let mut calls = 0;
    for part in parts {
        match part {
            Part::ToolCall(call) if call.native.is_none() => {
                to.call(calls, &call.id, &call.name);
                // Arguments that were cut off are kept as a JSON string.
                to.args(calls, &call.args.as_string().unwrap_or_else(|| call.args.text().to_owned()));
                calls += 1;
            }
            part => show_whole(part, to),
        }
    }
}

/// The calls that the client is to answer.
pub(super) fn own_calls(reply: &Reply) -> impl Iterator<Item = &ToolCall> {
    reply.parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) if call.native.is_none() => Some(call),
        Part::ToolCall(_) | Part::Text(_) | Part::Reasoning(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    })
}
