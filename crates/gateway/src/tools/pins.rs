//! What was decided about tools: the description that is trusted, and whether the tool may run.

use super::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};

/// Whether a tool may run.
///
/// The default is to ask, for every tool. A server may say that a tool only reads (`readOnlyHint`), but that is a claim of
/// the one who would profit from it: only an owner's configuration or a person's answer makes it `always`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Approval {
    /// Without asking.
    Always,
    /// A person is asked at each call.
    #[default]
    Ask,
    /// Not at all.
    Never,
}

/// What is kept of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The fingerprint of `described`.
    pub fingerprint: Fingerprint,
    /// The description that is trusted, as canonical JSON: without it no one could be shown what changed.
    pub described: String,
    /// What was decided for this tool; without it, what its server's configuration says.
    pub approval: Option<Approval>,
}

/// Where pins are kept. Built-ins are kept under the server `""`, which is no server's name.
pub trait Pins: Send + Sync {
    /// What is kept of a tool, by its server's name for it.
    fn pin(&self, server: &str, tool: &str) -> Result<Option<Pin>, PinsFailed>;

    /// Keeps it.
    fn put(&self, server: &str, tool: &str, pin: Pin) -> Result<(), PinsFailed>;
}

/// Pins could not be read or written. No tool runs that could not be compared with its pin.
#[derive(Debug, thiserror::Error)]
#[error("what was decided about tools could not be read or kept: {0}")]
pub struct PinsFailed(#[source] pub Box<dyn Error + Send + Sync>);

/// Pins that last as long as the process.
#[derive(Debug, Default)]
pub struct MemoryPins(Mutex<BTreeMap<(String, String), Pin>>);

impl Pins for MemoryPins {
    fn pin(&self, server: &str, tool: &str) -> Result<Option<Pin>, PinsFailed> {
        let pins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(pins.get(&(server.to_owned(), tool.to_owned())).cloned())
    }

    fn put(&self, server: &str, tool: &str, pin: Pin) -> Result<(), PinsFailed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((server.to_owned(), tool.to_owned()), pin);
        Ok(())
    }
}
