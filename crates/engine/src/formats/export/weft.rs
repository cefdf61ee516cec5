//! Weft's own conversation file.

use crate::model::Conversation;
use serde::Serialize;

/// One object, verbatim arguments and all.
pub(super) fn object(conversation: &Conversation, out: &mut String) {
    out.push_str(&json(conversation));
    out.push('\n');
}

/// One object on one line.
pub(super) fn line(value: &impl Serialize, out: &mut String) {
    push_line(&json(value), out);
}

/// A header, then a node a line.
pub(super) fn lines(conversation: &Conversation, out: &mut String) {
    line(&header(conversation), out);
    conversation.nodes.iter().for_each(|node| line(node, out));
}

/// Everything but the nodes. Every field is named, so that a new one cannot be forgotten.
fn header(from: &Conversation) -> Conversation {
    Conversation {
        weft: from.weft,
        space: from.space.clone(),
        entities: from.entities.clone(),
        members: from.members.clone(),
        nodes: Vec::new(),
        head: from.head.clone(),
        heads: from.heads.clone(),
        cursors: from.cursors.clone(),
        calls: from.calls.clone(),
        wholes: from.wholes.clone(),
        bookmarks: from.bookmarks.clone(),
        links: from.links.clone(),
        buffer: from.buffer.clone(),
        tools: from.tools.clone(),
        included_tools: from.included_tools.clone(),
        sampling: from.sampling.clone(),
        viewer: from.viewer.clone(),
        trigger: from.trigger.clone(),
        spaces: from.spaces.clone(),
        goals: from.goals.clone(),
        memories: from.memories.clone(),
        plans: from.plans.clone(),
        runs: from.runs.clone(),
        loom: from.loom.clone(),
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data serialises")
}

/// Adds JSON as one line. A line break can only stand in arguments kept verbatim, as blank between tokens.
pub(super) fn push_line(json: &str, out: &mut String) {
    if json.contains(['\n', '\r']) {
        out.extend(json.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }));
    } else {
        out.push_str(json);
    }
    out.push('\n');
}
