//! Calls that keep nothing.

use crate::work::{Texts, Work, later, now, options};
use napi::Result;
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use weftwork_bindings::{self as core, Fault, Fitted, Handle, Kept};

/// The fitted messages as JSON: numbers of the caller's own and objects that were written; and the report.
pub(crate) fn told(fitted: Fitted) -> Texts {
    let written = |kept: Kept| match kept {
        Kept::Own(at) => at.to_string(),
        Kept::Written(text) => text,
    };
    let messages: Vec<String> = fitted.messages.into_iter().map(written).collect();
    vec![format!("[{}]", messages.join(",")), fitted.report]
}

fn fitted(messages: &str, given: &str) -> std::result::Result<Texts, Fault> {
    let options = options(given)?;
    let mut handle = Handle::messages(&options)?;
    handle.append(messages)?;
    Ok(told(handle.fit(&options)?))
}

fn request(body: &str, given: &str) -> std::result::Result<Texts, Fault> {
    let (body, report) = core::fit_request(body, &options(given)?)?;
    Ok(vec![body, report])
}

fn converted(source: &[u8], to: &str, given: &str) -> std::result::Result<Texts, Fault> {
    let converted = core::convert(source, to, &options(given)?)?;
    Ok(vec![String::from_utf8_lossy(&converted.data).into_owned(), converted.loss])
}

/// Fits messages at once.
#[napi]
pub fn fit_sync(messages: String, given: String) -> Result<Texts> {
    now(|| fitted(&messages, &given))
}

/// Fits messages.
#[napi]
pub fn fit(messages: String, given: String) -> AsyncTask<Work> {
    later(move || fitted(&messages, &given))
}

/// Fits a request body at once.
#[napi]
pub fn fit_request_sync(body: String, given: String) -> Result<Texts> {
    now(|| request(&body, &given))
}

/// Fits a request body.
#[napi]
pub fn fit_request(body: String, given: String) -> AsyncTask<Work> {
    later(move || request(&body, &given))
}

/// Converts at once.
#[napi]
pub fn convert_sync(source: Buffer, to: String, given: String) -> Result<Texts> {
    now(|| converted(&source, &to, &given))
}

/// Converts.
#[napi]
pub fn convert(source: Buffer, to: String, given: String) -> AsyncTask<Work> {
    let source = source.to_vec();
    later(move || converted(&source, &to, &given))
}

/// Lints a request body.
#[napi]
pub fn lint(body: String, dialect: String) -> Result<Texts> {
    now(|| Ok(vec![core::lint(&body, &dialect)?]))
}

/// Counts a text.
#[napi]
pub fn count_text(text: String, given: String) -> Result<Texts> {
    now(|| Ok(vec![core::count_text(&text, &options(&given)?)]))
}

/// Decodes a whole reply.
#[napi]
pub fn decode(body: Buffer, dialect: String) -> Result<Texts> {
    now(|| Ok(vec![core::decode(&body, &dialect)?]))
}

/// What is known of a model.
#[napi]
pub fn model(name: String) -> Option<String> {
    core::model(&name)
}

/// All known models.
#[napi]
pub fn models() -> String {
    core::models()
}
