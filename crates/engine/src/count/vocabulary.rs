//! The two vocabularies, unpacked from `vocab/` on first use.

use std::sync::OnceLock;

use super::pairs::{Pairs, Rank};
use super::scan::Scan;
use super::split;
use super::words::{Lookup, Words};

static O200K: &[u8] = include_bytes!("../../vocab/o200k.merges");
static CL100K: &[u8] = include_bytes!("../../vocab/cl100k.merges");

/// A vocabulary of OpenAI's, on board: counting needs no file and no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// `o200k_base`, since GPT-4o.
    O200k,
    /// `cl100k_base`, GPT-3.5 and GPT-4.
    Cl100k,
}

impl Vocabulary {
    /// The number of tokens of a text: what tiktoken's `encode_ordinary` gives.
    pub fn count(self, text: &str) -> u32 {
        match self {
            Vocabulary::O200k => self.tables().count(text, split::o200k),
            Vocabulary::Cl100k => self.tables().count(text, split::cl100k),
        }
    }

    fn tables(self) -> &'static Tables {
        static TABLES: [OnceLock<Tables>; 2] = [const { OnceLock::new() }; 2];
        match self {
            Vocabulary::O200k => TABLES[0].get_or_init(|| Tables::unpack(O200K, 18)),
            Vocabulary::Cl100k => TABLES[1].get_or_init(|| Tables::unpack(CL100K, 17)),
        }
    }
}

struct Tables {
    words: Words,
    pairs: Pairs,
}

impl Tables {
    #[inline]
    fn count(&self, text: &str, piece_end: impl Fn(Scan<'_>, usize) -> usize) -> u32 {
        let scan = Scan::new(text);
        let mut lookup = Lookup::new(&self.words, scan.bytes(), &self.pairs);
        let mut at = 0;
        while at < text.len() {
            let end = piece_end(scan, at);
            lookup.push(at..end);
            at = end;
        }
        lookup.tokens()
    }

    fn unpack(file: &[u8], width: u32) -> Tables {
        let (singles, halves) = read(file, width);
        let (text, ends) = spell(singles, &halves);
        Tables { words: Words::new(&text, &ends), pairs: Pairs::new(singles, &halves) }
    }
}

/// The file: the single byte of each of the first 256 ranks, then for each further rank the two ranks that it is merged
/// from, in `width` bits each, least significant bit first.
fn read(file: &[u8], width: u32) -> (&[u8], Vec<[Rank; 2]>) {
    let (singles, packed) = file.split_at(256);
    let (mut halves, mut bits, mut held) = (Vec::with_capacity(packed.len() * 4 / width as usize), 0u64, 0);
    for &byte in packed {
        bits |= u64::from(byte) << held;
        held += 8;
        if held >= 2 * width {
            let half = |at: u32| (bits >> at) as Rank & ((1 << width) - 1);
            halves.push([half(0), half(width)]);
            bits >>= 2 * width;
            held -= 2 * width;
        }
    }
    (singles, halves)
}

/// The bytes of all tokens, one after the other, and where each begins and the last one ends.
fn spell(singles: &[u8], halves: &[[Rank; 2]]) -> (Vec<u8>, Vec<usize>) {
    let mut text = singles.to_vec();
    let mut ends: Vec<usize> = (0..=256).collect();
    for pair in halves {
        for &half in pair {
            text.extend_from_within(ends[half as usize]..ends[half as usize + 1]);
        }
        ends.push(text.len());
    }
    (text, ends)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::count::merge;

    /// tiktoken's own rule: of all neighbours whose bytes together are a token, those of the lowest rank merge first.
    fn by_definition(ranks: &HashMap<&[u8], Rank>, piece: &[u8]) -> u32 {
        let mut starts: Vec<usize> = (0..=piece.len()).collect();
        loop {
            let merges = starts.windows(3).zip(1..).filter_map(|(w, at)| Some((*ranks.get(&piece[w[0]..w[2]])?, at)));
            match merges.min() {
                Some((_, at)) => starts.remove(at),
                None => return starts.len() as u32 - 1,
            };
        }
    }

    fn agrees_with_the_definition(vocabulary: Vocabulary, file: &[u8], width: u32) {
        let (singles, halves) = read(file, width);
        let (text, ends) = spell(singles, &halves);
        let tokens: Vec<&[u8]> = ends.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect();
        let ranks = tokens.iter().copied().zip(0..).collect();
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for round in 0..400 {
            let length = [3, 9, 16, 17, 40, 64, 65, 200][round % 8];
            let kinds = [2, 3, 26, 200_000][round / 8 % 4];
            let first = random(tokens.len());
            let mut piece = Vec::new();
            while piece.len() < length {
                piece.extend_from_slice(tokens[(first + random(kinds)) % tokens.len()]);
            }
            assert_eq!(merge::count(&vocabulary.tables().pairs, &piece), by_definition(&ranks, &piece), "{piece:?}");
        }
        // Seams: pieces of more than one stretch.
        for round in 0..6 {
            let unit = tokens[random(tokens.len())];
            let noise: Vec<u8> = (0..random(3)).flat_map(|_| tokens[random(tokens.len())]).copied().collect();
            let piece: Vec<u8> = unit.iter().chain(&noise).cycle().take(1500 + 200 * round).copied().collect();
            assert_eq!(merge::count(&vocabulary.tables().pairs, &piece), by_definition(&ranks, &piece), "{piece:?}");
        }
    }

    #[test]
    fn merging_agrees_with_the_definition_in_o200k() {
        agrees_with_the_definition(Vocabulary::O200k, O200K, 18);
    }

    #[test]
    fn merging_agrees_with_the_definition_in_cl100k() {
        agrees_with_the_definition(Vocabulary::Cl100k, CL100K, 17);
    }

    #[test]
    fn every_token_is_one_token() {
        for (vocabulary, file, width) in [(Vocabulary::O200k, O200K, 18), (Vocabulary::Cl100k, CL100K, 17)] {
            let (singles, halves) = read(file, width);
            let (text, ends) = spell(singles, &halves);
            for token in ends.windows(2).map(|ends| &text[ends[0]..ends[1]]) {
                assert_eq!(merge::count(&vocabulary.tables().pairs, token), 1, "{token:?}");
            }
        }
    }
}
