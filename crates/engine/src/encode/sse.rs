//! Server-sent events.

use crate::dialect::json::Writer;

/// Events in the making.
#[derive(Debug, Default)]
pub(super) struct Events(Vec<u8>);

impl Events {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// An event without a name.
    pub(super) fn data(&mut self, members: impl FnOnce(&mut Writer)) {
        let mut w = Writer::with_capacity(256);
        w.object(members);
        self.lines(&w.finish());
    }

    /// An event whose name is also the type in its data.
    pub(super) fn named(&mut self, name: &'static str, members: impl FnOnce(&mut Writer)) {
        self.0.extend_from_slice(b"event: ");
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(b'\n');
        self.data(|w| {
            w.key("type").word(name);
            members(w);
        });
    }

    /// An event that is a bare word.
    pub(super) fn word(&mut self, word: &'static str) {
        self.lines(word.as_bytes());
    }

    /// A provider's own block may hold line ends between its values; each line is a line of data.
    fn lines(&mut self, data: &[u8]) {
        for line in data.split(|byte| matches!(byte, b'\n' | b'\r')) {
            self.0.extend_from_slice(b"data: ");
            self.0.extend_from_slice(line);
            self.0.push(b'\n');
        }
        self.0.push(b'\n');
    }
}
