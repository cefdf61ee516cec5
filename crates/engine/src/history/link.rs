//! What is known of a node's place in the tree, so that no step has to walk the whole of it.

use crate::model::{Edge, ImportedRole, Kind, Node, Part, ResultContent, Status};

/// Stands for no node.
pub(crate) const NONE: u32 = u32::MAX;

/// A node's place in the tree. All numbers are indexes into the history's nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The node it continues.
    pub(crate) parent: u32,
    /// An ancestor further up, so that any ancestor is reached in logarithmic steps.
    pub(crate) jump: u32,
    /// Nodes above it.
    pub(crate) depth: u32,
    /// The nearest node, itself included, that must be looked at one by one.
    pub(crate) special: u32,
    /// The nearest node, itself included, that may cut off what is before it.
    pub(crate) checkpoint: u32,
    /// Its author.
    pub(crate) author: u32,
    /// Whether its author alone decides whose voice it has.
    pub(crate) plain_voice: bool,
    /// Whether it holds words, a picture or a file.
    pub(crate) words: bool,
    /// Whether it calls a tool.
    pub(crate) calls: bool,
    /// Whether it answers a call.
    pub(crate) answers: bool,
    /// Whether a provider ran a tool in it.
    pub(crate) native: bool,
    /// The nearest ancestor whose call it answers, where it is plain to see.
    pub(crate) caller: u32,
    /// How many nodes that were not read it stands for; 0 for a node that is there.
    pub(crate) unread: u32,
}

impl Link {
    /// The link of a node that hangs on `parent`.
    pub(crate) fn below(parent: Option<(u32, &Link)>, links: &[Link], node: &Node, own: u32, author: u32) -> Link {
        let (up, jump, depth) = match parent {
            None => (NONE, own, 0),
            Some((index, link)) => {
                let jumped = &links[link.jump as usize];
                // Skew-binary jumps: as far again as the parent's jump, when the two last jumps were equally long.
                let even = link.depth - jumped.depth == jumped.depth - links[jumped.jump as usize].depth;
                (index, if even { jumped.jump } else { index }, link.depth + 1)
            }
        };
        let above = parent.map(|(_, link)| *link);
        Link {
            parent: up,
            jump,
            depth,
            special: if is_special(node) { own } else { above.map_or(NONE, |link| link.special) },
            checkpoint: if is_checkpoint(node) { own } else { above.map_or(NONE, |link| link.checkpoint) },
            author,
            plain_voice: node.edited_from.is_none() && node.role.is_none(),
            words: node.status == Status::Error || node.parts.iter().any(is_said),
            calls: node.parts.iter().any(|part| matches!(part, Part::ToolCall(_))),
            native: node.parts.iter().any(is_native),
            caller: NONE,
            answers: node.parts.iter().any(|part| matches!(part, Part::ToolResult(_))),
            unread: 0,
        }
    }

    /// The depth of the first node it stands for.
    pub(crate) fn first_depth(&self) -> u32 {
        self.depth - self.unread.saturating_sub(1)
    }
}

/// Whether a node may cut off what is before it.
pub(crate) fn is_checkpoint(node: &Node) -> bool {
    node.context_edge || node.kind == Kind::Summary
}

/// Whether anything but its place on the path decides what becomes of a node.
pub(crate) fn is_special(node: &Node) -> bool {
    node.kind != Kind::Message
        || node.status != Status::Sent
        || node.excluded
        || node.pruned
        || node.pinned
        || node.context_edge
        || node.edge == Edge::Annotation
        || !node.sources.is_empty()
        || node.role == Some(ImportedRole::System)
        || !node.parts.iter().any(is_solid)
        || node.parts.iter().any(is_native)
}

/// Whether a part says something under every policy that keeps tools.
fn is_solid(part: &Part) -> bool {
    is_said(part) || matches!(part, Part::ToolCall(_) | Part::ToolResult(_))
}

/// Whether a part is half of an exchange that a provider ran itself. Such halves are never joined across nodes.
fn is_native(part: &Part) -> bool {
    match part {
        Part::ToolCall(call) => call.native.is_some(),
        Part::ToolResult(result) => result.native.is_some(),
        Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => false,
    }
}

/// Whether a part says something by itself.
pub(crate) fn is_said(part: &Part) -> bool {
    match part {
        Part::Text(text) => !text.text.trim().is_empty(),
        Part::Image(_) | Part::File(_) => true,
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => false,
    }
}

/// Whether a result holds anything but text.
pub(crate) fn has_media(content: &ResultContent) -> bool {
    match content {
        ResultContent::Text(_) => false,
        ResultContent::Parts(parts) => parts.iter().any(|part| matches!(part, Part::Image(_) | Part::File(_))),
    }
}
