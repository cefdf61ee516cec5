//! What went wrong, as the client is told: problem+json with a code that does not change. The one place where errors become
//! HTTP.

use super::misfit::Misfit;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;
use weftwork::formats::ImportError;
use weftwork_gateway::services::NotReceived;
use weftwork_gateway::tools::ApproveError;
use weftwork_gateway::{ApproveRunError, DriveError, GatewayError, PostError, SealError};
use weftwork_store::StoreError;
use weftwork_store::runs::StepRefusal;

/// What kind of fault it is. Clients act on these words, so they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::serve) enum Code {
    BadRequest,
    NotSignedIn,
    BadSignature,
    NotAllowed,
    NotFound,
    WrongHost,
    Conflict,
    ClaimLost,
    KeyReused,
    InProgress,
    HeadMoved,
    Gone,
    TooLarge,
    NotJson,
    DoesNotFit,
    BudgetSpent,
    TooMany,
    ProviderFailed,
    Busy,
    StorageFull,
    Internal,
}

impl Code {
    /// All of them.
    pub(in crate::serve) const ALL: &[Code] = &[
        Code::BadRequest,
        Code::NotSignedIn,
        Code::BadSignature,
        Code::NotAllowed,
        Code::NotFound,
        Code::WrongHost,
        Code::Conflict,
        Code::ClaimLost,
        Code::KeyReused,
        Code::InProgress,
        Code::HeadMoved,
        Code::Gone,
        Code::TooLarge,
        Code::NotJson,
        Code::DoesNotFit,
        Code::BudgetSpent,
        Code::TooMany,
        Code::ProviderFailed,
        Code::Busy,
        Code::StorageFull,
        Code::Internal,
    ];

    /// The word of it.
    pub(in crate::serve) fn word(self) -> String {
        serde_json::to_value(self).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    }

    pub(in crate::serve) fn status(self) -> StatusCode {
        match self {
            Code::BadRequest => StatusCode::BAD_REQUEST,
            Code::NotSignedIn | Code::BadSignature => StatusCode::UNAUTHORIZED,
            Code::NotAllowed => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::WrongHost => StatusCode::MISDIRECTED_REQUEST,
            Code::Conflict | Code::ClaimLost | Code::KeyReused | Code::InProgress => StatusCode::CONFLICT,
            Code::HeadMoved => StatusCode::PRECONDITION_FAILED,
            Code::Gone => StatusCode::GONE,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::DoesNotFit | Code::BudgetSpent => StatusCode::UNPROCESSABLE_ENTITY,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::ProviderFailed => StatusCode::BAD_GATEWAY,
            Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Code::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(in crate::serve) fn title(self) -> &'static str {
        match self {
            Code::BadRequest => "The request cannot be understood",
            Code::NotSignedIn => "Nobody is signed in",
            Code::BadSignature => "The sender is not known, or did not sign this",
            Code::NotAllowed => "This may not be done",
            Code::NotFound => "There is no such thing here",
            Code::WrongHost => "The request was meant for another host",
            Code::Conflict => "It cannot be done as things are",
            Code::ClaimLost => "The run is somebody else's by now",
            Code::KeyReused => "The idempotency key was used for something else",
            Code::InProgress => "The same request is being worked on",
            Code::HeadMoved => "The head has moved",
            Code::Gone => "It was here, and is no more",
            Code::TooLarge => "The request is too large",
            Code::NotJson => "The body must be JSON",
            Code::DoesNotFit => "The request does not fit into the model's window",
            Code::BudgetSpent => "A budget does not allow it",
            Code::TooMany => "Too much at once",
            Code::ProviderFailed => "The model's provider failed",
            Code::Busy => "The server is busy",
            Code::StorageFull => "There is no room on the disk",
            Code::Internal => "The server failed",
        }
    }
}

/// A fault, as it is told.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::serve) struct Problem {
    /// Where the code is explained.
    #[serde(rename = "type")]
    kind: String,
    /// The code in words.
    title: &'static str,
    /// The status of the answer.
    status: u16,
    /// A word to act on.
    code: Code,
    /// What happened, and what to do about it.
    detail: String,
    /// Where in the request, as a path such as `members[2].id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// Why something does not fit, in numbers.
    #[serde(flatten)]
    misfit: Option<Box<Misfit>>,
    /// Seconds after which to try again.
    #[serde(skip)]
    retry_after: Option<u32>,
}

