//! What a store must know of each node beside its content, so that a part of a history can be read like the whole.

use super::link::{is_checkpoint, is_said, is_special};
use crate::model::{EntityKind, Node, Part};

/// What a node's content means for the readers of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Something but its place on the path decides what becomes of it, so that it must be read wherever it stands.
    pub special: bool,
    /// It may cut off what is before it.
    pub checkpoint: bool,
    /// It holds no text at all.
    pub textless: bool,
    /// It holds nothing but tool parts that others may not hear.
    pub only_tools: bool,
    /// The same, in another's name.
    pub only_tools_for_another: bool,
}

impl Traits {
    /// The traits of a node whose author is of this kind.
    pub fn of(node: &Node, author: EntityKind) -> Traits {
        let unheard = |part: &Part| match part {
            Part::ToolCall(_) => true,
            Part::ToolResult(_) => author == EntityKind::Agent,
            Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => false,
        };
        let only_tools = !node.parts.iter().any(is_said) && node.parts.iter().any(unheard);
        Traits {
            special: is_special(node),
            checkpoint: is_checkpoint(node),
            textless: !node.parts.iter().any(|part| matches!(part, Part::Text(text) if !text.text.is_empty())),
            only_tools,
            only_tools_for_another: only_tools && (node.role.is_some() || node.edited_from.is_some()),
        }
    }
}
