//! Why a client of a space gets no answer.

use super::compare::Differs;
use crate::dropin::error::fault;
use crate::error::GatewayError;
use crate::runs::LONGEST_MESSAGE;
use weftwork::encode::{Fault, FaultKind};
use weftwork::intake::IntakeError;

/// Why a client of a space gets no answer.
#[derive(Debug, thiserror::Error)]
pub enum HeldError {
    /// The request is not what its API takes.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// What was sent before the new message is not what is stored.
    #[error(
        "message {} of those sent ({}) is not what the space has there ({}): send what is stored, or nothing but what is new",
        .0.message, .0.sent, .0.stored.as_deref().unwrap_or("nothing")
    )]
    Differs(Differs),
    /// An answer is being written.
    #[error("an answer is being written in this space: ask again when it has ended")]
    Going,
    /// There is nothing new.
    #[error("the last message must be a new one of yours, or results of the tools that were called")]
    NothingNew,
    /// A message is too long.
    #[error("message {message} of those sent has {bytes} bytes of text, and {LONGEST_MESSAGE} are allowed: send it in parts")]
    TooLong {
        /// Which, from 1.
        message: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// A result answers nothing.
    #[error("no call with the id {id:?} waits for a result in this space")]
    NoCall {
        /// The id.
        id: String,
    },
    /// A tool of the client's has the name of one that the space has.
    #[error("this space has a tool of its own that is called {name:?}: give yours another name")]
    ToolTaken {
        /// The name.
        name: String,
    },
    /// It could not be done.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

impl HeldError {
    /// What the client is told.
    pub fn fault(&self) -> Fault {
        let about = |kind, param: &str, code: &str| Fault {
            param: Some(param.to_owned()),
            code: Some(code.to_owned()),
            ..Fault::new(kind, self.to_string())
        };
        match self {
            HeldError::Intake(error) => error.fault(),
            HeldError::Differs(_) => about(FaultKind::Conflict, "messages", "history_differs"),
            HeldError::Going => about(FaultKind::Conflict, "weft-space", "in_progress"),
            HeldError::NothingNew => about(FaultKind::BadRequest, "messages", "nothing_new"),
            HeldError::TooLong { .. } => about(FaultKind::TooLarge, "messages", "too_large"),
            HeldError::NoCall { .. } => about(FaultKind::Conflict, "messages", "no_such_call"),
            HeldError::ToolTaken { .. } => about(FaultKind::BadRequest, "tools", "tool_taken"),
            HeldError::Gateway(error) => fault(error),
        }
    }
}
