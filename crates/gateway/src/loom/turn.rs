//! One turn of an agent in its tree: what its tools share.

use super::arguments::Arguments;
use super::tool::Verb;
use super::{LoomTool, MOST_ADDED, Refused, is_aware};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use weftwork::model::{Conversation, Entity, EntityId, LoomAccess, NodeId, SpaceId};
use weftwork_store::{Spot, Store, StoreError};

/// The tools of a loom-aware agent, for one turn. Cheap to clone.
#[derive(Clone)]
pub struct LoomTurn(Arc<Turn>);

struct Turn {
    gateway: Gateway,
    space: SpaceId,
    agent: EntityId,
    /// What the turn answers.
    at: NodeId,
    cancel: CancellationToken,
    generated: AtomicU32,
    added: AtomicU32,
    /// Held by whoever acts: the calls of one reply are begun at once, and take effect in their order.
    order: Mutex<()>,
}

impl LoomTurn {
    /// Begins a turn that answers `at`; none if the agent is not shown the tree of this space. `cancel` stops what its model is
    /// writing.
    pub async fn begin(
        gateway: &Gateway,
        space: &SpaceId,
        agent: &EntityId,
        at: &NodeId,
        cancel: &CancellationToken,
    ) -> Result<Option<LoomTurn>, GatewayError> {
        let of = space.clone();
        let header = gateway.stored(move |store| store.header(&of)).await?;
        let found = agent_of(&header, agent)?;
        if !is_aware(&header.space, found) {
            return Ok(None);
        }
        Ok(Some(LoomTurn(Arc::new(Turn {
            gateway: gateway.clone(),
            space: space.clone(),
            agent: agent.clone(),
            at: at.clone(),
            cancel: cancel.clone(),
            generated: AtomicU32::new(0),
            added: AtomicU32::new(0),
            order: Mutex::new(()),
        }))))
    }

    /// Its tools, to be run with a round. Those that the agent is not offered are among them, and refuse.
    pub fn built_ins(&self) -> Vec<LoomTool> {
        LoomTool::all(self)
    }

    pub(super) async fn perform(&self, verb: Verb, arguments: &Arguments) -> Result<String, Refused> {
        let order = self.0.order.lock().await;
        self.allow(verb).await?;
        match verb {
            Verb::View => self.view(arguments).await,
            Verb::List => self.list(arguments).await,
            Verb::Tree => self.tree(arguments).await,
            Verb::Search => self.search(arguments).await,
            Verb::Switch => self.switch(arguments).await,
            Verb::Pin => self.pin(arguments).await,
            Verb::Stash => self.stash(arguments).await,
            Verb::Recall => self.recall(arguments).await,
            Verb::Drop => self.drop_it(arguments).await,
            Verb::Respond => self.respond(arguments).await,
            Verb::Annotate => self.annotate(arguments).await,
            Verb::Link => self.link(arguments).await,
            Verb::Edit => self.edit(arguments).await,
            Verb::Bookmark => self.bookmark(arguments).await,
            Verb::Prune => self.prune(arguments).await,
            Verb::Restore => self.restore(arguments).await,
            Verb::Continue => self.go_on(arguments, order).await,
        }
    }

    /// Whether the agent may do that now: it may have been taken from it since the turn began.
    async fn allow(&self, verb: Verb) -> Result<(), Refused> {
        let header = self.header().await?;
        let agent = agent_of(&header, self.agent())?;
        match (is_aware(&header.space, agent), agent.loom_access) {
            (false, _) => Err(Refused::Unaware),
            (true, has) if has < verb.needs() => Err(Refused::not_allowed(verb.name(), verb.needs(), has)),
            (true, LoomAccess::Read | LoomAccess::Write | LoomAccess::Generate) => Ok(()),
        }
    }

    pub(super) fn gateway(&self) -> &Gateway {
        &self.0.gateway
    }

    pub(super) fn space(&self) -> &SpaceId {
        &self.0.space
    }

    pub(super) fn agent(&self) -> &EntityId {
        &self.0.agent
    }

    /// What the turn answers.
    pub(super) fn at(&self) -> &NodeId {
        &self.0.at
    }

    pub(super) fn cancel(&self) -> &CancellationToken {
        &self.0.cancel
    }

    /// Who speaks in the space.
    pub(super) async fn header(&self) -> Result<Conversation, Refused> {
        self.stored(|store, space, _| store.header(space)).await
    }

    /// Does something in the store for the agent in its space.
    pub(super) async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store, &SpaceId, &EntityId) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refused> {
        let turn = self.0.clone();
        Ok(self.0.gateway.stored(move |store| work(store, &turn.space, &turn.agent)).await?)
    }

    /// The node that is named, or where the agent looks.
    pub(super) async fn spot(&self, name: Option<&str>) -> Result<Spot, Refused> {
        let (name, at) = (name.map(str::to_owned), self.at().clone());
        self.stored(move |store, space, agent| match name {
            Some(name) => store.spot(space, &name),
            None => {
                let position = store.position(space, agent, &at)?;
                Ok(position.own.unwrap_or(position.here))
            }
        })
        .await
    }

    /// Remembers what was done. An act whose trace cannot be kept was done all the same.
    pub(super) async fn trace(&self, line: String) {
        let now = self.gateway().now();
        let _ = self.stored(move |store, space, agent| store.trace(space, agent, &line, now)).await;
    }

    /// Takes one of the nodes that a turn may add.
    pub(super) fn take_added(&self) -> Result<(), Refused> {
        take(&self.0.added, 1, MOST_ADDED).map(drop).ok_or(Refused::Spent { what: "add", most: MOST_ADDED })
    }

    /// Takes as many as are wanted of the nodes that a turn may generate, or as many as are left.
    pub(super) fn take_generated(&self, wanted: u32) -> Result<u32, Refused> {
        let most = super::MOST_GENERATED;
        take(&self.0.generated, wanted, most).ok_or(Refused::Spent { what: "generate", most })
    }
}

fn take(taken: &AtomicU32, wanted: u32, most: u32) -> Option<u32> {
    let before = taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
        (taken < most).then(|| taken.saturating_add(wanted).min(most))
    });
    before.ok().map(|before| wanted.min(most - before))
}

fn agent_of<'h>(header: &'h Conversation, agent: &EntityId) -> Result<&'h Entity, GatewayError> {
    let found = header.entities.iter().find(|entity| entity.id == *agent);
    found.ok_or_else(|| GatewayError::Store(StoreError::NoEntity { entity: agent.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is() {
        let taken = AtomicU32::new(0);
        assert_eq!([3, 3, 1].map(|wanted| take(&taken, wanted, 4)), [Some(3), Some(1), None]);
    }
}
