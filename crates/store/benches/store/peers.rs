//! The peers' stores, run by their own harness, where both are installed.

use crate::corpus;
use crate::results::Results;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

const PEERS: [&str; 3] = ["agents-sqlite", "llamaindex-sql", "langgraph-sqlite"];
const SIZES: [(&str, &str); 2] = [("1k", "1000"), ("100k", "100000")];

pub(crate) fn run(results: &mut Results) {
    let place = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.exists());
    let (Some(harness), Some(venv), Some(_)) = (place("PEERS_HARNESS"), place("PEERS_VENV"), corpus::folder()) else {
        eprintln!("peers: PEERS_HARNESS, PEERS_VENV and PEERS_CORPUS are not set, so only our own numbers are shown");
        return;
    };
    let out = std::env::temp_dir().join("weft-bench-storage.jsonl");
    for (size, messages) in SIZES {
        for peer in PEERS {
            let _ = std::fs::remove_file(&out);
            let mut command = Command::new(venv.join("bin/python"));
            command.arg(harness.join("bench_storage.py")).args([peer, messages]).arg(&out).env("LIMIT", "20");
            if let Err(error) = command.output() {
                eprintln!("peers: {command:?}: {error}");
            }
            let row: Value = std::fs::read(&out).ok().and_then(|line| serde_json::from_slice(&line).ok()).unwrap_or_default();
            for (field, name, unit) in
                [("append_p50", "append", "ms"), ("last_p50", "load/8k", "ms"), ("bytes_per_msg", "bytes", "B/node")]
            {
                match row[field].as_f64() {
                    Some(value) => results.add(format!("{name}/{size}@{peer}"), value, unit),
                    None => eprintln!("peers: {peer} at {size} gave no {field}"),
                }
            }
        }
    }
}
