//! Who asks at the drop-in endpoints: a token of ours; or, on this machine, somebody with a provider's own key.

use super::LARGEST;
use crate::serve::house::House;
use crate::serve::web::{Code, InHand, Load, Problem};
use crate::serve::who::{NOBODY, Need, Shown, Who, shown};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use weftwork::encode::{Api, Fault, FaultKind, error};
use weftwork::model::EntityId;
use weftwork_provider::Key;
use weftwork_store::PassKind;

/// How our own secrets begin: one that does and is unknown is never sent to anybody.
const OURS: [&str; 3] = ["wft_", "wfs_", "wfi_"];

/// Who asks, and who pays.
pub(super) enum Caller {
    /// An account, with the keys of the house.
    Account(Box<Who>),
    /// Somebody on this machine, with their own key.
    Stranger(Key),
}

impl Caller {
    /// Whose room a body takes: those without an account share theirs.
    pub(super) fn holder(&self) -> EntityId {
        match self {
            Caller::Account(who) => who.entity().clone(),
            Caller::Stranger(_) => EntityId::from(NOBODY),
        }
    }

    pub(super) fn apart(self) -> (Option<EntityId>, Option<Key>) {
        match self {
            Caller::Account(who) => (Some(who.entity().clone()), None),
            Caller::Stranger(key) => (None, Some(key)),
        }
    }
}

/// Lets somebody in.
pub(super) async fn enter(house: &House, parts: &Parts) -> Result<Caller, Problem> {
    let Shown::Token(token) = shown(&parts.headers) else {
        return Err(Problem::new(Code::NotSignedIn, "send a token of this server as the API key: weft token new NAME makes one"));
    };
    if house.known(&token, PassKind::Token).await?.is_some() {
        let who = house.admit(parts, Need::Models).await?;
        return Ok(Caller::Account(Box::new(who)));
    }
    if OURS.iter().any(|ours| token.starts_with(ours)) || house.settings.is_open() || house.settings.public.is_some() {
        return Err(Problem::new(Code::NotSignedIn, "this token is unknown or was revoked: weft token new NAME makes one"));
    }
    match Key::new(&token) {
        Ok(key) => Ok(Caller::Stranger(key)),
        Err(_) => Err(Problem::new(Code::NotSignedIn, "the API key cannot be one")),
    }
}

/// The API that a client speaks, where the path does not tell.
pub(super) fn spoken(headers: &HeaderMap) -> Api {
    if headers.contains_key("anthropic-version") { Api::Messages } else { Api::Chat }
}

/// A fault in the words of an API.
pub(super) fn told(api: Api, problem: &Problem) -> Response {
    let kind = match problem.code() {
        Code::NotSignedIn | Code::BadSignature => FaultKind::Unauthorized,
        Code::NotAllowed | Code::WrongHost => FaultKind::Forbidden,
        Code::NotFound | Code::Gone => FaultKind::NotFound,
        Code::Conflict | Code::ClaimLost | Code::KeyReused | Code::InProgress | Code::HeadMoved => FaultKind::Conflict,
        Code::TooLarge => FaultKind::TooLarge,
        Code::TooMany => FaultKind::RateLimit,
        Code::BudgetSpent => FaultKind::Quota,
        Code::DoesNotFit => FaultKind::Overflow,
        Code::Busy => FaultKind::Overloaded,
        Code::ProviderFailed => FaultKind::Upstream,
        Code::BadRequest | Code::NotJson => FaultKind::BadRequest,
        Code::StorageFull | Code::Internal => FaultKind::Internal,
    };
    let fault = Fault::new(kind, problem.detail());
    let mut response = faulty(fault.status(api), error(api, &fault));
    if let Some(seconds) = problem.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// A body of JSON with a status.
pub(super) fn faulty(status: u16, body: Vec<u8>) -> Response {
    let status = http::StatusCode::from_u16(status).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, body).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The body of a caller, and the room it takes until all is said about it.
pub(super) async fn body(house: &House, caller: &Caller, parts: &Parts, body: Body) -> Result<(Bytes, InHand), Problem> {
    house.limits.hands(Load::Usual).read(&caller.holder(), body, &parts.headers, LARGEST).await
}
