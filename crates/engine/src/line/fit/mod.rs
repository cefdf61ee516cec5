//! **fit**: what is kept of the conversation when it is too large.
//!
//! Works on atoms and counts only. Atoms stay whole, order is kept, fixed atoms are never removed. Under budget nothing
//! is dropped, and fitting what was fitted changes nothing.

mod open_turn;
mod replay;
mod strategy;

pub(crate) use replay::{Light, replay};
pub(crate) use strategy::{Shape, first_turn_end, turn_starts};

use super::brief::Brief;
use super::repair::Atom;
use crate::ask::Strategy;
use crate::report::{Reason, Warning};

/// What the history may take, raw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Without a marker.
    pub(crate) raw: u64,
    /// What a marker costs; nothing where none is shown.
    pub(crate) marker: u64,
}

/// What was not read, between atoms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// How many atoms stand before it because they are the first turn.
    pub(crate) front: usize,
    /// The first atom after it.
    pub(crate) at: usize,
    /// Whether it is known that none of it can be kept.
    pub(crate) known: bool,
    /// Whether somebody has asked before its end.
    pub(crate) asked: bool,
}

/// What becomes of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Sent as it is.
    Kept(Reason),
    /// Sent with shortened results.
    Shortened(Reason),
    /// Not sent.
    Dropped(Reason),
}

/// What becomes of all atoms.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) fates: Vec<Fate>,
    /// Whether anything was left out, in the gap or here.
    pub(crate) cut: bool,
    /// The atoms between which it was cut: the first after the first turn, and the first of those kept at the end.
    pub(crate) between: (usize, usize),
    pub(crate) warnings: Vec<Warning>,
}

/// Why nothing was decided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// What lies in the gap might still fit.
    NeedMore,
    /// What may not be removed is too large.
    TooLarge {
        /// Raw counts of it.
        needed: u64,
    },
    /// The strategy removes nothing and it is too large.
    OverLimit {
        /// Raw counts of everything.
        needed: u64,
    },
}

/// Decides what is kept. A cut that is held removes what stands between the first turn and the atom `held`.
pub(crate) fn fit(atoms: &mut [Atom<'_>], gap: Option<Gap>, held: usize, brief: &Brief<'_>, room: Room) -> Result<Fitted, Unfit> {
    let shape = Shape::new(atoms, gap, held, brief);
    let total: u64 = shape.costs.iter().sum::<u64>() + shape.fixed;
    if gap.is_none() && !shape.is_held() && total <= room.raw {
        return Ok(Fitted { fates: shape.keep_all(), cut: false, between: (0, 0), warnings: Vec::new() });
    }
    if brief.policy.strategy == Strategy::StopAtLimit {
        return if gap.is_some() { Err(Unfit::NeedMore) } else { Err(Unfit::OverLimit { needed: total }) };
    }
    let might_fit = gap.is_some_and(|gap| !gap.known && shape.sum_from(gap.at) + shape.fixed <= room.raw);
    if shape.open_unread || might_fit {
        return Err(Unfit::NeedMore);
    }
    if shape.fixed > room.raw {
        return Err(Unfit::TooLarge { needed: shape.fixed });
    }
    let limit = room.raw.saturating_sub(room.marker).saturating_sub(shape.fixed);
    match shape.cut(limit)? {
        Some(fitted) => Ok(fitted),
        None => open_turn::shrink(atoms, &shape, brief, limit),
    }
}
