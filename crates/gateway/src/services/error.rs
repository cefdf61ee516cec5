//! Why a delivery was not taken: what the sender is told, and apart from it what the log is told.

use super::body::{MOST_BYTES, MOST_DEPTH};
use crate::error::GatewayError;

/// Why a delivery was not taken. What it prints is for the sender.
#[derive(Debug, thiserror::Error)]
pub enum NotReceived {
    /// Whoever sent it is not trusted. The reason is for the log alone.
    #[error("unauthorized: there is no such service, or the signature is not right")]
    Unauthorized {
        /// Why, for the log.
        reason: Reason,
    },
    /// The body is too large.
    #[error("the body has {bytes} bytes, and {MOST_BYTES} are the most: send less, or a link to it")]
    TooLarge {
        /// How many it has.
        bytes: usize,
    },
    /// The body is no JSON.
    #[error("the body is no JSON: {why}")]
    NotJson {
        /// What is wrong with it.
        why: String,
    },
    /// The body is nested too deep.
    #[error("the body is nested deeper than {MOST_DEPTH}")]
    TooDeep,
    /// The id came before with another body.
    #[error("webhook-id {id:?} came before with another body: give each delivery an id of its own")]
    Differs {
        /// The id.
        id: String,
    },
    /// It could not be kept. Nothing is wrong with the delivery: it may be sent again.
    #[error(transparent)]
    Failed(#[from] GatewayError),
}

/// Why a sender is not trusted. For the log alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nobody knows the service.
    #[error("there is no such service")]
    NoService,
    /// A header is missing.
    #[error("there is no {header}")]
    Missing {
        /// Its name.
        header: &'static str,
    },
    /// The id cannot be kept, or could be read in two ways.
    #[error("webhook-id {id:?} is not of visible characters without a dot, or longer than 200")]
    BadId {
        /// The id.
        id: String,
    },
    /// The time is none.
    #[error("webhook-timestamp {text:?} is not a number of seconds")]
    BadTimestamp {
        /// What it is.
        text: String,
    },
    /// It was signed too long ago.
    #[error("it was signed {seconds} seconds ago")]
    Old {
        /// How long.
        seconds: i64,
    },
    /// It was signed by a clock that is ahead.
    #[error("it was signed {seconds} seconds from now")]
    Early {
        /// How far.
        seconds: i64,
    },
    /// No signature is right.
    #[error("none of {offered} signatures is that of one of {secrets} secrets")]
    Signature {
        /// Signatures that can be read.
        offered: usize,
        /// Secrets that are taken.
        secrets: usize,
    },
}
