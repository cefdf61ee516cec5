//! A reply as it arrives.

use super::{
    DecodeError, Delta, Limits, Reply, Stop,
    draft::{Draft, Key},
    fault,
    frames::{Frame, Frames},
    object::Object,
    whole,
};
use crate::dialect::Dialect;

/// Decodes a streamed reply. The reply and the deltas, put together, are the same wherever the bytes are cut.
#[derive(Clone, Debug)]
pub struct StreamDecoder {
    dialect: Dialect,
    limits: Limits,
    frames: Frames,
    draft: Draft,
    read: usize,
    /// Whether anything came that is more than a keep-alive.
    began: bool,
    failed: Option<DecodeError>,
}

impl StreamDecoder {
    /// A decoder for a stream in `dialect`.
    pub fn new(dialect: Dialect) -> Self {
        Self::with_limits(dialect, Limits::DEFAULT)
    }

    /// A decoder that takes no more than `limits`.
    pub fn with_limits(dialect: Dialect, limits: Limits) -> Self {
        let frames = Frames::new(dialect, limits.event);
        Self { dialect, limits, frames, draft: Draft::default(), read: 0, began: false, failed: None }
    }

    /// Takes the next bytes and gives the deltas they complete. An error never takes the place of deltas that came before
    /// it: these are given first, and the error by the next call, of this or of [`finish`](Self::finish).
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, DecodeError> {
        if self.failed.is_none() && !self.draft.done {
            self.failed = self.advance(bytes).err();
        }
        let deltas = self.draft.take_deltas();
        match &self.failed {
            Some(error) if deltas.is_empty() => Err(error.clone()),
            _ => Ok(deltas),
        }
    }

    /// Whether the provider said that nothing more comes. What follows is not read.
    pub fn is_done(&self) -> bool {
        self.draft.done
    }

    /// What has arrived so far, as if the stream were cut here. Kept when a stream fails or is stopped.
    pub fn so_far(&self) -> Reply {
        self.draft.clone().into_reply(Stop::Cut)
    }

    /// The reply, when the stream has ended. A stream that was cut gives a reply with [`Stop::Cut`]; one that ended before
    /// it began gives [`DecodeError::Empty`].
    pub fn finish(mut self) -> Result<Reply, DecodeError> {
        if self.failed.is_none()
            && !self.draft.done
            && let Some(frame) = self.frames.last_line()
            && Object::parse(&frame.data).is_ok()
        {
            self.failed = self.take(&frame).err();
        }
        if let Some(error) = self.failed.take().or_else(|| self.error_without_end()) {
            return Err(error);
        }
        let pending = self.frames.is_pending();
        if !self.began && !pending {
            return Err(DecodeError::Empty);
        }
        let unsaid = if self.draft.done || (self.ends_by_itself() && !pending) { Stop::End } else { Stop::Cut };
        Ok(self.draft.into_reply(unsaid))
    }

    /// Whether the dialect gives no reason for stopping: then a stream that ends between two frames is whole.
    fn ends_by_itself(&self) -> bool {
        match self.dialect {
            Dialect::AiSdk | Dialect::Messages | Dialect::Text => true,
            Dialect::OpenAi | Dialect::Responses | Dialect::Anthropic => false,
            Dialect::Gemini | Dialect::Ollama | Dialect::Completions => false,
        }
    }

    /// An error whose event was not ended by a blank line: no event by the standard, but the reason why nothing followed.
    fn error_without_end(&self) -> Option<DecodeError> {
        let data = self.frames.unfinished_data().filter(|_| !self.draft.done)?;
        let object = Object::parse(data).ok()?;
        fault::error_in(&object).map(DecodeError::Provider)
    }

    fn advance(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let room = self.limits.body - self.read;
        let fits = &bytes[..bytes.len().min(room)];
        self.read += fits.len();
        let mut frames = Vec::new();
        let pushed = self.frames.push(fits, &mut frames);
        for frame in &frames {
            self.take(frame)?;
            if self.draft.done {
                return Ok(());
            }
        }
        pushed?;
        if bytes.len() > room {
            return Err(DecodeError::TooLarge { limit: self.limits.body });
        }
        Ok(())
    }

    fn take(&mut self, frame: &Frame) -> Result<(), DecodeError> {
        if self.dialect == Dialect::Text {
            self.began |= !frame.data.is_empty();
            self.draft.text(Key::Text, &frame.data);
            return Ok(());
        }
        let data = frame.data.trim();
        if data.is_empty() {
            return Ok(());
        }
        self.began = true;
        if data == "[DONE]" {
            self.draft.done = true;
            return Ok(());
        }
        let object = Object::parse(&frame.data)
            .map_err(|error| DecodeError::Malformed { offset: frame.offset, what: error.to_string() })?;
        match frame.name.as_str() {
            "error" => match fault::error_of(&object) {
                Some(error) => return Err(error.into()),
                None => whole::take(self.dialect, &object, &mut self.draft)?,
            },
            "" => whole::take_or_error(self.dialect, &object, &mut self.draft)?,
            _ => whole::take(self.dialect, &object, &mut self.draft)?,
        };
        Ok(())
    }
}
