//! Ids of new nodes: short, and the same for the same idempotency key.

use sha2::{Digest, Sha256};
use weftwork::model::{EntityId, NodeId};

/// Letters that nobody takes for one another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// 80 bits: one in 10^12 that a million nodes hold the same twice, and then the space refuses the second.
const LENGTH: usize = 16;

/// The id of what `author` sends under `key`: a key is kept as long as its node.
pub(super) fn of_key(author: &EntityId, key: &str) -> NodeId {
    let mut hash = Sha256::new();
    hash.update((author.as_str().len() as u64).to_be_bytes());
    hash.update(author.as_str());
    hash.update(key);
    spell(hash.finalize().as_slice())
}

/// An id that was never used.
pub(super) fn fresh() -> NodeId {
    spell(&fastrand::u128(..).to_be_bytes())
}

/// The first bits of a digest as an id.
pub(crate) fn spell(bytes: &[u8]) -> NodeId {
    let bits = bytes.iter().take(LENGTH).fold(0_u128, |bits, &byte| (bits << 8) | u128::from(byte));
    let letters = (0..LENGTH).map(|at| LETTERS[(bits >> (at * 5)) as usize & 31] as char);
    NodeId::from(letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_one_node_of_one_sender() {
        let (a, b) = (EntityId::from("a"), EntityId::from("b"));
        assert_eq!(of_key(&a, "k"), of_key(&a, "k"));
        assert_ne!(of_key(&a, "k"), of_key(&b, "k"));
        assert_ne!(of_key(&EntityId::from("ab"), "k"), of_key(&a, "bk"));
        assert_eq!(fresh().as_str().len(), LENGTH);
        assert_ne!(fresh(), fresh());
    }
}
