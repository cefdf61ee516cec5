//! Which two neighbouring tokens merge, and into what.
//!
//! A token has exactly one pair it is merged from, the last merge that byte pair encoding does on its own bytes, and both
//! halves have a lower rank. tiktoken merges any two neighbours whose bytes together are a token; in a vocabulary that was
//! trained as these were, no other pair for that token ever stands side by side when its turn comes.
//!
//! The table of all pairs is megabytes, and merging asks it at random: most questions have the answer no, and most of the
//! others a merge of low rank. Both are answered out of smaller tables, near enough to the processor not to be waited for.

/// A token, by its place in the order of merges: the lower merges first.
pub(super) type Rank = u32;

/// Ranks of both vocabularies are below 2^18, so that a pair and its merge fit one word.
const RANK_BITS: u32 = 18;
/// Merges below this rank have a table of their own.
pub(super) const COMMON: Rank = 1 << 14;
/// Words of the filter: ten bits and more for each pair.
const FILTER_BITS: u32 = 15;
const NO_PAIR: u64 = u64::MAX;
const NO_RANK: Rank = Rank::MAX;

/// The merges of a vocabulary.
pub(super) struct Pairs {
    /// The rank of each single byte.
    bytes: [Rank; 256],
    /// What two single bytes merge into, by `left << 8 | right`.
    first: Vec<Rank>,
    common: Slots,
    /// Two bits for each rare pair: where one is missing, no rare pair is.
    filter: Vec<u64>,
    rare: Slots,
}

impl Pairs {
    /// The merges of a vocabulary: the byte of each of the first 256 ranks, then the halves of each further rank.
    pub(super) fn new(singles: &[u8], halves: &[[Rank; 2]]) -> Pairs {
        let mut pairs = Pairs {
            bytes: [0; 256],
            first: vec![NO_RANK; 1 << 16],
            common: Slots::with_room_for(COMMON as usize),
            filter: vec![0; 1 << FILTER_BITS],
            rare: Slots::with_room_for(halves.len().saturating_sub(COMMON as usize)),
        };
        for (&byte, rank) in singles.iter().zip(0..) {
            pairs.bytes[usize::from(byte)] = rank;
        }
        for (&[left, right], merged) in halves.iter().zip(256..) {
            if let (Some(&left), Some(&right)) = (singles.get(left as usize), singles.get(right as usize)) {
                pairs.first[usize::from(left) << 8 | usize::from(right)] = merged;
            }
            let pair = Pair::new(left, right);
            if merged < COMMON {
                pairs.common.insert(pair, merged);
            } else {
                let (word, bits) = pair.filter();
                pairs.filter[word] |= bits;
                pairs.rare.insert(pair, merged);
            }
        }
        pairs
    }

    /// The rank of a single byte.
    #[inline]
    pub(super) fn byte(&self, byte: u8) -> Rank {
        self.bytes[usize::from(byte)]
    }

    /// What two single bytes merge into.
    #[inline]
    pub(super) fn bytes_merged(&self, left: u8, right: u8) -> Option<Rank> {
        let merged = self.first[usize::from(left) << 8 | usize::from(right)];
        (merged != NO_RANK).then_some(merged)
    }

    /// What two tokens merge into.
    pub(super) fn merged(&self, left: Rank, right: Rank) -> Option<Rank> {
        self.common(left, right).or_else(|| self.rare(left, right))
    }

    /// What two tokens merge into, if that is below [`COMMON`].
    #[inline]
    pub(super) fn common(&self, left: Rank, right: Rank) -> Option<Rank> {
        self.common.merged(Pair::new(left, right))
    }

    /// What two tokens merge into, if that is not below [`COMMON`].
    #[inline]
    pub(super) fn rare(&self, left: Rank, right: Rank) -> Option<Rank> {
        let pair = Pair::new(left, right);
        let (word, bits) = pair.filter();
        if self.filter[word] & bits == bits { self.rare.merged(pair) } else { None }
    }
}

/// Two neighbours, as one number, and its hash.
#[derive(Clone, Copy)]
struct Pair {
    key: u64,
    hash: u64,
}

impl Pair {
    #[inline]
    fn new(left: Rank, right: Rank) -> Pair {
        let key = u64::from(left) << RANK_BITS | u64::from(right);
        Pair { key, hash: key.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    /// Its word of the filter and its bits in there. Below bit 36 of the hash not every bit of the key has a say.
    #[inline]
    fn filter(self) -> (usize, u64) {
        let bits = 1 << (self.hash >> 37 & 63) | 1 << (self.hash >> 43 & 63);
        ((self.hash >> (u64::BITS - FILTER_BITS)) as usize, bits)
    }
}

/// An open-addressed table, one word for each pair: left, right, merged.
struct Slots {
    slots: Vec<u64>,
    shift: u32,
}

impl Slots {
    fn with_room_for(pairs: usize) -> Slots {
        let slots = (pairs * 4 / 3).next_power_of_two();
        Slots { slots: vec![NO_PAIR; slots], shift: u64::BITS - slots.trailing_zeros() }
    }

    fn insert(&mut self, pair: Pair, merged: Rank) {
        let mut slot = (pair.hash >> self.shift) as usize;
        while self.slots[slot] != NO_PAIR {
            slot = (slot + 1) % self.slots.len();
        }
        self.slots[slot] = pair.key << RANK_BITS | u64::from(merged);
    }

    #[inline]
    fn merged(&self, pair: Pair) -> Option<Rank> {
        let mut slot = (pair.hash >> self.shift) as usize;
        loop {
            let found = self.slots[slot & (self.slots.len() - 1)];
            if found >> RANK_BITS == pair.key {
                return Some((found & ((1 << RANK_BITS) - 1)) as Rank);
            }
            if found == NO_PAIR {
                return None;
            }
            slot += 1;
        }
    }
}
