//! Replies as they are written: not yet in the store, and lost without harm.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use weftwork::model::NodeId;

/// What is being written in one space.
#[derive(Default)]
pub(in crate::serve) struct Drafts(Mutex<HashMap<NodeId, String>>);

impl Drafts {
    /// Adds to a reply; says how many bytes it had before.
    pub(super) fn add(&self, node: &NodeId, text: &str) -> usize {
        let mut drafts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let draft = drafts.entry(node.clone()).or_default();
        let before = draft.len();
        draft.push_str(text);
        before
    }

    /// A reply begins anew.
    pub(super) fn clear(&self, node: &NodeId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(node.clone(), String::new());
    }

    /// A reply has come to its end.
    pub(super) fn end(&self, node: &NodeId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(node);
    }

    /// All that is being written.
    pub(super) fn all(&self) -> Vec<(NodeId, String)> {
        let drafts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        drafts.iter().map(|(node, text)| (node.clone(), text.clone())).collect()
    }
}
