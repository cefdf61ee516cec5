//! Times the counters on texts made to be slow: `cargo run --release --example hostile [MEGABYTES]`.

use std::time::Instant;

use weftwork::count::{Vocabulary, tokenx};

fn main() {
    let megabytes: usize = std::env::args().nth(1).map_or(1, |size| size.parse().expect("a number"));
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize
    };
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let size = megabytes * 1_000_000;
    let base64: String = (0..size).map(|_| alphabet[random() % 64]).collect();
    let letters: String = (0..size).map(|_| alphabet[26 + random() % 26]).collect();
    let symbols: String = (0..size).map(|_| ['-', '=', '*', '.', '#', '/'][random() % 6]).collect();
    let marks: String = (0..size / 2).map(|_| ['\u{301}', '\u{302}', '\u{5d0}'][random() % 3]).collect();
    let mut texts: Vec<(&str, String)> =
        vec![("base64", base64), ("random letters", letters), ("random symbols", symbols), ("marks", marks)];
    for unit in [
        " ", "-", "=", "a", "A", "z", "👍", "你好", "\n", " \n", "\r\n", "\t", "1", "ab", "'", "\u{301}", "\0", "\u{a0}", "ก",
        "ha", "A你", "aA", "/",
    ] {
        texts.push((unit, unit.repeat(size / unit.len())));
    }
    Vocabulary::O200k.count("load");
    Vocabulary::Cl100k.count("load");
    for (name, text) in &texts {
        let (mut times, mut counts) = (Vec::new(), Vec::new());
        for counter in [|text: &str| Vocabulary::O200k.count(text), |text: &str| Vocabulary::Cl100k.count(text), tokenx] {
            let start = Instant::now();
            counts.push(counter(text));
            times.push(start.elapsed().as_millis());
        }
        println!("{name:>16?}  o200k, cl100k, tokenx: {times:?} ms  {counts:?}");
    }
}
