//! Which framing a stream has: decided by the dialect, and where servers differ, by its first byte.

use super::{DecodeError, Line, LineDecoder, SseDecoder, sse::Event, utf8::Utf8Decoder, values::ValueDecoder};
use crate::dialect::Dialect;

/// One unit of a stream: a JSON text, or a piece of plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The SSE event's type, else empty.
    pub(super) name: String,
    pub(super) data: String,
    pub(super) offset: u64,
}

impl From<Event> for Frame {
    fn from(event: Event) -> Frame {
        Frame { name: event.name, data: event.data, offset: event.offset }
    }
}

impl From<Line> for Frame {
    fn from(line: Line) -> Frame {
        Frame { name: String::new(), data: line.text, offset: line.offset }
    }
}

/// A framing and its state.
#[derive(Clone, Debug)]
pub(super) enum Frames {
    /// Not known yet: nothing but blanks has come.
    Unknown {
        blanks: Vec<u8>,
        limit: usize,
    },
    Sse(SseDecoder),
    Lines(LineDecoder),
    Values(ValueDecoder),
    Text(Utf8Decoder),
}

impl Frames {
    pub(super) fn new(dialect: Dialect, limit: usize) -> Self {
        match dialect {
            Dialect::OpenAi | Dialect::Responses | Dialect::Anthropic | Dialect::Gemini | Dialect::Completions => {
                Frames::Unknown { blanks: Vec::new(), limit }
            }
            Dialect::Ollama => Frames::Lines(LineDecoder::new(limit)),
            Dialect::AiSdk | Dialect::Messages => Frames::Values(ValueDecoder::new(limit)),
            Dialect::Text => Frames::Text(Utf8Decoder::default()),
        }
    }

    /// Takes the next bytes and adds the frames they complete. Frames before an error are added too.
    pub(super) fn push(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), DecodeError> {
        match self {
            Frames::Unknown { blanks, limit } => {
                let Some(at) = bytes.iter().position(|byte| !is_blank(*byte)) else {
                    blanks.extend_from_slice(bytes);
                    return Ok(());
                };
                // An event stream never begins with a bracket, so this is a document: an error body, a whole reply from a
                // server that cannot stream, Gemini's array, or Ollama's lines.
                let mut known = match bytes[at] {
                    b'{' | b'[' => Frames::Values(ValueDecoder::new(*limit)),
                    _ => Frames::Sse(SseDecoder::new(*limit)),
                };
                let held = known.push(&std::mem::take(blanks), frames);
                *self = known;
                held.and_then(|()| self.push(bytes, frames))
            }
            Frames::Sse(decoder) => {
                let mut events = Vec::new();
                let pushed = decoder.push(bytes, &mut events);
                frames.extend(events.into_iter().map(Frame::from));
                pushed
            }
            Frames::Lines(decoder) => {
                let mut lines = Vec::new();
                let pushed = decoder.push(bytes, &mut lines);
                frames.extend(lines.into_iter().map(Frame::from));
                pushed
            }
            Frames::Values(decoder) => decoder.push(bytes, frames),
            Frames::Text(decoder) => {
                let data = decoder.push(bytes);
                frames.push(Frame { name: String::new(), data, offset: 0 });
                Ok(())
            }
        }
    }

    /// Whether the stream ended inside a frame.
    pub(super) fn is_pending(&self) -> bool {
        match self {
            Frames::Unknown { .. } => false,
            Frames::Sse(decoder) => decoder.pending().is_some(),
            Frames::Lines(decoder) => decoder.pending().is_some(),
            Frames::Values(decoder) => decoder.is_pending(),
            Frames::Text(decoder) => decoder.is_pending(),
        }
    }

    /// A frame that lacks only its end mark: the last line of NDJSON needs none.
    pub(super) fn last_line(&self) -> Option<Frame> {
        if let Frames::Lines(decoder) = self { decoder.pending().map(Frame::from) } else { None }
    }

    /// The data of an event whose blank line never came. By the standard it is no event; it may still say what went wrong.
    pub(super) fn unfinished_data(&self) -> Option<&str> {
        if let Frames::Sse(decoder) = self { decoder.pending().map(|pending| pending.data) } else { None }
    }
}

/// Blank, or a byte of the mark some servers put before everything.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'\xEF' | b'\xBB' | b'\xBF')
}
