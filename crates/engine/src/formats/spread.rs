//! One message of an app, which may hold words, calls and results together, as the nodes it stands for.
//!
//! Apps keep a whole turn of their agent in one message: what it said, the tools it called, what they answered, what it
//! said then. In a history each is a node of its own, so that a call and its results can be paired and fitted.

use super::draft::Draft;
use crate::model::{Node, NodeId, Part};

/// The nodes a message became.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// The last node, which whatever follows continues.
    pub(super) last: NodeId,
    /// The last node that is not tool results: the one a call to the model led to.
    pub(super) spoken: NodeId,
}

/// Pushes a message as one node or several. Flags that begin something stay with the first node; usage and the reason of
/// a failure go to the last one that was spoken; the rest is on all.
pub(super) fn spread(draft: &mut Draft, mut message: Node) -> Spread {
    let mut runs = runs(std::mem::take(&mut message.parts)).into_iter();
    let first = message.id.clone();
    let mut template = message.clone();
    template.context_edge = false;
    template.edge = crate::model::Edge::Continuation;
    template.sources = Vec::new();
    template.edited_from = None;
    template.reply_to = None;
    template.bookmarked = false;
    let (usage, error) = (message.usage.take(), message.error.take());
    let marks = std::mem::take(&mut message.cache_marks);
    message.parts = runs.next().unwrap_or_default();
    let mut nodes = vec![message];
    for (number, parts) in runs.enumerate() {
        let mut node = draft.node(Some(&format!("{first}.{}", number + 2)), &template.author);
        let id = node.id;
        node = template.clone();
        node.parent = nodes.last().map(|node| node.id.clone());
        (node.id, node.parts, node.usage, node.error, node.cache_marks) = (id, parts, None, None, Vec::new());
        nodes.push(node);
    }
    let spoken = nodes.iter().rposition(|node| !is_results(&node.parts)).unwrap_or(0);
    let mut spread = Spread { last: first.clone(), spoken: first };
    for (index, mut node) in nodes.into_iter().enumerate() {
        if index == spoken {
            (node.usage, node.error, node.cache_marks) = (usage, error.clone(), marks.clone());
            spread.spoken = node.id.clone();
        }
        spread.last = draft.push(node);
    }
    spread
}

/// Cuts parts where words and calls give way to results and back, and where words follow a call that has no result.
fn runs(parts: Vec<Part>) -> Vec<Vec<Part>> {
    let goes_on = |last: &Part, next: &Part| match (last, next) {
        (Part::ToolResult(_), next) => is_result(next),
        (Part::ToolCall(_), next) => matches!(next, Part::ToolCall(_)),
        (_, next) => !is_result(next),
    };
    let mut runs: Vec<Vec<Part>> = Vec::new();
    for part in parts {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| goes_on(last, &part)) => run.push(part),
            _ => runs.push(vec![part]),
        }
    }
    runs
}

fn is_results(parts: &[Part]) -> bool {
    parts.first().is_some_and(is_result)
}

fn is_result(part: &Part) -> bool {
    matches!(part, Part::ToolResult(_))
}
