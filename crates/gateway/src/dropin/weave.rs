//! From what a client sent to what its provider is sent.

use super::RelayError;
use crate::chat::sent;
use std::sync::Arc;
use weftwork::ask::Settings;
use weftwork::encode::Api;
use weftwork::intake::{Lost, Taken};
use weftwork::report::Report;
use weftwork::{History, assemble};
use weftwork_provider::Target;

/// The window of a model of which none is known: nothing is cut, and the provider has the last word.
const UNBOUNDED: u64 = 1 << 32;

/// What was done with a request.
#[derive(Clone, Debug)]
pub enum Handling {
    /// It was assembled; the report says how.
    Assembled(Arc<Report>),
    /// It was handed on as it came, because these things could not have been carried.
    Untouched(Vec<Lost>),
}

/// A request for a provider.
pub(super) struct Woven {
    pub(super) request: Vec<u8>,
    /// The same, asking for the answer as the client wants it, where the provider speaks the client's API.
    pub(super) wished: Option<Vec<u8>>,
    /// What it was made of, as JSON.
    pub(super) ask: Vec<u8>,
    pub(super) handling: Handling,
    /// Fields of the client's that the provider's API has nothing for.
    pub(super) left_out: Vec<String>,
}

impl Woven {
    /// The window for a request that is a good deal smaller; none of one that was not assembled.
    pub(super) fn smaller(&self) -> Option<u64> {
        let Handling::Assembled(report) = &self.handling else { return None };
        let room = sent(report) / 4 * 3;
        Some(room + report.budget.reserve.min(room))
    }
}

/// Makes the request. What cannot be carried is handed on untouched where the provider speaks the client's API; elsewhere it
/// is named.
pub(super) fn weave(
    mut taken: Taken,
    target: &Target,
    api: Api,
    settings: &Settings,
    window: Option<u64>,
) -> Result<Woven, RelayError> {
    let dialect = target.dialect();
    if !taken.is_lossless() && dialect == api.dialect() {
        let request = taken.rest.untouched(target.model.wire_name());
        let wished = Some(taken.rest.as_wished(request.clone()));
        return Ok(Woven { request, wished, ask: Vec::new(), handling: Handling::Untouched(taken.loss), left_out: Vec::new() });
    }
    taken.written_by(&target.model.name);
    let Taken { conversation, mut ask, rest, loss, .. } = taken;
    ask.app = settings.clone();
    ask.dialect = Some(dialect);
    ask.settings.context_length =
        window.or(settings.context_length).or(target.model.context_length.is_none().then_some(UNBOUNDED));
    ask.model = Some(target.model.clone());
    let history = History::new(conversation)?;
    let assembly = assemble(&history, &ask)?;
    let laid = rest.lay_over(assembly.request, dialect);
    let mut left_out = laid.left_out;
    left_out.extend(loss.into_iter().map(|lost| lost.place));
    let ask = serde_json::to_vec(&ask).unwrap_or_default();
    let wished = (dialect == api.dialect()).then(|| rest.as_wished(laid.request.clone()));
    Ok(Woven { request: laid.request, wished, ask, handling: Handling::Assembled(Arc::new(assembly.report)), left_out })
}
