//! What was decided about tools, kept in the store.

use crate::tools::{Approval, Fingerprint, Pin, Pins, PinsFailed};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use weftwork_store::{Store, StoreError, ToolPin};

/// How long what was read is taken for what is kept: another process may decide something too.
const FRESH: Duration = Duration::from_secs(2);

/// Pins that are kept in a store.
pub struct KeptPins {
    store: Arc<Store>,
    time: crate::Time,
    read: Mutex<Option<Read>>,
}

/// What was read, and when.
struct Read {
    at: Instant,
    pins: BTreeMap<(String, String), ToolPin>,
}

impl KeptPins {
    /// Kept in `store`.
    pub fn new(store: Arc<Store>, time: crate::Time) -> KeptPins {
        KeptPins { store, time, read: Mutex::default() }
    }

    fn kept(&self, server: &str, tool: &str) -> Result<Option<ToolPin>, PinsFailed> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match read.take().filter(|read| read.at.elapsed() < FRESH) {
            Some(known) => known,
            None => {
                let pins = aside(|| self.store.tool_pins()).map_err(failed)?.into_iter();
                Read { at: Instant::now(), pins: pins.map(|pin| ((pin.server.clone(), pin.tool.clone()), pin)).collect() }
            }
        };
        let pin = known.pins.get(&(server.to_owned(), tool.to_owned())).cloned();
        *read = Some(known);
        Ok(pin)
    }
}

/// Asks the store on a thread of its own: whoever asks for pins may stand in a runtime, where a database's client that brings
/// its own must not be called.
pub(crate) fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join()).unwrap_or_else(|died| std::panic::resume_unwind(died))
}

/// An approval that nobody here wrote.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no approval")]
struct NoApproval(String);

impl Pins for KeptPins {
    fn pin(&self, server: &str, tool: &str) -> Result<Option<Pin>, PinsFailed> {
        let Some(kept) = self.kept(server, tool)? else { return Ok(None) };
        let approval = kept.approval.map(|word| match word.as_str() {
            "always" => Ok(Approval::Always),
            "ask" => Ok(Approval::Ask),
            "never" => Ok(Approval::Never),
            _ => Err(PinsFailed(Box::new(NoApproval(word)))),
        });
        Ok(Some(Pin {
            fingerprint: Fingerprint::of(&kept.described),
            described: kept.described,
            approval: approval.transpose()?,
        }))
    }

    fn put(&self, server: &str, tool: &str, pin: Pin) -> Result<(), PinsFailed> {
        let approval = pin.approval.map(|approval| match approval {
            Approval::Always => "always".to_owned(),
            Approval::Ask => "ask".to_owned(),
            Approval::Never => "never".to_owned(),
        });
        let kept =
            ToolPin { server: server.to_owned(), tool: tool.to_owned(), described: pin.described, approval, at: (self.time)() };
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = None;
        aside(|| self.store.put_tool_pin(&kept)).map_err(failed)
    }
}

fn failed(error: StoreError) -> PinsFailed {
    PinsFailed(Box::new(error))
}
