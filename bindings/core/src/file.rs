//! A conversation file that grows: nodes with authors, branches and flags.

use crate::Fault;
use serde_json::{Map, Value};
use weftwork::History;
use weftwork::model::{Node, NodeId};

/// Adds nodes, given as a JSON list; gives the last one. A node without `parent` continues `head`; one without `id` gets one.
pub(crate) fn append(list: &str, head: Option<NodeId>, history: &mut History) -> Result<Option<NodeId>, Fault> {
    let values: Vec<Map<String, Value>> =
        serde_json::from_str(list).map_err(|error| Fault::InvalidInput { what: format!("a list of nodes: {error}") })?;
    let mut head = head.or_else(|| history.head().map(|node| node.id.clone()));
    let mut nodes = Vec::with_capacity(values.len());
    for (index, mut value) in values.into_iter().enumerate() {
        let id = format!("added-{}", history.nodes().len() + index + 1);
        value.entry("id").or_insert(Value::String(id));
        value.entry("parent").or_insert(head.as_ref().map_or(Value::Null, |head| Value::String(head.to_string())));
        let node: Node = serde_json::from_value(Value::Object(value)).map_err(|error| invalid(index, error.to_string()))?;
        head = Some(node.id.clone());
        nodes.push(node);
    }
    for (index, node) in nodes.into_iter().enumerate() {
        check_names(&node, history).map_err(|what| invalid(index, what))?;
        history.append(node)?;
    }
    Ok(head)
}

fn invalid(index: usize, what: String) -> Fault {
    Fault::InvalidMessage { index: Some(index), path: format!("$[{index}]"), what }
}

fn check_names(node: &Node, history: &History) -> Result<(), String> {
    let named = node.sources.iter().map(|source| &source.node).chain(&node.edited_from).chain(&node.covers);
    match named.into_iter().find(|named| history.node(named.as_str()).is_none()) {
        Some(named) => Err(format!("names the node {named:?}, which is not in the conversation")),
        None => Ok(()),
    }
}
