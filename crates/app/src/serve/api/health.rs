//! Whether it lives, and whether it can work. Nothing else is reachable without an account.

use crate::serve::house::House;
use crate::serve::web::{Code, Problem};
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::time::Duration;

/// How long the store may take before it counts as gone.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn routes() -> Router<House> {
    Router::new().route("/healthz", get(|| async { "ok\n" })).route("/readyz", get(ready))
}

/// Whether the store answers and nobody closes the house.
async fn ready(State(house): State<House>) -> Response {
    if house.closing.is_cancelled() {
        return Problem::new(Code::Busy, "going down").after(1).into_response();
    }
    match tokio::time::timeout(PATIENCE, house.stored(|store| store.has_owner())).await {
        Ok(Ok(_)) => "ready\n".into_response(),
        Ok(Err(_)) | Err(_) => Problem::new(Code::Busy, "the database does not answer").after(1).into_response(),
    }
}
