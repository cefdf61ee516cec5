//! Everything else below `/v1`: passed on untouched to the provider it is meant for.

use super::LARGEST;
use super::door::{Caller, enter, spoken, told};
use crate::serve::house::House;
use crate::serve::web::{Code, Problem, read_bytes};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use serde::Deserialize;
use std::sync::Arc;
use weftwork::encode::Api;
use weftwork_provider::{ForwardError, Load, Passage, Payer, Provider, ResolveError};

/// Bytes of an answer.
const LARGEST_ANSWER: u64 = 1 << 30;

pub(super) async fn forward(State(house): State<House>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let api = spoken(&parts.headers);
    let passed = async {
        let caller = enter(&house, &parts).await?;
        pass(&house, api, caller, parts, body).await
    };
    passed.await.unwrap_or_else(|problem| told(api, &problem))
}

/// Passes a request on as it is.
pub(super) async fn pass(house: &House, api: Api, caller: Caller, parts: Parts, body: Body) -> Result<Response, Problem> {
    let bytes = read_bytes(body, &parts.headers, LARGEST).await?;
    let (_, key) = caller.apart();
    let payer = if key.is_some() { Payer::Caller } else { Payer::Owner };
    let provider = meant(house, api, &parts, &bytes, payer)?;
    let path = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
    let mut passage = Passage::new(provider, parts.method, &path);
    passage.headers = parts.headers;
    passage.load = if bytes.is_empty() { Load::Nothing } else { Load::Bytes(bytes) };
    (passage.key, passage.largest_answer) = (key, LARGEST_ANSWER);
    match house.gateway.providers().forward(passage).await {
        Ok(passed) => Ok((passed.head.status, passed.head.headers, Body::from_stream(passed.body)).into_response()),
        Err(error) => Err(not_passed(&error)),
    }
}

fn not_passed(error: &ForwardError) -> Problem {
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

/// The provider that a request is meant for: the header's, that of the model in the body, or that of the client's API.
fn meant(house: &House, api: Api, parts: &Parts, bytes: &Bytes, payer: Payer) -> Result<Arc<Provider>, Problem> {
    let providers = house.gateway.providers();
    let unknown = |error: ResolveError| Problem::new(Code::NotFound, error.to_string());
    if let Some(name) = parts.headers.get("weft-provider").and_then(|name| name.to_str().ok()) {
        return providers.provider(name, payer).map_err(unknown);
    }
    if let Ok(named) = serde_json::from_slice::<Named>(bytes) {
        let target = providers.resolve_for(&named.model, payer).map_err(unknown)?;
        return providers.provider(target.provider().name(), payer).map_err(unknown);
    }
    let usual = match api {
        Api::Messages => "anthropic",
        Api::Chat | Api::Responses => "openai",
    };
    providers.provider(usual, payer).map_err(unknown)
}
