//! JSON on one line, with the blanks of the seed: `{ "issue": "PROJ-123", "tags": ["a", "b"] }`.
//!
//! The text is known to be valid JSON, so it is walked and not parsed: numbers, key order and repeated keys stay as they
//! came, and depth costs no stack.

use super::encode::{QUOTE, hidden, write_escaped};
use std::fmt::{self, Write};

/// Writes valid JSON `text` on one line.
pub(super) fn write(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let token = &rest[..token_len(c, rest)];
        rest = rest[token.len()..].trim_start();
        match c {
            '"' => write_escaped(f, token, QUOTE, |_, c| hidden(c))?,
            '{' if rest.starts_with('}') => f.write_char('{')?,
            '{' => f.write_str("{ ")?,
            ':' => f.write_str(": ")?,
            ',' => f.write_str(", ")?,
            _ => f.write_str(token)?,
        }
        if rest.starts_with('}') && c != '{' {
            f.write_char(' ')?;
        }
    }
    Ok(())
}

/// Length of the token that `rest` begins with, whose first character is `c`.
fn token_len(c: char, rest: &str) -> usize {
    match c {
        '"' => string_len(rest),
        '{' | '}' | '[' | ']' | ':' | ',' => 1,
        _ => rest.find(|c: char| matches!(c, '}' | ']' | ',') || c.is_ascii_whitespace()).unwrap_or(rest.len()),
    }
}

/// Length of the JSON string that `rest` begins with, quotes included; all of it if it never ends.
pub(super) fn string_len(rest: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
