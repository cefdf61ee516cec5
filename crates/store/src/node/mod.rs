//! What was said: how a node is kept in a row, where it stands in the tree, how one is added.

mod append;
mod change;
mod id;
mod place;
mod row;
mod stray;
mod tally;

pub use append::{Appended, Draft, MoveHead, Parent};
pub(crate) use append::{append, check_id, one};
pub use change::{Finish, Flag};
pub(crate) use change::{fail_pending, finish, purge, set_flag};
pub(crate) use id::spell;
pub(crate) use place::{
    LANE, PLACE, PLACE_READ, Place, Segment, after, at_id, children, lanes, last_key, parent_hashes, place_in, place_of,
    place_read, tip,
};
pub(crate) use row::{Reader, Stored, bits, columns, flags_of, is_early, kind, kind_number, no_author, status, write};
pub(crate) use stray::{is_special, is_stray};
pub(crate) use tally::Tallies;

/// The address of a node: its space and its place in the order of that space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub(crate) i64);

/// A node's place in the order of its space, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seq(pub i64);

const SPACE_BITS: u32 = 32;

impl Key {
    pub(crate) fn new(space: i64, seq: Seq) -> Key {
        Key((space << SPACE_BITS) | seq.0)
    }

    /// The place in the order of its space.
    pub fn seq(self) -> Seq {
        Seq(self.0 & ((1 << SPACE_BITS) - 1))
    }

    pub(crate) fn space(self) -> i64 {
        self.0 >> SPACE_BITS
    }

    /// What comes after it, whether or not it is there yet.
    pub(crate) fn next(self) -> Key {
        Key(self.0 + 1)
    }

    /// Before the first and after the last key of a space.
    pub(crate) fn range(space: i64) -> (i64, i64) {
        (space << SPACE_BITS, (space + 1) << SPACE_BITS)
    }
}
