//! A key: goes into one header and nowhere else.

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// The key of a provider. It never prints and is wiped from memory when dropped.
#[derive(Clone)]
pub struct Key(SecretString);

/// A key that cannot stand in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key is empty or holds characters that cannot be sent, such as a line break")]
pub struct BadKey;

impl Key {
    /// Takes a key; blanks around it, as a file's last line break, are not part of it.
    pub fn new(text: &str) -> Result<Self, BadKey> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadKey);
        }
        Ok(Self(text.into()))
    }

    /// The key behind `before`, for a header that loggers leave out.
    pub(crate) fn header(&self, before: &str) -> HeaderValue {
        let text = format!("{before}{}", self.0.expose_secret());
        let mut value = HeaderValue::from_str(&text).expect("a key is visible ASCII, checked when it was made");
        value.set_sensitive(true);
        value
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([secret])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_never_prints() {
        let key = Key::new(" sk-123\n").expect("a key");
        assert_eq!(format!("{key:?} {:?}", key.header("Bearer ")), "Key([secret]) Sensitive");
        assert_eq!(key.header("Bearer ").as_bytes(), b"Bearer sk-123");
    }

    #[test]
    fn a_key_that_would_break_its_header_is_refused() {
        for text in ["", "  ", "a\nb", "a b", "schlüssel"] {
            assert_eq!(Key::new(text).err(), Some(BadKey), "{text:?}");
        }
    }
}
