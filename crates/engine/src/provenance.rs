//! Hashes that fix what was said: SHA-256 over a node's content and the hashes of what it hangs on.
//!
//! Flags are not in it, for they may change. A reply that is still being written has no hash; what is said meanwhile hangs
//! on its [`early`] hash, which is known from the start.

use crate::model::{Accounting, Edge, EntityId, ImportedRole, Kind, Node, NodeId, Origin, Part, Source, Status, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash(pub [u8; 32]);

/// What a hash is taken over, in this order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fixed<'n> {
    weft: &'static str,
    id: &'n NodeId,
    author: &'n EntityId,
    created_at: Option<&'n Timestamp>,
    parents: &'n [Hash],
    edge: Edge,
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<Said<'n>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Said<'n> {
    kind: Kind,
    status: Status,
    role: Option<ImportedRole>,
    parts: &'n [Part],
    model: Option<&'n str>,
    error: Option<&'n str>,
    sources: &'n [Source],
    edited_from: Option<&'n NodeId>,
    reply_to: Option<&'n NodeId>,
    origin: Option<&'n Origin>,
    covers: Option<&'n NodeId>,
    accounting: Option<&'n Accounting>,
    response: Option<&'n str>,
}

/// The hash of a node that is final. `parents` are the hashes of its parent and then of its sources, as they were when it
/// was made.
pub fn hash(node: &Node, parents: &[Hash]) -> Hash {
    let said = Said {
        kind: node.kind,
        status: node.status,
        role: node.role,
        parts: &node.parts,
        model: node.model.as_deref(),
        error: node.error.as_deref(),
        sources: &node.sources,
        edited_from: node.edited_from.as_ref(),
        reply_to: node.reply_to.as_ref(),
        origin: node.origin.as_ref(),
        covers: node.covers.as_ref(),
        accounting: node.accounting.as_ref(),
        response: node.response.as_deref(),
    };
    fixed(node, parents, Some(said))
}

/// What stands for a node that was not final when something was hung on it.
pub fn early(node: &Node, parents: &[Hash]) -> Hash {
    fixed(node, parents, None)
}

fn fixed(node: &Node, parents: &[Hash], said: Option<Said<'_>>) -> Hash {
    let fixed = Fixed {
        weft: "node/1",
        id: &node.id,
        author: &node.author,
        created_at: node.created_at.as_ref(),
        parents,
        edge: node.edge,
        said,
    };
    let mut bytes = serde_json::to_vec(&fixed).expect("plain data serialises");
    // A line break can only stand in arguments kept verbatim, as blank between tokens. JSON Lines have none there, and
    // what was exported so must still match.
    bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    Hash::of(&bytes)
}

impl Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }

    /// The hash that this text of 64 hexadecimal digits stands for.
    pub fn parse(text: &str) -> Option<Hash> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
        }
        Some(Hash(bytes))
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = self.0.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        f.write_str(&digits.map(char::from).collect::<String>())
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_same_on_one_line() {
        let call = |args: &str| -> Node {
            let json = format!(r#"{{"id":"n1","author":"a","parts":[{{"type":"toolCall","id":"t","name":"f","args":{args}}}]}}"#);
            serde_json::from_str(&json).expect("a node")
        };
        assert_eq!(hash(&call("{\n\"q\": 1\r\n}"), &[]), hash(&call("{ \"q\": 1  }"), &[]));
        assert_ne!(hash(&call("{\"q\": 1}"), &[]), hash(&call("{\"q\": 2}"), &[]));
    }

    #[test]
    fn a_hash_fixes_content_and_ancestry_but_no_flags() {
        let node = Node::new("n1", None, "ent-h").text("Hello");
        let own = hash(&node, &[]);
        assert_ne!(own, hash(&node.clone().text("!"), &[]));
        assert_ne!(own, hash(&node, &[own]));
        assert_ne!(own, early(&node, &[]));
        assert_eq!(own, hash(&Node { pinned: true, excluded: true, ..node }, &[]));
        assert_eq!(Hash::parse(&own.to_string()), Some(own));
    }
}
