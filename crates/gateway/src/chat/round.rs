//! A round of tools: the calls of one reply are run at once, and their results are one node, in the order of the calls.
//!
//! A reply that calls tools is always followed by a result for each call: what was refused, failed or stopped says so.

use super::Chat;
use crate::error::GatewayError;
use crate::event::{Event, Live, Notice, Permission};
use crate::gateway::Gateway;
use crate::kept_pins::aside;
use crate::loom::LoomTurn;
use crate::tools::{
    self, BuiltIn, Decision, Gate, Limits, Pending, Piece, Question, Ran, ReadResult, Round, ServerState, Standing, Wholes,
};
use std::sync::{Arc, PoisonError};
use tokio::sync::oneshot;
use weftwork::model::{Node, NodeId, Part, ResultContent, SpaceId, Tool, ToolCall, ToolResult};
use weftwork_store::{Draft, MoveHead, Store};

/// What a model is told about a call that it made once too often.
const TOO_OFTEN: &str = "Not run: too many rounds of tools in one turn. Say what you have found so far.";

/// Notices about tools that are remembered as told.
const MOST_TOLD: usize = 1000;

impl Chat {
    /// The tools that the model is told of: those of servers that may be used, and what belongs to them.
    pub(super) async fn tools(&self) -> Result<Vec<Tool>, GatewayError> {
        let offered = self.gateway.tools.offered().await?;
        let ready = offered.into_iter().filter(|offered| matches!(offered.standing, Standing::Ready { .. }));
        let mut tools: Vec<Tool> = ready.map(|offered| offered.tool).collect();
        if !tools.is_empty() {
            tools.push(tools::BuiltIn::tool(&self.read_result()));
        }
        Ok(tools)
    }

    fn read_result(&self) -> ReadResult<Kept> {
        ReadResult(Kept { store: self.gateway.store.clone(), space: self.space.clone() })
    }

    /// Runs the calls of a reply.
    pub(super) async fn run_round(
        &self,
        reply: &NodeId,
        calls: &[ToolCall],
        loom: Option<&LoomTurn>,
        live: &Live,
    ) -> Result<Node, GatewayError> {
        let read = self.read_result();
        let loom = loom.map(LoomTurn::built_ins).unwrap_or_default();
        let built_ins: Vec<&dyn BuiltIn> = loom.iter().map(|tool| tool as &dyn BuiltIn).chain([&read as &dyn BuiltIn]).collect();
        // A reader that lags behind misses progress, never a result.
        let events = |event| {
            if let Some(event) = told(event, reply, calls) {
                let _ = live.events.try_send(event);
            }
        };
        let limits = Limits::default();
        let round = Round { built_ins: &built_ins, gate: &Asker(live), limits: &limits, cancel: &live.cancel, events: &events };
        let mut ran = self.gateway.tools.run(calls, &round).await;
        for (ran, call) in ran.iter_mut().zip(calls) {
            ran.result.included = call.included;
        }
        for ran in &ran {
            live.tell(Event::ToolEnded { result: ran.result.clone(), took: ran.took }).await;
        }
        let node = self.add_results(reply, ran.iter().map(|ran| ran.result.clone()), live).await?;
        self.keep_wholes(&node.id, ran).await?;
        Ok(node)
    }

    /// Answers calls that are not run because there were too many rounds.
    pub(super) async fn refuse_round(&self, reply: &NodeId, calls: &[ToolCall], live: &Live) -> Result<Node, GatewayError> {
        let refused = |call: &ToolCall| ToolResult {
            id: call.id.clone(),
            name: Some(call.name.clone()),
            content: ResultContent::Text(TOO_OFTEN.to_owned()),
            is_error: true,
            included: call.included,
            native: None,
        };
        self.add_results(reply, calls.iter().map(refused), live).await
    }

