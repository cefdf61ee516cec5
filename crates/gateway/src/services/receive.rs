//! Takes a delivery: who sent it, what is in it, and whether it came before.

use super::error::{NotReceived, Reason};
use super::headers::Headers;
use super::secret::SigningSecret;
use super::{body, name};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use sha2::{Digest, Sha256};
use weftwork_store::KeptService;
use weftwork_store::runs::{Delivered, Delivery, RunId};

/// What came of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// It began this run.
    Started(RunId),
    /// It came before, and began this run then.
    Before(RunId),
}

impl Gateway {
    /// Takes what came for the service of a name: the headers and the body, byte for byte.
    pub async fn receive(&self, name: &str, headers: &Headers, body: &[u8]) -> Result<Received, NotReceived> {
        body::check_size(body)?;
        let now = self.now();
        let kept = self.kept_service(name).await?;
        let secrets = match &kept {
            Some(kept) => self.live_secrets(kept, now)?,
            None => vec![SigningSecret::of_nobody()],
        };
        let checked = headers.check(&secrets, body, now);
        let (kept, id) = match (kept, checked) {
            (Some(kept), Ok(id)) => (kept, id),
            (Some(_), Err(reason)) => return Err(NotReceived::Unauthorized { reason }),
            (None, Ok(_) | Err(_)) => return Err(NotReceived::Unauthorized { reason: Reason::NoService }),
        };
        let delivery = Delivery {
            source: kept.service.name,
            id: id.to_owned(),
            hash: Sha256::digest(body).into(),
            agent: kept.service.agent,
            payload: body::read(body)?.text().to_owned(),
        };
        self.deliver(delivery, now).await
    }

    async fn kept_service(&self, name: &str) -> Result<Option<KeptService>, GatewayError> {
        if !name::fits(name) {
            return Ok(None);
        }
        let name = name.to_owned();
        self.stored(move |store| store.service(&name)).await
    }

    /// The secrets that are taken now: the newest and, for a while, the one before.
    fn live_secrets(&self, kept: &KeptService, now: i64) -> Result<Vec<SigningSecret>, GatewayError> {
        let is_live = kept.service.old_until.is_some_and(|until| now < until);
        let sealed = [Some(&kept.sealed), kept.old.as_ref().filter(|_| is_live)];
        let open = |sealed: &Vec<u8>| Ok(SigningSecret::open(self.seal()?, &kept.service.name, sealed)?);
        sealed.into_iter().flatten().map(open).collect()
    }

    async fn deliver(&self, delivery: Delivery, now: i64) -> Result<Received, NotReceived> {
        let (id, caps) = (delivery.id.clone(), self.caps.clone());
        match self.stored(move |store| store.deliver(&delivery, &caps, now)).await? {
            Delivered::Started(run) => {
                self.hint();
                Ok(Received::Started(run))
            }
            Delivered::Before(run) => Ok(Received::Before(run)),
            Delivered::Differs => Err(NotReceived::Differs { id }),
        }
    }
}
