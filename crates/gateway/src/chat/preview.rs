//! What would be sent in a chat. Nothing is sent, and nothing is written.

use super::terms::Errand;
use super::{Chat, How};
use crate::error::GatewayError;
use weftwork::ask::Input;
use weftwork::dialect::Dialect;
use weftwork::model::{Conversation, NodeId, Part};
use weftwork::{Assembly, History, assemble};
use weftwork_store::Store;

/// A request that is only looked at.
#[derive(Clone, Debug, Default)]
pub struct Imagined {
    /// Where the conversation has come to; its head if none.
    pub head: Option<NodeId>,
    /// What is said next.
    pub input: Option<String>,
    /// How the reply would be made.
    pub how: How,
    /// How it is written.
    pub wire: Wire,
}

/// How a request that is only looked at is written, and what it is compared with.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    /// The wire format; the model's own if none.
    pub dialect: Option<Dialect>,
    /// The bytes of the request before it, to tell what a cache keeps.
    pub previous: Option<Vec<u8>>,
}

/// What would be sent in a chat.
#[derive(Debug)]
pub struct ChatPreview {
    /// What was read for it.
    pub history: History,
    /// The request and its report: each node that is sent on its own, and those that are left out where all were read.
    pub assembly: Assembly,
    /// The model, as `provider/model`.
    pub model: String,
}

impl Chat {
    /// The request that would be sent now, with `input` said, each node that is sent on its own in the report; and the history
    /// as far as it was read. Nothing is sent.
    pub async fn preview(&self, input: Option<&str>, how: &How) -> Result<(History, Assembly), GatewayError> {
        let asked = Imagined { input: input.map(str::to_owned), how: how.clone(), ..Imagined::default() };
        let ChatPreview { history, assembly, .. } = self.imagine(asked).await?;
        Ok((history, assembly))
    }

    /// The request that would be sent. Nothing is sent.
    pub async fn imagine(&self, asked: Imagined) -> Result<ChatPreview, GatewayError> {
        let Imagined { head, input, how, wire } = asked;
        let head = match head {
            Some(head) => Some(head),
            None => self.head().await?,
        };
        let mut terms = self.terms(head, &Errand::Reply, &how).await?;
        terms.ask.input = input.map_or(Input::None, |text| Input::New(vec![Part::text(text)]));
        terms.ask.dialect = wire.dialect.or(terms.ask.dialect);
        terms.ask.previous = wire.previous;
        let loom = self.told(&terms).await?;
        let (space, ask, model) = (self.space.clone(), terms.ask, terms.target.model.name);
        let more = move |file: &mut Conversation| file.loom = loom.clone().or(file.loom.take());
        let woven = move |store: &Store| {
            let (history, mut assembly) = store.look(&space, &ask, &more, |history| assemble(history, &ask))?;
            assembly.report.items = assembly.each_node(&history);
            Ok(ChatPreview { history, assembly, model })
        };
        self.gateway.stored(woven).await
    }
}
