//! A relayed call in the books: begun before it is sent, ended once, whatever became of it. It belongs to no space.

use super::RelayError;
use super::weave::{Handling, Woven};
use crate::chat::call_end;
use crate::error::GatewayError;
use crate::gateway::Gateway;
use weftwork::catalogue::Model;
use weftwork::model::{EntityId, Purpose};
use weftwork_provider::{Failure, Outcome, SendError, Target};
use weftwork_store::{self as store, CallId, CallStart};

/// A call that was begun.
pub(super) struct Recorded {
    gateway: Gateway,
    model: Model,
    pub(super) id: CallId,
}

impl Recorded {
    /// Writes down a call that is about to be sent.
    pub(super) async fn begin(
        gateway: &Gateway,
        target: &Target,
        woven: &Woven,
        account: Option<&EntityId>,
    ) -> Result<Recorded, RelayError> {
        let (ask, report) = match &woven.handling {
            Handling::Assembled(report) => (woven.ask.clone(), serde_json::to_vec(&**report).ok()),
            Handling::Untouched(_) => (Vec::new(), None),
        };
        let start = CallStart {
            ask,
            report: report.filter(|_| account.is_some()),
            ..passed(gateway, &target.model, woven.request.clone(), account)
        };
        Ok(Recorded::write(gateway, &target.model, start).await?)
    }

    /// The same of a request that is passed on as it came: there is nothing to report of it.
    pub(super) async fn begin_passed(
        gateway: &Gateway,
        model: &Model,
        request: &[u8],
        account: Option<&EntityId>,
    ) -> Result<Recorded, GatewayError> {
        Recorded::write(gateway, model, passed(gateway, model, request.to_vec(), account)).await
    }

    async fn write(gateway: &Gateway, model: &Model, start: CallStart) -> Result<Recorded, GatewayError> {
        let recorded = Recorded { gateway: gateway.clone(), model: model.clone(), id: start.id.clone() };
        gateway.stored(move |store| store.begin_call(None, &start)).await?;
        Ok(recorded)
    }

    /// Writes down how it ended. What cannot be written down is noted: the client has its answer all the same.
    pub(super) async fn end(self, ended: &Result<Outcome, Box<Failure>>) {
        let (came, why) = match ended {
            Ok(outcome) => (outcome, None),
            Err(failure) => (&failure.outcome, Some(&failure.error)),
        };
        let outcome = match why {
            None => store::Outcome::Done,
            Some(SendError::Canceled) => store::Outcome::Canceled,
            Some(_) => store::Outcome::Failed,
        };
        let (id, end) = (self.id.clone(), call_end(&self.model, outcome, came, why));
        if let Err(error) = self.gateway.stored(move |store| store.end_call(None, &id, &end)).await {
            self.gateway.note(format!("call {}: {error}", self.id));
        }
    }
}

/// What is written down of a call that nothing was made for.
fn passed(gateway: &Gateway, model: &Model, request: Vec<u8>, account: Option<&EntityId>) -> CallStart {
    CallStart {
        id: format!("call-{:032x}", fastrand::u128(..)),
        purpose: Purpose::Reply,
        node: None,
        agent: None,
        run: None,
        model: Some(model.name.clone()),
        at: gateway.now(),
        prices: model.prices,
        ask: Vec::new(),
        request,
        account: account.cloned(),
        report: None,
    }
}
