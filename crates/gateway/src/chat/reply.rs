//! A turn: the model replies, the tools it asks for are run, it replies again, until it has nothing more to ask.

use super::call::Slot;
use super::next::{MOST_ROUNDS, Next, next};
use super::terms::Errand;
use super::{Chat, How, Replied};
use crate::error::GatewayError;
use crate::event::{Event, Live, Notice};
use crate::loom::LoomTurn;
use weftwork::model::{Edge, NodeId, Status, ToolCall};
use weftwork_store::MoveHead;

impl Chat {
    /// Lets the agent reply to a node. `head` is whose head goes to the first reply; what hangs on that is followed.
    pub(crate) async fn reply_to(&self, on: NodeId, head: MoveHead, how: &How, live: &Live) -> Result<Replied, GatewayError> {
        // Servers of tools may take their time to connect.
        tokio::select! {
            told = self.tell_of_tools(live) => told?,
            () = live.cancel.cancelled() => return Err(GatewayError::Stopped),
        }
        let loom = LoomTurn::begin(&self.gateway, &self.space, &self.agent, &on, &live.cancel).await?;
        let mut parent = on;
        let mut rounds = 0;
        loop {
            let head = if rounds == 0 { head.clone() } else { MoveHead::Nobody };
            let slot = Slot { parent, edge: Edge::Continuation, head };
            let said = self.call(&Errand::Reply, slot, how, live).await?;
            let stop = said.reply.stop;
            if said.node.status == Status::Error {
                return Ok(Replied { node: said.node, stop });
            }
            parent = match next(&said.reply, rounds) {
                Next::Done => return Ok(Replied { node: said.node, stop }),
                Next::HalfCall => {
                    live.tell(Event::Notice(Notice::HalfCall)).await;
                    return Ok(Replied { node: said.node, stop });
                }
                Next::GoOn => said.node.id,
                Next::TooOften(calls) => {
                    live.tell(Event::Notice(Notice::TooManyRounds { most: MOST_ROUNDS })).await;
                    let (own, _) = how.apart(calls);
                    let node = if own.is_empty() { said.node } else { self.refuse_round(&said.node.id, &own, live).await? };
                    return Ok(Replied { node, stop });
                }
                Next::Run(calls) => {
                    let (own, theirs) = how.apart(calls);
                    let node = match own.as_slice() {
                        [] => said.node,
                        own => self.run_round(&said.node.id, own, loom.as_ref(), live).await?,
                    };
                    // What is not ours to run waits for whoever asked.
                    if !theirs.is_empty() || live.cancel.is_cancelled() {
                        return Ok(Replied { node, stop });
                    }
                    node.id
                }
            };
            rounds += 1;
        }
    }
}

impl How {
    /// Calls that are run here, and those that whoever asks runs.
    fn apart(&self, calls: Vec<ToolCall>) -> (Vec<ToolCall>, Vec<ToolCall>) {
        calls.into_iter().partition(|call| !self.tools.iter().any(|tool| tool.name == call.name))
    }
}
