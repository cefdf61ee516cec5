//! Which call a tool result answers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The tool calls of a conversation, and those still without a result.
#[derive(Debug, Default)]
pub(super) struct Calls {
    ids: HashSet<String>,
    made: usize,
    open: BTreeMap<usize, OpenCall>,
    by_id: HashMap<String, usize>,
    by_name: HashMap<String, BTreeSet<usize>>,
}

#[derive(Debug)]
struct OpenCall {
    id: String,
    name: String,
}

/// The calls that a result without an id could answer.
pub(super) enum Candidates {
    None,
    Only(String),
    Several(Vec<String>),
}

impl Calls {
    /// Opens a call and gives its id: `call_1`, `call_2`, … where the source has none.
    pub(super) fn open(&mut self, id: Option<String>, name: &str) -> String {
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| self.next_id());
        self.made += 1;
        self.ids.insert(id.clone());
        self.by_id.insert(id.clone(), self.made);
        self.by_name.entry(name.to_owned()).or_default().insert(self.made);
        self.open.insert(self.made, OpenCall { id: id.clone(), name: name.to_owned() });
        id
    }

    fn next_id(&self) -> String {
        let free = |number: &usize| !self.ids.contains(&format!("call_{number}"));
        let number = (self.made + 1..).find(free).unwrap_or(self.made + 1);
        format!("call_{number}")
    }

    /// Closes the call with this id, if it is open.
    pub(super) fn close(&mut self, id: &str) {
        if let Some(number) = self.by_id.get(id).copied() {
            self.remove(number);
        }
    }

    /// Closes the only open call (of the tool `name`, if given).
    pub(super) fn close_only(&mut self, name: Option<&str>) -> Candidates {
        let numbers: Vec<usize> = match name {
            Some(name) => self.by_name.get(name).into_iter().flatten().copied().take(8).collect(),
            None => self.open.keys().copied().take(8).collect(),
        };
        match numbers.as_slice() {
            [] => Candidates::None,
            [only] => self.remove(*only).map_or(Candidates::None, Candidates::Only),
            several => Candidates::Several(several.iter().filter_map(|n| self.open.get(n)).map(|call| call.id.clone()).collect()),
        }
    }

    /// Closes the oldest open call of a tool.
    pub(super) fn close_first(&mut self, name: &str) -> Option<String> {
        let first = self.by_name.get(name)?.first().copied()?;
        self.remove(first)
    }

    /// Gives up all open calls.
    pub(super) fn give_up(&mut self) {
        self.open.clear();
        self.by_id.clear();
        self.by_name.clear();
    }

    fn remove(&mut self, number: usize) -> Option<String> {
        let call = self.open.remove(&number)?;
        if self.by_id.get(&call.id) == Some(&number) {
            self.by_id.remove(&call.id);
        }
        if let Some(same_name) = self.by_name.get_mut(&call.name) {
            same_name.remove(&number);
        }
        Some(call.id)
    }
}
