//! A conversation that holds together: every parent is there, nothing is its own ancestor, ids are unique.
//!
//! [`History::new`] is the only way in, so that no later step has to ask. It indexes the tree once: any ancestor is
//! reached in logarithmic steps, checkpoints and oddities are found without walking, token counts are kept beside the
//! nodes. Assembly then costs what the window holds, not what the history holds.

mod counts;
mod error;
mod link;
mod outline;
mod traits;

pub use error::HistoryError;
pub(crate) use link::{NONE, has_media, is_said};
pub use outline::{Outline, Placed, Voice};
pub use traits::Traits;

use crate::count::Base;
use crate::model::{Conversation, Entity, EntityId, EntityKind, Node, NodeId, Part, SourceRole, ToolCall, ToolResult};
pub(crate) use counts::Counts;
pub(crate) use link::Link;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// How many nodes before a result are looked at before the index of calls is asked.
const NEAR: usize = 4;

/// Where a call id is used, on any branch.
#[derive(Debug, Default)]
struct Exchange {
    /// The nodes that make a call with it.
    callers: Vec<u32>,
    /// How many results name it.
    answers: u32,
}

/// A tree of nodes, indexed.
#[derive(Debug)]
pub struct History {
    file: Conversation,
    nodes: Vec<Node>,
    links: Vec<Link>,
    by_id: HashMap<NodeId, u32>,
    entities: HashMap<EntityId, u32>,
    wrote: Vec<bool>,
    /// Entities with nodes that hold nothing but tool parts: others may not hear them.
    only_tools: Vec<bool>,
    /// Whether such a node speaks in another's name.
    only_tools_for_another: bool,
    textless: bool,
    exchanges: HashMap<String, Exchange>,
    counts: [OnceLock<Counts>; 4],
    last: Option<u32>,
    /// The counter a part of a history was read with; none for a whole one.
    read_with: Option<Base>,
    /// Whether something was asked for that was not read.
    short: AtomicBool,
}

impl History {
    /// Takes in a conversation whose nodes may stand in any order.
    pub fn new(mut file: Conversation) -> Result<History, HistoryError> {
        let nodes = std::mem::take(&mut file.nodes);
        if nodes.len() >= NONE as usize {
            return Err(HistoryError::TooManyNodes { nodes: nodes.len() });
        }
        let last = nodes.last().map(|node| node.id.clone());
        let nodes = parents_first(nodes)?;
        let mut history = History::empty(file, nodes.len())?;
        for node in nodes {
            history.append(node)?;
        }
        history.check_names()?;
        history.last = last.map(|id| history.by_id[&id]);
        Ok(history)
    }

    /// A history without nodes, with room for so many.
    fn empty(file: Conversation, room: usize) -> Result<History, HistoryError> {
        Ok(History {
            entities: index_entities(&file.entities)?,
            wrote: vec![false; file.entities.len()],
            only_tools: vec![false; file.entities.len()],
            only_tools_for_another: false,
            textless: false,
            links: Vec::with_capacity(room),
            by_id: HashMap::with_capacity(room),
            nodes: Vec::with_capacity(room),
            exchanges: HashMap::new(),
            counts: Default::default(),
            last: None,
            read_with: None,
            short: AtomicBool::new(false),
            file,
        })
    }

    /// Adds a node whose parent, if any, is there already.
    pub fn append(&mut self, node: Node) -> Result<(), HistoryError> {
        let own = self.nodes.len() as u32;
        let Some(&author) = self.entities.get(&node.author) else {
            return Err(HistoryError::UnknownAuthor { node: node.id, author: node.author });
        };
        let parent = match &node.parent {
            None => None,
            Some(parent) => match self.by_id.get(parent) {
                Some(&index) => Some((index, &self.links[index as usize])),
                None => return Err(HistoryError::MissingParent { node: node.id.clone(), parent: parent.clone() }),
            },
        };
        if self.by_id.contains_key(&node.id) {
            return Err(HistoryError::DuplicateNode { node: node.id });
        }
        let mut link = Link::below(parent, &self.links, &node, own, author);
        link.caller = self.plain_caller(&node, &link).unwrap_or(NONE);
        for (counts, base) in self.counts.iter_mut().zip(Base::ALL) {
            if let Some(counts) = counts.get_mut() {
                counts.push(&node, &link, base);
            }
        }
        self.note_calls(&node, own);
        self.wrote[author as usize] = true;
        self.note_traits(Traits::of(&node, self.entity_at(author).kind), author);
        self.by_id.insert(node.id.clone(), own);
        self.links.push(link);
        self.nodes.push(node);
        self.last = Some(own);
        Ok(())
    }

