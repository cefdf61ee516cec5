//! The engine for Node: a thin shell around `weftwork_bindings`.
//!
//! JSON text comes in and goes out; the package's JavaScript writes and reads it and puts the caller's own objects back. What
//! may take long is a task on a worker thread, so that the event loop is not held. An error is the JSON of a fault, of which the
//! JavaScript makes a typed one. `unsafe` is denied here instead of forbidden, because what napi's macros write holds it; there
//! is none of our own.

pub mod history;
pub mod once;
pub mod stream;
pub mod work;
