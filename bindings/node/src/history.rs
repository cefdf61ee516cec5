//! A conversation that was read once.

use crate::once::told;
use crate::work::{Texts, Work, later, now, options, thrown};
use napi::Result;
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use std::sync::{Arc, Mutex, MutexGuard};
use weftwork_bindings::{self as core, Fault, Handle};

type Shared = Arc<Mutex<Handle>>;

/// A conversation that was read once.
#[napi]
pub struct NativeHistory {
    handle: Shared,
}

/// A panic inside leaves the lock poisoned, and what it held is not used again.
fn held(handle: &Mutex<Handle>) -> std::result::Result<MutexGuard<'_, Handle>, Fault> {
    handle.lock().map_err(|_| Fault::Internal { what: "an earlier call on this object failed inside".to_owned() })
}

/// The shape of its messages, and how many there are: kept outside, so that nobody who asks waits for work that is going on.
fn facts(handle: &Handle) -> Texts {
    vec![handle.shape().map_or("", |shape| shape.word()).to_owned(), handle.len().to_string()]
}

fn read(handle: &Shared, source: &[u8], given: &str) -> std::result::Result<Texts, Fault> {
    let mut held = held(handle)?;
    *held = Handle::read(source, &options(given)?)?;
    Ok(facts(&held))
}

fn append(handle: &Shared, list: &str) -> std::result::Result<Texts, Fault> {
    let mut held = held(handle)?;
    held.append(list)?;
    Ok(facts(&held))
}

fn fit(handle: &Shared, given: &str) -> std::result::Result<Texts, Fault> {
    let fitted = held(handle)?.fit(&options(given)?)?;
    Ok(told(fitted))
}

fn assemble(handle: &Shared, given: &str, each: bool) -> std::result::Result<Texts, Fault> {
    let (handle, options) = (held(handle)?, options(given)?);
    let assembled = if each { handle.explain(&options)? } else { handle.assemble(&options)? };
    Ok(vec![String::from_utf8_lossy(&assembled.request).into_owned(), assembled.report])
}

fn count(handle: &Shared, given: &str) -> std::result::Result<Texts, Fault> {
    Ok(vec![core::count(&*held(handle)?, &options(given)?)?])
}

#[napi]
impl NativeHistory {
    /// An empty history of messages.
    #[napi(constructor)]
    pub fn new(given: String) -> Result<NativeHistory> {
        let handle = options(&given).and_then(|options| Handle::messages(&options)).map_err(|fault| thrown(&fault))?;
        Ok(NativeHistory { handle: Arc::new(Mutex::new(handle)) })
    }

    /// Becomes any conversation, at once.
    #[napi]
    pub fn read_sync(&self, source: Buffer, given: String) -> Result<Texts> {
        now(|| read(&self.handle, &source, &given))
    }

    /// Becomes any conversation.
    #[napi]
    pub fn read(&self, source: Buffer, given: String) -> AsyncTask<Work> {
        let (handle, source) = (self.handle.clone(), source.to_vec());
        later(move || read(&handle, &source, &given))
    }

    /// Adds a list at once.
    #[napi]
    pub fn append_sync(&self, list: String) -> Result<Texts> {
        now(|| append(&self.handle, &list))
    }

    /// Adds a list.
    #[napi]
    pub fn append(&self, list: String) -> AsyncTask<Work> {
        let handle = self.handle.clone();
        later(move || append(&handle, &list))
    }

    /// Adds a summary.
    #[napi]
    pub fn summarize(&self, text: String, until: u32) -> Result<Texts> {
        now(|| held(&self.handle)?.summarize(&text, until as usize).map(|()| Texts::new()))
    }

    /// Fits at once.
    #[napi]
    pub fn fit_sync(&self, given: String) -> Result<Texts> {
        now(|| fit(&self.handle, &given))
    }

    /// Fits.
    #[napi]
    pub fn fit(&self, given: String) -> AsyncTask<Work> {
        let handle = self.handle.clone();
        later(move || fit(&handle, &given))
    }

    /// Assembles at once.
    #[napi]
    pub fn assemble_sync(&self, given: String, each: bool) -> Result<Texts> {
        now(|| assemble(&self.handle, &given, each))
    }

    /// Assembles.
    #[napi]
    pub fn assemble(&self, given: String, each: bool) -> AsyncTask<Work> {
        let handle = self.handle.clone();
        later(move || assemble(&handle, &given, each))
    }

    /// Counts at once.
    #[napi]
    pub fn count_sync(&self, given: String) -> Result<Texts> {
        now(|| count(&self.handle, &given))
    }

    /// Counts.
    #[napi]
    pub fn count(&self, given: String) -> AsyncTask<Work> {
        let handle = self.handle.clone();
        later(move || count(&handle, &given))
    }
}
