//! One call to a model: assemble, write down, send, write down what came.
//!
//! The node and the call come to an end together, in one transaction, also if whoever asked has gone. Only a dead process,
//! or a store that fails, leaves them open; the next one that opens the store ends them.

use super::terms::{Errand, Terms, sent};
use super::{Chat, How};
use crate::error::{GatewayError, OverBudget, Unusable};
use crate::event::{Event, Live, Used};
use crate::gateway::Gateway;
use std::sync::Arc;
use tracing::Instrument;
use weftwork::catalogue::{Model, VocabularyOf};
use weftwork::count;
use weftwork::decode::{Reply, Stop};
use weftwork::model::{Conversation, Edge, Node, NodeId, Status};
use weftwork::provenance::Hash;
use weftwork::report::Report;
use weftwork::{Assembly, usage};
use weftwork_provider::{self as provider, Failure, SendError};
use weftwork_store::runs::{Budget, Scope};
use weftwork_store::{
    Begun, BegunCall, CallEnd, CallId, CallStart, Cost, Draft, Finish, Measured, MoveHead, Outcome, Parent, Store, StoreError,
};

/// How often it is tried to keep the end of a reply while others have the store.
const TRIES: u32 = 3;

/// Where an answer is put.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// What it hangs on; the path to it is what the model is given.
    pub(crate) parent: NodeId,
    /// How.
    pub(crate) edge: Edge,
    /// Whose head follows.
    pub(crate) head: MoveHead,
}

/// What a model said.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) node: Node,
    pub(crate) reply: Reply,
}

/// A request, and what is needed to make it again.
pub(crate) struct Woven {
    pub(crate) request: Vec<u8>,
    pub(crate) report: Arc<Report>,
    pub(crate) record: Vec<u8>,
}

/// A call that is under way.
struct Going {
    node: NodeId,
    call: CallId,
    report: Arc<Report>,
}

impl Chat {
    /// Asks a model, and keeps what it says as a node in `slot`. What the provider finds too large is made smaller once.
    pub(crate) async fn call(&self, errand: &Errand, slot: Slot, how: &How, live: &Live) -> Result<Said, GatewayError> {
        let terms = self.terms(Some(slot.parent.clone()), errand, how).await?;
        let woven = self.weave(&terms).await?;
        let (chat, errand, live) = (self.clone(), errand.clone(), live.clone());
        to_its_end(async move {
            let going = chat.begin(&terms, &woven, &errand, slot, &live).await?;
            match chat.send(&terms, woven.request.clone(), &going, &live).await {
                Err(failure) if failure.error.is_overflow() => {
                    chat.send_smaller(&terms, woven, going, *failure, &errand, &live).await
                }
                sent => chat.end(&terms, &going, sent, &errand, &live).await,
            }
        })
        .await
    }

    /// The same with a request that was woven before, and is not made smaller: less of it would not be what was asked.
    pub(super) async fn call_with(
        &self,
        terms: &Terms,
        woven: Woven,
        errand: &Errand,
        slot: Slot,
        live: &Live,
    ) -> Result<Said, GatewayError> {
        let (chat, terms, errand, live) = (self.clone(), terms.clone(), errand.clone(), live.clone());
        to_its_end(async move {
            let going = chat.begin(&terms, &woven, &errand, slot, &live).await?;
            let sent = chat.send(&terms, woven.request, &going, &live).await;
            chat.end(&terms, &going, sent, &errand, &live).await
        })
        .await
    }

    /// Lets the agent's model say what comes after a node, without tools. No head follows.
    pub(crate) async fn reply_plainly(&self, on: NodeId, how: &How, live: &Live) -> Result<Node, GatewayError> {
        let terms = self.terms(Some(on.clone()), &Errand::Reply, how).await?.plain();
        let woven = self.weave(&terms).await?;
        let slot = Slot { parent: on, edge: Edge::Continuation, head: MoveHead::Nobody };
        Ok(self.call_with(&terms, woven, &Errand::Reply, slot, live).await?.node)
    }

    /// Asks a model something on the way to a node. Nobody watches; what it used counts.
    pub(super) async fn call_aside(
        &self,
        terms: &Terms,
        woven: &Woven,
        errand: &Errand,
        live: &Live,
    ) -> Result<Reply, GatewayError> {
        let start = self.start(terms, woven, None);
        let (space, most, now, call) = (self.space.clone(), terms.most(&woven.report), start.at, start.id.clone());
        let begun = self.gateway.stored(move |store| store.begin_side_call(&space, &start, most, now)).await?;
        if let BegunCall::Refused(budget) = begun {
            return Err(over_budget(&budget, most));
        }
        let mut order = terms.order(woven.request.clone(), &woven.report);
        order.cancel = live.cancel.clone();
        let (came, why) = match self.gateway.providers.send(order).finish().await {
            Ok(came) => (came, None),
            Err(failure) => (failure.outcome, Some(failure.error)),
        };
        let (outcome, error) = match &why {
            None => (Outcome::Done, None),
            Some(SendError::Canceled) => (Outcome::Canceled, Some(GatewayError::Stopped)),
            Some(error) => (Outcome::Failed, Some(GatewayError::Send { node: None, error: error.clone() })),
        };
        let end = terms.call_end(outcome, &came, why.as_ref());
        self.end_call(&call, end).await?;
        match (error, errand.judge(&came.reply)) {
            (Some(error), _) => Err(error),
            (None, Some(unusable)) => Err(errand.refusal(unusable)),
            (None, None) => Ok(came.reply),
        }
    }

