//! Services: programs elsewhere that wake an agent by signed webhooks, as Standard Webhooks has them.
//!
//! The raw bytes are checked before anything in them is read. Who is not trusted gets one answer, whether the service is
//! unknown or the signature wrong; the reason is for the log. What is delivered is data, and each delivery begins one run.

mod body;
mod error;
mod headers;
mod name;
mod receive;
mod secret;

pub use body::{MOST_BYTES, MOST_DEPTH};
pub use error::{NotReceived, Reason};
pub use headers::{Headers, ID, SIGNATURE, TIMESTAMP, TOLERANCE};
pub use receive::Received;
pub use secret::{BadSecret, SigningSecret, sign};
pub use weftwork_store::Service;

use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::keys::Seal;
use weftwork::model::EntityId;

impl Gateway {
    /// Adds a service that wakes an agent. The secret is shown by whoever made it; here it is sealed.
    pub async fn add_service(&self, name: &str, agent: &EntityId, secret: &SigningSecret) -> Result<(), GatewayError> {
        name::check(name)?;
        let sealed = secret.sealed(self.seal()?, name)?;
        let (name, agent, hint, now) = (name.to_owned(), agent.clone(), secret.hint(), self.now());
        self.stored(move |store| store.add_service(&name, &agent, &sealed, &hint, now)).await
    }

    /// All services, by name.
    pub async fn services(&self) -> Result<Vec<Service>, GatewayError> {
        self.stored(|store| store.services()).await
    }

    /// Gives a service another secret. The one before is taken until `old_until`, so that its owner has time to change it; a
    /// time that has been ends it now. Says whether the service is there.
    pub async fn rotate_secret(&self, name: &str, secret: &SigningSecret, old_until: i64) -> Result<bool, GatewayError> {
        name::check(name)?;
        let sealed = secret.sealed(self.seal()?, name)?;
        let (name, hint, now) = (name.to_owned(), secret.hint(), self.now());
        self.stored(move |store| store.rotate_service(&name, &sealed, &hint, old_until, now)).await
    }

    /// Takes a service away: nothing it sends is taken any more. Says whether it was there.
    pub async fn remove_service(&self, name: &str) -> Result<bool, GatewayError> {
        name::check(name)?;
        let name = name.to_owned();
        self.stored(move |store| store.remove_service(&name)).await
    }

    pub(crate) fn seal(&self) -> Result<&Seal, GatewayError> {
        self.seal.as_deref().ok_or(GatewayError::NothingThere { what: "there is no seal to keep secrets of services with" })
    }
}
