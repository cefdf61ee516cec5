//! The tree around a node, as much of it as can be drawn.

use super::spot::{above, named, said_below, spot};
use super::{LocalId, Spot};
use crate::error::{Result, StoreError};
use crate::space::find_space;
use crate::store::Store;
use weftwork::model::{NodeId, SpaceId};

/// How much of a tree is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// How many levels above the node it begins.
    pub up: u32,
    /// How many levels below the node it goes.
    pub down: u32,
    /// Nodes at most.
    pub most: usize,
}

/// A node of a tree that is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The node.
    pub spot: Spot,
    /// Those below it that are drawn, as places in the list.
    pub below: Vec<usize>,
    /// How many more hang on it.
    pub hidden: usize,
}

impl Store {
    /// The tree around the node that a name means, nearest levels first: the first of the list is where it begins.
    pub fn tree_around(&self, space: &SpaceId, name: &str, wanted: Tree) -> Result<(LocalId, Vec<Drawn>)> {
        self.reading(|tx| {
            let row = find_space(tx, space)?;
            let no_node = || StoreError::NoNode { space: space.clone(), node: NodeId::from(name) };
            let key = named(tx, &row, name)?.ok_or_else(no_node)?;
            let centre = spot(tx, &row, key)?;
            let begin = above(tx, key, wanted.up)?;
            let deepest = centre.depth.saturating_add(wanted.down);
            let mut drawn = vec![Drawn { spot: spot(tx, &row, begin)?, below: Vec::new(), hidden: 0 }];
            let mut keys = vec![begin];
            let mut at = 0;
            while at < drawn.len() {
                let children = said_below(tx, &row, Some(keys[at]))?;
                let room = if drawn[at].spot.depth < deepest { wanted.most.saturating_sub(drawn.len()) } else { 0 };
                for child in children.iter().take(room) {
                    let place = drawn.len();
                    drawn[at].below.push(place);
                    drawn.push(Drawn { spot: spot(tx, &row, *child)?, below: Vec::new(), hidden: 0 });
                    keys.push(*child);
                }
                drawn[at].hidden = children.len().saturating_sub(room);
                at += 1;
            }
            Ok((centre.local, drawn))
        })
    }
}
