//! How many tokens a request of an Anthropic client would have.

use super::door::{self, enter, faulty, told};
use crate::serve::house::House;
use crate::serve::web::Problem;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;
use weftwork::encode::Api;

/// `POST /v1/messages/count_tokens`
pub(super) async fn count(State(house): State<House>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let counted = async {
        let caller = enter(&house, &parts).await?;
        let (body, _room) = door::body(&house, &caller, &parts, body).await?;
        let (_, key) = caller.apart();
        Ok::<_, Problem>(house.gateway.relay_tokens(Api::Messages, body.into(), key.is_some()).await)
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
