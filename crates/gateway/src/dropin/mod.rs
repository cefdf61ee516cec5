//! Drop-in: what an existing client sends in its own API is fitted, repaired and marked, sent to the provider that the
//! model's name leads to, and answered in the client's API.
//!
//! A relay that began is written down to its end, also if its client has gone: dropping a [`Relay`] closes the connection to
//! the provider and ends the call as canceled. What is not read is not fetched. Nothing is answered before the provider has
//! begun to, so that an error before it keeps the provider's status.

mod error;
mod held;
mod pass;
mod record;
mod relay;
mod weave;

pub use error::{NotSent, RelayError};
pub(crate) use held::Goings;
pub use held::{Again, Differs, Held, HeldAsk, HeldError, HeldTurn, Telling, Told};
pub use pass::{NotPassed, PassAsk, Passing};
pub use relay::Relay;
pub use weave::Handling;

use crate::gateway::Gateway;
use record::Recorded;
use relay::Driver;
use reqwest::header::HeaderMap;
use weave::{Woven, weave};
use weftwork::encode::{Api, Heading};
use weftwork::intake::{Answer, Taken, take};
use weftwork::model::EntityId;
use weftwork_provider::{Key, Payer, Target};

/// What a client sent.
#[derive(Clone, Debug)]
pub struct RelayAsk {
    /// The API it speaks.
    pub api: Api,
    /// The body, byte for byte.
    pub body: Vec<u8>,
    /// Its headers: those that ask for features of the provider's go on.
    pub headers: HeaderMap,
    /// Whose account it is on.
    pub account: Option<EntityId>,
    /// The client's own key of the provider, where it brings one: the call is then on that.
    pub key: Option<Key>,
}

/// What is the same for every attempt to answer a client.
#[derive(Clone)]
struct Client {
    api: Api,
    heading: Heading,
    answer: Answer,
    headers: HeaderMap,
    account: Option<EntityId>,
    key: Option<Key>,
}

impl Gateway {
    /// Sends a client's request to the provider that its model's name leads to. Comes back when the provider has begun to
    /// answer, or, where the client wants its answer whole, when it has ended. What the provider finds too large is made
    /// smaller once.
    pub async fn relay(&self, ask: RelayAsk) -> Result<Relay, RelayError> {
        let taken = take(&ask.body, ask.api)?;
        let payer = if ask.key.is_some() { Payer::Caller } else { Payer::Owner };
        let target = self.providers.resolve_for(&taken.model, payer)?;
        let heading = Heading {
            id: response_id(ask.api),
            model: taken.model.clone(),
            created: (self.now() / 1000).unsigned_abs(),
            include_usage: taken.include_usage,
        };
        let RelayAsk { api, headers, account, key, .. } = ask;
        let client = Client { api, heading, answer: taken.answer, headers, account, key };
        let woven = self.woven(taken.clone(), &target, api, None).await?;
        let error = match self.attempt(client.clone(), &target, &woven).await {
            Err(RelayError::Send(failed)) if failed.error.is_overflow() => failed,
            begun => return begun,
        };
        let Some(window) = woven.smaller() else { return Err(RelayError::Send(error)) };
        match self.woven(taken, &target, api, Some(window)).await {
            Ok(less) if less.request != woven.request => self.attempt(client, &target, &less).await,
            // Nothing in it can be left out: the provider's own words say it best.
            Ok(_) | Err(RelayError::Assemble(_)) => Err(RelayError::Send(error)),
            Err(other) => Err(other),
        }
    }

    /// How many tokens a client's request has, as it would be sent. `own_key` says that the client would bring a key.
    pub async fn relay_tokens(&self, api: Api, body: Vec<u8>, own_key: bool) -> Result<u64, RelayError> {
        let taken = take(&body, api)?;
        let payer = if own_key { Payer::Caller } else { Payer::Owner };
        let target = self.providers.resolve_for(&taken.model, payer)?;
        match self.woven(taken, &target, api, None).await?.handling {
            Handling::Assembled(report) => Ok(crate::chat::sent(&report)),
            Handling::Untouched(lost) => Err(RelayError::Uncountable { lost }),
        }
    }

    async fn attempt(&self, client: Client, target: &Target, woven: &Woven) -> Result<Relay, RelayError> {
        let call = Recorded::begin(self, target, woven, client.account.as_ref()).await?;
        Driver::new(self, client, target, woven, call).start(woven).await
    }

    /// Assembles on a thread that may be busy for a while.
    async fn woven(&self, taken: Taken, target: &Target, api: Api, window: Option<u64>) -> Result<Woven, RelayError> {
        let (settings, target) = (self.settings.clone(), target.clone());
        let woven = tokio::task::spawn_blocking(move || weave(taken, &target, api, &settings, window)).await;
        woven.unwrap_or_else(|died| std::panic::resume_unwind(died.into_panic()))
    }
}

fn response_id(api: Api) -> String {
    let prefix = match api {
        Api::Chat => "chatcmpl-",
        Api::Responses => "resp_",
        Api::Messages => "msg_",
    };
    format!("{prefix}{:032x}", fastrand::u128(..))
}
