//! Everything else below `/v1`: passed on untouched to the provider it is meant for.

use super::door::{self, Caller, enter, spoken, told};
use super::relay::put;
use super::unread::{UNREAD, read};
use crate::serve::house::House;
use crate::serve::web::{Code, InHand, Problem};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::request::Parts;
use serde::Deserialize;
use std::sync::Arc;
use weftwork::catalogue::Model;
use weftwork::dialect::Dialect;
use weftwork::encode::Api;
use weftwork_gateway::dropin::{NotPassed, PassAsk, Passing};
use weftwork_provider::{Expected, ForwardError, Load, Passage, Payer, Provider, ResolveError};

/// Bytes of an answer.
const LARGEST_ANSWER: u64 = 1 << 30;

pub(super) async fn forward(State(house): State<House>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let api = spoken(&parts.headers);
    let expected = match parts.uri.path() {
        // Text completion is a conversation, too, in an older API.
        "/v1/completions" => Expected::Reply(Dialect::Completions),
        _ => Expected::Anything,
    };
    let passed = async {
        let caller = enter(&house, &parts).await?;
        pass(&house, api, expected, caller, parts, body).await
    };
    passed.await.unwrap_or_else(|problem| told(api, &problem))
}

/// Passes a request on as it is. What names a model is kept as a call; all of it is counted.
pub(super) async fn pass(
    house: &House,
    api: Api,
    expected: Expected,
    caller: Caller,
    parts: Parts,
    body: Body,
) -> Result<Response, Problem> {
    let (bytes, room) = door::body(house, &caller, &parts, body).await?;
    let (account, key) = caller.apart();
    let (kept, payer) = (account.is_some(), if key.is_some() { Payer::Caller } else { Payer::Owner });
    let (provider, model) = meant(house, api, &parts, &bytes, payer)?;
    let path = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
    let name = provider.name().to_owned();
    let mut passage = Passage::new(provider, parts.method, &path);
    passage.headers = parts.headers;
    passage.load = if bytes.is_empty() { Load::Nothing } else { Load::Bytes(bytes) };
    (passage.key, passage.largest_answer) = (key, LARGEST_ANSWER);
    let passed = house.gateway.pass(PassAsk { passage, expected, model, account }).await;
    let status = passed.as_ref().map_or(0, |passing| passing.head.status.as_u16());
    metrics::counter!("weft_passed_total", "provider" => name.clone(), "status" => status.to_string()).increment(1);
    tracing::debug!(provider = name, status, "passed through");
    passed.map(|passing| begun(passing, kept, room)).map_err(|error| not_passed(&error))
}

/// The answer, as it comes. What was asked stays in hand until its end, with which it is written down, or until its client
/// reads no more.
fn begun(passing: Passing, kept: bool, room: InHand) -> Response {
    let (status, mut headers) = (passing.head.status, passing.head.headers.clone());
    if let Some(call) = &passing.call {
        put(&mut headers, "weft-call", call);
        if kept {
            put(&mut headers, "weft-report", &format!("/api/calls/{call}"));
        }
    }
    let bytes =
        stream::unfold((passing, room), |(mut passing, room)| async move { Some((passing.next().await?, (passing, room))) });
    (status, headers, Body::from_stream(read(bytes, UNREAD))).into_response()
}

fn not_passed(error: &NotPassed) -> Problem {
    let error = match error {
        NotPassed::Forward(error) => error,
        NotPassed::Gateway(error) => return Problem::internal(error),
    };
    let code = match error {
        ForwardError::Path(_) | ForwardError::NoAddress { .. } => Code::NotFound,
        ForwardError::Method { .. } | ForwardError::Broken => Code::BadRequest,
        ForwardError::TooLarge { .. } => Code::TooLarge,
        ForwardError::Unanswered(_) => Code::ProviderFailed,
    };
    Problem::new(code, error.to_string())
}

/// A body that names a model.
#[derive(Deserialize)]
struct Named {
    model: String,
}

/// The provider that a request is meant for, and the model it names: the header's, that of the model in the body, or that of
/// the client's API.
fn meant(house: &House, api: Api, parts: &Parts, bytes: &Bytes, payer: Payer) -> Result<(Arc<Provider>, Option<Model>), Problem> {
    let providers = house.gateway.providers();
    let unknown = |error: ResolveError| Problem::new(Code::NotFound, error.to_string());
    let named = serde_json::from_slice::<Named>(bytes).ok().map(|named| named.model);
    if let Some(name) = parts.headers.get("weft-provider").and_then(|name| name.to_str().ok()) {
        let provider = providers.provider(name, payer).map_err(unknown)?;
        // It goes there whoever else has a model of that name.
        let whole = |model: String| providers.resolve_for(&format!("{}/{model}", provider.name()), payer).ok();
        let model = named.and_then(whole).map(|target| target.model);
        return Ok((provider, model));
    }
    if let Some(model) = named {
        let target = providers.resolve_for(&model, payer).map_err(unknown)?;
        let provider = providers.provider(target.provider().name(), payer).map_err(unknown)?;
        return Ok((provider, Some(target.model)));
    }
    let usual = match api {
        Api::Messages => "anthropic",
        Api::Chat | Api::Responses => "openai",
    };
    Ok((providers.provider(usual, payer).map_err(unknown)?, None))
}
