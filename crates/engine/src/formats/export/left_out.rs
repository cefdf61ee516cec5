//! What a conversation holds that another format has no place for.

use super::LossReport;
use crate::model::{Conversation, Edge, Kind, Node, Status, is_default};

/// Reports every field of the conversation, beside its nodes, that holds something and is not among `said`.
pub(super) fn conversation(from: &Conversation, said: &[&str], loss: &mut LossReport) {
    // Every field is named, so that a new one cannot be forgotten.
    let Conversation {
        weft: _,
        space,
        entities,
        members,
        nodes: _,
        head: _,
        heads,
        cursors,
        calls,
        wholes,
        bookmarks,
        links,
        buffer,
        tools,
        included_tools,
        sampling,
        viewer,
        trigger,
        spaces,
        goals,
        memories,
        plans,
        runs,
        loom,
    } = from;
    let fields = [
        ("space.name", !space.name.is_empty()),
        ("space.systemContext", !space.system_context.is_empty()),
        ("space.settings", !is_default(&space.settings)),
        ("entities[].systemPrompt", entities.iter().any(|entity| entity.system_prompt.is_some())),
        ("entities[].model", entities.iter().any(|entity| entity.model.is_some())),
        ("members", !members.is_empty()),
        ("heads", !heads.is_empty()),
        ("cursors", !cursors.is_empty()),
        ("calls", !calls.is_empty()),
        ("wholes", !wholes.is_empty()),
        ("bookmarks", !bookmarks.is_empty()),
        ("links", !links.is_empty()),
        ("buffer", buffer.is_some()),
        ("tools", !tools.is_empty()),
        ("includedTools", !included_tools.is_empty()),
        ("sampling", !is_default(sampling)),
        ("viewer", viewer.is_some()),
        ("trigger", trigger.is_some()),
        ("spaces", !spaces.is_empty()),
        ("goals", !goals.is_empty()),
        ("memories", !memories.is_empty()),
        ("plans", !plans.is_empty()),
        ("runs", !runs.is_empty()),
        ("loom", loom.is_some()),
    ];
    report(&fields, said, &space.id, loss);
}

/// Reports every field of a node that holds something and is not among `said`.
pub(super) fn node(from: &Node, said: &[&str], loss: &mut LossReport) {
    let Node {
        id,
        parent: _,
        author: _,
        kind: _,
        status: _,
        role: _,
        created_at,
        parts: _,
        model,
        usage,
        error,
        excluded,
        pruned,
        purged,
        pinned,
        bookmarked,
        context_edge,
        edge: _,
        sources,
        edited_from,
        reply_to,
        origin,
        covers,
        cache_marks,
        accounting,
        response,
        hash,
    } = from;
    let fields = [
        ("nodes[].createdAt", created_at.is_some()),
        ("nodes[].model", model.is_some()),
        ("nodes[].usage", usage.is_some()),
        ("nodes[].error", error.is_some()),
        ("nodes[].excluded", *excluded),
        ("nodes[].pruned", *pruned),
        ("nodes[].purged", *purged),
        ("nodes[].pinned", *pinned),
        ("nodes[].bookmarked", *bookmarked),
        ("nodes[].contextEdge", *context_edge),
        ("nodes[].sources", !sources.is_empty()),
        ("nodes[].editedFrom", edited_from.is_some()),
        ("nodes[].replyTo", reply_to.is_some()),
        ("nodes[].origin", origin.is_some()),
        ("nodes[].covers", covers.is_some()),
        ("nodes[].cacheMarks", !cache_marks.is_empty()),
        ("nodes[].accounting", accounting.is_some()),
        ("nodes[].response", response.is_some()),
        ("nodes[].hash", hash.is_some()),
    ];
    report(&fields, said, id, loss);
}

fn report(fields: &[(&str, bool)], said: &[&str], at: impl std::fmt::Display, loss: &mut LossReport) {
    for (what, _) in fields.iter().filter(|(what, is_there)| *is_there && !said.contains(what)) {
        loss.dropped(what, "the format has no place for it", &at);
    }
}

/// Why a node is not part of the conversation as others see it; none if it is.
pub(super) fn reason(node: &Node) -> Option<&'static str> {
    match (node.kind, node.status, node.edge) {
        (Kind::SummaryRequest | Kind::Title | Kind::TitleRequest | Kind::Accounting, _, _) => {
            Some("not part of the conversation")
        }
        _ if node.pruned => Some("pruned"),
        _ if node.excluded => Some("excluded"),
        (_, Status::Pending, _) => Some("not sent"),
        (_, Status::Error, _) => Some("failed"),
        (_, _, Edge::Annotation) => Some("an annotation"),
        (Kind::Message | Kind::Summary, Status::Sent, Edge::Continuation) => None,
    }
}
