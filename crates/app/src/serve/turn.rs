//! A reply in a chat: begun by a request, written after the request was answered, watched through the events of its space.

use super::house::House;
use super::live::Writing;
use super::web::Problem;
use crate::chat::told;
use serde_json::json;
use std::collections::HashMap;
use std::future::Future;
use tokio::sync::oneshot;
use tracing::Instrument;
use weftwork::decode::Delta;
use weftwork::model::{EntityId, Node, NodeId, SpaceId, Status};
use weftwork_gateway::{Chat, Event, GatewayError, Live};

/// What was there when the request was answered: the nodes that were added until the first reply began.
pub(super) type Begun = Vec<Node>;

impl House {
    /// Begins an act in a chat and goes on with it after the answer. Gives the nodes that were added by the time the reply
    /// began, or why none did.
    pub(super) async fn begin<F, Fut, T>(&self, chat: Chat, act: F) -> Result<Begun, Problem>
    where
        F: FnOnce(Chat, Live) -> Fut,
        Fut: Future<Output = Result<T, GatewayError>> + Send + 'static,
        T: Added + Send + 'static,
    {
        let (live, events) = Live::new();
        let (first, begun) = oneshot::channel();
        let space = chat.space().clone();
        let person = chat.person().clone();
        let cancel = live.cancel.clone();
        let work = act(chat, live);
        let house = self.clone();
        let done = async move {
            let closing = house.closing.clone();
            let watching = watch(&house, &space, &person, events, first, cancel.clone());
            // A reply gets a little time when the house closes; what came is kept.
            let patience = async {
                closing.cancelled().await;
                tokio::time::sleep(super::run::PATIENCE).await;
                cancel.cancel();
                std::future::pending::<()>().await;
            };
            let both = async { tokio::join!(work, watching) };
            tokio::select! {
                (result, first) = both => {
                    if let Some((first, mut nodes)) = first {
                        // It ended before a reply began.
                        let told = result.map(|done| { nodes.extend(done.added()); nodes });
                        let _ = first.send(told);
                    }
                }
                () = patience => {}
            }
            house.hub.changed();
        };
        self.work.spawn(done.in_current_span());
        match begun.await {
            Ok(result) => result.map_err(Problem::from),
            Err(_) => Err(Problem::internal(&"a reply was given up before it began")),
        }
    }
}

/// What an act added, where no reply began.
pub(super) trait Added {
    fn added(self) -> Vec<Node>;
}

impl Added for weftwork_gateway::Replied {
    fn added(self) -> Vec<Node> {
        vec![self.node]
    }
}

impl Added for Node {
    fn added(self) -> Vec<Node> {
        vec![self]
    }
}

impl Added for weftwork_gateway::Summarized {
    fn added(self) -> Vec<Node> {
        vec![self.node]
    }
}

impl Added for Vec<Result<weftwork_gateway::Replied, GatewayError>> {
    fn added(self) -> Vec<Node> {
        self.into_iter().filter_map(|replied| replied.ok().map(|replied| replied.node)).collect()
    }
}

pub(super) type First = oneshot::Sender<Result<Begun, GatewayError>>;

/// Tells whoever watches the space, and the request when the reply begins. Gives back what the request still waits for.
pub(super) async fn watch(
    house: &House,
    space: &SpaceId,
    person: &EntityId,
    mut events: tokio::sync::mpsc::Receiver<Event>,
    first: First,
    cancel: tokio_util::sync::CancellationToken,
) -> Option<(First, Begun)> {
    let mut waiting = Some((first, Begun::new()));
    // A reply has ended when its tools run, and a person is asked then: what is told goes through the turn.
    let mut turn = house.hub.turn(space, cancel);
    let mut writing: HashMap<NodeId, Writing> = HashMap::new();
    while let Some(event) = events.recv().await {
        match event {
            Event::Added(node) => {
                let pending = node.status == Status::Pending;
                if pending {
                    writing.insert(node.id.clone(), turn.begins(&node.id));
                }
                if let Some((_, nodes)) = &mut waiting {
                    nodes.push(node);
                }
                if pending && let Some((first, nodes)) = waiting.take() {
                    let _ = first.send(Ok(nodes));
                }
                house.hub.changed();
            }
            Event::Delta { node, delta } => {
                if let (Some(writing), Some((what, text))) = (writing.get(&node), words(delta)) {
                    writing.more(what, &text);
                }
            }
            Event::Again { node, .. } | Event::Smaller { node } => {
                if let Some(writing) = writing.get(&node) {
                    writing.again();
                }
            }
            Event::Ended { node, .. } => {
                writing.remove(&node.id);
                house.hub.changed();
            }
            Event::Permission(permission) => house.permissions.ask(space, person, permission, &turn),
            Event::ToolStarted { node, call } => {
                turn.tell("tool", &json!({"node": node, "call": call.id, "name": call.name, "state": "running"}));
            }
            Event::ToolProgress { call, message } => {
                turn.tell("tool", &json!({"call": call, "state": "running", "message": message}));
            }
            Event::ToolEnded { result, took } => {
                let state = if result.is_error { "failed" } else { "done" };
                turn.tell("tool", &json!({"call": result.id, "state": state, "took": took.as_millis() as u64}));
            }
            Event::Notice(notice) => turn.tell("notice", &json!({"text": told(&notice)})),
            Event::Sent { .. } => {}
        }
    }
    waiting
}

/// What of a delta is shown while it comes.
fn words(delta: Delta) -> Option<(&'static str, String)> {
    match delta {
        Delta::Text(text) => Some(("text", text)),
        Delta::Reasoning(text) => Some(("reasoning", text)),
        Delta::ReasoningEnd(_) | Delta::CallStart { .. } | Delta::CallArgs { .. } | Delta::Part(_) | Delta::Usage(_) => None,
    }
}
