//! Why an import failed: facts a person can act on.

use super::Format;
use std::fmt;

/// Why an import failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// There is nothing in it.
    #[error("nothing to import: the input is empty")]
    Empty,
    /// It is not text.
    #[error("byte {offset} is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// The first byte that does not belong.
        offset: usize,
    },
    /// It is not JSON.
    #[error("{position}: {message}")]
    Syntax {
        /// Where.
        position: Position,
        /// What is wrong.
        message: String,
    },
    /// It nests deeper than anything a model or a person wrote.
    #[error("{position}: nested deeper than {limit} levels")]
    TooDeep {
        /// Where the limit is passed.
        position: Position,
        /// The limit.
        limit: usize,
    },
    /// It is JSON, but a value is not what the format says.
    #[error("{path}{}: {message}", At(*position))]
    Field {
        /// A JSON path, like `$.messages[3].role`.
        path: String,
        /// Where that is in the text, if it is known.
        position: Option<Position>,
        /// What is wrong and how to mend it.
        message: String,
    },
    /// A conversation file of another version.
    #[error("this is version {found} of the conversation file; version {supported} is supported")]
    Version {
        /// What the file says.
        found: u64,
        /// What this crate reads.
        supported: u32,
    },
    /// No format knows it.
    #[error("not a conversation in a known format: name one of {}", Formats)]
    UnknownFormat,
    /// The archive cannot be read.
    #[error("{}: {message}", entry.as_deref().unwrap_or("zip archive"))]
    Zip {
        /// The file in the archive, if it is about one.
        entry: Option<String>,
        /// What is wrong.
        message: String,
    },
}

/// A place in a text, counted from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The place of the byte at `offset`.
    pub(super) fn of(text: &str, offset: usize) -> Position {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        Position { line, column: before.len() - line_start + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

struct At(Option<Position>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |position| write!(f, " ({position})"))
    }
}

struct Formats;

impl fmt::Display for Formats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = Format::ALL.iter().map(|format| format.word()).collect();
        f.write_str(&words.join(", "))
    }
}
