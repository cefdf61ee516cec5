//! Compact JSON, written straight into bytes.
//!
//! No tree is built and no text is copied on its way: a request of half a megabyte is one pass over its own text. Keys
//! keep the order in which they are written, so the same prompt gives the same bytes.

use std::fmt::Display;
use wide::u8x16;

/// A JSON text in the making. Commas come by themselves.
pub(crate) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes) }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.out
    }

    /// A comma, unless nothing stands before: after a whole value the last byte is never one of these three.
    fn separate(&mut self) {
        if !matches!(self.out.last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(b',');
        }
    }

    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.separate();
        self.out.push(b'{');
        members(self);
        self.out.push(b'}');
    }

    pub(crate) fn array(&mut self, items: impl FnOnce(&mut Self)) {
        self.separate();
        self.out.push(b'[');
        items(self);
        self.out.push(b']');
    }

    /// Keys are our own words: nothing in them needs an escape.
    pub(crate) fn key(&mut self, key: &'static str) -> &mut Self {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        self
    }

    /// What the beginning of a value always is, copied at once: a large request has thousands of them.
    pub(crate) fn begin(&mut self, begin: &'static str) {
        self.separate();
        self.out.extend_from_slice(begin.as_bytes());
    }

    /// What always follows inside of it or ends it, with its commas.
    pub(crate) fn go_on(&mut self, more: &'static str) {
        self.out.extend_from_slice(more.as_bytes());
    }

    /// A string of our own, like a key.
    pub(crate) fn word(&mut self, word: &'static str) {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(word.as_bytes());
        self.out.push(b'"');
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.separate();
        self.out.push(b'"');
        escape(text, &mut self.out);
        self.out.push(b'"');
    }

    pub(crate) fn string_or_null(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.raw("null"),
        }
    }

    /// One string made of several texts with nothing between.
    pub(crate) fn strings(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        self.joined(texts, "");
    }

    /// One string made of several texts with `between` between.
    pub(crate) fn joined(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>, between: &str) {
        self.separate();
        self.out.push(b'"');
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                escape(between, &mut self.out);
            }
            escape(text.as_ref(), &mut self.out);
        }
        self.out.push(b'"');
    }

    /// Text that already is one JSON value.
    pub(crate) fn raw(&mut self, json: &str) {
        self.separate();
        self.out.extend_from_slice(json.as_bytes());
    }

    pub(crate) fn boolean(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    pub(crate) fn integer(&mut self, key: &'static str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.key(key).raw(&value.to_string());
        }
    }

    /// JSON has no word for what is not finite: such a number is left out.
    pub(crate) fn float(&mut self, key: &'static str, value: Option<f64>) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.key(key).raw(&format!("{value:?}"));
        }
    }

    /// A list of strings, left out when empty.
    pub(crate) fn list(&mut self, key: &'static str, values: &[String]) {
        if !values.is_empty() {
            self.key(key).array(|w| values.iter().for_each(|value| w.string(value)));
        }
    }
}

/// How many bytes are looked at at once: as many as a mask has bits.
const BLOCK: usize = 64;

/// A block and as much behind it.
const WINDOW: usize = 2 * BLOCK;

/// Appends `text` with the escapes JSON demands and no others. This is where a large request spends its time: a block is
/// looked at as a whole, and only what needs an escape is visited.
fn escape(text: &str, out: &mut Vec<u8>) {
    let mut bytes = text.as_bytes();
    let mut padded = [b' '; WINDOW];
    loop {
        let window = match bytes.first_chunk() {
            Some(window) => window,
            None => {
                padded[..bytes.len()].copy_from_slice(bytes);
                &padded
            }
        };
        let len = bytes.len().min(BLOCK);
        // What stands behind the text is a blank, or was looked at before.
        let inside = u64::MAX.checked_shr((BLOCK - len) as u32).unwrap_or(0);
        match specials(window) & inside {
            0 => {
                let end = out.len() + len;
                out.extend_from_slice(&window[..BLOCK]);
                out.truncate(end);
            }
            found => escape_found(window, len, found, out),
        }
        bytes = &bytes[len..];
        if bytes.is_empty() {
            return;
        }
    }
}

