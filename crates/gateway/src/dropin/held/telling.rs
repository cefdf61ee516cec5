//! A turn in a space, told in the API of the client that asked.
//!
//! A turn may be several replies with Weft's own tools between them. The client is told of one: their texts, and those calls
//! that are its own to run.

use super::Client;
use super::stored::Stored;
use crate::chat::Replied;
use crate::dropin::error::fault;
use crate::error::GatewayError;
use crate::event::Event;
use std::collections::{BTreeSet, HashSet};
use weftwork::decode::{Delta, Reply, Stop};
use weftwork::encode::{Api, Encoder, Fault, FaultKind, whole};
use weftwork::intake::Answer;
use weftwork::model::{Kind, Node, NodeId, Part, Status, Text};
use weftwork_store::CallId;

/// What stands between the texts of two replies.
const BETWEEN: &str = "\n\n";

/// Makes the client's answer of what happens.
pub struct Telling {
    client: Client,
    /// Tools that the client runs.
    theirs: BTreeSet<String>,
    encoder: Option<Encoder>,
    /// Replies of this turn: there may be a summary beside them.
    replies: Vec<NodeId>,
    /// Calls that are not the client's.
    hidden: HashSet<(NodeId, usize)>,
    /// The reply whose text was told last.
    speaking: Option<NodeId>,
    reply: Reply,
    call: Option<CallId>,
    model: Option<String>,
    /// Whether the client was told anything.
    begun: bool,
}

/// An answer that is whole.
#[derive(Clone, Debug)]
pub struct Told {
    /// Whether the bytes are events of a stream or one body.
    pub answer: Answer,
    /// All of it.
    pub bytes: Vec<u8>,
    /// The model that answered, where it is known.
    pub model: Option<String>,
}

impl Client {
    /// The last answer on a path.
    pub(super) fn told(self, path: &Stored) -> Told {
        let mut reply = Reply::default();
        let nodes = path.answer();
        let ran: BTreeSet<&str> = nodes.iter().flat_map(|node| &node.parts).filter_map(result_id).collect();
        for node in &nodes {
            add(&mut reply, node, |part| match part {
                Part::ToolCall(call) => call.native.is_some() || !ran.contains(call.id.as_str()),
                _ => true,
            });
        }
        let called = reply.calls().next().is_some();
        reply.stop = if called { Stop::ToolCalls } else { Stop::End };
        let bytes = match self.answer {
            Answer::Whole => whole(self.api, &self.heading, &reply),
            Answer::Streamed => streamed(self.api, self.heading, &reply),
        };
        Told { answer: self.answer, bytes, model: nodes.last().and_then(|node| node.model.clone()) }
    }
}

fn result_id(part: &Part) -> Option<&str> {
    if let Part::ToolResult(result) = part { Some(&result.id) } else { None }
}

/// Adds what a node says to a reply, with a line between texts of two nodes.
fn add(reply: &mut Reply, node: &Node, shown: impl Fn(&Part) -> bool) {
    let mut apart = reply.parts.iter().any(|part| matches!(part, Part::Text(_)));
    let parts = node.parts.iter().filter(|part| result_id(part).is_none() && shown(part));
    for part in parts {
        let part = match part {
            Part::Text(text) if apart => {
                apart = false;
                Part::Text(Text { text: format!("{BETWEEN}{}", text.text), ..text.clone() })
            }
            part => part.clone(),
        };
        reply.parts.push(part);
    }
    reply.usage = match (reply.usage, node.usage) {
        (Some(before), Some(now)) => Some(before + now),
        (before, now) => before.or(now),
    };
}

/// A reply as a stream that comes at once.
fn streamed(api: Api, heading: weftwork::encode::Heading, reply: &Reply) -> Vec<u8> {
    let mut encoder = Encoder::new(api, heading);
    let (mut bytes, mut index) = (Vec::new(), 0);
    for part in &reply.parts {
        match part {
            Part::Text(text) => bytes.extend(encoder.push(&Delta::Text(text.text.clone()))),
            Part::Reasoning(reasoning) => bytes.extend(encoder.push(&Delta::ReasoningEnd(reasoning.clone()))),
            Part::ToolCall(call) if call.native.is_none() => {
                let (id, name) = (call.id.clone(), call.name.clone());
                bytes.extend(encoder.push(&Delta::CallStart { index, id, name }));
                bytes.extend(encoder.push(&Delta::CallArgs { index, text: call.args.text().to_owned() }));
                index += 1;
            }
            part => bytes.extend(encoder.push(&Delta::Part(part.clone()))),
        }
    }
    bytes.extend(encoder.finish(reply));
    bytes
}

