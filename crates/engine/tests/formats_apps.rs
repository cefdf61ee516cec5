//! Files of chat apps and logs of coding agents, imported: what becomes of each row, role and part.

#[path = "formats_apps/exports.rs"]
mod exports;
#[path = "formats_apps/limits.rs"]
mod limits;
#[path = "formats_apps/logs.rs"]
mod logs;
#[path = "formats_apps/report.rs"]
mod report;
#[path = "formats_apps/seeds.rs"]
mod seeds;
#[path = "formats_apps/show.rs"]
mod show;

use std::path::Path;
use weftwork::ask::Check;
use weftwork::formats::{Import, import};

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats").join(name);
    std::fs::read(path).expect("fixture")
}

pub(crate) fn read(input: impl AsRef<[u8]>) -> Import {
    import(input.as_ref(), None, Check::Repair).expect("imports")
}

/// The only conversation in `input`, as lines.
pub(crate) fn lines(input: impl AsRef<[u8]>) -> String {
    let import = read(input);
    assert_eq!(import.conversations.len(), 1);
    import.conversations.iter().map(show::conversation).collect()
}

/// Whether the report has a line like `dropped … what: … note`.
pub(crate) fn reports(import: &Import, what: &str, note: &str) -> bool {
    import.loss.lines.iter().any(|line| line.what == what && line.note.contains(note))
}

#[track_caller]
pub(crate) fn expect(actual: &str, expected: &[&str]) {
    let actual: Vec<&str> = actual.lines().collect();
    for (actual, expected) in actual.iter().zip(expected) {
        assert_eq!(actual, expected);
    }
    assert_eq!(actual, expected);
}
