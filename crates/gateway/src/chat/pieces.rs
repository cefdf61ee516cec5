//! Summing up what is larger than the window: piece by piece, each with the summary of all before it.
//!
//! A piece is a conversation of its own, made of the nodes that fit, and goes down the same line as any other. Pieces are cut
//! where no tool call waits for its result; a text that fits into no window is cut into several.

use super::Chat;
use super::branch::voice;
use super::call::{Slot, Woven};
use super::terms::{Errand, Terms};
use crate::error::GatewayError;
use crate::event::Live;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use weftwork::ask::{Cache, Strategy};
use weftwork::model::{Conversation, EntityId, Kind, Node, NodeId, Part, ResultContent, Status};
use weftwork::{Assembly, History, assemble};
use weftwork_store::record_of_file;

/// The id of the summary of what came before a piece.
const SO_FAR: &str = "summary-so-far";

/// What is to be summed up.
struct Work {
    /// The space without its nodes.
    header: Conversation,
    agent: EntityId,
    /// The summary of what came before.
    so_far: Option<String>,
    /// What is left, in order.
    nodes: Vec<Node>,
}

impl Chat {
    pub(super) async fn summarize_in_pieces(
        &self,
        head: &NodeId,
        errand: &Errand,
        slot: Slot,
        mut terms: Terms,
        live: &Live,
    ) -> Result<(Node, u32), GatewayError> {
        terms.ask.head = None;
        terms.ask.settings.cache = Some(Cache::Off);
        let mut work = self.work(head, errand, &terms).await?;
        let mut pieces = 1;
        loop {
            let (woven, taken);
            (work, woven, taken) = work.piece(&terms).await?;
            if taken == work.nodes.len() {
                return Ok((self.call_with(&terms, woven, errand, slot, live).await?.node, pieces));
            }
            work.so_far = Some(self.call_aside(&terms, &woven, errand, live).await?.text());
            work.nodes.drain(..taken);
            pieces += 1;
        }
    }

    /// What lies between the last checkpoint and the head, or the last node that is to be covered.
    async fn work(&self, head: &NodeId, errand: &Errand, terms: &Terms) -> Result<Work, GatewayError> {
        let space = self.space.clone();
        let mut file = self.gateway.stored(move |store| store.export(&space)).await?;
        let nodes = std::mem::take(&mut file.nodes);
        (file.head, file.calls, file.wholes) = (None, Vec::new(), Vec::new());
        (file.bookmarks, file.links) = (Vec::new(), Vec::new());
        file.heads.clear();
        file.cursors.clear();
        let last = match errand {
            Errand::Summary { covers: Some(covers), .. } => covers,
            Errand::Summary { covers: None, .. } | Errand::Title { .. } | Errand::Reply => head,
        };
        let path = path_to(nodes, last);
        let (so_far, begin) = checkpoint(&path);
        let said = path.into_iter().skip(begin).filter(|node| node.kind == Kind::Message);
        let longest = longest(terms, &file);
        let nodes: Vec<Node> = said.flat_map(|node| split(node, longest)).collect();
        if nodes.is_empty() {
            return Err(GatewayError::NothingThere { what: "there is nothing to sum up" });
        }
        Ok(Work { header: file, agent: self.agent.clone(), so_far, nodes })
    }
}

impl Work {
    /// The largest request that takes nodes from the front, and how many it takes. Found on a thread that may be busy.
    async fn piece(self, terms: &Terms) -> Result<(Work, Woven, usize), GatewayError> {
        let terms = terms.clone();
        let found = tokio::task::spawn_blocking(move || {
            let (woven, taken) = self.largest(&terms)?;
            Ok((self, woven, taken))
        });
        found.await.unwrap_or_else(|died| std::panic::resume_unwind(died.into_panic()))
    }

    fn largest(&self, terms: &Terms) -> Result<(Woven, usize), GatewayError> {
        let cuts = cuts(&self.nodes);
        let mut strict = terms.clone();
        strict.ask.settings.truncation_strategy = Some(Strategy::StopAtLimit);
        let (mut fits, mut over) = (0, cuts.len());
        let (mut best, mut last) = (None, None);
        // How much fits is not known: double, then halve.
        let mut tried = 1;
        while fits < over {
            match self.woven(&strict, cuts[tried - 1]) {
                Ok(woven) => (fits, best) = (tried, Some(woven)),
                Err(GatewayError::Assemble(error)) if super::summary::is_too_large(&error) => {
                    over = tried - 1;
                    last = Some(error);
                }
                Err(error) => return Err(error),
            }
            tried = if over == cuts.len() { (fits * 2).min(over) } else { fits + (over - fits).div_ceil(2) };
        }
        match (best, last) {
            (Some(woven), _) => Ok((woven, cuts[fits - 1])),
            // Not even the first exchange fits. A summary that leaves it out would hide it.
            (None, error) => {
                Err(error.map_or(GatewayError::NothingThere { what: "there is nothing to sum up" }, GatewayError::Assemble))
            }
        }
    }

