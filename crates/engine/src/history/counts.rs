//! Raw token counts beside the nodes: a cache that may be thrown away without changing any output.

use super::link::{Link, NONE};
use crate::count::{Base, Tally};
use crate::model::Node;

/// Counts of every node under one counter, and their sums from the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    own: Vec<Tally>,
    sums: Vec<Tally>,
}

impl Counts {
    pub(crate) fn new(nodes: &[Node], links: &[Link], base: Base) -> Counts {
        let mut counts = Counts { own: Vec::with_capacity(nodes.len()), sums: Vec::with_capacity(nodes.len()) };
        for (node, link) in nodes.iter().zip(links) {
            counts.push(node, link, base);
        }
        counts
    }

    /// Counts one more node; its parent has been counted before.
    pub(crate) fn push(&mut self, node: &Node, link: &Link, base: Base) {
        let tally = Tally::of(&node.parts, base);
        let above = if link.parent == NONE { Tally::default() } else { self.sums[link.parent as usize] };
        self.own.push(tally);
        self.sums.push(above + tally);
    }

    /// Takes one more node's count as it is known.
    pub(crate) fn set(&mut self, own: Tally, sum: Tally) {
        self.own.push(own);
        self.sums.push(sum);
    }

    /// What one node costs.
    pub(crate) fn own(&self, node: u32) -> Tally {
        self.own[node as usize]
    }

    /// What a node and all its ancestors cost.
    pub(crate) fn up_to(&self, node: u32) -> Tally {
        self.sums[node as usize]
    }
}
