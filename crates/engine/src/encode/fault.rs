//! Errors in the shape, and with the words, of the API they are told in.

use super::Api;
use crate::decode::{ErrorKind, ProviderError};
use crate::dialect::json::Writer;

/// Why a client gets no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind it is.
    pub kind: FaultKind,
    /// What a person reads.
    pub message: String,
    /// The field of the request that it is about, where one is to blame.
    pub param: Option<String>,
    /// A word that programs know it by; the provider's, where it gave one.
    pub code: Option<String>,
    /// The provider's HTTP status, which is handed on.
    pub status: Option<u16>,
}

/// What kind of error a client is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The request is not what the API takes.
    BadRequest,
    /// The request does not fit into the model's window.
    Overflow,
    /// No key, or an unknown one.
    Unauthorized,
    /// Known, and not allowed.
    Forbidden,
    /// No such model or thing.
    NotFound,
    /// It contradicts what is stored.
    Conflict,
    /// The body is too large.
    TooLarge,
    /// Too much in a span of time.
    RateLimit,
    /// The money or quota is used up.
    Quota,
    /// Too busy.
    Overloaded,
    /// It took too long.
    Timeout,
    /// The provider failed.
    Upstream,
    /// We did.
    Internal,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault { kind, message: message.into(), param: None, code: None, status: None }
    }

    /// The HTTP status to answer with: the provider's own, else what the API answers in such a case.
    pub fn status(&self, api: Api) -> u16 {
        self.status.filter(|status| (400..600).contains(status)).unwrap_or_else(|| self.kind.status(api))
    }
}

impl FaultKind {
    fn status(self, api: Api) -> u16 {
        match (self, api) {
            (FaultKind::BadRequest | FaultKind::Overflow, _) => 400,
            (FaultKind::Unauthorized, _) => 401,
            (FaultKind::Forbidden, _) => 403,
            (FaultKind::NotFound, _) => 404,
            (FaultKind::Conflict, _) => 409,
            (FaultKind::TooLarge, _) => 413,
            (FaultKind::RateLimit, _) | (FaultKind::Quota, Api::Chat | Api::Responses) => 429,
            (FaultKind::Quota, Api::Messages) => 402,
            (FaultKind::Overloaded, Api::Messages) => 529,
            (FaultKind::Overloaded, Api::Chat | Api::Responses) => 503,
            (FaultKind::Timeout, _) => 504,
            (FaultKind::Upstream, _) => 502,
            (FaultKind::Internal, _) => 500,
        }
    }

    /// OpenAI's `type`.
    fn openai_type(self) -> &'static str {
        match self {
            FaultKind::BadRequest
            | FaultKind::Overflow
            | FaultKind::Unauthorized
            | FaultKind::Forbidden
            | FaultKind::NotFound
            | FaultKind::Conflict
            | FaultKind::TooLarge => "invalid_request_error",
            FaultKind::RateLimit => "rate_limit_error",
            FaultKind::Quota => "insufficient_quota",
            FaultKind::Overloaded => "service_unavailable_error",
            FaultKind::Timeout | FaultKind::Upstream | FaultKind::Internal => "server_error",
        }
    }

    /// OpenAI's `code`, where it has one for this.
    fn openai_code(self) -> Option<&'static str> {
        match self {
            FaultKind::Overflow => Some("context_length_exceeded"),
            FaultKind::Unauthorized => Some("invalid_api_key"),
            FaultKind::NotFound => Some("model_not_found"),
            FaultKind::RateLimit => Some("rate_limit_exceeded"),
            FaultKind::Quota => Some("insufficient_quota"),
            FaultKind::Overloaded => Some("server_is_overloaded"),
            FaultKind::Timeout | FaultKind::Upstream | FaultKind::Internal => Some("server_error"),
            FaultKind::BadRequest | FaultKind::Forbidden | FaultKind::Conflict | FaultKind::TooLarge => None,
        }
    }

    /// Anthropic's `type`.
    fn anthropic_type(self) -> &'static str {
        match self {
            FaultKind::BadRequest | FaultKind::Overflow | FaultKind::Conflict => "invalid_request_error",
            FaultKind::Unauthorized => "authentication_error",
            FaultKind::Forbidden => "permission_error",
            FaultKind::NotFound => "not_found_error",
            FaultKind::TooLarge => "request_too_large",
            FaultKind::RateLimit => "rate_limit_error",
            FaultKind::Quota => "billing_error",
            FaultKind::Overloaded => "overloaded_error",
            FaultKind::Timeout => "timeout_error",
            FaultKind::Upstream | FaultKind::Internal => "api_error",
        }
    }
}

impl From<&ProviderError> for Fault {
    fn from(error: &ProviderError) -> Fault {
        let kind = match (error.kind, error.status) {
            (ErrorKind::Overflow, Some(413)) => FaultKind::TooLarge,
            (ErrorKind::Overflow, _) => FaultKind::Overflow,
            (ErrorKind::RateLimit, _) => FaultKind::RateLimit,
            (ErrorKind::Quota, _) => FaultKind::Quota,
            (ErrorKind::Auth, Some(403)) => FaultKind::Forbidden,
            (ErrorKind::Auth, _) => FaultKind::Unauthorized,
            (ErrorKind::Overloaded, _) => FaultKind::Overloaded,
            (ErrorKind::Other, Some(404)) => FaultKind::NotFound,
            (ErrorKind::Other, Some(409)) => FaultKind::Conflict,
            (ErrorKind::Other, Some(408 | 504)) => FaultKind::Timeout,
            (ErrorKind::Other, Some(400..500)) => FaultKind::BadRequest,
            (ErrorKind::Other, _) => FaultKind::Upstream,
        };
        Fault { kind, message: error.message.clone(), param: None, code: error.code.clone(), status: error.status }
    }
}

pub(super) fn body(api: Api, fault: &Fault) -> Vec<u8> {
    let mut w = Writer::with_capacity(256 + fault.message.len());
    w.object(|w| match api {
        Api::Chat | Api::Responses => openai(w, fault),
        Api::Messages => {
            w.key("type").word("error");
            anthropic(w, fault);
        }
    });
    w.finish()
}

/// The member `error` as OpenAI writes it.
pub(super) fn openai(w: &mut Writer, fault: &Fault) {
    w.key("error").object(|w| {
        w.key("message").string(&fault.message);
        w.key("type").word(fault.kind.openai_type());
        w.key("param").string_or_null(fault.param.as_deref());
        w.key("code").string_or_null(code(fault));
    });
}

/// The word that programs know an error by, as OpenAI says it.
pub(super) fn code(fault: &Fault) -> Option<&str> {
    fault.code.as_deref().or_else(|| fault.kind.openai_code())
}

/// The member `error` as Anthropic writes it.
pub(super) fn anthropic(w: &mut Writer, fault: &Fault) {
    w.key("error").object(|w| {
        w.key("type").word(fault.kind.anthropic_type());
        w.key("message").string(&fault.message);
    });
}