impl Problem {
    pub(in crate::serve) fn new(code: Code, detail: impl Into<String>) -> Problem {
        Problem {
            kind: format!("/api/docs#{}", code.word()),
            title: code.title(),
            status: code.status().as_u16(),
            code,
            detail: detail.into(),
            at: None,
            misfit: None,
            retry_after: None,
        }
    }

    /// Whatever a stranger must not learn about looks like this, to the last byte.
    pub(in crate::serve) fn not_found() -> Problem {
        Problem::new(Code::NotFound, "there is nothing here by that name that you may see")
    }

    pub(in crate::serve) fn bad(at: impl Into<String>, detail: impl Into<String>) -> Problem {
        Problem { at: Some(at.into()), ..Problem::new(Code::BadRequest, detail) }
    }

    pub(in crate::serve) fn after(mut self, seconds: u32) -> Problem {
        self.retry_after = Some(seconds);
        self
    }

    pub(in crate::serve) fn code(&self) -> Code {
        self.code
    }

    pub(in crate::serve) fn detail(&self) -> &str {
        &self.detail
    }

    pub(in crate::serve) fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.code.status(), body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.code == Code::NotSignedIn {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let code = match &error {
            StoreError::NoSpace { .. }
            | StoreError::NoNode { .. }
            | StoreError::NoCall { .. }
            | StoreError::NoEntity { .. }
            | StoreError::NoMember { .. }
            | StoreError::NoRun { .. }
            | StoreError::NoStep { .. } => return Problem::not_found(),
            StoreError::BadId { .. } | StoreError::Nul { .. } | StoreError::NoSource { .. } => Code::BadRequest,
            StoreError::KeyReused { .. } => Code::KeyReused,
            StoreError::HeadMoved { .. } => Code::HeadMoved,
            StoreError::Assemble(error) => return Problem::of_assembly(error),
            StoreError::Taken { .. }
            | StoreError::TooMany { .. }
            | StoreError::Final { .. }
            | StoreError::NotFinal { .. }
            | StoreError::CallEnded { .. }
            | StoreError::Unreproducible { .. }
            | StoreError::AgentWithoutRun { .. }
            | StoreError::NoAgent { .. }
            | StoreError::Differs { .. }
            | StoreError::LastOwner { .. }
            | StoreError::NoAccount { .. }
            | StoreError::BadHash { .. }
            | StoreError::History(_)
            | StoreError::NoBackup => Code::Conflict,
            StoreError::Busy { .. } | StoreError::Conflict { .. } | StoreError::Unreachable { .. } => {
                return Problem::new(Code::Busy, "the database does not answer now: try again").after(1);
            }
            StoreError::Full { .. } => Code::StorageFull,
            // Words of the system are for the log, not for whoever asks.
            _ => return Problem::internal(&error),
        };
        Problem::new(code, error.to_string())
    }
}

impl Problem {
    /// A fault of ours. What it was stands in the log.
    pub(in crate::serve) fn internal(error: &dyn std::fmt::Display) -> Problem {
        tracing::error!(%error, "a request failed");
        Problem::new(Code::Internal, "something broke on our side; the server's log says what")
    }

    fn of_assembly(error: &weftwork::AssembleError) -> Problem {
        use weftwork::AssembleError::*;
        let code = match error {
            SystemTooLarge { .. } | DoesNotFit { .. } | OverLimit { .. } | OverDialectLimit { .. } => Code::DoesNotFit,
            NothingToSend
            | UnknownNode { .. }
            | UnknownViewer { .. }
            | NoViewer
            | NoTime
            | BadView { .. }
            | BadPrevious { .. } => Code::BadRequest,
            Strict { .. } => Code::Conflict,
            Unread => return Problem::internal(error),
        };
        Problem { misfit: Misfit::of(error).map(Box::new), ..Problem::new(code, error.to_string()) }
    }
}

