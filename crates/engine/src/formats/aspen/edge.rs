//! Aspen's hyperedges: several sources with roles, one target.

use super::super::ImportError;
use super::super::item::Item;
use super::{further, source_role};
use crate::model::{Edge, NodeId, Source};
use std::collections::{BTreeSet, HashMap};

/// The edges of a tree, by their target.
#[derive(Debug, Default)]
pub(super) struct Edges {
    into: HashMap<NodeId, Into>,
    selected: HashMap<NodeId, NodeId>,
}

/// What leads into one node.
#[derive(Debug)]
struct Into {
    edge: Edge,
    /// Versions of the node it continues, oldest first.
    primaries: Vec<NodeId>,
    sources: Vec<Source>,
}

impl Edges {
    /// Reads which version of its source a node continues on a path.
    pub(super) fn select(&mut self, item: &Item<'_>) -> Result<(), ImportError> {
        let Some(mut fields) = item.fields_or_drop("selection") else { return Ok(()) };
        let target = fields.filled("targetNodeId", "which version a node continues");
        let source = fields.filled("selectedSourceNodeId", "which version a node continues");
        if let (Some(target), Some(source)) = (target, source) {
            self.selected.insert(target.into(), source.into());
        }
        fields.dropped_all(&["pathId", "selectedEdgeId", "createdAt", "updatedAt"], "a node has one edge into it");
        fields.end()
    }

    pub(super) fn read(&mut self, item: &Item<'_>) -> Result<(), ImportError> {
        let Some(mut fields) = item.fields_or_drop("edge") else { return Ok(()) };
        let mut into = Into { edge: Edge::Continuation, primaries: Vec::new(), sources: Vec::new() };
        if fields.string("edgeType", "edge").as_deref() == Some("annotation") {
            into.edge = Edge::Annotation;
        }
        for source in fields.list("sources", "parent and sources") {
            let Some(mut source_fields) = source.fields_or_drop("source") else { continue };
            let node = source_fields.filled("nodeId", "parent or source").map(NodeId::from);
            let role = source_fields.string("role", "parent or role of the source");
            source_fields.end()?;
            match (node, role.as_deref().and_then(source_role)) {
                (Some(node), Some(role)) => into.sources.push(further(node, role)),
                (Some(node), None) => into.primaries.push(node),
                (None, _) => source.dropped("source without a node", "it names nothing"),
            }
        }
        let target = fields.filled("targetNodeId", "the node the edge leads to");
        fields.dropped_all(&["id", "loomTreeId", "createdAt"], "a node has one edge into it");
        fields.end()?;
        match target.map(NodeId::from) {
            None => item.dropped("edge without a target", "it leads nowhere"),
            Some(target) if self.into.contains_key(&target) => {
                item.dropped("second edge into a node", "a node has one edge into it");
            }
            Some(target) => {
                if into.primaries.len() > 1 {
                    item.mapped("further primary source", "a version of the parent, with editedFrom");
                }
                self.into.insert(target, into);
            }
        }
        Ok(())
    }

    /// The node that `node` continues: the version selected, else the newest that the file holds.
    pub(super) fn parent_of(&self, node: &NodeId, ids: &BTreeSet<NodeId>) -> Option<NodeId> {
        let primaries = &self.into.get(node)?.primaries;
        let selected = self.selected.get(node).filter(|selected| primaries.contains(selected) && ids.contains(*selected));
        selected.or_else(|| primaries.iter().rfind(|primary| ids.contains(*primary))).cloned()
    }

    /// How a node hangs on its parent, and its further sources.
    pub(super) fn edge_into(&self, node: &NodeId) -> (Edge, Vec<Source>) {
        self.into.get(node).map_or((Edge::Continuation, Vec::new()), |into| (into.edge, into.sources.clone()))
    }

    /// Reports edges from and to nodes that are not in the file.
    pub(super) fn report(&self, doc: &Item<'_>, ids: &BTreeSet<NodeId>) {
        for _ in self.into.keys().filter(|target| !ids.contains(*target)) {
            doc.dropped("edge to a node that is not in the file", "it leads nowhere");
        }
        let sources = |into: &Into| into.sources.iter().map(|source| source.node.clone()).collect::<Vec<_>>();
        let named = self.into.values().flat_map(|into| into.primaries.iter().cloned().chain(sources(into)));
        for _ in named.filter(|node| !ids.contains(node)) {
            doc.dropped("source that is not in the file", "it names nothing");
        }
    }
}
