//! Numbers of a chat: two windows, and what was spent.

use super::terms::{Errand, sent};
use super::{Chat, How};
use crate::error::GatewayError;
use weftwork::ask::Input;
use weftwork::model::{Part, Usage};
use weftwork::{Assembly, History, assemble};
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
        let head = self.head().await?;
        let terms = self.terms(head.clone(), &Errand::Reply, &How::default()).await?;
        let known = terms.target.model.context_length.unwrap_or_default();
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

    /// The request that would be sent now, with `input` said, each node on its own in the report; and the history it is
    /// woven from. Nothing is sent.
    pub async fn preview(&self, input: Option<&str>, how: &How) -> Result<(History, Assembly), GatewayError> {
        let mut terms = self.terms(self.head().await?, &Errand::Reply, how).await?;
        terms.ask.input = input.map_or(Input::None, |text| Input::New(vec![Part::text(text)]));
        let loom = self.told(&terms).await?;
        let (space, ask) = (self.space.clone(), terms.ask);
        let woven = move |store: &Store| {
            let mut file = store.export(&space)?;
            if let (Some(mut loom), Some(head)) = (loom, &ask.head) {
                loom.nodes = store.loom_nodes(&space, head)?;
                file.loom = Some(loom);
            }
            let history = History::new(file)?;
            let mut assembly = assemble(&history, &ask)?;
            assembly.report.items = assembly.each_node(&history);
            Ok((history, assembly))
        };
        self.gateway.stored(woven).await
    }
}
