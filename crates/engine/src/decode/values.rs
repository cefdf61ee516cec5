//! JSON objects one after another, or as the elements of one array: Gemini's plain streaming form, and the body of a
//! server that was asked for a stream and sent a document.
//!
//! The values are the same wherever the bytes are cut, and a value is found without parsing it, so depth costs nothing.

use super::{DecodeError, frames::Frame, scan::Scan};

/// Splits a byte stream into JSON objects.
#[derive(Clone, Debug)]
pub(super) struct ValueDecoder {
    limit: usize,
    value: Vec<u8>,
    scan: Scan,
    read: u64,
    offset: u64,
    array: bool,
}

impl ValueDecoder {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, value: Vec::new(), scan: Scan::default(), read: 0, offset: 0, array: false }
    }

    /// Takes the next bytes and adds the objects they complete.
    pub(super) fn push(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), DecodeError> {
        for &byte in bytes {
            if !self.value.is_empty() || byte == b'{' {
                frames.extend(self.inside(byte)?);
            } else {
                self.between(byte)?;
            }
            self.read += 1;
        }
        Ok(())
    }

    /// Whether an object, or the array around them, has not been closed.
    pub(super) fn is_pending(&self) -> bool {
        !self.value.is_empty() || self.array
    }

    fn inside(&mut self, byte: u8) -> Result<Option<Frame>, DecodeError> {
        if self.value.is_empty() {
            self.offset = self.read;
        }
        if self.value.len() == self.limit {
            return Err(DecodeError::TooLarge { limit: self.limit });
        }
        self.value.push(byte);
        Ok(self.scan.closes(byte).then(|| {
            let data = String::from_utf8_lossy(&std::mem::take(&mut self.value)).into_owned();
            Frame { name: String::new(), data, offset: self.offset }
        }))
    }

    fn between(&mut self, byte: u8) -> Result<(), DecodeError> {
        match byte {
            b'[' if !self.array => self.array = true,
            b']' if self.array => self.array = false,
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b'\xEF' | b'\xBB' | b'\xBF' => {}
            other => {
                let what = format!("expected a JSON object, found {:?}", char::from(other));
                return Err(DecodeError::Malformed { offset: self.read, what });
            }
        }
        Ok(())
    }
}
