//! Reads a text by character class, for the split patterns.
//!
//! A position is always a character boundary, and every answer is one too. Runs of ASCII letters, most of all text, are
//! read eight bytes at a time.

use super::class::{Class, Classes, ascii};

const ASCII: [Class; 128] = {
    let mut table = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = ascii(byte as u8);
        byte += 1;
    }
    table
};

/// One in every byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// A text and the classes of its characters.
#[derive(Clone, Copy)]
pub(super) struct Scan<'t> {
    text: &'t str,
    classes: &'static Classes,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Scan { text, classes: Classes::shared() }
    }

    #[inline]
    pub(super) fn text(self) -> &'t str {
        self.text
    }

    #[inline]
    pub(super) fn bytes(self) -> &'t [u8] {
        self.text.as_bytes()
    }

    #[inline]
    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    /// The class of the character at a position and where the next one begins; nothing at the end.
    #[inline]
    pub(super) fn at(self, at: usize) -> Option<(Class, usize)> {
        let byte = self.byte(at)?;
        match ASCII.get(usize::from(byte)) {
            Some(&class) => Some((class, at + 1)),
            None => self.wide(at),
        }
    }

    fn wide(self, at: usize) -> Option<(Class, usize)> {
        let char = self.text[at..].chars().next()?;
        Some((self.classes.of(char), at + char.len_utf8()))
    }

    /// The end of the run of characters from `at` whose class is wanted.
    #[inline]
    pub(super) fn run(self, mut at: usize, wanted: impl Fn(Class) -> bool) -> usize {
        while let Some((class, next)) = self.at(at) {
            if !wanted(class) {
                break;
            }
            at = next;
        }
        at
    }

    /// The end of the run of ASCII lower case letters from `at`.
    #[inline]
    pub(super) fn ascii_lower(self, at: usize) -> usize {
        self.ascii_run(at, |word| between(word, b'a', b'z'), |byte| byte.is_ascii_lowercase())
    }

    /// The end of the run of ASCII upper case letters from `at`.
    #[inline]
    pub(super) fn ascii_upper(self, at: usize) -> usize {
        self.ascii_run(at, |word| between(word, b'A', b'Z'), |byte| byte.is_ascii_uppercase())
    }

    /// The end of the run of ASCII letters from `at`.
    #[inline]
    pub(super) fn ascii_letters(self, at: usize) -> usize {
        self.ascii_run(at, |word| between(word | (0x20 * ONES), b'a', b'z'), |byte| byte.is_ascii_alphabetic())
    }

    #[inline]
    fn ascii_run(self, mut at: usize, hits: impl Fn(u64) -> u64, hit: impl Fn(u8) -> bool) -> usize {
        while let Some(eight) = self.bytes().get(at..).and_then(|rest| rest.first_chunk()) {
            let misses = !hits(u64::from_le_bytes(*eight)) & HIGH;
            if misses != 0 {
                return at + misses.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        while self.byte(at).is_some_and(&hit) {
            at += 1;
        }
        at
    }

    /// The end of an English contraction (`'s 't 're 've 'm 'll 'd`, in any case) that begins at `at`, or `at`.
    /// The long s folds to s, so it counts too.
    #[inline]
    pub(super) fn contraction(self, at: usize) -> usize {
        if self.byte(at) != Some(b'\'') {
            return at;
        }
        match &self.bytes()[at + 1..] {
            [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => at + 2,
            [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => at + 3,
            [0xc5, 0xbf, ..] => at + 3,
            _ => at,
        }
    }
}

/// The high bit of each byte that is ASCII and lies between the two, which differ by less than 0x80.
#[inline]
fn between(word: u64, first: u8, last: u8) -> u64 {
    let low = word & !HIGH;
    let from = low + u64::from(0x80 - first) * ONES;
    let beyond = low + u64::from(0x7f - last) * ONES;
    from & !beyond & !word & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ascii_run_ends_where_a_byte_by_byte_run_ends() {
        for byte in 0..=255u8 {
            for place in 0..20 {
                let mut bytes = vec![b'q'; 20];
                bytes[place] = byte;
                let Ok(text) = String::from_utf8(bytes) else { continue };
                let ends = |letter: fn(&u8) -> bool| text.bytes().take_while(letter).count();
                let scan = Scan::new(&text);
                assert_eq!(scan.ascii_lower(0), ends(u8::is_ascii_lowercase), "{text:?}");
                assert_eq!(scan.ascii_letters(0), ends(u8::is_ascii_alphabetic), "{text:?}");
                let upper = text.to_ascii_uppercase();
                let end = upper.bytes().take_while(u8::is_ascii_uppercase).count();
                assert_eq!(Scan::new(&upper).ascii_upper(0), end, "{upper:?}");
            }
        }
    }

    #[test]
    fn a_contraction_ignores_case() {
        for (text, end) in [("'s", 2), ("'Tx", 2), ("'rE", 3), ("'LL", 3), ("'ſ", 3), ("'l", 0), ("'x", 0), ("'", 0), ("s", 0)] {
            assert_eq!(Scan::new(text).contraction(0), end, "{text:?}");
        }
    }
}