    /// Weaves a request out of the space.
    pub(crate) async fn weave(&self, terms: &Terms) -> Result<Woven, GatewayError> {
        let (space, ask, loom) = (self.space.clone(), terms.ask.clone(), self.told(terms).await?);
        let more = move |file: &mut Conversation| file.loom = loom.clone().or(file.loom.take());
        let woven = self.gateway.stored(move |store| store.assemble_recorded(&space, &ask, &more)).await?;
        let (Assembly { request, report, .. }, record) = woven;
        Ok(Woven { request, report: Arc::new(report), record })
    }

    async fn begin(&self, terms: &Terms, woven: &Woven, errand: &Errand, slot: Slot, live: &Live) -> Result<Going, GatewayError> {
        let mut node = Node::new("", None, self.agent.clone());
        (node.kind, node.status, node.edge) = (errand.kind(), Status::Pending, slot.edge);
        (node.model, node.created_at) = (Some(terms.target.model.name.clone()), self.gateway.timestamp());
        if let Errand::Summary { covers, .. } = errand {
            node.covers = covers.clone();
        }
        let draft = Draft { node, parent: Parent::Node(slot.parent), head: slot.head, key: None };
        let start = self.start(terms, woven, None);
        let (space, most, now, call) = (self.space.clone(), terms.most(&woven.report), start.at, start.id.clone());
        match self.gateway.stored(move |store| store.begin_reply(&space, draft, start, most, now)).await? {
            Begun::Refused(budget) => Err(over_budget(&budget, most)),
            Begun::Started { node } => {
                let going = Going { node: node.node.id.clone(), call, report: woven.report.clone() };
                live.tell(Event::Added(node.node)).await;
                self.tell_sent(terms, &going, live).await;
                Ok(going)
            }
        }
    }

    async fn tell_sent(&self, terms: &Terms, going: &Going, live: &Live) {
        let (node, call, report) = (going.node.clone(), going.call.clone(), going.report.clone());
        live.tell(Event::Sent { node, call, model: terms.target.model.name.clone(), report }).await;
    }

    /// What is written down of a call before it is sent.
    pub(crate) fn start(&self, terms: &Terms, woven: &Woven, node: Option<NodeId>) -> CallStart {
        CallStart {
            id: format!("call-{:032x}", fastrand::u128(..)),
            purpose: terms.ask.purpose,
            node,
            agent: Some(self.agent.clone()),
            run: self.run.as_ref().map(|run| run.as_str().to_owned()),
            model: Some(terms.target.model.name.clone()),
            at: self.gateway.now(),
            prices: terms.target.model.prices,
            ask: woven.record.clone(),
            request: woven.request.clone(),
            account: None,
            report: None,
        }
    }

    async fn send(&self, terms: &Terms, request: Vec<u8>, going: &Going, live: &Live) -> Result<provider::Outcome, Box<Failure>> {
        let mut order = terms.order(request, &going.report);
        order.cancel = live.cancel.clone();
        let mut sending = self.gateway.providers.send(order);
        while let Some(event) = sending.next().await {
            let node = going.node.clone();
            live.tell(match event {
                provider::Event::Delta(delta) => Event::Delta { node, delta },
                provider::Event::Again { error, after } => Event::Again { node, error, after },
                // Told of orders that relay bytes, which a chat's do not.
                provider::Event::Began(_) | provider::Event::Raw(_) => continue,
            })
            .await;
        }
        sending.finish().await
    }