impl Telling {
    pub(super) fn new(client: Client, theirs: BTreeSet<String>) -> Telling {
        let encoder = (client.answer == Answer::Streamed).then(|| Encoder::new(client.api, client.heading.clone()));
        let (replies, hidden, speaking, reply) = (Vec::new(), HashSet::new(), None, Reply::default());
        Telling { client, theirs, encoder, replies, hidden, speaking, reply, call: None, model: None, begun: false }
    }

    /// Whether the answer is streamed.
    pub fn answer(&self) -> Answer {
        self.client.answer
    }

    /// The call that was made last, which has the report, and the model that was asked.
    pub fn sent(&self) -> (Option<&str>, Option<&str>) {
        (self.call.as_deref(), self.model.as_deref())
    }

    /// The bytes that an event is told with, possibly none.
    pub fn hear(&mut self, event: &Event) -> Vec<u8> {
        match event {
            Event::Added(node) if node.kind == Kind::Message && node.status == Status::Pending => {
                self.replies.push(node.id.clone());
            }
            Event::Sent { node, call, model, .. } if self.replies.contains(node) => {
                (self.call, self.model) = (Some(call.clone()), Some(model.clone()));
            }
            Event::Delta { node, delta } if self.replies.contains(node) => {
                let bytes = self.step(node, delta);
                self.begun |= !bytes.is_empty();
                return bytes;
            }
            Event::Ended { node, stop, .. } if self.replies.contains(&node.id) => {
                let theirs = &self.theirs;
                add(&mut self.reply, node, |part| match part {
                    Part::ToolCall(call) => call.native.is_some() || theirs.contains(&call.name),
                    _ => true,
                });
                self.reply.stop = *stop;
            }
            _ => {}
        }
        Vec::new()
    }

    fn step(&mut self, node: &NodeId, delta: &Delta) -> Vec<u8> {
        let Some(encoder) = &mut self.encoder else { return Vec::new() };
        match delta {
            Delta::CallStart { index, name, .. } if !self.theirs.contains(name) => {
                self.hidden.insert((node.clone(), *index));
                Vec::new()
            }
            Delta::CallArgs { index, .. } if self.hidden.contains(&(node.clone(), *index)) => Vec::new(),
            // What later replies of the turn used is told at the end, with all of it.
            Delta::Usage(_) if self.replies.len() > 1 => Vec::new(),
            Delta::Text(_) => {
                let apart = self.speaking.replace(node.clone()).is_some_and(|last| last != *node);
                let mut bytes = if apart { encoder.push(&Delta::Text(BETWEEN.to_owned())) } else { Vec::new() };
                bytes.extend(encoder.push(delta));
                bytes
            }
            delta => encoder.push(delta),
        }
    }

    /// The end of the answer, or why there is none. A stream that was begun ends with the fault.
    pub fn end(&mut self, ended: &Result<Replied, GatewayError>) -> Result<Vec<u8>, Fault> {
        let failed = match ended {
            Err(error) => Some(fault(error)),
            Ok(replied) if replied.node.status == Status::Error => {
                Some(Fault::new(FaultKind::Upstream, "the answer was stopped"))
            }
            Ok(_) => None,
        };
        let called = self.reply.calls().next().is_some();
        self.reply.stop = match self.reply.stop {
            Stop::End | Stop::ToolCalls if called => Stop::ToolCalls,
            Stop::ToolCalls => Stop::End,
            stop => stop,
        };
        match (failed, self.encoder.take()) {
            (Some(fault), Some(encoder)) if self.begun => Ok(encoder.fail(&fault)),
            (Some(fault), _) => Err(fault),
            (None, Some(encoder)) => Ok(encoder.finish(&self.reply)),
            (None, None) => Ok(whole(self.client.api, &self.client.heading, &self.reply)),
        }
    }
}
