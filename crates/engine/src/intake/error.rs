//! Why a request cannot be taken, told as the API it imitates tells of a bad request.

use crate::encode::{Fault, FaultKind};
use crate::formats::ImportError;

/// Why a request cannot be taken. Each names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IntakeError {
    /// It is not text.
    #[error("byte {offset} of the body is not UTF-8")]
    NotUtf8 {
        /// The first byte that does not belong.
        offset: usize,
    },
    /// It is not one JSON object.
    #[error("the body is not a JSON object: {what}")]
    NotAnObject {
        /// What the parser says.
        what: String,
    },
    /// A field is missing.
    #[error("{field}: this field is required")]
    Missing {
        /// The field.
        field: &'static str,
    },
    /// A field is no list.
    #[error("{field}: must be a list")]
    NotAList {
        /// The field.
        field: &'static str,
    },
    /// There is nothing to answer.
    #[error("{field}: at least one is required")]
    Empty {
        /// The field.
        field: &'static str,
    },
    /// A value is not what the API says.
    #[error(transparent)]
    Value(#[from] ImportError),
}

impl IntakeError {
    /// What the client is told: a 400 that names the field.
    pub fn fault(&self) -> Fault {
        let param = match self {
            IntakeError::NotUtf8 { .. } | IntakeError::NotAnObject { .. } => None,
            IntakeError::Missing { field } | IntakeError::NotAList { field } | IntakeError::Empty { field } => {
                Some((*field).to_owned())
            }
            IntakeError::Value(ImportError::Field { path, .. }) => Some(path.trim_start_matches("$.").to_owned()),
            IntakeError::Value(_) => None,
        };
        Fault { param, ..Fault::new(FaultKind::BadRequest, self.to_string()) }
    }
}
