//! Lines from a pipe: each is a message or a command.

use super::{Got, goes_on, joined};
use anyhow::{Context, Result};
use std::io::BufRead;

/// Lines from a pipe.
#[derive(Default)]
pub(crate) struct Piped {}

impl Piped {
    pub(super) fn next(&mut self) -> Result<Got> {
        let mut text = String::new();
        while std::io::stdin().lock().read_line(&mut text).context("stdin")? > 0 {
            let line = text.trim_end_matches(['\n', '\r']);
            if !goes_on(line) {
                return Ok(Got::Line(joined(line)));
            }
        }
        Ok(if text.is_empty() { Got::End } else { Got::Line(joined(text.trim_end_matches(['\n', '\r', '\\']))) })
    }
}
