//! What a handler gives back.

use super::problem::Problem;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

/// An answer or a fault.
pub(in crate::serve) type Done<A> = Result<Answer<A>, Problem>;

/// With which status a handler answers when all is well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve) enum Given {
    /// 200
    Ok,
    /// 201
    Created,
    /// 202: it goes on after the answer.
    Accepted,
    /// 204
    Nothing,
}

impl Given {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Given::Ok => StatusCode::OK,
            Given::Created => StatusCode::CREATED,
            Given::Accepted => StatusCode::ACCEPTED,
            Given::Nothing => StatusCode::NO_CONTENT,
        }
    }
}

/// An answer.
pub(in crate::serve) struct Answer<A> {
    pub(super) value: A,
    /// What is kept for a repetition of the request, where the answer holds a secret that is shown once.
    pub(super) kept: Option<serde_json::Value>,
    pub(super) headers: HeaderMap,
    /// Another status than the route's usual one.
    pub(super) status: Option<StatusCode>,
}

impl<A> From<A> for Answer<A> {
    fn from(value: A) -> Answer<A> {
        Answer { value, kept: None, headers: HeaderMap::new(), status: None }
    }
}

impl<A: Serialize> Answer<A> {
    /// With a header.
    pub(in crate::serve) fn with(mut self, name: HeaderName, value: &str) -> Answer<A> {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.append(name, value);
        }
        self
    }

    /// With another status than the route's usual one.
    pub(in crate::serve) fn gives(mut self, given: Given) -> Answer<A> {
        self.status = Some(given.status());
        self
    }

    /// With something else to be kept than what is answered: a secret is shown once.
    pub(in crate::serve) fn keeping(mut self, kept: serde_json::Value) -> Answer<A> {
        self.kept = Some(kept);
        self
    }

    /// The bytes of the body.
    pub(super) fn body(&self) -> Result<Vec<u8>, Problem> {
        serde_json::to_vec(&self.value).map_err(|error| Problem::internal(&error))
    }
}

/// The answer as it is sent.
pub(super) fn sent(status: StatusCode, headers: HeaderMap, body: Vec<u8>) -> Response {
    let mut response = match status {
        StatusCode::NO_CONTENT => status.into_response(),
        _ => (status, [(header::CONTENT_TYPE, "application/json")], body).into_response(),
    };
    response.headers_mut().extend(headers);
    response
}
