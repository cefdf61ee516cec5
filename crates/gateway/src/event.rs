//! What can be watched while something is done: the reply as it comes, tools as they run.

use crate::tools::Decision;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use weftwork::decode::{Delta, Stop};
use weftwork::model::{Node, NodeId, ToolCall, ToolResult, Usage};
use weftwork::report::Report;
use weftwork_provider::SendError;
use weftwork_store::{CallId, Cost};

/// Something that happened. Events of siblings that are written at once come mixed; each names its node.
#[derive(Debug)]
pub enum Event {
    /// A node was added: the message, a reply that begins, the results of tools, a request for a summary.
    Added(Node),
    /// A request was assembled, and is being sent.
    Sent {
        /// The reply that it leads to.
        node: NodeId,
        /// The call.
        call: CallId,
        /// The model asked, as `provider/model`.
        model: String,
        /// What the model is given, and why.
        report: Arc<Report>,
    },
    /// The next step of a reply.
    Delta {
        /// The reply.
        node: NodeId,
        /// The step.
        delta: Delta,
    },
    /// An attempt failed and another follows: what came of the reply so far is void.
    Again {
        /// The reply.
        node: NodeId,
        /// Why it failed.
        error: SendError,
        /// How long is waited before the next.
        after: Duration,
    },
    /// The request did not fit into the model's window after all; a smaller one follows.
    Smaller {
        /// The reply.
        node: NodeId,
    },
    /// A reply came to its end. Its node is final.
    Ended {
        /// The reply.
        node: Node,
        /// Why it ended.
        stop: Stop,
        /// What it used.
        used: Used,
    },
    /// A tool may only run if a person says so. No answer is a refusal.
    Permission(Permission),
    /// A tool begins to run.
    ToolStarted {
        /// The reply that calls it.
        node: NodeId,
        /// The call.
        call: ToolCall,
    },
    /// A tool says how far it is.
    ToolProgress {
        /// The id of the call.
        call: String,
        /// What it says.
        message: String,
    },
    /// A tool has answered.
    ToolEnded {
        /// The answer, as the model gets it.
        result: ToolResult,
        /// How long it took.
        took: Duration,
    },
    /// Something that a person should know and that stops nothing.
    Notice(Notice),
}

/// A question whether a tool may run.
#[derive(Debug)]
pub struct Permission {
    /// The call.
    pub call: ToolCall,
    /// The server it belongs to; none for a tool of our own.
    pub server: Option<String>,
    /// What the server says that it does.
    pub description: String,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Decision>,
}

/// What a call used and cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// Tokens; none if the provider never began to answer.
    pub usage: Option<Usage>,
    /// Whether they were counted here because the provider told of none.
    pub estimated: bool,
    /// Money; none if the price is not known.
    pub cost: Option<Cost>,
}

/// Something that a person should know and that stops nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A server of tools cannot be used.
    NoServer {
        /// Its name.
        server: String,
        /// Why.
        why: String,
    },
    /// A tool says something else about itself than when it was approved, and is not used.
    ToolChanged {
        /// Its name.
        tool: String,
    },
    /// The model asked for tools more often than it may.
    TooManyRounds {
        /// How often it may.
        most: u32,
    },
    /// A reply ended inside a tool call: nothing was run.
    HalfCall,
    /// The conversation was summed up by itself.
    SummedUp,
    /// An automatic summary did not come about; the conversation goes on with all of it.
    NoSummary {
        /// Why.
        why: String,
    },
    /// A title did not come about.
    NoTitle {
        /// Why.
        why: String,
    },
}

/// Where events go, and what stops the work.
#[derive(Clone, Debug)]
pub struct Live {
    /// Where events go. Whoever does not want them drops the receiver.
    pub events: mpsc::Sender<Event>,
    /// Canceling it stops the reply and keeps what came.
    pub cancel: CancellationToken,
}

/// Events that wait to be read before the work waits for its reader.
const QUEUE: usize = 256;

impl Live {
    /// Something to watch, and its watcher.
    pub fn new() -> (Live, mpsc::Receiver<Event>) {
        let (events, receiver) = mpsc::channel(QUEUE);
        (Live { events, cancel: CancellationToken::new() }, receiver)
    }

    /// Tells whoever watches; nobody watching is no fault. A watcher who does not read holds nothing up that was stopped.
    pub(crate) async fn tell(&self, event: Event) {
        if let Err(TrySendError::Full(event)) = self.events.try_send(event) {
            tokio::select! {
                _ = self.events.send(event) => {}
                () = self.cancel.cancelled() => {}
            }
        }
    }
}
