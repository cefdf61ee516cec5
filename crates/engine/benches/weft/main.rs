//! `make bench`: how fast the engine is and what its strategies cost, beside its peers in the same run.
//!
//! Prints a table and writes `target/bench/results.json`. With a corpus folder in `PEERS_CORPUS` the texts of the peers'
//! harness are used and, where `PEERS_HARNESS` names that harness, its peers are run beside ours; without, a corpus of
//! the same kind is made here.

mod assemble;
mod corpus;
mod cost;
mod count;
mod peers;
mod results;

use results::Results;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [task, counter, set] = arguments.as_slice()
        && task == "count"
    {
        return count::one_pass(counter, set);
    }
    let only = arguments.first().map_or("", String::as_str);
    let mut results = Results::default();
    if "assemble".contains(only) {
        let argument = |at: usize| arguments.get(at).map(String::as_str);
        assemble::run(&mut results, argument(1), argument(2));
    }
    if "count".contains(only) {
        count::run(&mut results);
    }
    if "cost".contains(only) {
        cost::run(&mut results);
    }
    if only.is_empty() || only == "peers" {
        peers::run(&mut results);
    }
    results.print();
    results.write();
}
