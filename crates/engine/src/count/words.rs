//! The set of all tokens, to know a piece that is one token at a glance.
//!
//! Most pieces are, so this is the busiest table, and far too large for the nearest caches: what it costs is waiting for
//! memory. Pieces are therefore gathered and looked up a batch at a time, so that the waits overlap. Up to 16 bytes a token
//! is its own key, padded with zeros; a piece that ends in a zero byte would be confused with its shorter self and is
//! therefore never looked up: the merge gives the same answer for it.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

use super::merge;
use super::pairs::Pairs;

/// The longest token of either vocabulary, in bytes.
const LONGEST: usize = 128;
/// Pieces in a batch.
const BATCH: usize = 32;

/// The tokens of two bytes and more.
pub(super) struct Words {
    short: Table<u64>,
    middle: Table<u128>,
    long: HashSet<Box<[u8]>>,
}

impl Words {
    /// The set of the tokens that stand in `text` one after the other, each up to the next of `ends`.
    pub(super) fn new(text: &[u8], ends: &[usize]) -> Words {
        let sized = |sizes: RangeInclusive<usize>| ends.windows(2).filter(|ends| sizes.contains(&(ends[1] - ends[0]))).count();
        let mut words = Words { short: Table::new(sized(2..=8)), middle: Table::new(sized(9..=16)), long: HashSet::new() };
        for token in ends.windows(2).map(|ends| ends[0]..ends[1]) {
            match token.len() {
                _ if text[token.end - 1] == 0 => {}
                2..=8 => words.short.insert(short_key(text, &token)),
                9..=16 => words.middle.insert(middle_key(text, &token)),
                17.. => drop(words.long.insert(text[token].into())),
                0..=1 => {}
            }
        }
        words
    }
}

/// The piece of 2 to 8 bytes as a number.
#[inline]
fn short_key(text: &[u8], piece: &Range<usize>) -> u64 {
    let mut bytes = [0; 8];
    match text[piece.start..].first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight) & u64::MAX >> (64 - 8 * piece.len()),
        None => {
            bytes[..piece.len()].copy_from_slice(&text[piece.clone()]);
            u64::from_le_bytes(bytes)
        }
    }
}

/// The piece of 9 to 16 bytes as a number.
#[inline]
fn middle_key(text: &[u8], piece: &Range<usize>) -> u128 {
    let mut bytes = [0; 16];
    match text[piece.start..].first_chunk() {
        Some(sixteen) => u128::from_le_bytes(*sixteen) & u128::MAX >> (128 - 8 * piece.len()),
        None => {
            bytes[..piece.len()].copy_from_slice(&text[piece.clone()]);
            u128::from_le_bytes(bytes)
        }
    }
}

/// Counts the pieces of one text: one for each that is a token, any other goes to be merged.
pub(super) struct Lookup<'t> {
    words: &'t Words,
    text: &'t [u8],
    pairs: &'t Pairs,
    short: Batch<u64>,
    middle: Batch<u128>,
    tokens: u32,
}

impl<'t> Lookup<'t> {
    pub(super) fn new(words: &'t Words, text: &'t [u8], pairs: &'t Pairs) -> Self {
        Lookup { words, pairs, text, short: Batch::new(), middle: Batch::new(), tokens: 0 }
    }

    /// Takes the next piece.
    #[inline(always)]
    pub(super) fn push(&mut self, piece: Range<usize>) {
        match piece.len() {
            0..=1 => self.tokens += piece.len() as u32,
            _ if self.text[piece.end - 1] == 0 => self.tokens += merge::count(self.pairs, &self.text[piece]),
            2..=8 => {
                if self.short.push(short_key(self.text, &piece), piece) {
                    self.tokens += self.short.settle(&self.words.short, self.text, self.pairs);
                }
            }
            9..=16 => {
                if self.middle.push(middle_key(self.text, &piece), piece) {
                    self.tokens += self.middle.settle(&self.words.middle, self.text, self.pairs);
                }
            }
            17..=LONGEST if self.words.long.contains(&self.text[piece.clone()]) => self.tokens += 1,
            _ => self.tokens += merge::count(self.pairs, &self.text[piece]),
        }
    }

    /// The number of tokens of all pieces taken.
    pub(super) fn tokens(mut self) -> u32 {
        self.tokens += self.short.settle(&self.words.short, self.text, self.pairs);
        self.tokens += self.middle.settle(&self.words.middle, self.text, self.pairs);
        self.tokens
    }
}

/// Pieces that wait to be looked up, each with its key.
struct Batch<K> {
    keys: [K; BATCH],
    pieces: [(usize, usize); BATCH],
    length: usize,
}

impl<K: Key> Batch<K> {
    fn new() -> Self {
        Batch { keys: [K::NONE; BATCH], pieces: [(0, 0); BATCH], length: 0 }
    }

    /// Whether the batch is full with it.
    #[inline]
    fn push(&mut self, key: K, piece: Range<usize>) -> bool {
        let place = self.length % BATCH;
        self.keys[place] = key;
        self.pieces[place] = (piece.start, piece.end);
        self.length = place + 1;
        self.length == BATCH
    }

    /// The number of tokens of the waiting pieces, of which none waits afterwards. All first slots are read before any is
    /// looked at: that is where the waits overlap.
    fn settle(&mut self, table: &Table<K>, text: &[u8], pairs: &Pairs) -> u32 {
        let length = self.length.min(BATCH);
        let mut found = [K::NONE; BATCH];
        for (found, &key) in found.iter_mut().zip(&self.keys[..length]) {
            *found = table.slots[table.home(key) & (table.slots.len() - 1)];
        }
        let mut tokens = 0;
        for place in 0..length {
            let key = self.keys[place];
            if found[place] == key || table.contains(key) {
                tokens += 1;
            } else {
                tokens += merge::count(pairs, &text[self.pieces[place].0..self.pieces[place].1]);
            }
        }
        self.length = 0;
        tokens
    }
}

/// A key of fixed size; zero stands for an empty slot.
trait Key: Copy + PartialEq {
    const NONE: Self;
    /// A hash whose upper bits are well mixed.
    fn hash(self) -> u64;
}

impl Key for u64 {
    const NONE: u64 = 0;

    #[inline]
    fn hash(self) -> u64 {
        self.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Key for u128 {
    const NONE: u128 = 0;

    #[inline]
    fn hash(self) -> u64 {
        let (low, high) = (self as u64, (self >> 64) as u64);
        (low ^ high.wrapping_mul(0xd6e8_feb8_6659_fd93)).hash()
    }
}

/// An open-addressed set.
struct Table<K> {
    slots: Vec<K>,
    shift: u32,
}

impl<K: Key> Table<K> {
    fn new(keys: usize) -> Table<K> {
        let slots = (keys * 4 / 3).next_power_of_two();
        Table { slots: vec![K::NONE; slots], shift: u64::BITS - slots.trailing_zeros() }
    }

    fn insert(&mut self, key: K) {
        let mut slot = self.home(key);
        while self.slots[slot] != K::NONE {
            slot = (slot + 1) % self.slots.len();
        }
        self.slots[slot] = key;
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        let mut slot = self.home(key);
        loop {
            let found = self.slots[slot & (self.slots.len() - 1)];
            if found == key {
                return true;
            }
            if found == K::NONE {
                return false;
            }
            slot += 1;
        }
    }

    #[inline]
    fn home(&self, key: K) -> usize {
        (key.hash() >> self.shift) as usize
    }
}