/// Appends the first `len` bytes, with an escape for each whose bit is set.
///
/// Copies of fixed length that reach too far and are written over are cheaper than copies of the right length: a block is
/// read with as much behind it and written where there is room for an escape of every byte.
#[inline]
fn escape_found(window: &[u8; WINDOW], len: usize, mut specials: u64, out: &mut Vec<u8>) {
    let begin = out.len();
    out.extend_from_slice(&[0; 3 * BLOCK]);
    let Some(room) = out.last_chunk_mut::<{ 3 * BLOCK }>() else { return };
    let (mut from, mut to) = (0, 0);
    while specials != 0 {
        let at = specials.trailing_zeros() as usize;
        specials &= specials - 1;
        let letter = LETTERS[window[at % BLOCK] as usize];
        if letter == 0 {
            out.truncate(begin);
            return escape_bytes(&window[..len], out);
        }
        copy(window, from, room, to);
        to += at - from;
        room[to % (2 * BLOCK)..][..2].copy_from_slice(&[b'\\', letter]);
        to += 2;
        from = at + 1;
    }
    copy(window, from, room, to);
    out.truncate(begin + to + len - from);
}

/// Copies a block's length between two places.
#[inline]
fn copy(window: &[u8; WINDOW], from: usize, room: &mut [u8; 3 * BLOCK], to: usize) {
    room[to.min(2 * BLOCK)..][..BLOCK].copy_from_slice(&window[from.min(BLOCK)..][..BLOCK]);
}

/// Appends bytes one by one: hardly any text holds a control character without a short escape.
#[cold]
fn escape_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match LETTERS[byte as usize] {
            0 if byte < b' ' => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            0 => out.push(byte),
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
    }
}

/// What stands behind the backslash for each byte that has a short escape.
static LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let short = *b"\"\\\n\r\t\x08\x0c";
    let stands = *b"\"\\nrtbf";
    let mut at = 0;
    while at < short.len() {
        letters[short[at] as usize] = stands[at];
        at += 1;
    }
    letters
};

/// A bit for every byte of the first block that is a quote, a backslash or a control character.
#[inline]
fn specials(window: &[u8; WINDOW]) -> u64 {
    let (lanes, _) = window.as_chunks::<16>();
    lanes.iter().zip([0, 16, 32, 48]).fold(0, |mask, (lane, shift)| {
        // With this bit turned over, the quote follows the control characters and the blank does not.
        let lane = u8x16::new(*lane) ^ u8x16::splat(b'"' ^ b' ');
        let control_or_quote = lane.min(u8x16::splat(b' ')).simd_eq(lane);
        let found = control_or_quote | lane.simd_eq(u8x16::splat(b'\\' ^ b'"' ^ b' '));
        mask | u64::from(found.to_bitmask()) << shift
    })
}

#[cfg(test)]
mod tests {
    use super::Writer;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let mut w = Writer::with_capacity(0);
        w.string(text);
        String::from_utf8(w.finish()).expect("UTF-8 stays UTF-8")
    }

    #[test]
    fn commas_stand_between_values_and_nowhere_else() {
        let mut w = Writer::with_capacity(0);
        w.object(|w| {
            w.key("a").array(|w| {
                w.string("x");
                w.raw("1");
                w.object(|_| {});
            });
            w.float("b", Some(0.7));
            w.float("left out", Some(f64::NAN));
            w.integer("c", Some(-3));
            w.key("d").joined(["p", "q"], "\n\n");
            w.key("e").strings(["", ""]);
        });
        assert_eq!(String::from_utf8_lossy(&w.finish()), r#"{"a":["x",1,{}],"b":0.7,"c":-3,"d":"p\n\nq","e":""}"#);
    }

    proptest! {
        #[test]
        fn strings_are_escaped_as_serde_json_does(text in any::<String>()) {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).expect("strings serialise"));
        }

        #[test]
        fn control_characters_quotes_and_backslashes_at_any_offset(text in "[\u{0}-\u{7f}\"\\\\é]{0,200}") {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).expect("strings serialise"));
        }
    }
}
