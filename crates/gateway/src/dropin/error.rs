//! Why a client gets no answer, in the words of its API.

use crate::error::GatewayError;
use std::time::Duration;
use weftwork::encode::{Api, Fault, FaultKind, error};
use weftwork::intake::{IntakeError, Lost};
use weftwork::{AssembleError, HistoryError};
use weftwork_provider::{Head, ResolveError, SendError};
use weftwork_store::StoreError;

/// Why a client gets no answer.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// The request is not what its API takes.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// The model's name leads nowhere.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// What was sent is no conversation.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// There is no request that could be sent.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
    /// The provider gave no answer.
    #[error("{}", .0.error)]
    Send(Box<NotSent>),
    /// It holds what cannot be counted.
    #[error("this cannot be counted: {}", .lost.iter().map(|lost| lost.place.as_str()).collect::<Vec<_>>().join(", "))]
    Uncountable {
        /// What.
        lost: Vec<Lost>,
    },
    /// It could not be written down.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

/// A send that failed, and what the provider said, where it speaks the client's API.
#[derive(Debug)]
pub struct NotSent {
    /// Why.
    pub error: SendError,
    /// The provider's own answer, to be handed on.
    pub said: Option<(Head, Vec<u8>)>,
}

impl RelayError {
    /// What the client is told.
    pub fn fault(&self) -> Fault {
        match self {
            RelayError::Intake(error) => error.fault(),
            RelayError::Resolve(error) => unresolved(error),
            RelayError::History(error) => Fault::new(FaultKind::BadRequest, error.to_string()),
            RelayError::Assemble(error) => Fault::new(unassembled(error), error.to_string()),
            RelayError::Send(failed) => unsent(&failed.error),
            RelayError::Uncountable { .. } => Fault::new(FaultKind::BadRequest, self.to_string()),
            RelayError::Gateway(error) => fault(error),
        }
    }

    /// The body and the status to answer with.
    pub fn answer(&self, api: Api) -> (u16, Vec<u8>) {
        let fault = self.fault();
        (fault.status(api), error(api, &fault))
    }

    /// How long the provider asks to wait, to be handed on.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            RelayError::Send(failed) => match failed.error {
                SendError::RateLimit { retry_after, .. } | SendError::Overloaded { retry_after, .. } => retry_after,
                _ => None,
            },
            RelayError::Intake(_)
            | RelayError::Resolve(_)
            | RelayError::History(_)
            | RelayError::Assemble(_)
            | RelayError::Uncountable { .. }
            | RelayError::Gateway(_) => None,
        }
    }
}

/// What a client is told of something that the gateway did not do.
pub(super) fn fault(error: &GatewayError) -> Fault {
    let kind = match error {
        GatewayError::Store(error) => return unstored(error),
        GatewayError::Resolve(error) => return unresolved(error),
        GatewayError::Send { error, .. } => return unsent(error),
        GatewayError::Assemble(error) => unassembled(error),
        GatewayError::OverflowsAgain { .. } | GatewayError::NothingToLeaveOut => FaultKind::Overflow,
        GatewayError::Budget(_) => FaultKind::Quota,
        GatewayError::NothingThere { .. } | GatewayError::WrongNode { .. } => FaultKind::Conflict,
        GatewayError::Stopped => FaultKind::Upstream,
        _ => return broken(),
    };
    Fault::new(kind, error.to_string())
}

/// What may not be seen is not there, for every client alike.
fn unstored(error: &StoreError) -> Fault {
    match error {
        StoreError::NoSpace { .. } | StoreError::NoMember { .. } | StoreError::NoNode { .. } | StoreError::NoEntity { .. } => {
            let told = Fault::new(FaultKind::NotFound, "there is nothing here by that name that you may see");
            Fault { code: Some("not_found".to_owned()), ..told }
        }
        StoreError::Busy { .. } | StoreError::Conflict { .. } | StoreError::Unreachable { .. } => {
            Fault::new(FaultKind::Overloaded, "the database does not answer now: try again")
        }
        _ => broken(),
    }
}

/// Words of the system are not for clients.
fn broken() -> Fault {
    Fault::new(FaultKind::Internal, "something broke on our side; the server's log says what")
}

fn unresolved(error: &ResolveError) -> Fault {
    let kind = match error {
        ResolveError::Unknown { .. } | ResolveError::NoProvider { .. } => FaultKind::NotFound,
        ResolveError::Ambiguous { .. } => FaultKind::BadRequest,
        ResolveError::NoKey { .. } => FaultKind::Unauthorized,
    };
    Fault { param: Some("model".to_owned()), ..Fault::new(kind, error.to_string()) }
}

fn unassembled(error: &AssembleError) -> FaultKind {
    match error {
        AssembleError::SystemTooLarge { .. } | AssembleError::DoesNotFit { .. } | AssembleError::OverLimit { .. } => {
            FaultKind::Overflow
        }
        AssembleError::OverDialectLimit { .. } => FaultKind::TooLarge,
        _ => FaultKind::BadRequest,
    }
}

/// What a client is told of a send that gave no whole reply.
pub(super) fn unsent(error: &SendError) -> Fault {
    match error {
        SendError::Overflow { error: Some(said) }
        | SendError::RateLimit { error: said, .. }
        | SendError::Quota { error: said }
        | SendError::Auth { error: said }
        | SendError::Overloaded { error: said, .. }
        | SendError::Server { error: said }
        | SendError::Refused { error: said } => Fault::from(said),
        SendError::Overflow { error: None } => Fault::new(FaultKind::Overflow, error.to_string()),
        SendError::Stalled { .. } | SendError::TooSlow { .. } => Fault::new(FaultKind::Timeout, error.to_string()),
        SendError::Redirected { .. }
        | SendError::Unreachable { .. }
        | SendError::Cut { .. }
        | SendError::TooLarge { .. }
        | SendError::Malformed { .. }
        | SendError::WrongDialect { .. }
        | SendError::Canceled => Fault::new(FaultKind::Upstream, error.to_string()),
    }
}
