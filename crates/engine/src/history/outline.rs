//! A history of which only a part was read. What lies between is known by its depth and its sums.
//!
//! Invariant: assembly from a part gives what assembly from the whole gives, or says that it needs more
//! ([`AssembleError::Unread`](crate::AssembleError::Unread)). Whatever would look at an unread node says so.

use super::link::{Link, NONE};
use super::{Counts, History, HistoryError, Traits};
use crate::count::{Base, Tally};
use crate::model::{Conversation, EntityId, Node};
use std::sync::atomic::Ordering;

/// What was read of a space: its header, a path with gaps, and nodes that the path draws on.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Everything but the nodes.
    pub file: Conversation,
    /// Nodes of one path from the root to a head, in that order. Its head is there; every special node of the path that
    /// assembly may look at is there.
    pub path: Vec<Placed>,
    /// Nodes beside the path that nodes of the path name.
    pub beside: Vec<Placed>,
    /// Who ever wrote in the space, on any branch.
    pub voices: Vec<Voice>,
    /// What is true of some node of the space, on any branch.
    pub traits: Traits,
    /// The counter of the tallies.
    pub base: Base,
}

/// A node with its place in a tree whose other nodes may not be there.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The node.
    pub node: Node,
    /// Nodes above it.
    pub depth: u32,
    /// What it costs, raw.
    pub own: Tally,
    /// What it and all above it cost, raw.
    pub sum: Tally,
}

/// Somebody who wrote in a space.
#[derive(Clone, Debug)]
pub struct Voice {
    /// Who.
    pub entity: EntityId,
    /// Whether they wrote nodes of nothing but tool parts.
    pub only_tools: bool,
}

impl History {
    /// Takes in a part of a history.
    pub fn partial(outline: Outline) -> Result<History, HistoryError> {
        let Outline { file, path, beside, voices, traits, base } = outline;
        let mut history = History::empty(file, path.len() * 2 + beside.len())?;
        history.read_with = Some(base);
        history.textless = traits.textless;
        history.only_tools_for_another = traits.only_tools_for_another;
        for voice in voices {
            let Some(&index) = history.entities.get(&voice.entity) else { continue };
            history.wrote[index as usize] = true;
            history.only_tools[index as usize] = voice.only_tools;
        }
        let mut counts = Counts::default();
        for placed in beside {
            history.place_node(placed, None, &mut counts)?;
        }
        let mut above: Option<u32> = None;
        for placed in path {
            let next = above.map_or(0, |above| history.links[above as usize].depth + 1);
            if placed.depth > next {
                above = Some(history.place_gap(&placed, next, above, &mut counts));
            }
            above = Some(history.place_node(placed, above, &mut counts)?);
        }
        history.last = above;
        let _ = history.counts[base as usize].set(counts);
        Ok(history)
    }

    /// Whether all nodes of the path are there.
    pub fn is_whole(&self) -> bool {
        self.read_with.is_none() || self.links.iter().all(|link| link.unread == 0)
    }

    fn place_node(&mut self, placed: Placed, above: Option<u32>, counts: &mut Counts) -> Result<u32, HistoryError> {
        let own = self.nodes.len() as u32;
        let node = placed.node;
        let Some(&author) = self.entities.get(&node.author) else {
            return Err(HistoryError::UnknownAuthor { node: node.id, author: node.author });
        };
        if self.by_id.contains_key(&node.id) {
            return Err(HistoryError::DuplicateNode { node: node.id });
        }
        let parent = above.map(|above| (above, &self.links[above as usize]));
        let mut link = Link { depth: placed.depth, ..Link::below(parent, &self.links, &node, own, author) };
        link.caller = self.plain_caller(&node, &link).unwrap_or(NONE);
        self.note_calls(&node, own);
        self.by_id.insert(node.id.clone(), own);
        self.links.push(link);
        self.nodes.push(node);
        counts.set(placed.own, placed.sum);
        Ok(own)
    }

    /// Stands for the nodes from `depth` up to the one before `below`.
    fn place_gap(&mut self, below: &Placed, depth: u32, above: Option<u32>, counts: &mut Counts) -> u32 {
        let own = self.nodes.len() as u32;
        let node = Node::new("", None, below.node.author.clone()).text("-");
        let parent = above.map(|above| (above, &self.links[above as usize]));
        let link = Link::below(parent, &self.links, &node, own, 0);
        self.links.push(Link { depth: below.depth - 1, unread: below.depth - depth, ..link });
        self.nodes.push(node);
        let sum = below.sum - below.own;
        counts.set(sum - above.map_or(Tally::default(), |above| counts.up_to(above)), sum);
        own
    }

    /// Remembers that something was looked at that was not read.
    pub(crate) fn fall_short(&self) {
        self.short.store(true, Ordering::Relaxed);
    }

    /// The same, if something above `node` was not read.
    pub(super) fn fall_short_above(&self, node: u32) {
        if self.read_with.is_some() {
            let up = std::iter::successors(Some(node), |&node| Some(self.place(node).parent).filter(|&parent| parent != NONE));
            if up.into_iter().any(|node| self.place(node).unread > 0) {
                self.fall_short();
            }
        }
    }

    /// Whether something was looked at that was not read.
    pub(crate) fn fell_short(&self) -> bool {
        self.short.load(Ordering::Relaxed)
    }
}
