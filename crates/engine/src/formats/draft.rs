//! A conversation being written by an importer.
//!
//! Every importer builds through here, so that entities are made once, node ids are unique and stable, and a result
//! always knows its call.

use super::error::ImportError;
use super::item::Item;
use super::pairing::{Calls, Candidates};
use crate::model::{Call, Conversation, Entity, EntityId, EntityKind, ImportedRole, Node, NodeId, Part, Space};
use std::collections::{HashMap, HashSet};

/// A conversation being written.
#[derive(Debug)]
pub(super) struct Draft {
    /// What is written so far; fields without a method here (tools, sampling, space, …) are set directly.
    pub(super) conversation: Conversation,
    last: Option<NodeId>,
    ids: HashSet<NodeId>,
    made: u64,
    entity_ids: HashMap<(EntityKind, String), EntityId>,
    entity_slugs: HashSet<String>,
    calls: Calls,
}

impl Default for Draft {
    fn default() -> Self {
        Draft::new("imported", "")
    }
}

impl Draft {
    /// An empty conversation. Where the source has no id for it, use `"imported"`.
    pub(super) fn new(id: &str, name: &str) -> Self {
        Draft {
            conversation: Conversation::new(Space::new(id, name)),
            last: None,
            ids: HashSet::new(),
            made: 0,
            entity_ids: HashMap::new(),
            entity_slugs: HashSet::new(),
            calls: Calls::default(),
        }
    }

    /// The human called `name`, made when first named. Where the source has no name, use `"User"`.
    pub(super) fn human(&mut self, name: &str) -> EntityId {
        self.entity(EntityKind::Human, name)
    }

    /// The agent called `name`. Where the source has no name, use `"Assistant"`.
    pub(super) fn agent(&mut self, name: &str) -> EntityId {
        self.entity(EntityKind::Agent, name)
    }

    /// The service called `name`. System messages are by `"System"`.
    pub(super) fn service(&mut self, name: &str) -> EntityId {
        self.entity(EntityKind::Service, name)
    }

    fn entity(&mut self, kind: EntityKind, name: &str) -> EntityId {
        if let Some(id) = self.entity_ids.get(&(kind, name.to_owned())) {
            return id.clone();
        }
        let mut slug = slug(name, kind.word());
        if self.entity_slugs.contains(&slug) {
            let free = |number: &usize| !self.entity_slugs.contains(&format!("{slug}-{number}"));
            let number = (self.entity_slugs.len() + 1..).find(free).unwrap_or(0);
            slug = format!("{slug}-{number}");
        }
        self.entity_slugs.insert(slug.clone());
        let id = EntityId::from(slug);
        self.entity_ids.insert((kind, name.to_owned()), id.clone());
        self.conversation.entities.push(Entity::new(id.clone(), name, kind));
        id
    }

    /// An entity made before, to add its model or prompt.
    pub(super) fn entity_mut(&mut self, id: &EntityId) -> Option<&mut Entity> {
        self.conversation.entities.iter_mut().find(|entity| entity.id == *id)
    }

    /// A node to be filled and pushed, continuing the last one pushed. It has the source's id where that is given and
    /// not used yet, else the next free one of `n1`, `n2`, …
    pub(super) fn node(&mut self, source_id: Option<&str>, author: &EntityId) -> Node {
        let id = match source_id.filter(|id| !id.is_empty() && !self.ids.contains(*id)) {
            Some(id) => NodeId::from(id),
            None => self.next_id(),
        };
        self.ids.insert(id.clone());
        Node::new(id, self.last.clone(), author.clone())
    }

    /// A system message: by the service `System`, with its role.
    pub(super) fn system_node(&mut self, source_id: Option<&str>) -> Node {
        let author = self.service("System");
        Node { role: Some(ImportedRole::System), ..self.node(source_id, &author) }
    }

    fn next_id(&mut self) -> NodeId {
        loop {
            self.made += 1;
            let id = NodeId::from(format!("n{}", self.made));
            if !self.ids.contains(&id) {
                return id;
            }
        }
    }

    /// Appends a node; the next one continues it.
    pub(super) fn push(&mut self, node: Node) -> NodeId {
        let id = node.id.clone();
        self.last = Some(id.clone());
        self.conversation.nodes.push(node);
        id
    }

    /// Pushes what an API's user message holds: tool results as the agent's, everything else as the human's, a node for
    /// each run of either.
    pub(super) fn push_user(&mut self, source_id: Option<&str>, parts: Vec<Part>) {
        let is_result = |part: &Part| matches!(part, Part::ToolResult(_));
        let mut spoken = false;
        let mut parts = parts.into_iter().peekable();
        loop {
            let results = parts.peek().is_some_and(is_result);
            let author = if results { self.agent("Assistant") } else { self.human("User") };
            let mut node = self.node(source_id, &author);
            while let Some(part) = parts.next_if(|part| is_result(part) == results) {
                node.parts.push(part);
            }
            self.push(node);
            spoken |= !results;
            if parts.peek().is_none() {
                break;
            }
        }
        if spoken {
            self.close_calls();
        }
    }

    /// The next node pushed continues this one.
    pub(super) fn go_on_from(&mut self, last: Option<NodeId>) {
        self.last = last;
    }

    /// The last node pushed, to add parts to it.
    pub(super) fn last_mut(&mut self) -> Option<&mut Node> {
        self.conversation.nodes.last_mut()
    }

    /// Adds a request to a model. Its id should be the source's, else made from the node's.
    pub(super) fn call(&mut self, call: Call) {
        self.conversation.calls.push(call);
    }

    /// Notes that a tool was called; gives the call's id, made up where the source has none.
    pub(super) fn called(&mut self, id: Option<String>, name: &str) -> String {
        self.calls.open(id, name)
    }

    /// Notes that a tool answered; gives the id of its call. Without an id (and with a name, if the source has one) the
    /// call must be the only open one: a guess could silently join an answer to the wrong call.
    pub(super) fn answered(&mut self, id: Option<String>, name: Option<&str>, at: &Item<'_>) -> Result<String, ImportError> {
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            self.calls.close(&id);
            return Ok(id);
        }
        match self.calls.close_only(name) {
            Candidates::Only(id) => Ok(id),
            Candidates::None => {
                Err(at.wrong("a tool result without the id of its call, and no open call it could answer: add the id"))
            }
            Candidates::Several(ids) => Err(at.wrong(format!(
                "a tool result without the id of its call, and several calls are open ({}): add the id",
                ids.join(", ")
            ))),
        }
    }

    /// Notes that a call whose id is known was answered.
    pub(super) fn call_answered(&mut self, id: &str) {
        self.calls.close(id);
    }

    /// The first open call of a tool, for formats whose results follow in the order of their calls (Gemini).
    pub(super) fn answered_in_order(&mut self, name: &str) -> Option<String> {
        self.calls.close_first(name)
    }

    /// Notes that somebody else spoke: results must follow their calls, so calls still open stay unanswered.
    pub(super) fn close_calls(&mut self) {
        self.calls.give_up();
    }

    /// The finished conversation.
    pub(super) fn finish(self) -> Conversation {
        self.conversation
    }
}

fn slug(name: &str, otherwise: &str) -> String {
    let slug: String = name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { otherwise.to_owned() } else { slug.to_owned() }
}
