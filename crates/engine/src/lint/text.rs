//! Text: what is empty, what is too long, and what changes from call to call; and the plain text target.

use serde_json::Value;

use super::finding::{Findings, shown};
use super::path::At;
use super::rule::Rule;
use super::shape::wrong_type;

/// A plain text request is any string with something in it.
pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    match body.as_str() {
        None => wrong_type(body, at, "a string", out),
        Some(text) => not_empty(text, at, out),
    }
}

/// Refuse text without a character.
pub(super) fn not_empty(text: &str, at: &At, out: &mut Findings) {
    if text.is_empty() {
        empty("the text is empty", at, out);
    }
}

/// Refuse text without a visible character, as Anthropic does for every text block.
pub(super) fn not_blank(text: &str, at: &At, out: &mut Findings) {
    if is_blank(text) {
        empty("the text has no visible character", at, out);
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

fn empty(message: &str, at: &At, out: &mut Findings) {
    out.error(at, Rule::EmptyText, message.to_owned(), "leave the text out, or say something");
}

/// Refuse text of more than `limit` characters.
pub(super) fn not_longer(text: &str, limit: usize, at: &At, out: &mut Findings) {
    // Bytes are at least as many as characters, so most texts need no counting.
    if text.len() <= limit {
        return;
    }
    let length = text.chars().count();
    if length > limit {
        out.error(at, Rule::TextTooLong, format!("{length} characters, at most {limit} are taken"), "shorten or split the text");
    }
}

/// Warn of a text in a cached prefix that names the present moment (earendil-works/pi#1873, peers 34).
pub(super) fn stable(text: &str, at: &At, out: &mut Findings) {
    if let Some(found) = volatile(text) {
        out.warning(
            at,
            Rule::VolatilePrefix,
            format!("{} changes with each request and stands before a cache mark", shown(found)),
            "move it behind the last cache mark",
        );
    }
}

/// The first present time or request id in `text`.
///
/// Only a stamp that is labelled as one is taken: a timeline is full of times that never change.
fn volatile(text: &str) -> Option<&str> {
    text.lines().find_map(|line| {
        labelled(line, &["now", "time", "date", "today"], is_stamp, 16)
            .or_else(|| labelled(line, &["session", "request", "trace"], is_uuid, 36))
    })
}

/// The first `length` bytes of `line` that `is` takes and that a label stands directly before.
fn labelled<'t>(line: &'t str, labels: &[&str], is: impl Fn(&[u8]) -> bool, length: usize) -> Option<&'t str> {
    let bytes = line.as_bytes();
    let start = bytes.windows(length).position(is)?;
    // Quotes and brackets mark what somebody said or when, not what time it is.
    let label = line.get(..start)?.rsplit(['[', '"']).next()?;
    let from = label.len().saturating_sub(LABEL);
    let near = label.as_bytes()[from..].to_ascii_lowercase();
    let named = near.split(|byte| !byte.is_ascii_alphanumeric()).any(|word| labels.iter().any(|label| label.as_bytes() == word));
    if named { line.get(start..start + length) } else { None }
}

/// How many bytes before a stamp its label may begin.
const LABEL: usize = 40;

/// `2026-02-18T14:55`, with a blank for the `T` too.
fn is_stamp(bytes: &[u8]) -> bool {
    const FORM: &[u8] = b"0000-00-00 00:00";
    bytes.iter().zip(FORM).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        b' ' => matches!(byte, b' ' | b'T'),
        _ => byte == form,
    })
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(i, byte)| match i {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

#[cfg(test)]
mod tests {
    use super::volatile;

    #[test]
    fn only_labelled_stamps_are_volatile() {
        let cases = [
            ("Current time: 2026-02-18T14:55:10Z", true),
            ("Today's date and time is 2026-02-18 14:55", true),
            ("session: 123e4567-e89b-12d3-a456-426614174000", true),
            ("  [msg:n5] [2026-02-18T14:55:10Z] Ahmad: \"the time\"", false),
            ("Released 2026-02-18T14:55", false),
            ("Date: 2026-02-18", false),
            ("id:123e4567-e89b-12d3-a456-426614174000", false),
            ("é time 2026-02-18T14:55é", true),
        ];
        for (text, expected) in cases {
            assert_eq!(volatile(text).is_some(), expected, "{text}");
        }
    }
}
