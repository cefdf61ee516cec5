//! Where a search goes on: how far each space has been looked through.

use crate::node::Key;
use std::str::FromStr;

/// The place after a page of results; opaque, good for the same search only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub(super) Vec<Key>);

/// The text is no cursor.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no place in a search: take it from the page before")]
pub struct BadCursor {
    /// What was given.
    pub text: String,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, key) in self.0.iter().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            write!(f, "{dot}{:x}", key.0)?;
        }
        Ok(())
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Cursor, BadCursor> {
        let key = |word: &str| i64::from_str_radix(word, 16).ok().filter(|key| *key > 0).map(Key);
        let keys = text.split('.').map(key).collect::<Option<Vec<Key>>>();
        keys.map(Cursor).ok_or_else(|| BadCursor { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_text() {
        let cursor = Cursor(vec![Key(1 << 32), Key((7 << 32) | 255)]);
        assert_eq!(cursor.to_string(), "100000000.7000000ff");
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for bad in ["", ".", "x", "-1", "1..2"] {
            assert!(bad.parse::<Cursor>().is_err(), "{bad}");
        }
    }
}
