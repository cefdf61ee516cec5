//! What a pass lets its bearer do.

use std::ops::BitOr;

/// What a pass lets its bearer do, as a small set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(i64);

impl Scopes {
    /// Nothing.
    pub const NONE: Scopes = Scopes(0);
    /// Reads what its account may read.
    pub const READ: Scopes = Scopes(1);
    /// Says and changes what its account may.
    pub const WRITE: Scopes = Scopes(2);
    /// Calls models.
    pub const MODELS: Scopes = Scopes(4);
    /// Does what only owners may.
    pub const ADMIN: Scopes = Scopes(8);
    /// Everything.
    pub const ALL: Scopes = Scopes(15);

    const WORDS: [(&'static str, Scopes); 4] =
        [("read", Scopes::READ), ("write", Scopes::WRITE), ("models", Scopes::MODELS), ("admin", Scopes::ADMIN)];

    /// Whether all of these are in it.
    pub fn has(self, wanted: Scopes) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// What one word means.
    pub fn of_word(word: &str) -> Option<Scopes> {
        Scopes::WORDS.iter().find(|(known, _)| *known == word).map(|(_, scope)| *scope)
    }

    /// The words for all that is in it.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Scopes::WORDS.into_iter().filter(move |(_, scope)| self.has(*scope)).map(|(word, _)| word)
    }

    pub(super) fn bits(self) -> i64 {
        self.0
    }

    /// What is not known is not granted.
    pub(super) fn of_bits(bits: i64) -> Scopes {
        Scopes(bits & Scopes::ALL.0)
    }
}

impl BitOr for Scopes {
    type Output = Scopes;

    fn bitor(self, other: Scopes) -> Scopes {
        Scopes(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_words() {
        for words in [&[][..], &["read"], &["read", "models"], &["read", "write", "models", "admin"]] {
            let scopes = words.iter().filter_map(|word| Scopes::of_word(word)).fold(Scopes::NONE, BitOr::bitor);
            assert_eq!(scopes.words().collect::<Vec<_>>(), words);
            assert_eq!(Scopes::of_bits(scopes.bits() | 1 << 20), scopes);
            assert!(Scopes::ALL.has(scopes) && scopes.has(Scopes::ADMIN) == words.contains(&"admin"));
        }
        assert_eq!(Scopes::of_word("root"), None);
    }
}
