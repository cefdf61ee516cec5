//! The verbs on a database.

mod bad_input;
mod finding;
mod first_use;
mod growing;
mod moving;

use crate::run::{Ran, Scratch, piped};
use std::path::PathBuf;

/// A database of this test's own, gone when it is dropped.
pub(crate) struct Db {
    folder: Scratch,
}

impl Db {
    pub(crate) fn new(name: &str) -> Db {
        let folder = Scratch::empty(&format!("db-{name}"));
        std::fs::create_dir_all(folder.path()).expect("a folder");
        Db { folder }
    }

    pub(crate) fn file(&self) -> String {
        self.beside("weft.db")
    }

    /// A path in the same folder.
    pub(crate) fn beside(&self, name: &str) -> String {
        format!("{}/{name}", self.folder.path())
    }

    /// Runs a verb on the database.
    pub(crate) fn weft(&self, args: &[&str]) -> Ran {
        self.piped(args, "")
    }

    pub(crate) fn piped(&self, args: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
        piped(&[args, &["--db", &self.file()]].concat(), stdin)
    }

    /// Runs a verb that must end well, and gives its stdout.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.weft(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        ran.stdout
    }

    /// Everything in it.
    pub(crate) fn all(&self) -> String {
        self.ok(&["export", "--all"])
    }

    /// Takes in text from stdin.
    pub(crate) fn take(&self, file: impl Into<Vec<u8>>) -> String {
        let ran = self.piped(&["import", "-"], file);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    }
}

/// The engine's fixtures of every format.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/fixtures/formats"));
    let folders = std::fs::read_dir(root).expect("fixtures").flatten();
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| std::fs::read_dir(folder.path()).expect("a folder").flatten())
        .map(|file| file.path())
        .collect();
    files.sort();
    assert!(files.len() >= 25, "{files:?}");
    files
}
