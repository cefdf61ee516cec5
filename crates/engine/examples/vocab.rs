//! Makes the files of `vocab/`: `cargo run --release --example vocab -- DIR_WITH_RANK_FILES`.
//!
//! The directory holds `o200k_base.tiktoken` and `cl100k_base.tiktoken` as OpenAI publishes them; their SHA-256 must be
//! the one that tiktoken itself checks. Unicode classes come from `regex-syntax`, the tables behind tiktoken's own splitter.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use regex_syntax::hir::{Class, HirKind};
use sha2::{Digest, Sha256};

const O200K: (&str, &str, &str) =
    ("o200k_base.tiktoken", "o200k.merges", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d");
const CL100K: (&str, &str, &str) =
    ("cl100k_base.tiktoken", "cl100k.merges", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7");

/// In the order of `count::class::Class`; what none of them names is `Other`.
const CLASSES: [&str; 7] = [r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"[\r\n]", r"[\s&&[^\r\n]]"];
const OTHER: u8 = 7;

fn main() {
    let ranks = std::env::args().nth(1).expect("the folder of the rank files");
    let vocab = Path::new(env!("CARGO_MANIFEST_DIR")).join("vocab");
    for (file, made, sha256) in [O200K, CL100K] {
        let text = fs::read(Path::new(&ranks).join(file)).expect("rank file");
        let sum: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, sha256, "{file} is not the published file");
        fs::write(vocab.join(made), merges(&tokens(&text))).expect("write");
    }
    fs::write(vocab.join("classes.runs"), class_runs()).expect("write");
}

/// The tokens of a rank file, in order of rank; ranks must have no gap.
fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines
        .enumerate()
        .map(|(at, line)| {
            let blank = line.iter().position(|&byte| byte == b' ').expect("token, blank, rank");
            let rank: usize = std::str::from_utf8(&line[blank + 1..]).expect("ascii").parse().expect("rank");
            assert_eq!(rank, at, "ranks without a gap");
            base64(&line[..blank])
        })
        .collect()
}

fn base64(text: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for &letter in text.iter().filter(|&&letter| letter != b'=') {
        let value = ALPHABET.iter().position(|&known| known == letter).expect("base64");
        bits = bits << 6 | value as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

/// 256 bytes: the single byte of each of the first 256 ranks. Then, for each further rank, the ranks of the two tokens
/// it is merged from, each in as many bits as the largest rank needs, least significant bit first.
fn merges(tokens: &[Vec<u8>]) -> Vec<u8> {
    let ranks: HashMap<&[u8], u32> = tokens.iter().zip(0..).map(|(token, rank)| (token.as_slice(), rank)).collect();
    let width = usize::BITS - (tokens.len() - 1).leading_zeros();
    let mut file: Vec<u8> = tokens[..256].iter().flat_map(|token| token.clone()).collect();
    assert_eq!(file.len(), 256, "the first 256 ranks are the single bytes");
    let (mut bits, mut held) = (0u64, 0);
    for (rank, token) in tokens.iter().enumerate().skip(256) {
        for half in last_merge(token, rank as u32, &ranks) {
            bits |= u64::from(half) << held;
            held += width;
            while held >= 8 {
                file.push(bits as u8);
                bits >>= 8;
                held -= 8;
            }
        }
    }
    file.push(bits as u8);
    file
}

/// What byte pair encoding has made of the token just before its own merge.
fn last_merge(token: &[u8], rank: u32, ranks: &HashMap<&[u8], u32>) -> [u32; 2] {
    let mut ends: Vec<usize> = (0..=token.len()).collect();
    while ends.len() > 3 {
        let pairs = ends.windows(3).enumerate();
        let best = pairs.filter_map(|(at, w)| Some((*ranks.get(&token[w[0]..w[2]])?, at))).min().expect("reachable");
        assert!(best.0 < rank, "a token is made of lower ranks");
        ends.remove(best.1 + 1);
    }
    [ranks[&token[..ends[1]]], ranks[&token[ends[1]..]]]
}

/// Runs of code points of one class from U+0000 up, each `length << 3 | class` as LEB128.
fn class_runs() -> Vec<u8> {
    let mut classes = vec![OTHER; 0x11_0000];
    for (class, pattern) in CLASSES.iter().enumerate() {
        let hir = regex_syntax::parse(pattern).expect("pattern");
        let HirKind::Class(Class::Unicode(set)) = hir.kind() else { panic!("{pattern} is a class") };
        for range in set.ranges() {
            classes[range.start() as usize..=range.end() as usize].fill(class as u8);
        }
    }
    let mut file = Vec::new();
    for run in classes.chunk_by(|left, right| left == right) {
        let mut value = run.len() << 3 | usize::from(run[0]);
        while value >= 0x80 {
            file.push(value as u8 | 0x80);
            value >>= 7;
        }
        file.push(value as u8);
    }
    file
}
