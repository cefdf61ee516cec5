//! Where a program is told, and what that is signed with: sealed together, so that neither can be changed without the other.

use crate::keys::{Seal, SealError};
use serde::{Deserialize, Serialize};

/// Where a program elsewhere is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushPlace {
    /// The address.
    pub address: String,
    /// The secret's last characters, to tell it from another.
    pub hint: String,
    /// When it was set, in milliseconds since 1970.
    pub since: i64,
}

/// What is sealed. It does not print: it holds a secret.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) address: String,
    pub(super) secret: String,
}

impl Kept {
    pub(super) fn sealed(&self, seal: &Seal, name: &str) -> Result<Vec<u8>, SealError> {
        seal.seal(name, &serde_json::to_string(self).expect("plain data serialises"))
    }

    pub(super) fn open(seal: &Seal, name: &str, sealed: &[u8]) -> Result<Kept, SealError> {
        serde_json::from_str(&seal.open(name, sealed)?).map_err(|_| SealError::Broken { name: name.to_owned() })
    }
}
