//! Aspen: a loom tree with its nodes, hyperedges and agents.
//!
//! An edge has sources with roles and one target. Its primary source becomes the target's parent, context and
//! instruction sources become the node's sources, an annotation edge stays one. Where an edge has several primary
//! sources they are versions of one node: the one a path selected is the parent, else the newest; the others keep their
//! place and `editedFrom`. Flags, edits, authors and the tree's mode and system text go in as they are; hashes do not,
//! because they were made by other rules.

use super::ImportError;
use super::facts::{self, model_name};
use super::item::{Fields, Item};
use super::source::Source;
use super::tree::parents_first;
use crate::model::{Conversation, Edge, EntityKind, Mode, Node, NodeId, Source as Origin, SourceRole, Space, Usage};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

mod agent;
mod content;
mod edge;

use agent::Authors;
use edge::Edges;

pub(super) fn detect(docs: &[Value]) -> bool {
    let is_tree = |doc: &Value| {
        let has_tree = ["tree", "loomTree"].iter().any(|key| doc.get(key).is_some_and(Value::is_object));
        let is_edge = |edge: &Value| edge.get("targetNodeId").is_some() && edge.get("sources").is_some();
        let edges = doc.get("edges").and_then(Value::as_array);
        let is_node = |node: &Value| node.get("authorType").is_some() && node.get("content").is_some();
        let nodes = doc.get("nodes").and_then(Value::as_array);
        nodes.is_some_and(|nodes| nodes.iter().all(is_node)) && (has_tree || edges.is_some_and(|edges| edges.iter().all(is_edge)))
    };
    !docs.is_empty() && docs.iter().all(is_tree)
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    source.docs.iter().map(|doc| conversation(source, doc)).collect()
}

fn conversation(source: &Source<'_>, doc: &Item<'_>) -> Result<Conversation, ImportError> {
    let mut fields = doc.fields()?;
    let mut conversation = Conversation::new(Space::new("imported", ""));
    for key in ["tree", "loomTree"] {
        if let Some(tree) = fields.object(key) {
            read_tree(&mut conversation, tree)?;
        }
    }
    let agents = fields.list("agents", "entities");
    for item in &agents {
        agent::read(&mut conversation, item, agents.len())?;
    }
    let mut edges = Edges::default();
    for selection in fields.list("pathSelections", "which version a node continues") {
        edges.select(&selection)?;
    }
    for edge in fields.list("edges", "parent and sources") {
        edges.read(&edge)?;
    }
    let mut authors = Authors::of(&conversation.entities);
    let mut nodes = Vec::new();
    for node in fields.need("nodes")?.items()? {
        if let Some(node_fields) = node.fields_or_drop("node") {
            nodes.extend(read_node(source, &mut authors, &node, node_fields)?);
        }
    }
    conversation.entities.append(&mut authors.made);
    join(doc, &mut conversation, nodes, &edges);
    let places: HashMap<NodeId, usize> = conversation.nodes.iter().enumerate().map(|(n, node)| (node.id.clone(), n)).collect();
    for response in fields.list("rawApiResponses", "calls") {
        read_response(&mut conversation, &response, &places)?;
    }
    read_head(&mut conversation, &mut fields)?;
    fields.dropped_all(&["exportedAt", "version", "groves", "timestampCertificates"], "about the app, not the tree");
    fields.end()?;
    Ok(conversation)
}

