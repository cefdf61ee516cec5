//! Plain text from bytes cut anywhere, also inside a character.

/// Holds the beginning of a character until its end comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Utf8Decoder {
    tail: Vec<u8>,
}

impl Utf8Decoder {
    /// The text that is whole by now; bytes that are no UTF-8 become U+FFFD.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.tail.extend_from_slice(bytes);
        let mut text = String::new();
        let mut rest = self.tail.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(valid) => {
                    text.push_str(valid);
                    rest = &[];
                    break;
                }
                Err(error) => {
                    let (valid, bad) = rest.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(valid));
                    rest = bad;
                    let Some(length) = error.error_len() else { break };
                    text.push(char::REPLACEMENT_CHARACTER);
                    rest = &rest[length..];
                }
            }
        }
        self.tail = rest.to_vec();
        text
    }

    /// Whether a character was begun and not ended.
    pub(super) fn is_pending(&self) -> bool {
        !self.tail.is_empty()
    }
}
