//! `make bench`, the part on disk: durable append, and load-then-assemble of an 8k window, beside raw SQLite doing the same
//! reads and writes in the same process, turn by turn, and beside the peers' own stores where they are installed.
//!
//! `store [NODES]` measures one size only.

#[path = "../../../engine/benches/weft/corpus.rs"]
#[allow(dead_code)]
mod corpus;
mod peers;
mod raw;
#[path = "../../../engine/benches/weft/results.rs"]
mod results;

use raw::Raw;
use results::Results;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use weftwork::ask::{Ask, Counter, Settings};
use weftwork::dialect::Dialect;
use weftwork::model::{Conversation, Node, SpaceId, Timestamp};
use weftwork_store::{Access, Address, Draft, Names, Store};

const NODES: [(&str, usize); 3] = [("1k", 1_000), ("100k", 100_000), ("1M", 1_000_000)];
const NOW: i64 = 1_771_426_200_000;
/// Appends and loads of each size.
const ROUNDS: usize = 400;

fn main() {
    let only = std::env::args().skip(1).find(|argument| argument != "--bench");
    let mut results = Results::default();
    for (name, count) in NODES.into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        measure(&mut results, name, count);
    }
    if only.is_none() {
        peers::run(&mut results);
    }
    results.print();
    results.write();
}

fn measure(results: &mut Results, name: &str, count: usize) {
    let folder = Folder::new();
    let mut file = corpus::chat(count);
    for (at, node) in (0..).zip(&mut file.nodes) {
        node.created_at = Timestamp::from_millis(NOW + at * 1000);
    }
    let payload: usize = file.nodes.iter().map(raw::body).map(|body| body.len()).sum();
    let address = Address::File(folder.0.join("weft.db"));
    let store = Store::open(&address, Access::Write, NOW).expect("a new store");
    let space = SpaceId::from("bench");
    store.checkpoint().expect("a checkpoint");
    let empty = size(&folder.0.join("weft.db"));
    let start = Instant::now();
    fill(&store, &file);
    results.add(format!("import/{name}"), start.elapsed().as_secs_f64(), "s");
    let mut raw = Raw::new(&folder.0.join("raw.db"), &file);
    let per_node = |bytes: u64| bytes as f64 / count as f64;
    store.checkpoint().expect("a checkpoint");
    raw.checkpoint();
    results.add(format!("bytes/{name}@payload"), per_node(payload as u64), "B/node");
    // What an empty store takes is the same whatever it will hold.
    results.add(format!("bytes/{name}"), per_node(size(&folder.0.join("weft.db")) - empty), "B/node");
    results.add(format!("bytes/{name}@raw"), per_node(size(&folder.0.join("raw.db"))), "B/node");
    rounds(results, name, &store, &space, &mut raw, &file);
    if count <= 100_000 {
        while store.index(10_000).expect("indexed") > 0 {}
        store.checkpoint().expect("a checkpoint");
        let bytes = (size(&folder.0.join("weft.db")) - empty) as f64 / (count + ROUNDS) as f64;
        results.add(format!("bytes/{name}/search"), bytes, "B/node");
    }
}

/// Our appends have keys, and so do our bytes: an id made of a key is no longer than any other.
fn fill(store: &Store, file: &Conversation) {
    let mut keyed = file.clone();
    let ids: Vec<_> = (0..file.nodes.len()).map(|at| format!("{:016x}", at.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    for (at, node) in keyed.nodes.iter_mut().enumerate() {
        node.id = ids[at].as_str().into();
        node.parent = at.checked_sub(1).map(|before| ids[before].as_str().into());
    }
    store.import(&keyed, Names::Ours, NOW, &mut |_| {}).expect("imported");
}

/// Ours and raw by turns, so that both see the same machine.
fn rounds(results: &mut Results, name: &str, store: &Store, space: &SpaceId, raw: &mut Raw, file: &Conversation) {
    let settings = Settings { context_length: Some(9_024), counter: Some(Counter::O200k), ..Settings::default() };
    let ask = Ask { dialect: Some(Dialect::OpenAi), settings, ..Ask::default() };
    let read = store.load(space, &ask).expect("loaded").nodes().len();
    let mut times: [Vec<Duration>; 4] = Default::default();
    for at in 0..ROUNDS {
        let node = &file.nodes[at % file.nodes.len()];
        let draft = Draft::new(Node { id: "".into(), ..node.clone() }).key(format!("bench-{at}"));
        times[0].push(time(|| store.append(space, draft).expect("appended")));
        times[1].push(time(|| raw.append(node)));
        times[2].push(time(|| store.assemble(space, &ask).expect("assembled")));
        times[3].push(time(|| raw.last(read)));
    }
    let [append, append_raw, load, load_raw] = times.map(median);
    results.add(format!("append/{name}"), append, "ms");
    results.add(format!("append/{name}@raw"), append_raw, "ms");
    results.add(format!("load/8k/{name}"), load, "ms");
    results.add(format!("load/8k/{name}@raw"), load_raw, "ms");
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn size(path: &Path) -> u64 {
    let with = |end: &str| PathBuf::from(format!("{}{end}", path.display()));
    ["", "-wal"].iter().filter_map(|end| std::fs::metadata(with(end)).ok()).map(|file| file.len()).sum()
}

/// A folder that goes with the measurement.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let folder = std::env::temp_dir().join(format!("weft-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
