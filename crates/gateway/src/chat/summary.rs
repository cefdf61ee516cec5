//! Summaries: a checkpoint that stands for what was said before it.
//!
//! The request is a node, the summary hangs on it, and the call sends what the reply before it sent, byte for byte, with the
//! request behind. A summary that cannot stand for the conversation fails as a node, and hides nothing.

use super::branch::{is_question, upwards};
use super::call::{Slot, Woven};
use super::terms::{Errand, Terms, sent};
use super::undo::Act;
use super::{Chat, How, Say};
use crate::error::GatewayError;
use crate::event::{Event, Live, Notice};
use weftwork::AssembleError;
use weftwork::ask::{Input, Share};
use weftwork::model::{Edge, Kind, Node, NodeId, Part, Status};
use weftwork_store::{Draft, MoveHead, Parent};

const REQUEST: &str = "Write a summary of our conversation so far. It will replace the conversation: whoever goes on from it \
    knows nothing else of what was said. Keep what was asked for and decided, what is still open, facts, names, numbers, \
    paths, commands and the exact words that matter. Leave out courtesies. Do not call tools. Answer with the summary alone.";
const KEPT: &str = "The newest messages stay as they are, word for word; sum up what comes before them. They begin with:";
/// Characters of the first kept message that the request quotes.
const QUOTED: usize = 200;

/// What came of a summary.
#[derive(Clone, Debug)]
pub struct Summarized {
    /// The summary.
    pub node: Node,
    /// In how many pieces it was made: more than one where the conversation is larger than the model's window.
    pub pieces: u32,
}

/// What stays as it is beside a summary.
struct Tail {
    /// The last node that is summed up.
    covers: NodeId,
    /// How what stays begins.
    begins: String,
}

impl Chat {
    /// Sums up what was said. At least the newest `keep` messages stay as they are: whole turns do.
    pub async fn summarize(&self, keep: u32, live: &Live) -> Result<Summarized, GatewayError> {
        let head = self.need_head("nothing was said yet that could be summed up").await?;
        let tail = self.tail(&head, keep).await?;
        let request = tail.as_ref().map_or_else(|| REQUEST.to_owned(), |tail| format!("{REQUEST}\n\n{KEPT}\n{}", tail.begins));
        let errand = Errand::Summary { request: request.clone(), covers: tail.map(|tail| tail.covers) };
        let how = How::default();
        let terms = self.terms(Some(head.clone()), &errand, &how).await?;
        // What is cut to fit cannot be summed up at once: the summary would stand for what it has not seen.
        let whole = match self.weave(&terms).await {
            Ok(woven) => Some(woven).filter(|woven| !woven.report.truncated),
            Err(GatewayError::Assemble(AssembleError::NothingToSend)) => {
                return Err(GatewayError::NothingThere { what: "there is nothing to sum up" });
            }
            Err(GatewayError::Assemble(error)) if is_too_large(&error) => None,
            Err(error) => return Err(error),
        };
        let request = self.add_request(Kind::SummaryRequest, request, Edge::Continuation, head.clone(), live).await?;
        let slot = Slot { parent: request.id, edge: Edge::Continuation, head: self.moves() };
        let (node, pieces) = match whole {
            Some(woven) => self.summarize_at_once(&head, &errand, slot, &terms, woven, live).await?,
            None => self.summarize_in_pieces(&head, &errand, slot, terms, live).await?,
        };
        self.remember(Act::Summary(node.id.clone()));
        Ok(Summarized { node, pieces })
    }

    /// Sums up in one call, or in smaller pieces if the provider finds it too large.
    async fn summarize_at_once(
        &self,
        head: &NodeId,
        errand: &Errand,
        slot: Slot,
        terms: &Terms,
        woven: Woven,
        live: &Live,
    ) -> Result<(Node, u32), GatewayError> {
        let smaller = terms.smaller(&woven.report);
        match self.call_with(terms, woven, errand, slot.clone(), live).await {
            Err(GatewayError::Send { error, .. }) if error.is_overflow() => {
                self.summarize_in_pieces(head, errand, slot, smaller, live).await
            }
            said => Ok((said?.node, 1)),
        }
    }

    /// Sums up if the space does so by itself and what will be sent is more than its share of the window.
    pub(crate) async fn summarize_if_due(&self, say: &Say, how: &How, live: &Live) -> Result<(), GatewayError> {
        let Some(share) = self.auto_summary().await? else { return Ok(()) };
        if self.head().await?.is_none() || !self.is_over(share, say, how).await? {
            return Ok(());
        }
        match self.summarize(0, live).await {
            Ok(_) => live.tell(Event::Notice(Notice::SummedUp)).await,
            Err(error @ GatewayError::Store(_)) => return Err(error),
            Err(error) => live.tell(Event::Notice(Notice::NoSummary { why: error.to_string() })).await,
        }
        Ok(())
    }

