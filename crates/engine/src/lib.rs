//! Weft's engine.

pub mod ask;
pub mod catalogue;
pub mod decode;
pub mod dialect;
pub mod formats;
pub mod model;
pub mod prompt;
