//! How many tokens a request of an Anthropic client would have.

use super::LARGEST;
use super::door::{enter, faulty, told};
use crate::serve::house::House;
use crate::serve::web::{Problem, read_bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;
use weftwork::encode::Api;

/// `POST /v1/messages/count_tokens`
pub(super) async fn count(State(house): State<House>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let counted = async {
        let (_, key) = enter(&house, &parts).await?.apart();
        let body = read_bytes(body, &parts.headers, LARGEST).await?.to_vec();
        Ok::<_, Problem>(house.gateway.relay_tokens(Api::Messages, body, key.is_some()).await)
    };
    match counted.await {
        Ok(Ok(tokens)) => Json(json!({"input_tokens": tokens})).into_response(),
        Ok(Err(error)) => {
            let (status, body) = error.answer(Api::Messages);
            faulty(status, body)
        }
        Err(problem) => told(Api::Messages, &problem),
    }
}
