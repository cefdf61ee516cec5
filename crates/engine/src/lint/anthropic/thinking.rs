//! Thinking: where its blocks may stand in an assistant message.

use super::block::Block;
use super::{Setup, Thinking};
use crate::lint::finding::Findings;
use crate::lint::path::At;
use crate::lint::rule::Rule;

/// Check the order of the blocks of one assistant message; `last` is the last one of the request.
pub(super) fn order(kinds: &[Block], last: bool, setup: &Setup, at: &At, out: &mut Findings) {
    let Some((ending, first)) = kinds.last().zip(kinds.first()) else {
        return;
    };
    if ending.is_thinking() {
        out.error(
            &at.index(kinds.len() - 1),
            Rule::ThinkingLast,
            "an assistant message cannot end in thinking".to_owned(),
            "drop the message, or keep what followed the thinking",
        );
    }
    if first.is_thinking() || !kinds.contains(&Block::ToolUse) {
        return;
    }
    let thinks = kinds.iter().any(|kind| kind.is_thinking());
    let due = match setup.thinking {
        Thinking::Adaptive => false,
        Thinking::Off => thinks,
        // The API looks at the newest tool loop only; older turns may have lost their thinking.
        Thinking::Manual => thinks || last,
    };
    if due {
        out.error(
            &at.index(0),
            Rule::ThinkingNotFirst,
            "a message that calls tools begins with its thinking".to_owned(),
            "send the message as it was received, or turn thinking off",
        );
    }
}
