//! Drop-in: existing OpenAI and Anthropic clients work through here by their base address alone.
//!
//! Errors have the shape of the API that is imitated. Sessions do not count here: a page elsewhere could use them.

mod count;
mod door;
mod forward;
mod held;
mod models;
mod relay;
mod unread;

use super::house::House;
use super::web::Problem;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Response;
use axum::routing::{any, get, post};
use http::HeaderMap;
use weftwork::encode::Api;

/// Bytes of a request. Pictures and documents travel inside.
pub(super) const LARGEST: usize = 64 << 20;

/// A request below `/v1` that is not even looked at, in the words of the API it was meant for; none for other paths.
pub(super) fn refused(path: &str, headers: &HeaderMap, problem: &Problem) -> Option<Response> {
    let path = path.strip_prefix("/v1/")?;
    let api = match path.split('/').next() {
        Some("messages") => Api::Messages,
        Some("responses") => Api::Responses,
        Some("chat") => Api::Chat,
        Some(_) | None => door::spoken(headers),
    };
    Some(door::told(api, problem))
}

pub(super) fn routes() -> Router<House> {
    Router::new()
        .route("/v1/chat/completions", post(|state, request| relay::answer(Api::Chat, state, request)))
        .route("/v1/responses", post(|state, request| relay::answer(Api::Responses, state, request)))
        .route("/v1/messages", post(|state, request| relay::answer(Api::Messages, state, request)))
        .route("/v1/messages/count_tokens", post(count::count))
        .route("/v1/models", get(models::list))
        .route("/v1/models/{*model}", get(models::one))
        .route("/v1/{*path}", any(forward::forward))
        .layer(DefaultBodyLimit::disable())
}
