//! Results that do not stand right behind their call. They are read wherever they stand, so that a part of a history knows
//! of every call that is answered late or twice.

use super::Key;
use crate::error::Result;
use crate::sql::{Tx, args};
use weftwork::history::Traits;
use weftwork::model::{EntityKind, Node, Part};

/// Results of one reply that may stand between a call and its own result.
const FAR: usize = 32;

/// Whether a node must be read wherever it stands.
pub(crate) fn is_special(tx: &mut Tx<'_>, node: &Node, parent: Option<Key>, author: EntityKind) -> Result<bool> {
    let mut above = parent;
    Ok(Traits::of(node, author).special || is_stray(&node.parts, || next_above(tx, &mut above))?)
}

/// Whether a result does not stand right behind its call. `above` gives what hangs above, nearest first.
pub(crate) fn is_stray(parts: &[Part], mut above: impl FnMut() -> Result<Option<Vec<Part>>>) -> Result<bool> {
    let mut open: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            Part::ToolResult(result) if result.native.is_none() && !calls(parts, &result.id) => {
                if open.contains(&result.id.as_str()) {
                    return Ok(true);
                }
                open.push(&result.id);
            }
            Part::ToolResult(_) | Part::ToolCall(_) | Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
        }
    }
    for _ in 0..FAR {
        if open.is_empty() {
            return Ok(false);
        }
        let Some(parts) = above()? else { return Ok(true) };
        let again = |part: &Part| matches!(part, Part::ToolResult(result) if open.contains(&result.id.as_str()));
        if parts.iter().any(again) {
            return Ok(true);
        }
        open.retain(|id| !calls(&parts, id));
        let is_exchange = |part: &Part| matches!(part, Part::ToolCall(_) | Part::ToolResult(_));
        if !open.is_empty() && !parts.iter().any(is_exchange) {
            return Ok(true);
        }
    }
    Ok(!open.is_empty())
}

fn calls(parts: &[Part], id: &str) -> bool {
    parts.iter().any(|part| matches!(part, Part::ToolCall(call) if call.native.is_none() && call.id == id))
}

fn next_above(tx: &mut Tx<'_>, above: &mut Option<Key>) -> Result<Option<Vec<Part>>> {
    const SQL: &str = "SELECT parent, parts FROM nodes WHERE key = ?1";
    let Some(key) = *above else { return Ok(None) };
    tx.first(SQL, args![key.0], |row| {
        *above = row.maybe_int(0)?.map(Key);
        // What is one plain text holds no call.
        Ok(row.maybe_text(1)?.map(serde_json::from_str).transpose()?.unwrap_or_default())
    })
}