    fn note_calls(&mut self, node: &Node, own: u32) {
        for part in &node.parts {
            match part {
                Part::ToolCall(ToolCall { native: None, id, .. }) => {
                    self.exchanges.entry(id.clone()).or_default().callers.push(own);
                }
                Part::ToolResult(ToolResult { native: None, id, .. }) => {
                    self.exchanges.entry(id.clone()).or_default().answers += 1;
                }
                Part::ToolCall(_) | Part::ToolResult(_) | Part::Text(_) | Part::Reasoning(_) | Part::Image(_) | Part::File(_) => {
                }
            }
        }
    }

    /// The ancestor whose call a node answers, if it answers at least one and makes none itself.
    fn plain_caller(&self, node: &Node, link: &Link) -> Option<u32> {
        if !link.answers || link.calls || link.parent == NONE {
            return None;
        }
        let result = node.parts.iter().find_map(|part| if let Part::ToolResult(result) = part { Some(result) } else { None })?;
        self.caller(&result.id, link.parent, |_| true)
    }

    /// Everything of the file but its nodes.
    pub fn file(&self) -> &Conversation {
        &self.file
    }

    /// The nodes, parents before children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The conversation file again, nodes included.
    pub fn into_conversation(mut self) -> Conversation {
        self.file.nodes = self.nodes;
        self.file
    }

    /// Finds a node.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.by_id.get(id).map(|&index| &self.nodes[index as usize])
    }

    /// The place of a node in [`nodes`](Self::nodes).
    pub fn position(&self, id: &str) -> Option<usize> {
        self.find(id).map(|index| index as usize)
    }

    /// Finds an entity.
    pub fn entity(&self, id: &str) -> Option<&Entity> {
        self.entities.get(id).map(|&index| &self.file.entities[index as usize])
    }

    /// The head when an ask names none: the file's, else the node that was added last.
    pub fn head(&self) -> Option<&Node> {
        match &self.file.head {
            Some(head) => self.node(head.as_str()),
            None => self.last.map(|index| self.at(index)),
        }
    }

    /// Counts all nodes with `base` now instead of at the first assembly that needs it.
    pub fn count(&self, base: Base) {
        self.counts(base);
    }

    pub(crate) fn counts(&self, base: Base) -> &Counts {
        if self.read_with.is_some_and(|read| read != base) {
            self.fall_short();
        }
        self.counts[base as usize].get_or_init(|| Counts::new(&self.nodes, &self.links, base))
    }

    pub(crate) fn at(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    pub(crate) fn place(&self, index: u32) -> &Link {
        &self.links[index as usize]
    }

    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    pub(crate) fn find_entity(&self, id: &str) -> Option<u32> {
        self.entities.get(id).copied()
    }

    pub(crate) fn entity_at(&self, index: u32) -> &Entity {
        &self.file.entities[index as usize]
    }

    pub(crate) fn author(&self, index: u32) -> &Entity {
        self.entity_at(self.place(index).author)
    }

    /// Entities that wrote a node, by index.
    pub(crate) fn writers(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.wrote).filter(|(_, wrote)| **wrote).map(|(index, _)| index)
    }

    /// The nodes that a node draws on for context. What was deleted or left out is in no context, whoever draws on it.
    pub(crate) fn context_of<'n>(&'n self, node: &'n Node) -> impl Iterator<Item = &'n Node> {
        let context = node.sources.iter().filter(|source| source.role == SourceRole::Context);
        context.filter_map(|source| self.node(source.node.as_str())).filter(|source| !source.pruned && !source.excluded)
    }

    /// Whether a node has words of its own or from what it draws on.
    pub(crate) fn has_words(&self, index: u32) -> bool {
        let node = self.at(index);
        self.place(index).words || self.context_of(node).any(|source| source.parts.iter().any(is_said))
    }

    /// Remembers nodes that say nothing to some.
    fn note_traits(&mut self, traits: Traits, author: u32) {
        self.textless |= traits.textless;
        self.only_tools[author as usize] |= traits.only_tools;
        self.only_tools_for_another |= traits.only_tools_for_another;
    }

    /// Whether one of `writers` has nodes of nothing but tool parts.
    pub(crate) fn writes_only_tools(&self, writers: impl Fn(u32) -> bool) -> bool {
        self.only_tools_for_another || (0u32..).zip(&self.only_tools).any(|(writer, only)| *only && writers(writer))
    }

    /// Whether a node holds no text at all.
    pub(crate) fn has_textless_nodes(&self) -> bool {
        self.textless
    }

    /// The node that was added last.
    pub(crate) fn last(&self) -> Option<u32> {
        self.last
    }

    /// The only agent of the file, if there is just one.
    pub(crate) fn only_agent(&self) -> Option<u32> {
        let mut agents = (0u32..).zip(&self.file.entities).filter(|(_, entity)| entity.kind == EntityKind::Agent);
        let first = agents.next()?.0;
        agents.next().is_none().then_some(first)
    }

    /// The ancestor of `node` with `depth` nodes above it.
    pub(crate) fn ancestor(&self, node: u32, depth: u32) -> u32 {
        let mut at = node;
        while self.place(at).first_depth() > depth {
            let link = self.place(at);
            at = if self.place(link.jump).depth >= depth { link.jump } else { link.parent };
        }
        at
    }

    /// The nearest ancestor of `node` that makes the call `id` and is heard.
    pub(crate) fn caller(&self, id: &str, node: u32, heard: impl Fn(u32) -> bool) -> Option<u32> {
        // Nearly always one of the few nodes before it: looking there is cheaper than the index.
        let is_it = |part: &Part| matches!(part, Part::ToolCall(call) if call.native.is_none() && call.id == id);
        let makes = |caller: &u32| self.at(*caller).parts.iter().any(is_it);
        let near = std::iter::successors(Some(node), |&near| Some(self.place(near).parent).filter(|&parent| parent != NONE));
        if let Some(caller) = near.take(NEAR).find(makes).filter(|&caller| heard(caller)) {
            return Some(caller);
        }
        let depth = self.place(node).depth;
        let on_path = |caller: u32| self.place(caller).depth <= depth && self.ancestor(node, self.place(caller).depth) == caller;
        let callers = self.exchanges.get(id).map_or(&[][..], |exchange| &exchange.callers);
        let found = callers.iter().rev().copied().find(|&caller| on_path(caller) && heard(caller));
        if found.is_none() {
            // It may be among what was not read.
            self.fall_short_above(node);
        }
        found
    }

    /// How many results name a call id, on all branches; of a part of a history, at least those that do not stand right
    /// behind their call.
    pub(crate) fn answers(&self, id: &str) -> u32 {
        self.exchanges.get(id).map_or(0, |exchange| exchange.answers)
    }

    fn check_names(&self) -> Result<(), HistoryError> {
        for node in &self.nodes {
            let sources = node.sources.iter().map(|source| ("a source", &source.node));
            let fields = [("\"editedFrom\"", &node.edited_from), ("\"covers\"", &node.covers)];
            let fields = fields.into_iter().filter_map(|(field, named)| Some((field, named.as_ref()?)));
            for (field, named) in sources.chain(fields) {
                if !self.by_id.contains_key(named) {
                    return Err(HistoryError::MissingNode { node: node.id.clone(), field, named: named.clone() });
                }
            }
        }
        match &self.file.head {
            Some(head) if !self.by_id.contains_key(head) => Err(HistoryError::MissingHead { head: head.clone() }),
            Some(_) | None => Ok(()),
        }
    }
}