impl From<GatewayError> for Problem {
    fn from(error: GatewayError) -> Problem {
        let code = match error {
            GatewayError::Store(error) => return error.into(),
            GatewayError::Assemble(error) => return Problem::of_assembly(&error),
            GatewayError::Seal(SealError::BadKey(_)) => Code::BadRequest,
            GatewayError::Resolve(_)
            | GatewayError::BadServiceName { .. }
            | GatewayError::OutOfRange { .. }
            | GatewayError::Address(_) => Code::BadRequest,
            GatewayError::Send { .. } => Code::ProviderFailed,
            GatewayError::OverflowsAgain { .. } | GatewayError::NothingToLeaveOut => Code::DoesNotFit,
            GatewayError::Budget(_) => Code::BudgetSpent,
            GatewayError::NothingThere { .. } | GatewayError::WrongNode { .. } | GatewayError::LivesHere { .. } => Code::Conflict,
            error => return Problem::internal(&error),
        };
        Problem::new(code, error.to_string())
    }
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Problem {
        Problem::new(Code::BadRequest, error.to_string())
    }
}

/// There is no randomness to make a secret of.
impl From<getrandom::Error> for Problem {
    fn from(error: getrandom::Error) -> Problem {
        Problem::internal(&error)
    }
}

impl From<PostError> for Problem {
    fn from(error: PostError) -> Problem {
        match error {
            PostError::Empty => Problem::bad("text", error.to_string()),
            PostError::TooLong { .. } => Problem { at: Some("text".into()), ..Problem::new(Code::TooLarge, error.to_string()) },
            PostError::NoSpace { .. } => Problem::not_found(),
            PostError::Gateway(error) => error.into(),
        }
    }
}

impl From<ApproveRunError> for Problem {
    fn from(error: ApproveRunError) -> Problem {
        match error {
            ApproveRunError::NotWaiting { .. } => Problem::new(Code::Conflict, error.to_string()),
            ApproveRunError::Tool(error) => Problem::new(Code::Conflict, error.to_string()),
            ApproveRunError::Gateway(error) => error.into(),
        }
    }
}

impl From<ApproveError> for Problem {
    fn from(error: ApproveError) -> Problem {
        match error {
            ApproveError::Unknown { .. } => Problem::not_found(),
            ApproveError::Server { .. } | ApproveError::Again { .. } => Problem::new(Code::Conflict, error.to_string()),
            ApproveError::Pins(error) => GatewayError::Tools(error).into(),
        }
    }
}

impl From<DriveError> for Problem {
    fn from(error: DriveError) -> Problem {
        let code = match error {
            DriveError::Gateway(error) => return error.into(),
            DriveError::Lost | DriveError::Stopped => Code::ClaimLost,
            DriveError::Refused(StepRefusal::Budget(_)) => Code::BudgetSpent,
            DriveError::Refused(_) | DriveError::Failed(_) => Code::Conflict,
            DriveError::Provider(_) => Code::ProviderFailed,
            DriveError::Unwritable(_) | DriveError::AtPoint => return Problem::internal(&error),
        };
        Problem::new(code, error.to_string())
    }
}

impl From<NotReceived> for Problem {
    fn from(error: NotReceived) -> Problem {
        let code = match error {
            NotReceived::Unauthorized { .. } => Code::BadSignature,
            NotReceived::TooLarge { .. } => Code::TooLarge,
            NotReceived::NotJson { .. } | NotReceived::TooDeep => Code::BadRequest,
            NotReceived::Differs { .. } => Code::Conflict,
            NotReceived::Failed(error) => return error.into(),
        };
        Problem::new(code, error.to_string())
    }
}
