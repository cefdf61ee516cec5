//! Sorts characters into the classes that the split patterns tell apart.
//!
//! Every character has exactly one class, the one that the Unicode tables of the regex crate give it: tiktoken splits with
//! those, and a newer or older Unicode would count differently.

use std::sync::OnceLock;

/// What a split pattern can see of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// `\p{Lu}`, `\p{Lt}`
    Upper,
    /// `\p{Ll}`
    Lower,
    /// `\p{Lm}`, `\p{Lo}`: letters without case
    Caseless,
    /// `\p{M}`
    Mark,
    /// `\p{N}`
    Number,
    /// Carriage return and line feed
    Newline,
    /// All other white space
    Space,
    /// Everything else: punctuation, symbols, controls, unassigned
    Other,
}

/// In the order of `vocab/classes.runs`.
const CLASSES: [Class; 8] =
    [Class::Upper, Class::Lower, Class::Caseless, Class::Mark, Class::Number, Class::Newline, Class::Space, Class::Other];

static RUNS: &[u8] = include_bytes!("../../vocab/classes.runs");

const BLOCK: usize = 128;

/// The class of every code point, as blocks of 128 that are kept once each.
pub(super) struct Classes {
    /// For each 128 code points the number of their block.
    blocks: Vec<u16>,
    cells: Vec<Class>,
}

impl Classes {
    /// The table, unpacked on first use.
    pub(super) fn shared() -> &'static Classes {
        static SHARED: OnceLock<Classes> = OnceLock::new();
        SHARED.get_or_init(|| Classes::unpack(RUNS))
    }

    #[inline]
    pub(super) fn of(&self, char: char) -> Class {
        let code = char as usize;
        self.cells[usize::from(self.blocks[code / BLOCK]) * BLOCK + code % BLOCK]
    }

    /// Runs of one class from U+0000 up, each `length << 3 | class` as LEB128.
    fn unpack(runs: &[u8]) -> Classes {
        let mut table = Classes { blocks: Vec::new(), cells: Vec::new() };
        let mut block = Vec::with_capacity(BLOCK);
        let (mut value, mut shift) = (0usize, 0);
        for &byte in runs {
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                for _ in 0..value >> 3 {
                    block.push(CLASSES[value & 7]);
                    if block.len() == BLOCK {
                        table.push(&block);
                        block.clear();
                    }
                }
                (value, shift) = (0, 0);
            }
        }
        table
    }

    fn push(&mut self, block: &[Class]) {
        let known = self.cells.chunks_exact(BLOCK).position(|kept| kept == block);
        let number = known.unwrap_or_else(|| {
            self.cells.extend_from_slice(block);
            self.cells.len() / BLOCK - 1
        });
        self.blocks.push(number as u16);
    }
}

/// The class of an ASCII byte, without the table.
pub(super) const fn ascii(byte: u8) -> Class {
    match byte {
        b'A'..=b'Z' => Class::Upper,
        b'a'..=b'z' => Class::Lower,
        b'0'..=b'9' => Class::Number,
        b'\r' | b'\n' => Class::Newline,
        b' ' | b'\t' | 0x0b | 0x0c => Class::Space,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex_syntax::hir::{self, HirKind};

    fn ranges(pattern: &str) -> Vec<(char, char)> {
        let hir = regex_syntax::parse(pattern).unwrap();
        let HirKind::Class(hir::Class::Unicode(set)) = hir.kind() else { panic!("{pattern} is a class") };
        set.ranges().iter().map(|range| (range.start(), range.end())).collect()
    }

    #[test]
    fn every_code_point_has_the_class_of_the_regex_tables() {
        let classes = Classes::shared();
        for (class, pattern) in [
            (Class::Upper, r"[\p{Lu}\p{Lt}]"),
            (Class::Lower, r"\p{Ll}"),
            (Class::Caseless, r"[\p{Lm}\p{Lo}]"),
            (Class::Mark, r"\p{M}"),
            (Class::Number, r"\p{N}"),
            (Class::Newline, r"[\r\n]"),
            (Class::Space, r"[\s&&[^\r\n]]"),
            (Class::Other, r"[^\s\p{L}\p{M}\p{N}]"),
        ] {
            for (first, last) in ranges(pattern) {
                for char in first..=last {
                    assert_eq!(classes.of(char), class, "{char:?}");
                }
            }
        }
    }

    #[test]
    fn ascii_agrees_with_the_table() {
        for byte in 0..0x80u8 {
            assert_eq!(ascii(byte), Classes::shared().of(char::from(byte)), "{byte:#x}");
        }
    }
}