fn read_tree(conversation: &mut Conversation, mut fields: Fields<'_>) -> Result<(), ImportError> {
    let space = &mut conversation.space;
    if let Some(id) = fields.filled("id", "space id") {
        space.id = id.into();
    }
    space.name = fields.string("title", "space name").unwrap_or_default();
    space.mode = match fields.string("mode", "").as_deref() {
        Some("buffer") => Mode::Buffer,
        Some(_) | None => Mode::Dialogue,
    };
    space.system_context = fields.string("systemContext", "").unwrap_or_default();
    space.buffer_mode_system_context = fields.flag("bufferModeSystemContext", "");
    if let Some(name) = fields.string("truncationStrategy", "setting of the space") {
        space.settings.truncation_strategy = serde_json::from_value(name.into()).ok();
    }
    let recent = fields.count("minimumRecentNodes", "setting of the space");
    space.settings.minimum_recent_nodes = recent.and_then(|recent| u32::try_from(recent).ok());
    space.settings.token_buffer = fields.count("tokenBuffer", "setting of the space");
    fields.mapped("rootNodeId", "the node without a parent");
    fields.dropped_all(
        &["groveId", "description", "summary", "createdAt", "updatedAt", "archivedAt"],
        "about the tree, not said in it",
    );
    fields.end()
}

fn read_node(
    source: &Source<'_>,
    authors: &mut Authors,
    item: &Item<'_>,
    mut fields: Fields<'_>,
) -> Result<Option<Node>, ImportError> {
    let Some(id) = fields.filled("id", "") else {
        item.dropped("node without an id", "no edge could name it");
        return Ok(None);
    };
    let author = fields.filled("authorAgentId", "author");
    let kind = match fields.string("authorType", "type of the author").as_deref() {
        Some("human") => EntityKind::Human,
        Some(_) | None => EntityKind::Agent,
    };
    let mut node = Node::new(id, None, authors.named(author, kind));
    if let Some(content) = fields.mapped("content", "parts") {
        content::read(source, &mut node.parts, &content)?;
    }
    node.created_at = fields.moment("createdAt", "");
    node.edited_from = fields.filled("editedFrom", "").map(NodeId::from);
    if let Some(mut metadata) = fields.object("metadata") {
        node.bookmarked = metadata.flag("bookmarked", "");
        node.pruned = metadata.flag("pruned", "");
        node.excluded = metadata.flag("excluded", "");
        metadata.dropped("bookmarkLabel", "a bookmark has no label");
        metadata.end()?;
    }
    fields.dropped("contentHash", "made by other rules than this history's hashes");
    fields.dropped_all(&["localId", "loomTreeId", "summary"], "follows from the tree, or is about the node and not said in it");
    fields.end()?;
    Ok(Some(node))
}

/// Hangs the nodes on each other as the edges say, parents first.
fn join(doc: &Item<'_>, conversation: &mut Conversation, nodes: Vec<Node>, edges: &Edges) {
    let mut ids = BTreeSet::new();
    let nodes: Vec<Node> = nodes
        .into_iter()
        .filter(|node| {
            let new = ids.insert(node.id.clone());
            if !new {
                doc.dropped("node with an id used before", "the first one stands");
            }
            new
        })
        .collect();
    let parents: HashMap<NodeId, NodeId> =
        nodes.iter().filter_map(|node| Some((node.id.clone(), edges.parent_of(&node.id, &ids)?))).collect();
    let pairs = nodes.iter().map(|node| (node.id.as_str(), parents.get(&node.id).map(NodeId::as_str)));
    let places = parents_first(pairs);
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    for place in places {
        let Some(mut node) = nodes.get_mut(place.index).and_then(Option::take) else { continue };
        if place.cut {
            doc.dropped("edge that closes a circle", "a tree has none");
        } else {
            node.parent = parents.get(&node.id).cloned();
        }
        (node.edge, node.sources) = edges.edge_into(&node.id);
        node.sources.retain(|source| ids.contains(&source.node));
        if node.edited_from.as_ref().is_some_and(|from| !ids.contains(from)) {
            node.edited_from = None;
            doc.dropped("editedFrom", "names a node that is not in the file");
        }
        conversation.nodes.push(node);
    }
    edges.report(doc, &ids);
}

