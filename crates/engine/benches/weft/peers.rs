//! The peers, run by their own harness beside ours, where both are installed.
//!
//! `PEERS_HARNESS` names the folder with `bench_assembly.py`, `bench_assembly.mjs` and `bench_tokenizers.py`,
//! `PEERS_VENV` and `PEERS_NODE` where the peers were installed, `PEERS_CORPUS` the corpus.

use crate::corpus;
use crate::results::Results;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const PYTHON: [&str; 4] = ["langchain-approx", "langchain-tiktoken", "llamaindex-memory", "litellm"];
const SIZES: [(&str, &str); 2] = [("1k", "1000"), ("100k", "100000")];

pub(crate) fn run(results: &mut Results) {
    let place = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.exists());
    let (Some(harness), Some(corpus)) = (place("PEERS_HARNESS"), corpus::folder()) else {
        eprintln!("peers: PEERS_HARNESS and PEERS_CORPUS are not set, so only our own numbers are shown");
        return;
    };
    let out = std::env::temp_dir().join("weft-bench-peers.jsonl");
    for (size, messages) in SIZES {
        let _ = std::fs::remove_file(&out);
        if let Some(venv) = place("PEERS_VENV") {
            for peer in PYTHON.iter().filter(|peer| messages == "1000" || peer.starts_with("langchain")) {
                let script = harness.join("bench_assembly.py");
                start(Command::new(venv.join("bin/python")).arg(script).args([*peer, messages]).arg(&out));
            }
        }
        if place("PEERS_NODE").is_some() {
            start(
                Command::new("node")
                    .arg("--max-old-space-size=8192")
                    .arg(harness.join("bench_assembly.mjs"))
                    .arg(messages)
                    .arg(&out),
            );
        }
        assembly(results, &out, size);
    }
    if let Some(venv) = place("PEERS_VENV") {
        for set in ["10000", "wild"] {
            for (counter, encoding) in [("o200k", "o200k_base"), ("cl100k", "cl100k_base")] {
                tiktoken(results, &harness, &venv, &corpus, (counter, encoding, set));
            }
        }
    }
}

fn start(command: &mut Command) {
    match command.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            eprintln!("peers: {command:?}: {}", String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default());
        }
        Err(error) => eprintln!("peers: {command:?}: {error}"),
    }
}

fn assembly(results: &mut Results, out: &Path, size: &str) {
    let Ok(text) = std::fs::read_to_string(out) else { return };
    for row in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let word = |field: &str| row[field].as_str().unwrap_or_default();
        let (peer, budget) = (word("peer"), word("budget"));
        if let Some(ms) = row["ms"].as_f64().filter(|_| budget == "8k" || budget == "128k") {
            results.add(format!("assemble/{budget}/{size}@{peer}"), ms, "ms");
        }
    }
}

fn tiktoken(results: &mut Results, harness: &Path, venv: &Path, corpus: &Path, (counter, encoding, set): (&str, &str, &str)) {
    let mut command = Command::new(venv.join("bin/python"));
    command.arg(harness.join("bench_tokenizers.py")).args(["tiktoken", encoding]);
    command.arg(corpus.join(format!("texts-{set}.jsonl"))).arg(corpus.join(format!("counts-{set}-{encoding}.txt"))).arg("1");
    match command.output() {
        Ok(output) => {
            let row: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            match row["cold_mb_s"].as_f64() {
                Some(speed) => results.add(format!("count/{counter}/{set}@tiktoken-py"), speed, "MB/s"),
                None => eprintln!("peers: {command:?}: {}", String::from_utf8_lossy(&output.stderr)),
            }
        }
        Err(error) => eprintln!("peers: {command:?}: {error}"),
    }
}
