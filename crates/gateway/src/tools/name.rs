//! Names: those of servers, and `server__tool`, which every provider takes.
//!
//! Providers agree on letters, digits, `_` and `-`, a letter first, 64 characters. A server's name cannot hold `__` nor
//! end in `_`, so the first `__` parts the two and no server can take the name of another's tool.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::borrow::Borrow;
use std::fmt;

/// What parts a server's name from its tool's. Names of built-ins do not hold it.
pub(super) const PART: &str = "__";
const LONGEST: usize = 64;
const LONGEST_SERVER: usize = 32;

/// The name an owner gave a server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ServerName(String);

/// A server cannot be called this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a server cannot be called {name:?}: a letter first, then letters, digits, single _ and -, not ending in _, at most \
     {} characters",
    LONGEST_SERVER
)]
pub struct BadName {
    /// The name.
    pub name: String,
}

impl TryFrom<String> for ServerName {
    type Error = BadName;

    fn try_from(name: String) -> Result<Self, BadName> {
        let fits = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(is_plain)
            && !name.contains(PART)
            && !name.ends_with('_')
            && name.len() <= LONGEST_SERVER;
        if fits { Ok(Self(name)) } else { Err(BadName { name }) }
    }
}

impl ServerName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ServerName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}

/// What a model calls a server's tool. A name that is odd or too long ends in a piece of its hash: the same name always
/// becomes the same, and two odd names that look alike do not become one.
pub(super) fn wire_name(server: &ServerName, tool: &str) -> String {
    let room = LONGEST - server.0.len() - PART.len();
    if !tool.is_empty() && tool.len() <= room && tool.chars().all(is_plain) {
        return format!("{server}{PART}{tool}");
    }
    let mark: String = Sha256::digest(tool).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let head: String = tool.chars().map(|c| if is_plain(c) { c } else { '_' }).take(room - mark.len() - 1).collect();
    format!("{server}{PART}{head}_{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_servers() {
        for (name, fits) in [
            ("files", true),
            ("my-files_2", true),
            ("", false),
            ("2files", false),
            ("_files", false),
            ("files_", false),
            ("my__files", false),
            ("my files", false),
            ("föles", false),
            (&"a".repeat(32), true),
            (&"a".repeat(33), false),
        ] {
            assert_eq!(ServerName::try_from(name.to_owned()).is_ok(), fits, "{name:?}");
        }
    }

    #[test]
    fn tools_are_named_after_their_server() {
        let server = ServerName::try_from("files".to_owned()).unwrap();
        for (tool, wire) in [
            ("read", "files__read"),
            ("_read", "files___read"),
            ("a__b", "files__a__b"),
            ("read file", "files__read_file_1214148e"),
            ("read.file", "files__read_file_dd32cdf5"),
            ("", "files___e3b0c442"),
            (&"x".repeat(57), &format!("files__{}", "x".repeat(57))),
        ] {
            let made = wire_name(&server, tool);
            assert!(made.len() <= LONGEST && made.chars().all(is_plain), "{made}");
            assert_eq!(made, wire, "{tool:?}");
        }
        let long = wire_name(&server, &"x".repeat(58));
        assert_eq!(long.len(), LONGEST);
        assert_ne!(long, wire_name(&server, &"x".repeat(59)));
    }
}
