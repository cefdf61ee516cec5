//! Which models there are, in the words of the client's API.

use super::door::{enter, spoken, told};
use crate::serve::house::House;
use crate::serve::web::Problem;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Value, json};
use std::time::Duration;
use weftwork::encode::Api;
use weftwork::model::Timestamp;
use weftwork_provider::ListedModel;

/// How long servers are waited for that were never asked.
const PATIENCE: Duration = Duration::from_millis(800);

pub(super) async fn list(State(house): State<House>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let api = spoken(&parts.headers);
    let listed = async {
        enter(&house, &parts).await?;
        let models = house.gateway.providers().listed(PATIENCE).await;
        let shown: Vec<Value> = models.iter().map(|model| shown(api, model)).collect();
        Ok::<_, Problem>(match api {
            Api::Messages => {
                let edge = |model: Option<&ListedModel>| model.map(|model| model.id.clone());
                json!({"data": shown, "has_more": false, "first_id": edge(models.first()), "last_id": edge(models.last())})
            }
            Api::Chat | Api::Responses => json!({"object": "list", "data": shown}),
        })
    };
    match listed.await {
        Ok(list) => Json(list).into_response(),
        Err(problem) => told(api, &problem),
    }
}

pub(super) async fn one(State(house): State<House>, Path(name): Path<String>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let api = spoken(&parts.headers);
    let found = async {
        enter(&house, &parts).await?;
        let models = house.gateway.providers().listed(PATIENCE).await;
        let found = models.into_iter().find(|model| model.id == name || model.bare.as_deref() == Some(&name));
        found.ok_or_else(Problem::not_found)
    };
    match found.await {
        Ok(model) => Json(shown(api, &model)).into_response(),
        Err(problem) => told(api, &problem),
    }
}

fn shown(api: Api, model: &ListedModel) -> Value {
    let ListedModel { id, provider, context_length, max_output, created, .. } = model;
    match api {
        Api::Messages => {
            let at = Timestamp::from_millis(created.unwrap_or(0).saturating_mul(1000));
            json!({"type": "model", "id": id, "display_name": id, "created_at": at})
        }
        Api::Chat | Api::Responses => json!({
            "id": id, "object": "model", "created": created.unwrap_or(0), "owned_by": provider,
            "context_length": context_length, "max_output_tokens": max_output,
        }),
    }
}