    /// Sends less, once, because the provider says that it was too much. Never the same bytes.
    async fn send_smaller(
        &self,
        terms: &Terms,
        woven: Woven,
        going: Going,
        failure: Failure,
        errand: &Errand,
        live: &Live,
    ) -> Result<Said, GatewayError> {
        let smaller = terms.smaller(&going.report);
        let less = match self.weave(&smaller).await {
            Ok(less) if less.request != woven.request => less,
            Ok(_) | Err(GatewayError::Assemble(_)) => {
                self.end(terms, &going, Err(Box::new(failure)), errand, live).await.err();
                return Err(GatewayError::NothingToLeaveOut);
            }
            Err(error) => {
                self.end(terms, &going, Err(Box::new(failure)), errand, live).await.err();
                return Err(error);
            }
        };
        self.end_call(&going.call, terms.call_end(Outcome::Failed, &failure.outcome, Some(&failure.error))).await?;
        let start = self.start(&smaller, &less, Some(going.node.clone()));
        let again = Going { node: going.node, call: start.id.clone(), report: less.report.clone() };
        let (space, most, now) = (self.space.clone(), smaller.most(&less.report), start.at);
        let begun = self.gateway.stored(move |store| store.begin_side_call(&space, &start, most, now)).await;
        let refused = match begun {
            Ok(BegunCall::Started) => None,
            Ok(BegunCall::Refused(budget)) => Some(over_budget(&budget, most)),
            Err(error) => Some(error),
        };
        if let Some(error) = refused {
            self.give_up(&again.node, &error.to_string()).await?;
            return Err(error);
        }
        live.tell(Event::Smaller { node: again.node.clone() }).await;
        self.tell_sent(&smaller, &again, live).await;
        let tokens = sent(&less.report);
        match self.send(&smaller, less.request, &again, live).await {
            Err(failure) if failure.error.is_overflow() => {
                self.end(&smaller, &again, Err(failure), errand, live).await.err();
                Err(GatewayError::OverflowsAgain { smaller: tokens })
            }
            sent => self.end(&smaller, &again, sent, errand, live).await,
        }
    }

    /// Writes down how a call and its node ended.
    async fn end(
        &self,
        terms: &Terms,
        going: &Going,
        sent: Result<provider::Outcome, Box<Failure>>,
        errand: &Errand,
        live: &Live,
    ) -> Result<Said, GatewayError> {
        let (mut came, error) = match sent {
            Ok(outcome) => (outcome, None),
            Err(failure) => (failure.outcome, Some(failure.error)),
        };
        terms.choose(&mut came.reply);
        let unusable = if error.is_none() { errand.judge(&came.reply) } else { None };
        let (outcome, failed) = match (&error, unusable) {
            (Some(SendError::Canceled), _) => (Outcome::Canceled, Some(None)),
            (Some(error), _) => (Outcome::Failed, Some(Some(error.to_string()))),
            (None, Some(unusable)) => (Outcome::Done, Some(Some(format!("refused: {unusable}")))),
            (None, None) => (Outcome::Done, None),
        };
        let end = terms.call_end(outcome, &came, error.as_ref());
        terms.learn(&self.gateway, &going.report, &end).await;
        let used = Used { usage: end.usage, estimated: end.measured == Measured::Estimated, cost: end.cost };
        let finish = Finish {
            parts: came.reply.parts.clone(),
            failed,
            model: Some(terms.target.model.name.clone()),
            usage: end.usage,
            cache_marks: marks(&going.report),
            response: (!came.raw.is_empty()).then(|| Hash::of(&came.raw.bytes).to_string()),
        };
        let (space, node, call) = (self.space.clone(), going.node.clone(), going.call.clone());
        let keep = move |store: &Store| {
            let mut tries = 1;
            loop {
                match store.end_reply(&space, &node, finish.clone(), &call, &end) {
                    Err(StoreError::Busy { .. }) if tries < TRIES => tries += 1,
                    kept => return kept,
                }
            }
        };
        let node = self.gateway.stored(keep).await?;
        live.tell(Event::Ended { node: node.clone(), stop: came.reply.stop, used }).await;
        match (error, unusable) {
            (Some(SendError::Canceled), _) if !matches!(errand, Errand::Reply) => Err(GatewayError::Stopped),
            (Some(SendError::Canceled) | None, None) => Ok(Said { node, reply: came.reply }),
            (Some(error), _) => Err(GatewayError::Send { node: Some(node.id), error }),
            (None, Some(unusable)) => Err(errand.refusal(unusable)),
        }
    }

    pub(crate) async fn end_call(&self, call: &str, end: CallEnd) -> Result<(), GatewayError> {
        let (space, call) = (self.space.clone(), call.to_owned());
        self.gateway.stored(move |store| store.end_call(&space, &call, &end)).await
    }

    /// Ends a node of which nothing came.
    async fn give_up(&self, node: &NodeId, why: &str) -> Result<(), GatewayError> {
        let (space, node) = (self.space.clone(), node.clone());
        let finish = Finish { failed: Some(Some(why.to_owned())), ..Finish::default() };
        self.gateway.stored(move |store| store.finish(&space, &node, finish)).await.map(drop)
    }
}

impl Terms {
    /// What is written down of a call after it was sent.
    pub(crate) fn call_end(&self, outcome: Outcome, came: &provider::Outcome, why: Option<&SendError>) -> CallEnd {
        call_end(&self.target.model, outcome, came, why)
    }

