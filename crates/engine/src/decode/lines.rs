//! Lines of JSON (NDJSON): bytes in, lines out.
//!
//! The lines are the same wherever the bytes are cut. A line is handed out only by its line feed; what the end of the
//! stream leaves behind is [`pending`](LineDecoder::pending).

use super::DecodeError;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text without the line end.
    pub text: String,
    /// Where it begins, in bytes from the start of the stream.
    pub offset: u64,
}

/// Splits a byte stream into lines.
#[derive(Clone, Debug)]
pub struct LineDecoder {
    limit: usize,
    line: Vec<u8>,
    offset: u64,
}

impl LineDecoder {
    /// A decoder whose lines may have up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), offset: 0 }
    }

    /// Takes the next bytes and adds the lines they complete. Lines before an error are added too.
    pub fn push(&mut self, bytes: &[u8], lines: &mut Vec<Line>) -> Result<(), DecodeError> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (piece, ended) = piece.strip_suffix(b"\n").map_or((piece, false), |piece| (piece, true));
            if self.line.len() + piece.len() > self.limit {
                return Err(DecodeError::TooLarge { limit: self.limit });
            }
            self.line.extend_from_slice(piece);
            if ended {
                lines.extend(self.pending());
                self.offset += self.line.len() as u64 + 1;
                self.line.clear();
            }
        }
        Ok(())
    }

    /// The line whose line feed has not come, unless it is blank.
    pub fn pending(&self) -> Option<Line> {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        let line = if self.offset == 0 { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        let text = String::from_utf8_lossy(line);
        (!text.trim().is_empty()).then(|| Line { text: text.into_owned(), offset: self.offset })
    }
}
