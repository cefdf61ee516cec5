//! Byte pair encoding of long pieces, up to megabytes of one letter.
//!
//! The pairs wait in a heap, and an endless piece is encoded in stretches that are joined where they fit, so that time
//! grows in step with length and memory stays small.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::{Pairs, Rank};

/// Bytes that are encoded at a time.
const STRETCH: usize = 1024;
/// Tokens before a seam that are encoded again with what follows; doubled until the seam holds.
const OVERLAP: usize = 2;

const NONE: Rank = Rank::MAX;

/// The number of tokens that the piece is encoded into.
///
/// Two encodings side by side are the encoding of the whole if the two tokens at the seam, taken alone, are encoded into
/// themselves. So a stretch is encoded together with the last tokens before it, and with more of them for as long as the
/// seam does not hold. How far to the left a later byte can reach is bounded: each step of it needs a pair of lower rank.
pub(super) fn count(pairs: &Pairs, piece: &[u8]) -> u32 {
    let (mut starts, mut done) = (Vec::new(), 0);
    while done < piece.len() {
        let upto = (done + STRETCH).min(piece.len());
        let mut overlap = OVERLAP;
        loop {
            let kept = starts.len().saturating_sub(overlap);
            let from = starts.get(kept).copied().unwrap_or(done);
            let stretch = encode(pairs, &piece[from..upto]);
            let second = stretch.get(1).map_or(upto, |start| from + start);
            if kept == 0 || encode(pairs, &piece[starts[kept - 1]..second]) == [0, from - starts[kept - 1]] {
                starts.truncate(kept);
                starts.extend(stretch.iter().map(|start| from + start));
                break;
            }
            overlap *= 2;
        }
        done = upto;
    }
    starts.len() as u32
}

/// A token in the making, at the place of its first byte. Without a rank it has become part of the one before.
#[derive(Clone, Copy)]
struct Link {
    rank: Rank,
    /// What it and the token after it merge into.
    merged: Rank,
    before: u32,
    after: u32,
}

/// Where each token of the encoding begins.
fn encode(pairs: &Pairs, piece: &[u8]) -> Vec<usize> {
    let mut links: Vec<Link> = Vec::with_capacity(piece.len());
    for (at, &byte) in piece.iter().enumerate() {
        let merged = piece.get(at + 1).and_then(|&next| pairs.bytes_merged(byte, next));
        let (before, after) = ((at as u32).wrapping_sub(1), at as u32 + 1);
        links.push(Link { rank: pairs.byte(byte), merged: merged.unwrap_or(NONE), before, after });
    }
    let waiting = links.iter().enumerate().filter(|(_, link)| link.merged != NONE);
    let mut heap: BinaryHeap<_> = waiting.map(|(at, link)| Reverse(turn(link.merged, at))).collect();
    while let Some(Reverse(turn)) = heap.pop() {
        let (rank, at) = ((turn >> 32) as Rank, turn as u32 as usize);
        if links[at].merged != rank {
            continue;
        }
        let right = links[at].after as usize;
        let next = links[right].after;
        links[right] = Link { rank: NONE, merged: NONE, ..links[right] };
        links[at] = Link { rank, merged: NONE, after: next, ..links[at] };
        if let Some(following) = links.get_mut(next as usize) {
            following.before = at as u32;
            meet(pairs, &mut links, &mut heap, at);
        }
        if at > 0 {
            let left = links[at].before as usize;
            meet(pairs, &mut links, &mut heap, left);
        }
    }
    links.iter().enumerate().filter(|(_, link)| link.rank != NONE).map(|(at, _)| at).collect()
}

/// Notes what the token at `at` and the one after it merge into.
fn meet(pairs: &Pairs, links: &mut [Link], heap: &mut BinaryHeap<Reverse<u64>>, at: usize) {
    let right = links[links[at].after as usize].rank;
    links[at].merged = pairs.merged(links[at].rank, right).unwrap_or(NONE);
    if links[at].merged != NONE {
        heap.push(Reverse(turn(links[at].merged, at)));
    }
}

/// When a merge is due: the lower rank first, then the place further left.
fn turn(rank: Rank, at: usize) -> u64 {
    u64::from(rank) << 32 | at as u64
}
