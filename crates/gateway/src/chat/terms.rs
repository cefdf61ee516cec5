//! What is settled before a request is assembled: which model, with which tools, asked how.

use super::{Chat, How};
use crate::error::GatewayError;
use crate::loom;
use std::collections::BTreeSet;
use weftwork::ask::{Ask, Cache, Input, Settings, ToolPolicy};
use weftwork::catalogue::{Model, VocabularyOf};
use weftwork::decode::Reply;
use weftwork::model::{Conversation, Entity, Kind, Loom, Mode, NodeId, Part, Purpose, Tool};
use weftwork::report::Report;
use weftwork_provider::{Order, Target};
use weftwork_store::{Cost, StoreError};

/// A request that is about to be assembled.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) ask: Ask,
    pub(crate) target: Target,
    /// The agent, if it is shown the tree it stands in.
    loom: Option<Entity>,
    /// Whether only chosen tools are sent: calls of these are chosen too, or the model would never see what they gave.
    chosen: bool,
}

/// What a request is for.
#[derive(Clone, Debug)]
pub(crate) enum Errand {
    /// To go on with the conversation.
    Reply,
    /// To sum up all that was said.
    Summary {
        /// The request.
        request: String,
        /// The last node that the summary stands for; all if none.
        covers: Option<NodeId>,
    },
    /// To name it.
    Title {
        /// The request.
        request: String,
    },
}

impl Errand {
    pub(crate) fn purpose(&self) -> Purpose {
        match self {
            Errand::Reply => Purpose::Reply,
            Errand::Summary { .. } => Purpose::Summary,
            Errand::Title { .. } => Purpose::Title,
        }
    }

    /// What the answer is.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Errand::Reply => Kind::Message,
            Errand::Summary { .. } => Kind::Summary,
            Errand::Title { .. } => Kind::Title,
        }
    }

    /// A side call sends what the reply before it sent, byte for byte, and its request after that: the cache is read and
    /// not written.
    fn side(&self) -> (Input, Option<Cache>) {
        match self {
            Errand::Reply => (Input::None, None),
            Errand::Summary { request, .. } | Errand::Title { request } => {
                (Input::New(vec![Part::text(request.clone())]), Some(Cache::Freeze))
            }
        }
    }
}

impl Chat {
    /// Settles what is asked of which model at `head`.
    pub(crate) async fn terms(&self, head: Option<NodeId>, errand: &Errand, how: &How) -> Result<Terms, GatewayError> {
        let header = self.header().await?;
        let mut target = self.target(&header, how)?;
        self.calibrate(&mut target.model).await?;
        let is_buffer = header.space.mode == Mode::Buffer;
        let dialect = if is_buffer { target.buffer_dialect() } else { target.dialect() };
        let mut tools: Vec<Tool> = if is_buffer { Vec::new() } else { self.tools().await? };
        let loom = Some(self.agent_of(&header)?).filter(|agent| loom::is_aware(&header.space, agent)).cloned();
        tools.extend(loom.iter().flat_map(|agent| loom::offered(agent.loom_access)));
        tools.extend(how.tools.iter().filter(|_| !is_buffer).cloned());
        let (input, cache) = errand.side();
        let ask = Ask {
            head,
            viewer: Some(self.agent.clone()),
            input,
            tools: Some(tools),
            sampling: how.sampling.clone(),
            model: Some(target.model.clone()),
            purpose: errand.purpose(),
            now: self.gateway.timestamp(),
            dialect: Some(dialect),
            app: (*self.gateway.settings).clone(),
            settings: Settings { cache: cache.or(how.settings.cache), ..how.laid() },
            ..Ask::default()
        };
        let levels = [how.settings.tool_policy, header.space.settings.tool_policy, self.gateway.settings.tool_policy];
        let chosen = levels.into_iter().flatten().next() == Some(ToolPolicy::Manual);
        Ok(Terms { ask, target, loom, chosen })
    }

    /// Nothing, if the agent is one that replies here: a program elsewhere does the runs of the others.
    pub(crate) async fn lives_here(&self) -> Result<(), GatewayError> {
        match self.agent_of(&self.header().await?)?.external {
            false => Ok(()),
            true => {
                Err(GatewayError::NothingThere { what: "the agent of this space lives elsewhere: it replies in its own time" })
            }
        }
    }

    /// The names of the tools that Weft runs here.
    pub(crate) async fn own_tools(&self) -> Result<BTreeSet<String>, GatewayError> {
        let header = self.header().await?;
        let agent = self.agent_of(&header)?;
        let is_aware = loom::is_aware(&header.space, agent);
        let loom = if is_aware { loom::offered(agent.loom_access) } else { Vec::new() };
        Ok(self.tools().await?.into_iter().chain(loom).map(|tool| tool.name).collect())
    }

