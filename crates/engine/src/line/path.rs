//! **path**: from the head to the root, without walking it.
//!
//! A path is known by its head alone. Any stretch of it is read out when a step needs it.

use crate::history::{History, NONE};

/// The nodes from the root to a head.
#[derive(Clone, Copy)]
pub(crate) struct Path<'h> {
    pub(crate) history: &'h History,
    head: u32,
    /// How many nodes it has.
    pub(crate) len: u32,
}

/// The path that ends at `head`; an empty one if there is none.
pub(crate) fn path(history: &History, head: Option<u32>) -> Path<'_> {
    match head {
        Some(head) => Path { history, head, len: history.place(head).depth + 1 },
        None => Path { history, head: NONE, len: 0 },
    }
}

impl<'h> Path<'h> {
    /// The node with `depth` nodes above it.
    pub(crate) fn at(&self, depth: u32) -> u32 {
        let node = self.history.ancestor(self.head, depth);
        self.look(node);
        node
    }

    /// Whoever looks at nodes that were not read has to be told.
    fn look(&self, node: u32) {
        if self.history.place(node).unread > 0 {
            self.history.fall_short();
        }
    }

    /// The last node.
    pub(crate) fn head(&self) -> Option<u32> {
        (self.len > 0).then_some(self.head)
    }

    /// Whether `node` is on the path.
    pub(crate) fn holds(&self, node: u32) -> bool {
        let depth = self.history.place(node).depth;
        depth < self.len && self.history.ancestor(self.head, depth) == node
    }

    /// The newest node that the path has in common with the path to `node`.
    pub(crate) fn fork(&self, node: u32) -> Option<u32> {
        if self.holds(node) {
            return Some(node);
        }
        let (mut low, mut high) = (0, self.len.min(self.history.place(node).depth));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at(middle) == self.history.ancestor(node, middle) { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1).map(|depth| self.at(depth))
    }

    /// The nodes from one depth up to another, in path order.
    pub(crate) fn stretch(&self, from: u32, to: u32) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.back_from(to).take(to.saturating_sub(from) as usize).collect();
        nodes.reverse();
        nodes
    }

    /// The nodes before a depth, newest first.
    pub(crate) fn back_from(&self, to: u32) -> impl Iterator<Item = u32> + use<'h> {
        let path = *self;
        let first = if to == 0 { NONE } else { self.at(to - 1) };
        let back = std::iter::successors((first != NONE).then_some(first), move |&node| {
            let parent = path.history.place(node).parent;
            (parent != NONE).then_some(parent)
        });
        back.inspect(move |&node| path.look(node))
    }

    /// The nodes before a depth that must be looked at one by one, newest first.
    pub(crate) fn specials_before(&self, to: u32) -> impl Iterator<Item = u32> + use<'h> {
        let history = self.history;
        let first = if to == 0 { NONE } else { history.place(self.at(to - 1)).special };
        std::iter::successors((first != NONE).then_some(first), move |&node| {
            let parent = history.place(node).parent;
            (parent != NONE).then(|| history.place(parent).special).filter(|&special| special != NONE)
        })
    }

    /// The nodes that may cut off what is before them, newest first.
    pub(crate) fn checkpoints(&self) -> impl Iterator<Item = u32> + use<'h> {
        let history = self.history;
        let first = if self.len == 0 { NONE } else { history.place(self.head).checkpoint };
        std::iter::successors((first != NONE).then_some(first), move |&node| {
            let parent = history.place(node).parent;
            (parent != NONE).then(|| history.place(parent).checkpoint).filter(|&found| found != NONE)
        })
    }
}
