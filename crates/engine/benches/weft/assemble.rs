//! From an in-memory history with counts cached to a request, report and hash.

use crate::corpus;
use crate::results::Results;
use std::hint::black_box;
use std::time::{Duration, Instant};
use weftwork::ask::{Ask, Counter, Settings, Strategy};
use weftwork::count::Base;
use weftwork::dialect::Dialect;
use weftwork::{History, assemble};

const NODES: [(&str, usize); 4] = [("1k", 1_000), ("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)];
const WINDOWS: [(&str, u64); 3] = [("8k", 8_000), ("128k", 128_000), ("1M", 1_000_000)];

pub(crate) fn run(results: &mut Results, only: Option<&str>, window: Option<&str>) {
    for (nodes, count) in NODES.into_iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        let history = History::new(corpus::chat(count)).expect("the corpus is a tree");
        history.count(Base::O200k);
        for (window, tokens) in WINDOWS.into_iter().filter(|(name, _)| window.is_none_or(|only| only == *name)) {
            results.add(format!("assemble/{window}/{nodes}"), median(&history, &ask(tokens, None)), "ms");
        }
        for strategy in [Strategy::RollingWindow, Strategy::StickyWindow].into_iter().filter(|_| window.is_none()) {
            let value = median(&history, &ask(8_000, Some(strategy)));
            results.add(format!("assemble/8k/{nodes}/{strategy}"), value, "ms");
        }
    }
}

fn ask(tokens: u64, strategy: Option<Strategy>) -> Ask {
    Ask {
        dialect: Some(Dialect::OpenAi),
        settings: Settings {
            context_length: Some(tokens + 1024),
            counter: Some(Counter::O200k),
            truncation_strategy: strategy,
            ..Settings::default()
        },
        ..Ask::default()
    }
}

/// The median of as many runs as fit into a second, at least five.
fn median(history: &History, ask: &Ask) -> f64 {
    let mut times: Vec<Duration> = Vec::new();
    let begin = Instant::now();
    while times.len() < 5 || (begin.elapsed() < Duration::from_secs(1) && times.len() < 2_000) {
        let start = Instant::now();
        black_box(assemble(black_box(history), black_box(ask)).expect("it fits"));
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}
