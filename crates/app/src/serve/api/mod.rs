//! The API: a file a kind of thing.

pub(super) mod account;
mod agents;
pub(super) mod assemble;
mod calls;
mod docs;
mod external;
mod health;
pub(super) mod messages;
mod minds;
mod moving;
pub(super) mod nodes;
mod people;
mod providers;
mod runs;
mod search;
mod services;
pub(super) mod spaces;
mod tools;
mod turns;
mod usage;

use super::house::House;
use super::limits::Comes;
use super::web::{Api, Code, Problem};
use super::who::{Shown, shown};
use super::{host, mcp, page, v1, watch};
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, Method, header};
use tower_http::catch_panic::CatchPanicLayer;

/// Every route.
pub(super) fn router(house: House) -> Router {
    let api = Api::default();
    let api = account::routes(api);
    let api = spaces::routes(api);
    let api = messages::routes(api);
    let api = nodes::routes(api);
    let api = turns::routes(api);
    let api = agents::routes(api);
    let api = minds::routes(api);
    let api = tools::routes(api);
    let api = runs::routes(api);
    let api = external::routes(api);
    let api = services::routes(api);
    let api = search::routes(api);
    let api = people::routes(api);
    let api = assemble::routes(api);
    let api = calls::routes(api);
    let api = usage::routes(api);
    let api = moving::routes(api);
    let api = providers::routes(api);
    let (routes, doc) = api.apart();
    let busy = middleware::from_fn_with_state(house.clone(), room);
    let routes = docs::routes(routes, &doc.finish())
        .merge(page::routes())
        .merge(v1::routes())
        .merge(mcp::routes())
        .layer(busy)
        .merge(health::routes());
    let routes = routes.route("/metrics", get(watch::numbers)).route_layer(middleware::from_fn(watch::request));
    routes
        .fallback(page::elsewhere)
        .layer(CatchPanicLayer::custom(|_| Problem::internal(&"a handler broke").into_response()))
        .layer(middleware::from_fn(guard_headers))
        .layer(middleware::from_fn_with_state(house.clone(), host::check))
        .with_state(house)
}

/// Refuses what there is no room for, before anything is done.
async fn room(State(house): State<House>, request: Request, next: Next) -> Response {
    let refused = |problem: &Problem| match v1::refused(request.uri().path(), request.headers(), problem) {
        Some(response) => response,
        None => problem.clone().into_response(),
    };
    if house.closing.is_cancelled() {
        return refused(&Problem::new(Code::Busy, "the server is going down: try again in a moment").after(1));
    }
    // Whoever waits for a run takes room of the streams instead.
    if request.uri().path() == external::TAKE {
        return next.run(request).await;
    }
    let path = request.uri().path();
    // What anybody may ask is asked by anybody, whatever they show.
    let open = request.method() == Method::POST && (path.starts_with("/api/session") || path.starts_with("/api/services/"));
    let comes = match shown(request.headers()) {
        Shown::Token(_) | Shown::Session(_) if !open => Comes::WithSomething,
        Shown::Token(_) | Shown::Session(_) | Shown::Nothing => Comes::WithNothing,
    };
    match house.limits.room(comes) {
        Ok(_room) => next.run(request).await,
        Err(problem) => refused(&problem),
    }
}

/// What every answer says to a browser: run nothing that is not ours, show it nowhere else, guess nothing.
async fn guard_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, CSP);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::CACHE_CONTROL, "no-store");
    set(header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

const CSP: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; \
                   form-action 'self'";
