//! Telling programs elsewhere that a run of their agent is due, by signed webhooks as Standard Webhooks has them.
//!
//! What is told is a hint: which run, and when. The program then takes the run as it would after asking for it, so a hint
//! that is lost costs time and one that comes twice costs nothing. Each is sent at least once, always under the same id,
//! through the guarded client: the address is a member's.

mod again;
mod deliver;
mod place;

pub use again::{MOST_ATTEMPTS, after};
pub use deliver::Pushed;
pub use place::PushPlace;

use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::services::SigningSecret;
use place::Kept;
use weftwork::model::EntityId;
use weftwork_store::runs::push_name;

impl Gateway {
    /// Says where the program of an agent that lives elsewhere is told, and with which secret that is signed. What is due
    /// now is told too. Replaces what was said before.
    pub async fn set_push(&self, agent: &EntityId, address: &str, secret: &SigningSecret) -> Result<(), GatewayError> {
        let address = self.guard()?.check(address)?.to_string();
        let entity = {
            let agent = agent.clone();
            self.stored(move |store| store.entity(&agent)).await?
        };
        if !entity.external {
            return Err(GatewayError::LivesHere { agent: agent.clone() });
        }
        let name = push_name(agent);
        let sealed = Kept { address, secret: secret.reveal() }.sealed(self.seal()?, &name)?;
        let (agent, hint, now) = (agent.clone(), secret.hint(), self.now());
        self.stored(move |store| {
            store.put_secret(&name, &sealed, &hint, now)?;
            store.announce_runs(&agent)
        })
        .await
    }

    /// Where an agent's program is told, if it is.
    pub async fn push_place(&self, agent: &EntityId) -> Result<Option<PushPlace>, GatewayError> {
        let Some((kept, secret)) = self.kept_push(agent).await? else { return Ok(None) };
        Ok(Some(PushPlace { address: kept.address, hint: secret.hint, since: secret.created_at }))
    }

    /// Tells an agent's program nothing any more. Says whether it was told.
    pub async fn remove_push(&self, agent: &EntityId) -> Result<bool, GatewayError> {
        let name = push_name(agent);
        self.stored(move |store| store.remove_secret(&name)).await
    }

    async fn kept_push(&self, agent: &EntityId) -> Result<Option<(Kept, weftwork_store::SecretName)>, GatewayError> {
        let name = push_name(agent);
        let Some(secret) = self.stored(move |store| store.secret(&name)).await? else { return Ok(None) };
        Ok(Some((Kept::open(self.seal()?, &secret.name.name, &secret.sealed)?, secret.name)))
    }

    pub(crate) fn guard(&self) -> Result<&weftwork_provider::guard::Client, GatewayError> {
        let none = GatewayError::NothingThere { what: "there is no guarded client to reach programs of members with" };
        self.guard.as_deref().ok_or(none)
    }
}
