//! What an import kept, mapped and dropped. Nothing vanishes unmentioned.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::fmt;
use std::hash::{Hash, Hasher};

/// What became of everything that was in the source.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LossReport {
    /// A line for each kind of thing, in the order they were first met.
    pub lines: Vec<LossLine>,
    /// Where each line is, by hash, so that a source with many kinds of fields is still read in linear time.
    #[serde(skip)]
    index: HashMap<u64, usize>,
    /// Whether nobody will read it, so that nothing is noted.
    #[serde(skip)]
    unread: bool,
}

impl PartialEq for LossReport {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl Eq for LossReport {}

/// One kind of thing and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LossLine {
    /// Kept, mapped or dropped.
    pub outcome: Outcome,
    /// What: a field or kind in the source's own words.
    pub what: String,
    /// Into what it was mapped, or why it was dropped.
    pub note: String,
    /// How often.
    pub count: u64,
    /// Where it was first met: a JSON path or a message id.
    pub first: String,
}

/// What became of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LossOutcome")]
pub enum Outcome {
    /// Went in as it was.
    Kept,
    /// Went in as something else.
    Mapped,
    /// Did not go in.
    Dropped,
}

impl LossReport {
    /// A report that nobody will read.
    pub(super) fn unread() -> Self {
        LossReport { unread: true, ..LossReport::default() }
    }

    /// Whether nobody will read it.
    pub(super) fn is_unread(&self) -> bool {
        self.unread
    }

    /// Notes one thing kept as it was.
    pub fn kept(&mut self, what: &str, at: impl fmt::Display) {
        self.note(Outcome::Kept, what, "", at);
    }

    /// Notes one thing that became something else.
    pub fn mapped(&mut self, what: &str, into: &str, at: impl fmt::Display) {
        self.note(Outcome::Mapped, what, into, at);
    }

    /// Notes one thing left out.
    pub fn dropped(&mut self, what: &str, why: &str, at: impl fmt::Display) {
        self.note(Outcome::Dropped, what, why, at);
    }

    /// Notes many things kept as they were.
    pub(super) fn kept_all(&mut self, what: &str, count: usize, at: impl fmt::Display) {
        if count > 0 {
            self.add(Outcome::Kept, what, "", count as u64, at);
        }
    }

    /// Notes one thing.
    pub(super) fn note(&mut self, outcome: Outcome, what: &str, note: &str, at: impl fmt::Display) {
        self.add(outcome, what, note, 1, at);
    }

    fn add(&mut self, outcome: Outcome, what: &str, note: &str, count: u64, at: impl fmt::Display) {
        if self.unread {
            return;
        }
        let mut hasher = DefaultHasher::new();
        (outcome, what, note).hash(&mut hasher);
        let new = self.lines.len();
        match self.index.entry(hasher.finish()) {
            Entry::Occupied(line) => {
                if let Some(line) = self.lines.get_mut(*line.get()) {
                    line.count += count;
                }
            }
            Entry::Vacant(slot) => {
                slot.insert(new);
                self.lines.push(LossLine { outcome, what: what.into(), note: note.into(), count, first: at.to_string() });
            }
        }
    }

    /// Whether anything was left out.
    pub fn is_lossy(&self) -> bool {
        self.lines.iter().any(|line| line.outcome == Outcome::Dropped)
    }
}

impl fmt::Display for LossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            let word = match line.outcome {
                Outcome::Kept => "kept",
                Outcome::Mapped => "mapped",
                Outcome::Dropped => "dropped",
            };
            write!(f, "{word:>8} {:>7} × {}", line.count, line.what)?;
            match (line.outcome, line.note.as_str()) {
                (_, "") => writeln!(f)?,
                (Outcome::Mapped, note) => writeln!(f, " → {note} (first at {})", line.first)?,
                (Outcome::Kept | Outcome::Dropped, note) => writeln!(f, ": {note} (first at {})", line.first)?,
            }
        }
        Ok(())
    }
}