fn read_response(conversation: &mut Conversation, item: &Item<'_>, places: &HashMap<NodeId, usize>) -> Result<(), ImportError> {
    let Some(mut fields) = item.fields_or_drop("response") else { return Ok(()) };
    let node = fields.filled("nodeId", "node of the call").map(NodeId::from);
    let provider = fields.filled("provider", "model of the call");
    let mut call = facts::call("", None);
    call.model = fields.filled("modelIdentifier", "model of the call").map(|model| model_name(provider.as_deref(), &model));
    call.created_at = fields.moment("requestTimestamp", "createdAt of the call");
    call.duration_ms = fields.count("latencyMs", "durationMs of the call");
    if let Some(mut usage) = fields.object("tokenUsage") {
        call.raw_usage = Some(usage.of().json());
        let mut count = |keys: &[&str]| keys.iter().find_map(|key| usage.count(key, "usage"));
        let (input, output) = (count(&["promptTokens", "prompt"]), count(&["completionTokens", "completion"]));
        call.usage = Some(Usage { input: input.unwrap_or(0), output: output.unwrap_or(0), cache_read: 0, cache_write: 0 });
        usage.dropped_all(&["totalTokens", "total"], "follows from the other numbers");
        usage.end()?;
    }
    fields.dropped_all(
        &["id", "requestId", "responseBody", "responseHeaders", "responseTimestamp", "compressionType", "createdAt"],
        "a conversation file holds no raw responses",
    );
    fields.end()?;
    let mut name = format!("call-{}", conversation.calls.len() + 1);
    let node = node.and_then(|id| conversation.nodes.get_mut(*places.get(&id)?));
    // A node has one response; another one that names it is a call of its own.
    if let Some(node) = node.filter(|node| node.usage.is_none()) {
        node.model.clone_from(&call.model);
        node.usage = call.usage;
        (call.node, call.agent) = (Some(node.id.clone()), Some(node.author.clone()));
        name = node.id.to_string();
    }
    call.id = format!("{}/{name}", conversation.space.id);
    conversation.calls.push(call);
    Ok(())
}

fn read_head(conversation: &mut Conversation, fields: &mut Fields<'_>) -> Result<(), ImportError> {
    let mut head = None;
    if let Some(mut path) = fields.object("path") {
        head = path_end(&path.list("nodes", "the way to the head"))?;
        path.dropped_all(&["id", "loomTreeId", "ownerAgentId", "name", "createdAt", "updatedAt"], "a path is told by its head");
        path.end()?;
    }
    if let Some(mut state) = fields.object("pathState") {
        head = state.filled("activeNodeId", "head").or(head);
        state.dropped_all(&["pathId", "agentId", "mode", "updatedAt"], "a path is told by its head");
        state.end()?;
    }
    let last = || conversation.nodes.iter().rfind(|node| node.edge == Edge::Continuation).map(|node| node.id.clone());
    let named = head.map(NodeId::from).filter(|head| conversation.nodes.iter().any(|node| node.id == *head));
    conversation.head = named.or_else(last);
    Ok(())
}

/// The last node of a path, whose steps are ids or say their position.
fn path_end(steps: &[Item<'_>]) -> Result<Option<String>, ImportError> {
    let mut end: Option<(u64, String)> = None;
    for (number, step) in steps.iter().enumerate() {
        let (position, id) = match step.fields() {
            Ok(mut fields) => {
                let (id, position) =
                    (fields.filled("nodeId", "the way to the head"), fields.count("position", "the way to the head"));
                fields.dropped("pathId", "a path is told by its head");
                fields.end()?;
                (position, id)
            }
            Err(_) => (None, Some(step.as_text())),
        };
        let position = position.unwrap_or(number as u64);
        if let Some(id) = id.filter(|_| end.as_ref().is_none_or(|(last, _)| *last <= position)) {
            end = Some((position, id));
        }
    }
    Ok(end.map(|(_, id)| id))
}

fn source_role(word: &str) -> Option<SourceRole> {
    match word {
        "context" => Some(SourceRole::Context),
        "instruction" => Some(SourceRole::Instruction),
        _ => None,
    }
}

fn further(node: NodeId, role: SourceRole) -> Origin {
    Origin { node, role }
}
