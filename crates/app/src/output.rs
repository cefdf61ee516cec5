//! Writing to stdout and stderr.

use crate::preview::message;
use anyhow::{Context, Result};
use std::io::{self, Write};

/// Writes data to stdout. A reader that went away is an error like any other here; [`exit`](crate::exit) knows it.
pub(crate) fn data(bytes: &[u8]) -> Result<()> {
    write(&[bytes]).context("stdout")
}

/// Writes data to stdout, and a line break behind it.
pub(crate) fn line(bytes: &[u8]) -> Result<()> {
    write(&[bytes, b"\n"]).context("stdout")
}

fn write(pieces: &[&[u8]]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    pieces.iter().try_for_each(|piece| stdout.write_all(piece))?;
    stdout.flush()
}

/// Writes a text for people to stderr. Nobody can be told when that fails, so nobody is.
pub(crate) fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Writes one line about something a person should know.
pub(crate) fn warn(text: &str) {
    say(&format!("warning: {}\n", message(text)));
}
