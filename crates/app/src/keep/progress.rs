//! One line on a terminal that says how far long work is. Anywhere else nothing.

use crate::number::{grouped, percent};
use crate::output;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Faster than this nobody reads.
const BETWEEN: Duration = Duration::from_millis(80);
/// Work that is over sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);
const COLUMNS: u64 = 24;

/// The line; gone when it is dropped.
pub(super) struct Progress {
    what: String,
    total: u64,
    next: Instant,
    live: bool,
    shown: bool,
}

impl Progress {
    /// Work on so many things.
    pub(super) fn new(what: &str, total: u64) -> Progress {
        let live = std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Progress { what: crate::preview::plain(what), total, next: Instant::now() + PATIENCE, live, shown: false }
    }

    /// So many are done.
    pub(super) fn at(&mut self, done: u64) {
        if !self.live || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + BETWEEN;
        self.shown = true;
        let filled = (done * COLUMNS).checked_div(self.total).map_or(0, |cells| cells.min(COLUMNS)) as usize;
        let bar = "█".repeat(filled) + &"·".repeat(COLUMNS as usize - filled);
        let share = percent(done, self.total);
        let what = crate::preview::cut(&self.what, 32);
        output::say(&format!("\r\x1b[K  {bar} {share}  {} of {}  {what}", grouped(done), grouped(self.total)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            output::say("\r\x1b[K");
        }
    }
}
