//! Formats in and out.

mod loss;

pub use loss::{LossLine, LossReport, Outcome};