    /// The model that is asked.
    pub(crate) fn target(&self, header: &Conversation, how: &How) -> Result<Target, GatewayError> {
        let agent = self.agent_of(header)?;
        let name = how.model.as_deref().or(agent.model.as_deref()).unwrap_or(&self.gateway.model);
        Ok(self.gateway.providers.resolve(name)?)
    }

    /// Puts in what was learned of a model whose tokens can only be estimated.
    async fn calibrate(&self, model: &mut Model) -> Result<(), GatewayError> {
        if let VocabularyOf::Estimated(_) = model.vocabulary {
            let name = model.name.clone();
            if let Some(learned) = self.gateway.stored(move |store| store.learned(&name)).await? {
                model.vocabulary = VocabularyOf::Estimated(learned.thousandths);
            }
        }
        Ok(())
    }

    /// The space, without its nodes.
    pub(crate) async fn header(&self) -> Result<Conversation, GatewayError> {
        let space = self.space.clone();
        self.gateway.stored(move |store| store.header(&space)).await
    }

    pub(crate) fn agent_of<'h>(&self, header: &'h Conversation) -> Result<&'h Entity, GatewayError> {
        let found = header.entities.iter().find(|entity| entity.id == self.agent);
        found.ok_or_else(|| GatewayError::Store(StoreError::NoEntity { entity: self.agent.clone() }))
    }
}

impl Chat {
    /// What the agent is told of the tree; none if it is not shown any.
    pub(crate) async fn told(&self, terms: &Terms) -> Result<Option<Loom>, GatewayError> {
        match (&terms.loom, &terms.ask.head) {
            (Some(agent), Some(head)) => loom::told(&self.gateway, &self.space, agent, head).await.map(Some),
            (Some(_), None) | (None, _) => Ok(None),
        }
    }
}

impl Terms {
    /// An ask of a model, with all tools that it names.
    pub(crate) fn of(ask: Ask, target: Target) -> Terms {
        Terms { ask, target, chosen: false, loom: None }
    }

    /// The same without tools, and without the tree.
    pub(crate) fn plain(mut self) -> Terms {
        self.loom = None;
        self.ask.tools = Some(Vec::new());
        self.ask.settings.tool_policy = Some(ToolPolicy::AllOff);
        self
    }

    /// The request, on its way to its model.
    pub(crate) fn order(&self, request: Vec<u8>, report: &Report) -> Order {
        let mut order = Order::new(self.target.clone(), report.dialect, request);
        order.input_tokens = Some(sent(report));
        order
    }

    /// Tokens of the window: as the ask, the space or the app has it, else the model's own; none if nobody knows.
    pub(crate) fn window(&self, space: &Settings) -> Option<u64> {
        let levels = [&self.ask.settings, space, &self.ask.app];
        levels.into_iter().find_map(|level| level.context_length).or(self.target.model.context_length)
    }

    /// Marks the calls of a reply as chosen where only chosen ones are sent.
    pub(crate) fn choose(&self, reply: &mut Reply) {
        for part in reply.parts.iter_mut().filter(|_| self.chosen) {
            if let Part::ToolCall(call) = part {
                call.included = true;
            }
        }
    }

    /// The most that a request can cost; none if the model's price is not known.
    pub(crate) fn most(&self, report: &Report) -> Option<Cost> {
        let model = &self.target.model;
        let prices = model.prices?;
        let dearest = prices.input.max(prices.cache_write.unwrap_or(0.0));
        let asked = self.ask.settings.max_tokens.map(|_| report.budget.reserve);
        let written = asked.or(model.max_output).unwrap_or(report.budget.reserve);
        Some(Cost::from_usd((sent(report) as f64 * dearest + written as f64 * prices.output) / 1e6))
    }

    /// The same for a window that is a good deal smaller than what was sent.
    pub(crate) fn smaller(&self, report: &Report) -> Terms {
        let mut terms = self.clone();
        let room = sent(report) / 4 * 3;
        let reserve = report.budget.reserve.min(room);
        terms.ask.settings.context_length = Some(room + reserve);
        match &mut terms.ask.settings.max_tokens {
            Some(most) => *most = (*most).min(reserve),
            None => terms.ask.settings.token_buffer = Some(reserve),
        }
        terms
    }
}

/// Tokens of a request.
pub(crate) fn sent(report: &Report) -> u64 {
    let budget = &report.budget;
    budget.system + budget.tools + budget.input + budget.history + budget.markers
}
