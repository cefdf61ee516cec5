//! Exact counting, cold: the first pass over the texts in a fresh process, one text at a time, on one thread.

use crate::corpus;
use crate::results::Results;
use std::process::Command;
use std::time::Instant;
use weftwork::count::Base;

const COUNTERS: [(&str, Base); 4] =
    [("o200k", Base::O200k), ("cl100k", Base::Cl100k), ("chars4", Base::Chars4), ("tokenx", Base::Tokenx)];
const REPEATS: usize = 3;

pub(crate) fn run(results: &mut Results) {
    let own = std::env::current_exe().expect("a program knows where it is");
    let mut sets = vec!["10000"];
    if corpus::folder().is_some_and(|folder| folder.join("texts-wild.jsonl").is_file()) {
        sets.push("wild");
    }
    for (counter, _) in COUNTERS {
        for &set in &sets {
            let runs =
                (0..REPEATS).map(|_| Command::new(&own).args(["count", counter, set]).output().expect("it can be run again"));
            let mut rows: Vec<(f64, f64)> = runs.map(|run| read(&String::from_utf8_lossy(&run.stdout))).collect();
            rows.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (speed, load) = rows[rows.len() / 2];
            results.add(format!("count/{counter}/{set}"), speed, "MB/s");
            results.add(format!("load/{counter}/{set}"), load, "ms");
        }
    }
}

fn read(line: &str) -> (f64, f64) {
    let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
    (numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN))
}

/// What the fresh process does: prints the speed and the time to load.
pub(crate) fn one_pass(counter: &str, set: &str) {
    let Some((_, base)) = COUNTERS.into_iter().find(|(name, _)| *name == counter) else { return };
    let texts = corpus::texts(set);
    let bytes: usize = texts.iter().map(String::len).sum();
    let begin = Instant::now();
    std::hint::black_box(base.text("load"));
    let load = begin.elapsed();
    let begin = Instant::now();
    let tokens: u64 = texts.iter().map(|text| base.text(text)).sum();
    let took = begin.elapsed();
    std::hint::black_box(tokens);
    println!("{} {}", bytes as f64 / 1e6 / took.as_secs_f64(), load.as_secs_f64() * 1e3);
}
