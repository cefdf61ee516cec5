//! Server-Sent Events by the WHATWG standard: bytes in, events out.
//!
//! The events are the same wherever the bytes are cut: inside a character, between CR and LF, inside a field name. An
//! event is handed out only by its blank line; what the end of the stream leaves behind is [`pending`](SseDecoder::pending).

use super::DecodeError;
use std::sync::Arc;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its type; `message` if the stream gives none.
    pub name: String,
    /// Its data lines, joined by line feeds.
    pub data: String,
    /// The last id the stream gave.
    pub id: Arc<str>,
    /// Where it begins, in bytes from the start of the stream.
    pub offset: u64,
}

/// What arrived of an event that never ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending<'a> {
    /// Its whole data lines, each with its line feed.
    pub data: &'a str,
    /// The line that was begun.
    pub line: &'a [u8],
}

/// Splits a byte stream into events.
#[derive(Clone, Debug)]
pub struct SseDecoder {
    limit: usize,
    line: Vec<u8>,
    data: String,
    name: String,
    id: Arc<str>,
    retry: Option<u64>,
    after_cr: bool,
    first_line: bool,
    read: u64,
    offset: u64,
}

impl SseDecoder {
    /// A decoder whose events may have up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            data: String::new(),
            name: String::new(),
            id: Arc::from(""),
            retry: None,
            after_cr: false,
            first_line: true,
            read: 0,
            offset: 0,
        }
    }

    /// Takes the next bytes and adds the events they complete. Events before an error are added too.
    pub fn push(&mut self, mut bytes: &[u8], events: &mut Vec<Event>) -> Result<(), DecodeError> {
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = self.skip(bytes, 1);
                self.begin_if_idle();
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
                return self.hold(bytes);
            };
            self.hold(&bytes[..end])?;
            self.after_cr = bytes[end] == b'\r';
            bytes = self.skip(&bytes[end..], 1);
            events.extend(self.end_line());
        }
        Ok(())
    }

    /// What arrived of an event whose blank line has not come. At the end of a stream it tells a cut from a clean end.
    pub fn pending(&self) -> Option<Pending<'_>> {
        let some = !self.data.is_empty() || !self.line.is_empty() || !self.name.is_empty();
        some.then_some(Pending { data: &self.data, line: &self.line })
    }

    /// How long the server asks to wait before connecting again, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    fn skip<'a>(&mut self, bytes: &'a [u8], count: usize) -> &'a [u8] {
        self.read += count as u64;
        &bytes[count..]
    }

    fn begin_if_idle(&mut self) {
        if self.pending().is_none() {
            self.offset = self.read;
        }
    }

    fn hold(&mut self, piece: &[u8]) -> Result<(), DecodeError> {
        if self.data.len() + self.line.len() + piece.len() > self.limit {
            return Err(DecodeError::TooLarge { limit: self.limit });
        }
        self.line.extend_from_slice(piece);
        self.read += piece.len() as u64;
        Ok(())
    }

    fn end_line(&mut self) -> Option<Event> {
        let mut line = std::mem::take(&mut self.line);
        let text = if std::mem::take(&mut self.first_line) { line.strip_prefix(BOM).unwrap_or(&line) } else { &line };
        let event = if text.is_empty() {
            self.dispatch()
        } else {
            self.field(text);
            None
        };
        line.clear();
        self.line = line;
        self.begin_if_idle();
        event
    }

    fn field(&mut self, line: &[u8]) {
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match &line[..colon] {
            b"data" => {
                self.data.push_str(&value);
                self.data.push('\n');
            }
            b"event" => self.name = value.into_owned(),
            b"id" if !value.contains('\0') => self.id = value.into(),
            b"retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => self.retry = value.parse().ok().or(self.retry),
            // A comment has an empty name; the standard ignores it and every other field.
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let mut data = std::mem::take(&mut self.data);
        data.pop()?;
        let name = if name.is_empty() { "message".to_owned() } else { name };
        Some(Event { name, data, id: self.id.clone(), offset: self.offset })
    }
}