    async fn add_results(
        &self,
        reply: &NodeId,
        results: impl Iterator<Item = ToolResult>,
        live: &Live,
    ) -> Result<Node, GatewayError> {
        let mut node = Node::new("", None, self.agent.clone());
        node.parts = results.map(Part::ToolResult).collect();
        Ok(self.add(Draft { head: MoveHead::Nobody, ..Draft::new(node).on(reply.clone()) }, live).await?.node)
    }

    async fn keep_wholes(&self, node: &NodeId, ran: Vec<Ran>) -> Result<(), GatewayError> {
        let long = ran.into_iter().filter_map(|ran| Some((ran.result.id, ran.whole?)));
        let (space, node, long) = (self.space.clone(), node.clone(), long.collect::<Vec<_>>());
        if long.is_empty() {
            return Ok(());
        }
        let keep =
            move |store: &Store| long.iter().try_for_each(|(id, whole)| store.keep_whole(&space, &node, id, whole.as_bytes()));
        self.gateway.stored(keep).await
    }

    /// Tells once of each server that cannot be used and of each tool that changed.
    pub(super) async fn tell_of_tools(&self, live: &Live) -> Result<(), GatewayError> {
        for notice in self.gateway.tool_notices().await? {
            live.tell(Event::Notice(notice)).await;
        }
        Ok(())
    }
}

impl Gateway {
    async fn tool_notices(&self) -> Result<Vec<Notice>, GatewayError> {
        let changed = self.tools.offered().await?.into_iter().filter_map(|offered| match offered.standing {
            Standing::Changed { .. } => Some(Notice::ToolChanged { tool: offered.tool.name }),
            Standing::Ready { .. } | Standing::Never => None,
        });
        let failed = self.tools.servers().into_iter().filter_map(|server| match server.state {
            ServerState::Failed { error } => Some(Notice::NoServer { server: server.name.to_string(), why: error.to_string() }),
            ServerState::Idle | ServerState::Busy | ServerState::Ready { .. } => None,
        });
        let mut known = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // Errors have words of their own each time; rather told twice than remembered for good.
        if known.len() >= MOST_TOLD {
            known.clear();
        }
        Ok(changed.chain(failed).filter(|notice| known.insert(format!("{notice:?}"))).collect())
    }
}

/// What whoever watches is told of a tool.
fn told(event: tools::Event, reply: &NodeId, calls: &[ToolCall]) -> Option<Event> {
    match event {
        tools::Event::Started { id } => {
            let call = calls.iter().find(|call| call.id == id)?.clone();
            Some(Event::ToolStarted { node: reply.clone(), call })
        }
        tools::Event::Progress { id, done, total, message } => {
            let far = total.map_or_else(|| done.to_string(), |total| format!("{done}/{total}"));
            let message = message.map_or(far.clone(), |message| format!("{far} {message}"));
            Some(Event::ToolProgress { call: id, message })
        }
        tools::Event::Asked { .. } | tools::Event::Finished { .. } => None,
    }
}

/// Asks whoever watches. Nobody watching refuses.
struct Asker<'l>(&'l Live);

impl Gate for Asker<'_> {
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a, Decision> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let permission = Permission {
                call: question.call.clone(),
                server: question.server.map(str::to_owned),
                description: question.description.to_owned(),
                answer,
            };
            self.0.tell(Event::Permission(permission)).await;
            answered.await.unwrap_or(Decision::Refuse)
        })
    }
}

/// Whole results of one space.
struct Kept {
    store: Arc<Store>,
    space: SpaceId,
}

impl Wholes for Kept {
    fn read(&self, id: &str, offset: u64, limit: u64) -> Option<Piece> {
        let whole = aside(|| self.store.whole(&self.space, None, id)).ok()??;
        let total = whole.len() as u64;
        let from = usize::try_from(offset.min(total)).unwrap_or(whole.len());
        let to = from.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX)).min(whole.len());
        Some(Piece { bytes: whole[from..to].to_vec(), total })
    }
}
