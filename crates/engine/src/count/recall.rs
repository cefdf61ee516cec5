//! Counts of texts that come again: the lines of a system text are mostly those of the request before, and tools never change.
//!
//! It changes no number, only how soon it is known. Hashes are kept and no text, so nothing that was said outlives its purge
//! here; and no more of them than a bound.

use super::Base;
use super::near::around;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Texts of a generation. Two are kept: what was not asked for while one filled up is forgotten.
const MOST: usize = 1 << 15;
/// Bytes below which a text is counted sooner than it is found.
const SHORT: usize = 48;

/// What was counted before, shared by all its clones; the default remembers nothing.
#[derive(Clone, Default)]
pub struct Recall(Option<Arc<Mutex<Generations>>>);

type Key = [u8; 16];

#[derive(Default)]
struct Generations {
    new: HashMap<Key, u32>,
    old: HashMap<Key, u32>,
}

impl Generations {
    fn find(&mut self, key: &Key) -> Option<u32> {
        if let Some(raw) = self.new.get(key) {
            return Some(*raw);
        }
        let raw = self.old.get(key).copied()?;
        self.keep(*key, raw);
        Some(raw)
    }

    fn keep(&mut self, key: Key, raw: u32) {
        if self.new.len() >= MOST {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(key, raw);
    }
}

impl Recall {
    /// One that remembers.
    pub fn new() -> Recall {
        Recall(Some(Arc::default()))
    }

    /// Raw tokens of a text that may come again as a whole.
    pub(crate) fn text(&self, base: Base, text: &str) -> u64 {
        match &self.0 {
            Some(known) if text.len() >= SHORT => counted(known, base, text),
            Some(_) | None => base.text(text),
        }
    }

    /// Raw tokens of a text whose lines may come again.
    pub(crate) fn lines(&self, base: Base, text: &str) -> u64 {
        match (&self.0, base) {
            (Some(known), Base::O200k | Base::Cl100k) => pieces(text).map(|piece| counted(known, base, piece)).sum(),
            (None, _) | (_, Base::Chars4 | Base::Tokenx) => base.text(text),
        }
    }

    /// Raw tokens of `known` with `more` put in at a place, given those of `known`: only what stands around that place is
    /// counted again.
    pub(crate) fn with(&self, base: Base, known: &str, raw: u64, at: usize, more: &str) -> u64 {
        match base {
            Base::O200k | Base::Cl100k => {
                let (from, to) = around(known.as_bytes(), at);
                raw - base.text(&known[from..to]) + self.lines(base, &[&known[from..at], more, &known[at..to]].concat())
            }
            Base::Chars4 | Base::Tokenx => base.text(&[&known[..at], more, &known[at..]].concat()),
        }
    }
}

impl fmt::Debug for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recall")
    }
}

/// It changes nothing: an ask is the same with any.
impl PartialEq for Recall {
    fn eq(&self, _: &Recall) -> bool {
        true
    }
}

fn counted(known: &Mutex<Generations>, base: Base, text: &str) -> u64 {
    let key = key(base, text);
    let found = lock(known).find(&key);
    u64::from(found.unwrap_or_else(|| {
        let raw = u32::try_from(base.text(text)).unwrap_or(u32::MAX);
        lock(known).keep(key, raw);
        raw
    }))
}

fn lock(known: &Mutex<Generations>) -> MutexGuard<'_, Generations> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(base: Base, text: &str) -> Key {
    let hash = Sha256::new().chain_update([base as u8]).chain_update(text).finalize();
    let mut key = Key::default();
    key.copy_from_slice(&hash[..16]);
    key
}

/// A text in pieces that count together what it counts, each a line or a few short ones.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let least = SHORT.min(rest.len());
        let breaks = rest.as_bytes()[least..].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let cut = breaks.map(|(at, _)| least + at + 1).find(|&at| begins_anew(&rest.as_bytes()[at..]));
        let (piece, after) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Whether what follows a line break belongs to no piece of either vocabulary that the line break belongs to: blanks without
/// another line break, then something to be seen. Only a slash may go with a line break before it.
fn begins_anew(rest: &[u8]) -> bool {
    rest.iter().find(|byte| **byte != b' ').is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'/')
}

#[cfg(test)]
mod tests {
    use super::super::near::tests::texts;
    use super::*;

    #[test]
    fn what_is_remembered_counts_what_it_counted() {
        let remembered = Recall::new();
        for text in texts() {
            let long =
                [&*text, "\n  - \"told\" (id: told) — person-1 (human), person-2 (human)\n", &*text, "\n", &*text].concat();
            for base in Base::ALL {
                for _ in 0..2 {
                    assert_eq!(remembered.lines(base, &long), base.text(&long), "{base:?}: {long:?}");
                    assert_eq!(remembered.text(base, &long), base.text(&long), "{base:?}: {long:?}");
                }
            }
        }
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut known = Generations::default();
        for at in 0..MOST * 3 {
            let mut key = Key::default();
            key[..8].copy_from_slice(&at.to_le_bytes());
            known.keep(key, 1);
        }
        assert!(known.new.len() <= MOST && known.old.len() <= MOST);
    }
}
