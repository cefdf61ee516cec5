//! Conversations of clients: taken, woven, sent on, answered in the client's own API.

use super::door::{self, enter, faulty, told};
use super::forward::pass;
use super::held;
use super::unread::{UNREAD, read};
use crate::serve::house::House;
use crate::serve::web::{InHand, Problem};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use std::convert::Infallible;
use weftwork::encode::Api;
use weftwork::intake::Answer;
use weftwork::model::SpaceId;
use weftwork_gateway::dropin::{Handling, Relay, RelayAsk, RelayError};
use weftwork_provider::Expected;

/// Answers a client.
pub(super) async fn answer(api: Api, State(house): State<House>, request: Request) -> Response {
    relayed(api, house, request).await.unwrap_or_else(|problem| told(api, &problem))
}

async fn relayed(api: Api, house: House, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let caller = enter(&house, &parts).await?;
    if let Some(space) = parts.headers.get("weft-space") {
        let space = space.to_str().ok().filter(|space| !space.is_empty()).ok_or_else(Problem::not_found)?;
        return held::answer(api, house, SpaceId::from(space), caller, &parts, body).await;
    }
    if parts.headers.get("weft-policy").is_some_and(|policy| policy == "passthrough") {
        return pass(&house, api, Expected::Reply(api.dialect()), caller, parts, body).await;
    }
    let (body, room) = door::body(&house, &caller, &parts, body).await?;
    let (account, key) = caller.apart();
    let kept = account.is_some();
    match house.gateway.relay(RelayAsk { api, body: body.into(), headers: parts.headers, account, key }).await {
        Ok(relay) => Ok(begun(relay, kept, room)),
        Err(error) => Ok(failed(api, &error)),
    }
}

/// The answer, as it comes. What was asked stays in hand until its end, or until its client reads no more.
fn begun(relay: Relay, kept: bool, room: InHand) -> Response {
    let mut headers = relay.head.as_ref().map(|head| head.headers.clone()).unwrap_or_default();
    let status = relay.head.as_ref().map_or(http::StatusCode::OK, |head| head.status);
    let kind = match relay.answer {
        Answer::Streamed => "text/event-stream",
        Answer::Whole => "application/json",
    };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.remove(header::CONTENT_LENGTH);
    // Proxies that gather would hold a stream back.
    put(&mut headers, "x-accel-buffering", "no");
    put(&mut headers, "weft-call", &relay.call);
    put(&mut headers, "weft-model", &relay.model);
    if kept {
        put(&mut headers, "weft-report", &format!("/api/calls/{}", relay.call));
    }
    if let Handling::Untouched(lost) = &relay.handling {
        put(&mut headers, "weft-untouched", &list(lost.iter().map(|lost| lost.place.as_str())));
    }
    if !relay.left_out.is_empty() {
        put(&mut headers, "weft-left-out", &list(relay.left_out.iter().map(String::as_str)));
    }
    let bytes = stream::unfold((relay, room), |(mut relay, room)| async move {
        let bytes = relay.next().await?;
        Some((Ok::<_, Infallible>(bytes), (relay, room)))
    });
    (status, headers, Body::from_stream(read(bytes, UNREAD))).into_response()
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.take(20).collect::<Vec<_>>().join(", ")
}

pub(super) fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    let visible: String = value.chars().filter(|character| matches!(character, ' '..='~')).collect();
    if let Ok(value) = HeaderValue::from_str(&visible) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

/// Why there is no answer: the provider's own words where it speaks the client's API.
fn failed(api: Api, error: &RelayError) -> Response {
    if let RelayError::Send(failed) = error
        && let Some((head, body)) = &failed.said
    {
        let mut headers = head.headers.clone();
        headers.remove(header::CONTENT_LENGTH);
        return (head.status, headers, body.clone()).into_response();
    }
    let (status, body) = error.answer(api);
    let mut response = faulty(status, body);
    if let Some(wait) = error.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, wait.as_secs().max(1).into());
    }
    response
}
