//! Short ids of nodes, for agents to name them by.
//!
//! An id is the node's place in the order of its space, scrambled and spelled: a letter, then letters and digits without
//! look-alikes; three of them for the first 22,528 nodes, more for later ones. The scrambling is `place * step + first`,
//! modulo the number of ids of that length, with a step that has no divisor in common with it. So two places never have the
//! same id, every id leads back to one place, and nothing is stored. A place is given once, under the space's lock, and
//! never again; time has no part in it.

use crate::node::Seq;
use std::fmt;

/// A short id of a node: unique in its space and the same for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(Seq);

/// An id begins with one of these: what is all digits is taken for a number.
const FIRST: &[u8; 22] = b"abcdefghjkmnpqrstvwxyz";
const REST: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The ids of one length. Changing a number changes every id that was ever shown.
struct Length {
    letters: u32,
    /// The first place that has an id of this length.
    from: u128,
    /// How many ids there are: 22 · 32^(letters - 1).
    count: u128,
    /// Neighbours lie so far apart.
    step: u128,
    /// What undoes the step: their product is 1, modulo the count.
    back: u128,
    first: u128,
}

const LENGTHS: [Length; 5] = [
    Length { letters: 3, from: 1, count: 22_528, step: 13_923, back: 843, first: 5_318 },
    Length { letters: 4, from: 22_529, count: 720_896, step: 445_539, back: 136_523, first: 170_180 },
    Length { letters: 5, from: 743_425, count: 23_068_672, step: 14_257_223, back: 17_194_359, first: 5_445_774 },
    Length { letters: 6, from: 23_812_097, count: 738_197_504, step: 456_231_147, back: 218_161_091, first: 174_264_791 },
    Length {
        letters: 7,
        from: 762_009_601,
        count: 23_622_320_128,
        step: 14_599_396_731,
        back: 12_830_914_995,
        first: 5_576_473_336,
    },
];

impl LocalId {
    /// The id of the node at a place.
    pub fn of(seq: Seq) -> LocalId {
        LocalId(seq)
    }

    /// The place of the node.
    pub fn seq(self) -> Seq {
        self.0
    }

    /// Reads an id, in either case. Whether there is such a node is another question.
    pub fn parse(text: &str) -> Option<LocalId> {
        let length = LENGTHS.iter().find(|length| length.letters as usize == text.len())?;
        let mut spelled = 0;
        for (at, byte) in text.bytes().enumerate() {
            let letters: &[u8] = if at == 0 { FIRST } else { REST };
            let value = letters.iter().position(|letter| *letter == byte.to_ascii_lowercase())?;
            spelled = spelled * REST.len() as u128 + value as u128;
        }
        let place = (spelled + length.count - length.first) * length.back % length.count;
        i64::try_from(length.from + place).ok().map(|seq| LocalId(Seq(seq)))
    }
}

impl fmt::Display for LocalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seq = u128::try_from(self.0.0).unwrap_or_default().max(1);
        let length = LENGTHS.iter().rev().find(|length| length.from <= seq).unwrap_or(&LENGTHS[0]);
        let spelled = ((seq - length.from) * length.step + length.first) % length.count;
        for at in (0..length.letters).rev() {
            let digit = (spelled >> (5 * at)) as usize;
            let letter = if at + 1 == length.letters { FIRST[digit] } else { REST[digit & 31] };
            write!(f, "{}", letter as char)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::collections::HashSet;

    /// More nodes than a space can have are not spelled.
    const LAST: i64 = u32::MAX as i64 - 1;

    #[test]
    fn ids_of_yesterday_are_ids_of_tomorrow() {
        for (seq, id) in [
            (1, "f66"),
            (2, "ws9"),
            (3, "mcc"),
            (22_528, "qk3"),
            (22_529, "f664"),
            (743_425, "f664e"),
            (23_812_097, "f664eq"),
            (762_009_601, "f664eqr"),
        ] {
            assert_eq!(LocalId::of(Seq(seq)).to_string(), id, "{seq}");
        }
    }

    #[test]
    fn every_length_is_a_permutation() {
        let mut next = 1;
        for length in &LENGTHS {
            assert_eq!(length.from, next);
            assert_eq!(length.count, 22 * 32_u128.pow(length.letters - 1));
            assert_eq!(length.step * length.back % length.count, 1, "what has an inverse maps one to one");
            assert!(length.first < length.count);
            next += length.count;
        }
        assert!(next > LAST as u128, "there is an id for every node of the largest space");
    }

    #[test]
    fn no_two_nodes_of_a_tree_of_a_million_share_an_id() {
        let mut seen = HashSet::new();
        for seq in 1..=1_000_000 {
            let id = LocalId::of(Seq(seq)).to_string();
            assert_eq!(LocalId::parse(&id), Some(LocalId(Seq(seq))), "{id}");
            assert!(seen.insert(id));
        }
    }

    #[test]
    fn whatever_is_shown_of_a_tree_has_ids_of_its_own_that_lead_back() {
        let mut rng = Rng::with_seed(4);
        for tree in 0..10_000 {
            let magnitude = rng.u32(1..32);
            let size = rng.i64(1..=1 << magnitude);
            let shown: HashSet<i64> = (0..rng.usize(1..60)).map(|_| rng.i64(1..=size)).collect();
            let ids: HashSet<String> = shown.iter().map(|seq| LocalId::of(Seq(*seq)).to_string()).collect();
            assert_eq!(ids.len(), shown.len(), "tree {tree} of {size}");
            let back: HashSet<i64> =
                ids.iter().filter_map(|id| LocalId::parse(&id.to_uppercase())).map(|id| id.seq().0).collect();
            assert_eq!(back, shown, "tree {tree} of {size}");
        }
    }

    #[test]
    fn what_is_no_id_is_none() {
        for text in ["", "ab", "1ab", "ilo", "abu", "a b", "äbc", "abcdefgh", "ab\n", "msg:abc"] {
            assert_eq!(LocalId::parse(text), None, "{text:?}");
        }
    }
}
