//! A reply that is still arriving.

use crate::work::{Texts, now, thrown};
use napi::Result;
use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use weftwork_bindings::Stream;

/// A reply that is still arriving.
#[napi]
pub struct NativeStream {
    stream: Stream,
}

#[napi]
impl NativeStream {
    /// A stream in a dialect.
    #[napi(constructor)]
    pub fn new(dialect: String) -> Result<NativeStream> {
        Ok(NativeStream { stream: Stream::new(&dialect).map_err(|fault| thrown(&fault))? })
    }

    /// Takes the next bytes.
    #[napi]
    pub fn push(&mut self, chunk: Buffer) -> Result<Texts> {
        now(|| Ok(vec![self.stream.push(&chunk)?]))
    }

    /// What has come so far.
    #[napi]
    pub fn so_far(&mut self) -> Result<Texts> {
        now(|| Ok(vec![self.stream.so_far()?]))
    }

    /// The reply.
    #[napi]
    pub fn finish(&mut self) -> Result<Texts> {
        now(|| Ok(vec![self.stream.finish()?]))
    }
}
