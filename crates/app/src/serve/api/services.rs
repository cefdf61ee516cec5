//! Services: programs elsewhere that wake an agent by signed webhooks. An owner keeps them; what they deliver comes in by
//! the one door that needs no token, because it is signed.

use crate::serve::house::House;
use crate::serve::web::{About, Answer, Api, Cx, Done, Given, Input, Load, Plain, Problem, Verb};
use crate::serve::who::{NOBODY, Need};
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use weftwork::model::{EntityId, Timestamp};
use weftwork_gateway::services::{Headers, MOST_BYTES, NotReceived, Received, Service, SigningSecret};

const GROUP: &str = "Services";
const HOUR: i64 = 60 * 60 * 1_000;
/// For how many hours a secret is taken after it was changed.
const USUAL_HOURS: i64 = 24;
const MOST_HOURS: i64 = 30 * 24;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(Verb::Get, "/api/services", about("listServices", Need::Owner, "The services, by name."), list)
        .on(
            Verb::Post,
            "/api/services",
            about("makeService", Need::Owner, "Let a service wake an agent. Its secret is shown once.").gives(Given::Created),
            make,
        )
        .on(
            Verb::Post,
            "/api/services/{name}/rotate",
            about("rotateService", Need::Owner, "Give a service another secret, shown once."),
            rotate,
        )
        .on(
            Verb::Delete,
            "/api/services/{name}",
            about("removeService", Need::Owner, "Take a service away: nothing it sends is taken any more.").gives(Given::Nothing),
            remove,
        )
        .raw("/api/services/{name}", post(deliver), |doc| {
            let says = "Deliver something, signed as Standard Webhooks has it. The same delivery again is answered alike.";
            let about = about("deliver", Need::Nobody, says).gives(Given::Accepted).most(MOST_BYTES);
            let (verb, path) = (Verb::Post, "/api/services/{name}");
            doc.plain::<ServicePath, ()>(&Plain { verb, path, about, kind: "application/json", takes: Some("application/json") });
            doc.fault(verb, path, 401, "There is no such service, or the signature is not right");
        })
}

/// A service.
#[derive(Deserialize, JsonSchema)]
struct ServicePath {
    /// Its name.
    name: String,
}

/// A service, as its owner sees it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Service")]
struct ShownService {
    name: String,
    /// Whom it wakes.
    agent: EntityId,
    /// How its secret ends, to tell it from another.
    secret_ends: String,
    created_at: Option<Timestamp>,
    /// When its secret was changed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotated_at: Option<Timestamp>,
    /// Until when the secret before is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_until: Option<Timestamp>,
    /// What it signs with. Shown once, when it is made or changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl From<Service> for ShownService {
    fn from(service: Service) -> ShownService {
        let Service { name, agent, hint, created_at, rotated_at, old_until } = service;
        let time = |at: Option<i64>| at.and_then(Timestamp::from_millis);
        ShownService {
            name,
            agent,
            secret_ends: hint,
            created_at: Timestamp::from_millis(created_at),
            rotated_at: time(rotated_at),
            old_until: time(old_until),
            secret: None,
        }
    }
}

async fn list(cx: Cx, _: Input) -> Done<Vec<ShownService>> {
    let services = cx.house.gateway.services().await?;
    Ok(services.into_iter().map(ShownService::from).collect::<Vec<_>>().into())
}

/// A service to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewService {
    /// Its name: a letter first, then letters, digits and single hyphens, all lower case. It stands in the address.
    #[schemars(length(min = 1, max = 64))]
    name: String,
    /// Whom it wakes.
    agent: EntityId,
}

async fn make(cx: Cx, input: Input<(), (), NewService>) -> Done<ShownService> {
    let NewService { name, agent } = input.body;
    if cx.house.agent(&cx.who, &agent).await.is_err() {
        return Err(Problem::bad("agent", "there is no such agent"));
    }
    let secret = SigningSecret::generate().map_err(|error| Problem::internal(&error))?;
    cx.house.gateway.add_service(&name, &agent, &secret).await?;
    made(&cx, &name, &secret).await
}

/// Shown with the secret, kept without.
async fn made(cx: &Cx, name: &str, secret: &SigningSecret) -> Done<ShownService> {
    let found = cx.house.gateway.services().await?.into_iter().find(|service| service.name == name);
    let mut shown = ShownService::from(found.ok_or_else(Problem::not_found)?);
    let kept = serde_json::to_value(&shown).unwrap_or_default();
    shown.secret = Some(secret.reveal());
    Ok(Answer::from(shown).keeping(kept))
}

/// How a secret is changed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Rotate {
    /// For how many hours the secret before is still taken; a day if not given, 0 for not at all.
    #[schemars(range(min = 0, max = 720))]
    keep_old_hours: Option<i64>,
}

async fn rotate(cx: Cx, input: Input<ServicePath, (), Rotate>) -> Done<ShownService> {
    let hours = input.body.keep_old_hours.unwrap_or(USUAL_HOURS);
    if !(0..=MOST_HOURS).contains(&hours) {
        return Err(Problem::bad("keepOldHours", format!("from 0 to {MOST_HOURS}")));
    }
    let (name, old_until) = (input.path.name, cx.house.gateway.now() + hours * HOUR);
    let secret = SigningSecret::generate().map_err(|error| Problem::internal(&error))?;
    known(&cx, &name).await?;
    if !cx.house.gateway.rotate_secret(&name, &secret, old_until).await? {
        return Err(Problem::not_found());
    }
    made(&cx, &name, &secret).await
}

async fn remove(cx: Cx, input: Input<ServicePath>) -> Done<()> {
    known(&cx, &input.path.name).await?;
    if cx.house.gateway.remove_service(&input.path.name).await? { Ok(().into()) } else { Err(Problem::not_found()) }
}

/// Nothing, if there is such a service. What cannot be a name is none.
async fn known(cx: &Cx, name: &str) -> Result<(), Problem> {
    let there = cx.house.gateway.services().await?.iter().any(|service| service.name == name);
    if there { Ok(()) } else { Err(Problem::not_found()) }
}

async fn deliver(State(house): State<House>, Path(name): Path<String>, request: Request) -> Response {
    match received(&house, &name, request).await {
        Ok(run) => (StatusCode::ACCEPTED, axum::Json(json!({"run": run}))).into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// Takes a delivery, byte for byte. Says which run it began, now or when it came first.
async fn received(house: &House, name: &str, request: Request) -> Result<String, Problem> {
    let (parts, body) = request.into_parts();
    let hands = house.limits.hands(Load::Usual);
    let (bytes, _room) = hands.read(&EntityId::from(NOBODY), body, &parts.headers, MOST_BYTES).await?;
    let headers = Headers::find(|name| Some(parts.headers.get(name)?.to_str().ok()?.to_owned()));
    match house.gateway.receive(name, &headers, &bytes).await {
        Ok(Received::Started(run) | Received::Before(run)) => Ok(run.to_string()),
        Err(error) => {
            if let NotReceived::Unauthorized { reason } = &error {
                // What a stranger calls a service may be anything.
                tracing::info!(service = ?name, %reason, "a delivery was not taken");
            }
            Err(error.into())
        }
    }
}
