//! Server tools: the API runs them itself, so a call and its result stand in one assistant message.
//!
//! Two exceptions, both the API's own: a message that was paused ends in its call and is sent back last, and code that
//! called a client's tool waits for it, so its result comes in a later message.

use std::collections::{HashMap, HashSet};

use crate::lint::finding::{Findings, Severity, shown};
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object};

/// How an assistant message ends, for the calls it leaves open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The conversation goes on with a user message.
    Answered,
    /// The message is the last, or a system message follows: the API takes up where it paused.
    Paused,
    /// The message calls a client's tool, for which the server tool waits.
    Waiting,
}

/// The server tools of a request.
#[derive(Default)]
pub(super) struct ServerTools<'v> {
    open: HashMap<&'v str, (usize, String)>,
    waiting: HashSet<&'v str>,
}

impl<'v> ServerTools<'v> {
    pub(super) fn call(&mut self, block: &Object<'v, '_>, out: &mut Findings) {
        block.filled("name", Need::Required, out);
        if let Some(id) = block.filled("id", Need::Required, out) {
            let place = (self.open.len(), block.at.to_string());
            self.open.insert(id, place);
        }
    }

    pub(super) fn result(&mut self, block: &Object<'v, '_>, out: &mut Findings) {
        let Some(id) = block.filled("tool_use_id", Need::Required, out) else {
            return;
        };
        if self.open.remove(id).is_none() && !self.waiting.remove(id) {
            out.error(
                &block.at,
                Rule::OrphanServerResult,
                format!("the result for {} has no server call before it", shown(id)),
                "keep the server call in the same message, or drop the result",
            );
        }
    }

    /// The end of an assistant message.
    pub(super) fn close(&mut self, ending: Ending, out: &mut Findings) {
        match ending {
            Ending::Waiting => self.waiting.extend(self.open.drain().map(|(id, _)| id)),
            Ending::Paused => self.open.clear(),
            Ending::Answered => {
                let mut open: Vec<_> = self.open.drain().collect();
                open.sort_by_key(|(_, (place, _))| *place);
                for (id, (_, path)) in open {
                    out.add(
                        Severity::Error,
                        path,
                        Rule::UnansweredServerTool,
                        format!("the server call {} has no result in its message", shown(id)),
                        "keep its result in the same message, or drop the call",
                    );
                }
            }
        }
    }
}
