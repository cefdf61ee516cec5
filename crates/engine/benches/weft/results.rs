//! The table and the file of results.

use serde_json::{Value, json};
use std::path::PathBuf;

/// Named numbers, in the order they were measured.
#[derive(Default)]
pub(crate) struct Results(Vec<(String, f64, &'static str)>);

impl Results {
    pub(crate) fn add(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        let name = name.into();
        eprintln!("{name:<44} {value:>12.4} {unit}");
        self.0.push((name, value, unit));
    }

    /// The table, each row with its ratio to ours where it is a peer's.
    pub(crate) fn print(&self) {
        println!("{:<44} {:>12} {:<12} to ours", "name", "value", "unit");
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by(|a, b| a.0.split('@').next().cmp(&b.0.split('@').next()).then(a.0.len().cmp(&b.0.len())));
        for (name, value, unit) in rows {
            let ours = name.split_once('@').and_then(|(ours, _)| self.0.iter().find(|(other, _, _)| other == ours));
            let ratio = ours.map(|(_, ours, _)| format!("{:>8.1}×", value / ours)).unwrap_or_default();
            println!("{name:<44} {value:>12.4} {unit:<12} {ratio}");
        }
    }

    /// Adds to what other benchmarks of the same run wrote.
    pub(crate) fn write(&self) {
        let folder =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("../../target"), PathBuf::from).join("bench");
        let file = folder.join("results.json");
        let before = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice::<Vec<Value>>(&bytes).ok());
        let others = |row: &Value| !self.0.iter().any(|(name, _, _)| row["name"] == *name);
        let mut rows: Vec<Value> = before.unwrap_or_default().into_iter().filter(others).collect();
        rows.extend(self.0.iter().map(|(name, value, unit)| json!({"name": name, "value": value, "unit": unit})));
        let text = serde_json::to_string_pretty(&rows).expect("plain data serialises");
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(file, text)).expect("target can be written");
    }
}
