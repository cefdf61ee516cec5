//! Argument text of a tool call while it arrives.
//!
//! A stream that is resumed may say again what it said before: once the text is a whole object, the same text from its
//! beginning is a repetition and adds nothing. Any other text after the end makes the whole unusable, and it stays text.

use super::{object::sound, scan::Scan};
use crate::model::Json;

/// Argument text, and how far it repeats itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Args {
    text: String,
    scan: Scan,
    whole: bool,
    repeated: usize,
}

impl Args {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a piece; gives back what is new of it.
    pub(super) fn push(&mut self, piece: &str) -> String {
        if self.whole && self.text[self.repeated..].starts_with(piece) {
            self.repeated += piece.len();
            return String::new();
        }
        let mut new = self.text[..std::mem::take(&mut self.repeated)].to_owned();
        new.push_str(piece);
        for byte in new.bytes() {
            // Blanks may follow the end, nothing else.
            self.whole = self.scan.closes(byte) || (self.whole && byte.is_ascii_whitespace());
        }
        self.text.push_str(&new);
        new
    }

    /// Takes the whole text as the provider repeats it at the end; gives back what had not arrived before.
    pub(super) fn set(&mut self, text: &str) -> String {
        if let Some(new) = text.strip_prefix(&self.text) {
            return if new.is_empty() { String::new() } else { self.push(new) };
        }
        *self = Args::default();
        self.push(text);
        String::new()
    }

    /// The arguments: the object, or its text as a JSON string if it is none. `closed` says that no more would have come,
    /// which is the only way to tell no arguments from the beginning of some.
    pub(super) fn value(&self, closed: bool) -> Json {
        let text = self.text.trim();
        match text {
            "" if closed => Json::empty_object(),
            _ if text.starts_with('{') => sound(text).unwrap_or_else(|| Json::string(&self.text)),
            _ => Json::string(&self.text),
        }
    }
}