    /// Learns from what a provider reports how its tokens are to be estimated. What cannot be kept is learned another time.
    pub(crate) async fn learn(&self, gateway: &Gateway, report: &Report, end: &CallEnd) {
        let (VocabularyOf::Estimated(factor), Some(usage), Measured::Reported) =
            (self.target.model.vocabulary, end.usage, end.measured)
        else {
            return;
        };
        let counted = sent(report).saturating_mul(1000) / u64::from(factor.max(1));
        let (model, reported) = (self.target.model.name.clone(), usage.prompt());
        let _ = gateway.stored(move |store| store.learn(&model, counted, reported)).await;
    }
}

impl Errand {
    /// Why an answer cannot be what it was asked for.
    pub(crate) fn judge(&self, reply: &Reply) -> Option<Unusable> {
        match self {
            Errand::Reply => None,
            Errand::Summary { .. } | Errand::Title { .. } => judge(reply),
        }
    }

    fn refusal(&self, unusable: Unusable) -> GatewayError {
        match self {
            Errand::Reply | Errand::Summary { .. } => GatewayError::BadSummary(unusable),
            Errand::Title { .. } => GatewayError::BadTitle(unusable),
        }
    }
}

/// What is written down of a call of `model` after it was sent.
pub(crate) fn call_end(model: &Model, outcome: Outcome, came: &provider::Outcome, why: Option<&SendError>) -> CallEnd {
    let usage = came.usage.map(|measured| measured.usage);
    let reported = came.usage.is_none_or(|measured| measured.kind == count::Kind::Reported);
    let price = |usage| model.prices.map(|prices| Cost::from_usd(usage::cost(usage, &prices)));
    CallEnd {
        outcome,
        node: None,
        duration_ms: u64::try_from((came.timing.before + came.timing.total).as_millis()).ok(),
        usage,
        measured: if reported { Measured::Reported } else { Measured::Estimated },
        raw_usage: came.reply.raw_usage.clone(),
        cost: match usage {
            Some(usage) => price(usage),
            // What was turned away at the door costs nothing, and gives back what was reserved for it.
            None => why.filter(|why| is_turned_away(why)).map(|_| Cost::default()),
        },
        response: (!came.raw.is_empty()).then(|| came.raw.bytes.clone()),
    }
}

/// Whether a request was refused before any work was done for it.
fn is_turned_away(why: &SendError) -> bool {
    match why {
        SendError::Overflow { .. }
        | SendError::RateLimit { .. }
        | SendError::Quota { .. }
        | SendError::Auth { .. }
        | SendError::Overloaded { .. }
        | SendError::Refused { .. }
        | SendError::Redirected { .. }
        | SendError::Unreachable { .. }
        | SendError::WrongDialect { .. } => true,
        SendError::Server { .. }
        | SendError::Cut { .. }
        | SendError::Stalled { .. }
        | SendError::TooSlow { .. }
        | SendError::TooLarge { .. }
        | SendError::Malformed { .. }
        | SendError::Canceled => false,
    }
}

/// Goes on to the end even if nobody waits for it any more: a node that was begun is ended.
async fn to_its_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(work.in_current_span()).await {
        Ok(done) => done,
        Err(died) => std::panic::resume_unwind(died.into_panic()),
    }
}

/// Why a reply is not a text that came to its end.
pub(crate) fn judge(reply: &Reply) -> Option<Unusable> {
    if reply.calls().next().is_some() {
        return Some(Unusable::ToolCall);
    }
    match reply.stop {
        Stop::Refused => Some(Unusable::Refused),
        Stop::Cut | Stop::MaxTokens | Stop::Other | Stop::Paused => Some(Unusable::CutOff),
        Stop::End | Stop::StopText | Stop::ToolCalls if reply.text().trim().is_empty() => Some(Unusable::Empty),
        Stop::End | Stop::StopText | Stop::ToolCalls => None,
    }
}

/// The nodes that carried cache marks.
fn marks(report: &Report) -> Vec<NodeId> {
    let nodes = report.cache.marks.iter().filter(|mark| !matches!(mark.as_str(), "tools" | "system" | "input"));
    nodes.map(|mark| NodeId::from(mark.as_str())).collect()
}

pub(crate) fn over_budget(budget: &Budget, most: Option<Cost>) -> GatewayError {
    let left = budget.cap.saturating_sub(budget.reserved).saturating_sub(budget.spent);
    GatewayError::Budget(OverBudget {
        whose: whose(&budget.scope),
        left_usd: Cost::billionths(left).usd(),
        most_usd: most.map(Cost::usd),
    })
}

fn whose(scope: &Scope) -> String {
    match scope {
        Scope::Agent(agent) => format!("agent {agent}"),
        Scope::Space(space) => format!("space {space}"),
        Scope::Root(root) => format!("root {root}"),
    }
}
