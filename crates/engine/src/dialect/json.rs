//! Compact JSON, written straight into bytes.
//!
//! No tree is built and no text is copied on its way: a request of half a megabyte is one pass over its own text. Keys
//! keep the order in which they are written, so the same prompt gives the same bytes.

use std::fmt::Display;

/// A JSON text in the making. Commas come by themselves.
pub(super) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes) }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out
    }

    /// A comma, unless nothing stands before: after a whole value the last byte is never one of these three.
    fn separate(&mut self) {
        if !matches!(self.out.last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(b',');
        }
    }

    pub(super) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.separate();
        self.out.push(b'{');
        members(self);
        self.out.push(b'}');
    }

    pub(super) fn array(&mut self, items: impl FnOnce(&mut Self)) {
        self.separate();
        self.out.push(b'[');
        items(self);
        self.out.push(b']');
    }

    /// Keys are our own words: nothing in them needs an escape.
    pub(super) fn key(&mut self, key: &'static str) -> &mut Self {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        self
    }

    pub(super) fn string(&mut self, text: &str) {
        self.strings([text]);
    }

    /// One string made of several texts with nothing between.
    pub(super) fn strings(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        self.joined(texts, "");
    }

    /// One string made of several texts with `between` between.
    pub(super) fn joined(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>, between: &str) {
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
    pub(super) fn raw(&mut self, json: &str) {
        self.separate();
        self.out.extend_from_slice(json.as_bytes());
    }

    pub(super) fn boolean(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    pub(super) fn integer(&mut self, key: &'static str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.key(key).raw(&value.to_string());
        }
    }

    /// JSON has no word for what is not finite: such a number is left out.
    pub(super) fn float(&mut self, key: &'static str, value: Option<f64>) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.key(key).raw(&format!("{value:?}"));
        }
    }

    /// A list of strings, left out when empty.
    pub(super) fn list(&mut self, key: &'static str, values: &[String]) {
        if !values.is_empty() {
            self.key(key).array(|w| values.iter().for_each(|value| w.string(value)));
        }
    }
}

/// Appends `text` with the escapes JSON demands and no others: whole runs are copied, escapes come between.
fn escape(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    // Written without an early end, so that it is looked at many bytes at a time.
    let rare = bytes.iter().fold(false, |rare, &byte| rare | ((byte < 0x20) & (byte != b'\n')));
    if rare {
        return escape_any(bytes, out);
    }
    let mut from = 0;
    for at in memchr::memchr3_iter(b'"', b'\\', b'\n', bytes) {
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(&[b'\\', if bytes[at] == b'\n' { b'n' } else { bytes[at] }]);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
}

/// The same for text with other control characters in it.
fn escape_any(mut rest: &[u8], out: &mut Vec<u8>) {
    while let Some((plain, special, after)) = next_special(rest) {
        out.extend_from_slice(plain);
        match special {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
        }
        rest = after;
    }
    out.extend_from_slice(rest);
}

/// What stands before the first byte that needs an escape, that byte, and what follows.
fn next_special(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let (plain, rest) = bytes.split_at(first_special(bytes)?);
    rest.split_first().map(|(special, after)| (plain, *special, after))
}

/// Looks at eight bytes at a time: this is where a large request spends its time.
fn first_special(bytes: &[u8]) -> Option<usize> {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let from = words.len() * 8;
    tail.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\').map(|at| from + at)
}

/// The high bit of every byte that is a quote, a backslash or a control character. A borrow can set bits above a true
/// find, never below the first.
fn specials(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zeros = |lanes: u64| lanes.wrapping_sub(ONES) & !lanes;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = zeros(word ^ (ONES * b'"' as u64));
    let backslash = zeros(word ^ (ONES * b'\\' as u64));
    (control | quote | backslash) & HIGHS
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
        fn control_characters_quotes_and_backslashes_at_any_offset(text in "[\u{0}-\u{7f}\"\\\\é]{0,40}") {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).expect("strings serialise"));
        }
    }
}
