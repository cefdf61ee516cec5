//! Work on a worker thread, or at once.

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Error, Result, Status, Task};
use weftwork_bindings::{Fault, Options, guarded};

/// What a call gives: one or two texts.
pub type Texts = Vec<String>;

type Job = Box<dyn FnOnce() -> std::result::Result<Texts, Fault> + Send>;

/// Work that is done once.
pub struct Work(Option<Job>);

impl Task for Work {
    type Output = Texts;
    type JsValue = Texts;

    fn compute(&mut self) -> Result<Texts> {
        self.0.take().map_or_else(|| Ok(Texts::new()), now)
    }

    fn resolve(&mut self, _: Env, output: Texts) -> Result<Texts> {
        Ok(output)
    }
}

/// Does it at once.
pub(crate) fn now(job: impl FnOnce() -> std::result::Result<Texts, Fault>) -> Result<Texts> {
    guarded(job).map_err(|fault| thrown(&fault))
}

/// Does it on a worker thread.
pub(crate) fn later(job: impl FnOnce() -> std::result::Result<Texts, Fault> + Send + 'static) -> AsyncTask<Work> {
    AsyncTask::new(Work(Some(Box::new(job))))
}

/// The error for a fault.
pub(crate) fn thrown(fault: &Fault) -> Error {
    Error::new(Status::GenericFailure, fault.to_json())
}

/// Options from JSON.
pub(crate) fn options(json: &str) -> std::result::Result<Options, Fault> {
    Options::parse(json)
}
