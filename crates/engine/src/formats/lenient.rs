//! Fields of exports, taken as they come.
//!
//! An export holds years of conversations, written by many versions of an app. One odd value must not cost a person all
//! the others: a field that is not what it should be is left out and reported, and the rest goes in.

use super::item::{Fields, Item, Shape};
use crate::model::Timestamp;

/// More than any app counted, in tokens or nanoseconds; few enough that a hundred thousand of them can be added up.
pub(super) const MOST: f64 = 1e13;

impl<'a> Fields<'a> {
    /// Takes a field of one shape. `into` says what it becomes; `""` that it goes in as it is.
    fn shaped(&mut self, key: &str, shape: Shape, into: &str) -> Option<Item<'a>> {
        match self.peek(key) {
            Some(item) if item.shape() != shape => {
                self.dropped(key, &format!("is {}, should be {}", item.shape().word(), shape.word()));
                None
            }
            _ => self.take_as(key, into),
        }
    }

    /// Takes a field of any shape.
    pub(super) fn take_as(&mut self, key: &str, into: &str) -> Option<Item<'a>> {
        if into.is_empty() { self.kept(key) } else { self.mapped(key, into) }
    }

    /// Takes a string.
    pub(super) fn string(&mut self, key: &str, into: &str) -> Option<String> {
        self.shaped(key, Shape::String, into).and_then(|item| item.text().ok())
    }

    /// Takes a string that is not empty.
    pub(super) fn filled(&mut self, key: &str, into: &str) -> Option<String> {
        self.string(key, into).filter(|text| !text.is_empty())
    }

    /// Takes the first of several names one field goes by.
    pub(super) fn any_string(&mut self, keys: &[&str], into: &str) -> Option<String> {
        keys.iter().fold(None, |found, key| found.or(self.filled(key, into)))
    }

    /// Takes true or false; 0 and 1 count as such.
    pub(super) fn flag(&mut self, key: &str, into: &str) -> bool {
        self.take_as(key, into).is_some_and(|item| !matches!(item.raw(), "false" | "0" | "\"\"" | "null"))
    }

    /// Takes a number of things; digits after the point are cut.
    pub(super) fn count(&mut self, key: &str, into: &str) -> Option<u64> {
        let number = self.peek(key).and_then(|item| item.number().ok());
        if number.is_some_and(|number| !(0.0..=MOST).contains(&number)) {
            self.dropped(key, "is no count of anything");
            return None;
        }
        self.decimal(key, into).map(|number| number as u64)
    }

    /// Takes a number.
    pub(super) fn decimal(&mut self, key: &str, into: &str) -> Option<f64> {
        self.shaped(key, Shape::Number, into).and_then(|item| item.number().ok())
    }

    /// Takes a time.
    pub(super) fn moment(&mut self, key: &str, into: &str) -> Option<Timestamp> {
        let item = self.peek(key);
        match item.map(|item| item.time()) {
            Some(Err(_)) => {
                self.dropped(key, "is not a time");
                None
            }
            Some(Ok(time)) => self.take_as(key, into).map(|_| time),
            None => {
                self.take_as(key, into);
                None
            }
        }
    }

    /// Takes the items of an array; none if there is none.
    pub(super) fn list(&mut self, key: &str, into: &str) -> Vec<Item<'a>> {
        self.shaped(key, Shape::Array, into).and_then(|item| item.items().ok()).unwrap_or_default()
    }

    /// Takes the entries of an object whose keys are data.
    pub(super) fn entries(&mut self, key: &str, into: &str) -> Vec<(String, Item<'a>)> {
        self.shaped(key, Shape::Object, into).and_then(|item| item.entries().ok()).unwrap_or_default()
    }

    /// Takes the fields of an object. Its own fields are reported one by one.
    pub(super) fn object(&mut self, key: &str) -> Option<Fields<'a>> {
        self.shaped(key, Shape::Object, "its fields").and_then(|item| item.fields().ok())
    }
}

impl<'a> Item<'a> {
    /// The fields, if this is an object; anything else is reported as left out.
    pub(super) fn fields_or_drop(&self, what: &str) -> Option<Fields<'a>> {
        match self.fields() {
            Ok(fields) => Some(fields),
            Err(_) => {
                self.dropped(what, &format!("is {}, should be an object", self.shape().word()));
                None
            }
        }
    }

    /// The string, or the JSON of anything else.
    pub(super) fn as_text(&self) -> String {
        self.text().unwrap_or_else(|_| self.raw().to_owned())
    }
}
