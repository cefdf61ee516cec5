//! The way to a value in a source.

use std::{fmt, rc::Rc};

/// The way to a value. Displays as a JSON path; [`kind`](Path::kind) is the same without numbers and data.
#[derive(Debug)]
pub(super) enum Path {
    /// A document; `name` says which one of several: a line or a file in an archive.
    Root { name: Option<String> },
    /// A field with a known name.
    Key { parent: Rc<Path>, key: String },
    /// An item of an array.
    Index { parent: Rc<Path>, index: usize },
    /// An entry whose key is data.
    Entry { parent: Rc<Path>, key: String },
    /// JSON inside a string.
    Inside { parent: Rc<Path> },
}

impl Path {
    pub(super) fn key(parent: &Rc<Path>, key: &str) -> Path {
        Path::Key { parent: parent.clone(), key: key.into() }
    }

    pub(super) fn index(parent: &Rc<Path>, index: usize) -> Path {
        Path::Index { parent: parent.clone(), index }
    }

    pub(super) fn entry(parent: &Rc<Path>, key: &str) -> Path {
        Path::Entry { parent: parent.clone(), key: key.into() }
    }

    pub(super) fn inside(parent: &Rc<Path>) -> Path {
        Path::Inside { parent: parent.clone() }
    }

    /// The kind of thing that stands here, in the source's own words: `messages[].content[].text`.
    pub(super) fn kind(&self) -> String {
        match self {
            Path::Root { .. } => String::new(),
            Path::Key { parent, key } => join(parent.kind(), key),
            Path::Index { parent, .. } => parent.kind() + "[]",
            Path::Entry { parent, .. } => join(parent.kind(), "*"),
            Path::Inside { parent } => parent.kind(),
        }
    }
}

fn join(mut kind: String, key: &str) -> String {
    if !kind.is_empty() {
        kind.push('.');
    }
    kind.push_str(key);
    kind
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root { name: None } => f.write_str("$"),
            Path::Root { name: Some(name) } => write!(f, "{name}: $"),
            Path::Key { parent, key } if is_plain(key) => write!(f, "{parent}.{key}"),
            Path::Key { parent, key } | Path::Entry { parent, key } => write!(f, "{parent}[{key:?}]"),
            Path::Index { parent, index } => write!(f, "{parent}[{index}]"),
            Path::Inside { parent } => write!(f, "{parent}"),
        }
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
