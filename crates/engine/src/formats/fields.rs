//! The fields of an object: taken one by one, reported as they are taken.

use super::error::ImportError;
use super::item::{Item, Shape};
use super::loss::Outcome;
use super::path::Path;
use crate::ask::Check;
use serde_json::value::RawValue;

/// The fields of an object, each to be taken with what becomes of it.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    of: Item<'a>,
    kind: String,
    slots: Vec<(String, Option<&'a RawValue>)>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(of: Item<'a>, slots: Vec<(String, Option<&'a RawValue>)>) -> Self {
        // The kind is needed for the report only.
        let kind = if of.desk.loss.borrow().is_unread() { String::new() } else { of.path().kind() };
        Fields { kind, of, slots }
    }

    /// Takes a field that goes in as it is. A null is as good as none.
    pub(super) fn kept(&mut self, key: &str) -> Option<Item<'a>> {
        self.take(key, Outcome::Kept, "")
    }

    /// Takes a field that goes in as something else.
    pub(super) fn mapped(&mut self, key: &str, into: &str) -> Option<Item<'a>> {
        self.take(key, Outcome::Mapped, into)
    }

    /// Takes a field that is known and left out.
    pub(super) fn dropped(&mut self, key: &str, why: &str) -> Option<Item<'a>> {
        self.take(key, Outcome::Dropped, why)
    }

    /// Takes several fields that are known and left out for one reason.
    pub(super) fn dropped_all(&mut self, keys: &[&str], why: &str) {
        for key in keys {
            self.dropped(key, why);
        }
    }

    /// Takes a field that must be there and goes in as it is.
    pub(super) fn need(&mut self, key: &str) -> Result<Item<'a>, ImportError> {
        self.kept(key).ok_or_else(|| self.of.wrong(format!("needs {key:?}")))
    }

    /// Takes a string that goes in as it is.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, ImportError> {
        self.kept(key).map(|item| item.text()).transpose()
    }

    /// Takes a string that goes in as something else.
    pub(super) fn mapped_text(&mut self, key: &str, into: &str) -> Result<Option<String>, ImportError> {
        self.mapped(key, into).map(|item| item.text()).transpose()
    }

    /// Takes an array whose items are read one by one; none is as good as empty.
    pub(super) fn each(&mut self, key: &str) -> Result<Vec<Item<'a>>, ImportError> {
        self.kept(key).map_or(Ok(Vec::new()), |item| item.items())
    }

    /// Looks at a field without taking or reporting it.
    pub(super) fn peek(&self, key: &str) -> Option<Item<'a>> {
        let (_, raw) = self.slots.iter().rev().find(|(name, raw)| name == key && raw.is_some())?;
        let item = self.of.field((*raw)?, key);
        (item.shape() != Shape::Null).then_some(item)
    }

    /// Whether the field is there, even as null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.slots.iter().any(|(name, raw)| name == key && raw.is_some())
    }

    /// The object itself, for errors.
    pub(super) fn of(&self) -> &Item<'a> {
        &self.of
    }

    fn take(&mut self, key: &str, outcome: Outcome, note: &str) -> Option<Item<'a>> {
        // The last of two equal keys stands, as in every JSON parser; the other is left for `end` to report.
        let raw = self.slots.iter_mut().rev().find(|(name, raw)| name == key && raw.is_some())?.1.take()?;
        let item = self.of.field(raw, key);
        self.report(outcome, key, note, item.path());
        (item.shape() != Shape::Null).then_some(item)
    }

    fn report(&self, outcome: Outcome, key: &str, note: &str, path: &Path) {
        if self.of.desk.loss.borrow().is_unread() {
            return;
        }
        let what = if self.kind.is_empty() { key.to_owned() } else { format!("{}.{key}", self.kind) };
        self.of.desk.loss.borrow_mut().note(outcome, &what, note, path);
    }

    /// Takes every field that is left and leaves it out for one reason: for places where an app keeps notes of its own,
    /// whose names come and go with its versions.
    pub(super) fn drop_rest(mut self, why: &str) {
        let keys: Vec<String> = self.slots.iter().filter(|(_, raw)| raw.is_some()).map(|(key, _)| key.clone()).collect();
        self.dropped_all(&keys.iter().map(String::as_str).collect::<Vec<_>>(), why);
    }

    /// Reports every field nobody took: left out, or in strict an error.
    pub(super) fn end(self) -> Result<(), ImportError> {
        for (key, raw) in self.slots.iter().filter_map(|(key, raw)| raw.map(|raw| (key, raw))) {
            let item = self.of.field(raw, key);
            if self.of.desk.check == Check::Strict {
                return Err(item.wrong("is not a known field: remove it, or import without strict"));
            }
            self.report(Outcome::Dropped, key, "not a known field", item.path());
        }
        Ok(())
    }
}
