//! Byte pair encoding of a piece that is not itself a token.
//!
//! The pair of the lowest rank merges first, of equal ones the leftmost, until no two neighbours merge; a merge only makes
//! pairs of higher rank. So rare merges, whose table is too large for the nearest caches, are asked for only once no
//! common one is left, when most of the piece is already together. A short piece looks through all its pairs for the next
//! merge, which beats any queue at that size.

use super::pairs::{COMMON, Pairs, Rank};
use super::stretch;

/// Pieces up to this many bytes are merged here.
const SHORT: usize = 64;
/// The key of a place where nothing merges; greater than any key.
const NEVER: u64 = u64::MAX;

/// The number of tokens that the piece is encoded into.
pub(super) fn count(pairs: &Pairs, piece: &[u8]) -> u32 {
    match piece.len().div_ceil(16) {
        0..=1 => Merging::<16>::new(pairs, piece).count(pairs),
        2 => Merging::<32>::new(pairs, piece).count(pairs),
        3 => Merging::<48>::new(pairs, piece).count(pairs),
        4 => Merging::<SHORT>::new(pairs, piece).count(pairs),
        5.. => stretch::count(pairs, piece),
    }
}

/// A piece of up to `ROOM` bytes in the making. A token stands at the place of its first byte.
struct Merging<const ROOM: usize> {
    length: usize,
    tokens: u32,
    ranks: [Rank; ROOM],
    /// For each token the merge with the one after it, see [`key`].
    keys: [u64; ROOM],
    before: [u8; ROOM],
    after: [u8; ROOM],
}

impl<const ROOM: usize> Merging<ROOM> {
    #[inline]
    fn new(pairs: &Pairs, piece: &[u8]) -> Self {
        let mut merging = Merging {
            length: piece.len(),
            tokens: piece.len() as u32,
            ranks: [0; ROOM],
            keys: [NEVER; ROOM],
            before: [0; ROOM],
            after: [0; ROOM],
        };
        for (at, &byte) in piece.iter().enumerate().take(ROOM) {
            merging.ranks[at] = pairs.byte(byte);
            merging.before[at] = (at as u8).wrapping_sub(1);
            merging.after[at] = at as u8 + 1;
            let merged = piece.get(at + 1).and_then(|&next| pairs.bytes_merged(byte, next));
            merging.keys[at] = key(merged, at);
        }
        merging
    }

    #[inline]
    fn count(mut self, pairs: &Pairs) -> u32 {
        self.merge_below(key(Some(COMMON), 0), |left, right| pairs.common(left, right));
        let mut at = 0;
        while usize::from(self.after[at]) < self.length {
            let next = usize::from(self.after[at]);
            self.keys[at] = key(pairs.rare(self.ranks[at], self.ranks[next]), at);
            at = next;
        }
        self.merge_below(NEVER, |left, right| pairs.rare(left, right));
        self.tokens
    }

    /// Merges while the next merge has a key below the limit.
    #[inline]
    fn merge_below(&mut self, limit: u64, merged: impl Fn(Rank, Rank) -> Option<Rank>) {
        loop {
            let least = least(&self.keys);
            if least >= limit {
                return;
            }
            let (at, rank) = (least as usize % SHORT, (least / SHORT as u64) as Rank);
            let right = usize::from(self.after[at]);
            let next = usize::from(self.after[right]);
            self.tokens -= 1;
            self.ranks[at] = rank;
            self.after[at] = next as u8;
            self.keys[at] = NEVER;
            self.keys[right] = NEVER;
            if next < self.length {
                self.before[next] = at as u8;
                self.keys[at] = key(merged(rank, self.ranks[next]), at);
            }
            if at > 0 {
                let left = usize::from(self.before[at]);
                self.keys[left] = key(merged(self.ranks[left], rank), left);
            }
        }
    }
}

/// `rank << 6 | place` of a merge, so that the least key is the next merge.
#[inline]
fn key(merged: Option<Rank>, at: usize) -> u64 {
    merged.map_or(NEVER, |rank| (rank as usize * SHORT + at) as u64)
}

/// The least of the keys. They are words that the processor reads one by one: a wider read would have to wait for the
/// narrower writes of the merge just done.
#[inline]
fn least(keys: &[u64]) -> u64 {
    let mut least = [NEVER; 4];
    for four in keys.chunks_exact(4) {
        for (least, &key) in least.iter_mut().zip(four) {
            *least = key.min(*least);
        }
    }
    least.into_iter().fold(NEVER, u64::min)
}
