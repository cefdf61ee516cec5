//! Numbers of a chat: two windows, and what was spent.

use super::terms::{Errand, sent};
use super::{Chat, How};
use crate::error::GatewayError;
use weftwork::model::{NodeId, Usage};
use weftwork_store::{By, Cost, Period, Scope, Store};

/// Numbers of a chat, at its head.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Tokens in the context window, as the last reply reported them.
    pub window: u64,
    /// Tokens of the next request as it would be assembled now, before anything new is said; none if it would not fit.
    pub next: Option<u64>,
    /// Tokens the model can take, the reply among them; 0 while nobody knows.
    pub context_length: u64,
    /// Everything the space has used.
    pub cumulative: Usage,
    /// What that cost, where prices are known.
    pub cost: Cost,
    /// Tokens of calls whose price is not known.
    pub unpriced: Usage,
}

impl Chat {
    /// Numbers of this chat.
    pub async fn figures(&self) -> Result<Figures, GatewayError> {
        self.figures_at(self.head().await?).await
    }

    /// Numbers of this chat as if it had come to `head`.
    pub async fn figures_at(&self, head: Option<NodeId>) -> Result<Figures, GatewayError> {
        let terms = self.terms(head.clone(), &Errand::Reply, &How::default()).await?;
        let known = terms.window(&self.header().await?.space.settings).unwrap_or_default();
        let (next, context_length) = match self.weave(&terms).await {
            Ok(woven) => (Some(sent(&woven.report)), woven.report.budget.context_length),
            Err(GatewayError::Assemble(weftwork::AssembleError::NothingToSend)) => (Some(0), known),
            Err(GatewayError::Assemble(_)) => (None, known),
            Err(error) => return Err(error),
        };
        let space = self.space.clone();
        let kept = move |store: &Store| {
            let totals = store.totals(&Scope::one(&space), Period::default(), By::Space)?;
            Ok((store.context_window(&space, head.as_ref())?, store.cumulative(&space)?, totals.into_iter().next()))
        };
        let (window, cumulative, total) = self.gateway.stored(kept).await?;
        let (cost, unpriced) = total.map(|total| (total.cost, total.unpriced)).unwrap_or_default();
        Ok(Figures { window, next, context_length, cumulative, cost, unpriced })
    }
}
