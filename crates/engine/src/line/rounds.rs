//! What an agent has done since its run began: replies with calls, each followed by the answers to them.
//!
//! They are in no history and so nothing of them is selected or cut; they stand behind everything else. After this step
//! every call has its answer, in call order, and nothing follows a call in its message.

use super::brief::Brief;
use super::convert::{call_piece, is_own_thought, result_piece};
use super::native::Natives;
use super::repair::{INTERRUPTED, Nodes, Said, only_text};
use crate::ask::Round;
use crate::model::{Part, Reasoning, ToolCall, ToolResult};
use crate::prompt::{Message, Piece, Pieces, ResultPiece, Role, TextPiece};
use std::borrow::Cow;
use std::collections::HashSet;

/// The messages of all rounds.
pub(crate) fn messages<'h>(brief: &Brief<'h>) -> Vec<Said<'h>> {
    brief.ask.rounds.iter().flat_map(|round| [reply(brief, round), answers(brief, round)].into_iter().flatten()).collect()
}

/// Whether a call id is used twice.
pub(crate) fn repeat_ids(brief: &Brief<'_>) -> bool {
    let mut seen = HashSet::new();
    brief.ask.rounds.iter().flat_map(|round| &round.parts).any(|part| match part {
        Part::ToolCall(call) => !seen.insert(call.id.as_str()),
        Part::Text(_) | Part::Reasoning(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => false,
    })
}

/// What was said and then called.
fn reply<'h>(brief: &Brief<'h>, round: &'h Round) -> Option<Said<'h>> {
    let (mut said, mut calls, mut natives) = (Vec::new(), Vec::new(), Vec::new());
    for part in &round.parts {
        match part {
            Part::Text(text) if text.text.trim().is_empty() => {}
            Part::Text(text) => {
                said.push(Piece::Text(TextPiece { text: Cow::Borrowed(&text.text), signature: text.signature.as_deref() }));
            }
            Part::Reasoning(thought) if keeps(brief, round, thought) => said.push(Piece::Reasoning(thought)),
            Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
            Part::ToolCall(call) if call.native.is_some() => natives.push(Piece::Call(call_piece(call))),
            Part::ToolResult(result) if result.native.is_some() => natives.push(Piece::Result(result_piece(result))),
            Part::ToolResult(_) => {}
            Part::ToolCall(call) => calls.push(named(brief, Piece::Call(call_piece(call)))),
        }
    }
    let own = Natives::of(&natives, brief.dialect);
    natives.retain(|piece| own.stay(piece));
    if calls.is_empty() && natives.is_empty() && !said.iter().any(|piece| matches!(piece, Piece::Text(_))) {
        return None;
    }
    // A provider's own blocks came before the calls that it left to us.
    let pieces: Pieces<'h> = said.into_iter().chain(natives).chain(calls).collect();
    Some(Said { message: Message { role: Role::Assistant, pieces, mark: false }, nodes: Nodes::new() })
}

/// A thought that leads to a call goes back with it, whatever becomes of older ones: APIs refuse the call without.
fn keeps(brief: &Brief<'_>, round: &Round, thought: &Reasoning) -> bool {
    is_own_thought(brief, round.model.as_deref(), thought)
}

/// A call as the API accepts it.
fn named<'h>(brief: &Brief<'h>, mut piece: Piece<'h>) -> Piece<'h> {
    if let Piece::Call(call) = &mut piece {
        if let Some(name) = super::names::tool_name(&call.name, brief.dialect) {
            call.name = name.into();
        }
        if let Some(args) = super::names::valid_args(&call.args) {
            call.args = args.into();
        }
    }
    piece
}

/// What the calls were answered.
fn answers<'h>(brief: &Brief<'h>, round: &'h Round) -> Option<Said<'h>> {
    let calls = round.parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) if call.native.is_none() => Some(call),
        Part::ToolCall(_) | Part::Text(_) | Part::Reasoning(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    });
    let mut taken = HashSet::new();
    let mut pieces = Pieces::default();
    for call in calls {
        let mut found = results(round).enumerate().filter(|(_, result)| result.id == call.id);
        let answer = found.find(|(at, _)| taken.insert(*at)).map(|(_, result)| result_piece(result));
        let mut answer = answer.unwrap_or_else(|| interrupted(call));
        answer.name = super::names::tool_name(&call.name, brief.dialect).map_or(Cow::Borrowed(&call.name), Cow::Owned);
        let _ = only_text(brief.dialect, &mut answer);
        pieces.push(Piece::Result(answer));
    }
    let message = Message { role: Role::User, pieces, mark: false };
    (!message.pieces.is_empty()).then_some(Said { message, nodes: Nodes::new() })
}

fn results(round: &Round) -> impl Iterator<Item = &ToolResult> {
    round.results.iter().filter_map(|part| if let Part::ToolResult(result) = part { Some(result) } else { None })
}

fn interrupted(call: &ToolCall) -> ResultPiece<'_> {
    let content = vec![Piece::text(INTERRUPTED)];
    ResultPiece { id: Cow::Borrowed(&call.id), name: Cow::Borrowed(&call.name), content, is_error: true, native: None }
}