fn index_entities(entities: &[Entity]) -> Result<HashMap<EntityId, u32>, HistoryError> {
    let mut index = HashMap::with_capacity(entities.len());
    for (at, entity) in (0u32..).zip(entities) {
        if index.insert(entity.id.clone(), at).is_some() {
            return Err(HistoryError::DuplicateEntity { entity: entity.id.clone() });
        }
    }
    Ok(index)
}

/// Orders nodes so that parents come before children, otherwise as they stood.
fn parents_first(nodes: Vec<Node>) -> Result<Vec<Node>, HistoryError> {
    let mut seen = std::collections::HashSet::with_capacity(nodes.len());
    let in_order = nodes.iter().all(|node| {
        let known = node.parent.as_ref().is_none_or(|parent| seen.contains(parent.as_str()));
        seen.insert(node.id.as_str());
        known
    });
    if in_order {
        return Ok(nodes);
    }
    let order = order(&nodes)?;
    let mut slots: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|index| slots[index].take()).collect())
}

/// The order in which a depth-first walk along parents first meets each node.
fn order(nodes: &[Node]) -> Result<Vec<usize>, HistoryError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Not,
        Open,
        Done,
    }
    let mut by_id = HashMap::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        if by_id.insert(node.id.as_str(), index).is_some() {
            return Err(HistoryError::DuplicateNode { node: node.id.clone() });
        }
    }
    let mut visits = vec![Visit::Not; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut chain = Vec::new();
    for start in 0..nodes.len() {
        let mut at = start;
        while visits[at] == Visit::Not {
            visits[at] = Visit::Open;
            chain.push(at);
            let Some(parent) = &nodes[at].parent else { break };
            at = match by_id.get(parent.as_str()) {
                Some(&parent) => parent,
                None => return Err(HistoryError::MissingParent { node: nodes[at].id.clone(), parent: parent.clone() }),
            };
            if visits[at] == Visit::Open {
                return Err(HistoryError::Cycle { node: nodes[at].id.clone() });
            }
        }
        while let Some(next) = chain.pop() {
            visits[next] = Visit::Done;
            order.push(next);
        }
    }
    Ok(order)
}