    /// Sums up the older messages on the way to a node, where the space does so by itself and there are twice as many as
    /// are kept. The summary hangs on whatever is newest then: people go on talking meanwhile.
    pub(crate) async fn sum_up_older(&self, head: &NodeId, keep: usize, live: &Live) -> Result<Option<Node>, GatewayError> {
        if self.auto_summary().await?.is_none() {
            return Ok(None);
        }
        let Some(tail) = self.older(head, keep).await? else { return Ok(None) };
        let request = format!("{REQUEST}\n\n{KEPT}\n{}", tail.begins);
        let errand = Errand::Summary { request, covers: Some(tail.covers.clone()) };
        let terms = self.terms(Some(head.clone()), &errand, &How::default()).await?;
        let woven = self.weave(&terms).await?;
        if woven.report.truncated {
            // It would stand for what it has not seen.
            return Ok(None);
        }
        let text = self.call_aside(&terms, &woven, &errand, live).await?.text();
        let mut node = Node::new("", None, self.agent.clone()).text(text);
        (node.kind, node.covers, node.created_at) = (Kind::Summary, Some(tail.covers), self.gateway.timestamp());
        node.model = Some(terms.target.model.name.clone());
        let (space, draft) = (self.space.clone(), Draft { parent: Parent::Branch(head.clone()), ..Draft::new(node) });
        Ok(Some(self.gateway.stored(move |store| store.append(&space, draft)).await?.node))
    }

    /// Where the newest `keep` messages begin, if there are at least twice as many since the last summary.
    async fn older(&self, head: &NodeId, keep: usize) -> Result<Option<Tail>, GatewayError> {
        let (space, head) = (self.space.clone(), head.clone());
        let found = self.gateway.stored(move |store| {
            let (mut from, mut messages, mut tail) = (head, 0, None);
            loop {
                let nodes = upwards(store, &space, from, 64)?;
                for node in &nodes {
                    if node.kind == Kind::Summary && node.status == Status::Sent && !node.pruned {
                        return Ok(None);
                    }
                    messages += usize::from(node.kind == Kind::Message && node.status == Status::Sent);
                    if let (true, None, Some(parent)) = (messages == keep, &tail, &node.parent) {
                        tail = Some(Tail { covers: parent.clone(), begins: quote(node) });
                    }
                    if messages >= 2 * keep {
                        return Ok(tail);
                    }
                }
                match nodes.last().and_then(|node| node.parent.clone()) {
                    Some(parent) => from = parent,
                    None => return Ok(None),
                }
            }
        });
        found.await
    }

    async fn auto_summary(&self) -> Result<Option<Share>, GatewayError> {
        Ok(self.header().await?.space.settings.auto_summary.or(self.gateway.settings.auto_summary))
    }

    /// Whether the next request takes more than a share of the window, or is cut to fit.
    async fn is_over(&self, share: Share, say: &Say, how: &How) -> Result<bool, GatewayError> {
        let mut terms = self.terms(self.head().await?, &Errand::Reply, how).await?;
        terms.ask.input = Input::New(say.parts.clone());
        match self.weave(&terms).await {
            Ok(woven) => {
                let report = &woven.report;
                Ok(report.truncated || sent(report) + report.budget.reserve > share.of(report.budget.context_length))
            }
            Err(GatewayError::Assemble(error)) if is_too_large(&error) => Ok(true),
            Err(GatewayError::Assemble(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Where the kept tail begins, on a message to the agent; none if nothing is kept.
    async fn tail(&self, head: &NodeId, keep: u32) -> Result<Option<Tail>, GatewayError> {
        if keep == 0 {
            return Ok(None);
        }
        let (space, agent, head) = (self.space.clone(), self.agent.clone(), head.clone());
        let found = self.gateway.stored(move |store| {
            let mut from = head;
            let mut messages = 0;
            loop {
                let nodes = upwards(store, &space, from, 64)?;
                for node in &nodes {
                    messages += u32::from(node.kind == Kind::Message);
                    if node.kind == Kind::Summary && node.status == Status::Sent && !node.pruned {
                        return Ok(None);
                    }
                    if let (true, Some(parent)) = (messages >= keep && is_question(store, &space, &agent, node)?, &node.parent) {
                        return Ok(Some(Tail { covers: parent.clone(), begins: quote(node) }));
                    }
                }
                match nodes.last().and_then(|node| node.parent.clone()) {
                    Some(parent) => from = parent,
                    None => return Ok(None),
                }
            }
        });
        let tail = found.await?;
        tail.map(Some).ok_or(GatewayError::NothingThere { what: "there is nothing to sum up before the messages that are kept" })
    }

    /// Adds a request for a summary or a title. Neither is ever sent as conversation.
    pub(super) async fn add_request(
        &self,
        kind: Kind,
        text: String,
        edge: Edge,
        parent: NodeId,
        live: &Live,
    ) -> Result<Node, GatewayError> {
        let mut node = Node::new("", None, self.person.clone()).text(text);
        (node.kind, node.edge) = (kind, edge);
        let head = match edge {
            Edge::Continuation => self.moves(),
            Edge::Annotation => MoveHead::Nobody,
        };
        Ok(self.add(Draft { head, ..Draft::new(node).on(parent) }, live).await?.node)
    }
}

/// Whether less would fit.
pub(super) fn is_too_large(error: &AssembleError) -> bool {
    match error {
        AssembleError::SystemTooLarge { .. }
        | AssembleError::DoesNotFit { .. }
        | AssembleError::OverLimit { .. }
        | AssembleError::OverDialectLimit { .. } => true,
        AssembleError::NothingToSend
        | AssembleError::Unread
        | AssembleError::UnknownNode { .. }
        | AssembleError::UnknownViewer { .. }
        | AssembleError::NoViewer
        | AssembleError::NoTime
        | AssembleError::BadView { .. }
        | AssembleError::BadPrevious { .. }
        | AssembleError::Strict { .. } => false,
    }
}

/// How a message begins.
fn quote(node: &Node) -> String {
    let text = node.parts.iter().find_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None });
    let text = text.unwrap_or_default();
    let short: String = text.chars().take(QUOTED).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