    fn woven(&self, terms: &Terms, count: usize) -> Result<Woven, GatewayError> {
        let file = self.file(count);
        let record = record_of_file(&file, &terms.ask);
        let history = History::new(file).map_err(|error| GatewayError::Store(error.into()))?;
        let Assembly { request, report, .. } = assemble(&history, &terms.ask).map_err(GatewayError::Assemble)?;
        Ok(Woven { request, report: Arc::new(report), record })
    }

    /// The first nodes as a conversation of their own.
    fn file(&self, count: usize) -> Conversation {
        let mut file = self.header.clone();
        let so_far = self.so_far.as_ref().map(|text| {
            let mut node = Node::new(SO_FAR, None, self.agent.clone()).text(text.clone());
            node.kind = Kind::Summary;
            node
        });
        let mut above: Option<NodeId> = None;
        for mut node in so_far.into_iter().chain(self.nodes[..count].iter().cloned()) {
            node.parent = above.replace(node.id.clone());
            file.nodes.push(node);
        }
        file.head = above;
        file
    }
}

/// Characters that one node may have: no more than half the window, even if each is a token.
fn longest(terms: &Terms, file: &Conversation) -> usize {
    let window = terms.window(&file.space.settings).unwrap_or(128_000);
    usize::try_from(window / 4).unwrap_or(usize::MAX).max(1)
}

/// The nodes from the root to one, each able to stand without the others.
fn path_to(nodes: Vec<Node>, last: &NodeId) -> Vec<Node> {
    let by_id: HashMap<&NodeId, &Node> = nodes.iter().map(|node| (&node.id, node)).collect();
    let mut path = Vec::new();
    let mut next = Some(last);
    while let Some(found) = next.and_then(|id| by_id.get(id)) {
        let mut node = (*found).clone();
        next = found.parent.as_ref();
        node.author = voice(found, |id| by_id.get(id).map(|node| (*node).clone())).author;
        (node.edited_from, node.reply_to) = (None, None);
        (node.sources, node.cache_marks) = (Vec::new(), Vec::new());
        path.push(node);
    }
    path.reverse();
    path
}

/// The summary that holds at the end of a path, and where what it does not cover begins.
fn checkpoint(path: &[Node]) -> (Option<String>, usize) {
    let is_summary = |node: &Node| node.kind == Kind::Summary && node.status == Status::Sent && !node.pruned && !node.excluded;
    let Some(at) = path.iter().rposition(|node| is_summary(node) || node.context_edge) else { return (None, 0) };
    let found = &path[at];
    if !is_summary(found) {
        return (None, at);
    }
    let covered = found.covers.as_ref().and_then(|covers| path[..at].iter().position(|node| node.id == *covers));
    let texts = found.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None });
    (Some(texts.collect()), covered.unwrap_or(at) + 1)
}

/// After how many nodes a piece may end: where no call waits for its result.
fn cuts(nodes: &[Node]) -> Vec<usize> {
    let mut open: HashSet<&str> = HashSet::new();
    let mut cuts = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        for part in &node.parts {
            match part {
                Part::ToolCall(call) => drop(open.insert(&call.id)),
                Part::ToolResult(result) => drop(open.remove(result.id.as_str())),
                Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {}
            }
        }
        // A call that never got its result is repaired on the way: a new message ends the waiting.
        let is_last = nodes.get(at + 1).is_none_or(|next| !next.parts.iter().any(|part| matches!(part, Part::ToolResult(_))));
        if open.is_empty() || is_last {
            open.clear();
            cuts.push(at + 1);
        }
    }
    cuts
}

/// A node as several, none with more than so many characters. What began afresh did so before the first of them.
fn split(mut node: Node, longest: usize) -> Vec<Node> {
    (node.context_edge, node.covers) = (false, None);
    let results = node.parts.iter().filter(|part| matches!(part, Part::ToolResult(_))).count();
    node.parts.iter_mut().for_each(|part| shorten(part, longest / results.max(1)));
    let texts = |part: &Part| if let Part::Text(text) = part { text.text.chars().count() } else { 0 };
    if node.parts.iter().map(texts).sum::<usize>() <= longest {
        return vec![node];
    }
    let parts = std::mem::take(&mut node.parts);
    let pieces = parts.into_iter().flat_map(|part| match &part {
        Part::Text(text) if texts(&part) > longest => {
            let chars: Vec<char> = text.text.chars().collect();
            chars.chunks(longest).map(|piece| Part::text(piece.iter().collect::<String>())).collect()
        }
        _ => vec![part],
    });
    let numbered = |(at, piece): (usize, Part)| {
        let mut next = node.clone();
        (next.id, next.parts) = (NodeId::from(format!("{}/{at}", node.id)), vec![piece]);
        next
    };
    pieces.enumerate().map(numbered).collect()
}

/// Cuts a tool's answer that is longer than so many characters.
fn shorten(part: &mut Part, longest: usize) {
    let Part::ToolResult(result) = part else { return };
    let text = match &result.content {
        ResultContent::Text(text) => text.clone(),
        ResultContent::Parts(parts) => {
            parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None }).collect()
        }
    };
    if text.chars().count() > longest {
        let kept: String = text.chars().take(longest).collect();
        result.content = ResultContent::Text(format!("{kept}\n[… the rest was too long to be read …]"));
    }
}
