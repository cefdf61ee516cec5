//! Which spaces are meant.

use weftwork::model::SpaceId;

/// Which spaces are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every space of the store.
    All,
    /// These; one that is not there holds nothing.
    Spaces(Vec<SpaceId>),
}

impl Scope {
    /// One space.
    pub fn one(space: &SpaceId) -> Scope {
        Scope::Spaces(vec![space.clone()])
    }
}
