//! Reading a foreign file: one JSON value and the way to it.
//!
//! Reading a field and reporting it are one act, so nothing can vanish unmentioned: [`Fields`] hands out a value only
//! together with what becomes of it, and what nobody asked for is reported by [`Fields::end`]. Values are borrowed from
//! the source text and parsed one level at a time, so arguments keep their exact bytes and large exports stay small.

use super::error::{ImportError, Position};
pub(super) use super::fields::Fields;
use super::loss::LossReport;
use super::path::Path;
use super::surrogates::lossy_string;
use crate::ask::Check;
use crate::model::{Json, Timestamp};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::{cell::RefCell, fmt, rc::Rc};

/// What all items of one text share.
#[derive(Debug)]
pub(super) struct Desk<'a> {
    pub(super) text: &'a str,
    pub(super) check: Check,
    pub(super) loss: Rc<RefCell<LossReport>>,
}

/// One JSON value of the source and the way to it.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    raw: &'a RawValue,
    path: Rc<Path>,
    pub(super) desk: Rc<Desk<'a>>,
}

/// What kind of JSON value an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl<'a> Item<'a> {
    pub(super) fn new(raw: &'a RawValue, path: Path, desk: Rc<Desk<'a>>) -> Self {
        Item { raw, path: Rc::new(path), desk }
    }

    /// The same place, read from `text`: for JSON that hides inside a string. None if it is not JSON.
    pub(super) fn inside<'b>(&self, text: &'b str) -> Option<Item<'b>>
    where
        'a: 'b,
    {
        super::source::check_depth(text).ok()?;
        let raw = serde_json::from_str(text).ok()?;
        let desk: Rc<Desk<'b>> = self.desk.clone();
        Some(Item { raw, path: Rc::new(Path::inside(&self.path)), desk })
    }

    pub(super) fn shape(&self) -> Shape {
        match self.raw.get().as_bytes().first() {
            Some(b'n') | None => Shape::Null,
            Some(b't' | b'f') => Shape::Bool,
            Some(b'"') => Shape::String,
            Some(b'[') => Shape::Array,
            Some(b'{') => Shape::Object,
            Some(_) => Shape::Number,
        }
    }

    /// The value, byte for byte.
    pub(super) fn json(&self) -> Json {
        Json::of(&self.raw)
    }

    /// The text of the value, byte for byte.
    pub(super) fn raw(&self) -> &'a str {
        self.raw.get()
    }

    /// The way to it; displays as a JSON path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// An error about this item; `message` says what is wrong and how to mend it.
    pub(super) fn wrong(&self, message: impl Into<String>) -> ImportError {
        ImportError::Field {
            path: self.path.to_string(),
            position: self.offset().map(|at| Position::of(self.desk.text, at)),
            message: message.into(),
        }
    }

    /// Where its text begins in the source; none where it was taken out of a string.
    pub(super) fn offset(&self) -> Option<usize> {
        let start = self.desk.text.as_ptr() as usize;
        (self.raw.get().as_ptr() as usize).checked_sub(start).filter(|&at| at < self.desk.text.len())
    }

    /// A string. Half of a surrogate pair, as cut text has it, becomes U+FFFD; in strict it is an error.
    pub(super) fn text(&self) -> Result<String, ImportError> {
        if self.shape() != Shape::String {
            return Err(self.wrong(format!("must be a string, is {}", self.shape().word())));
        }
        if let Ok(text) = serde_json::from_str(self.raw.get()) {
            return Ok(text);
        }
        if self.desk.check == Check::Strict {
            return Err(self.wrong("holds half of a surrogate pair: write the whole character"));
        }
        self.mapped("half of a surrogate pair", "U+FFFD");
        lossy_string(self.raw.get()).ok_or_else(|| self.wrong("is not a readable string"))
    }

    pub(super) fn truth(&self) -> Result<bool, ImportError> {
        self.scalar("true or false")
    }

    pub(super) fn whole(&self) -> Result<u64, ImportError> {
        self.scalar("a whole number, not negative")
    }

    pub(super) fn number(&self) -> Result<f64, ImportError> {
        self.scalar("a number")
    }

    fn scalar<T: Deserialize<'a>>(&self, wanted: &str) -> Result<T, ImportError> {
        serde_json::from_str(self.raw.get()).map_err(|_| self.wrong(format!("must be {wanted}, is {}", clip(self.raw.get()))))
    }

    /// RFC 3339 text (UTC if it names no zone), or seconds, milliseconds or microseconds since 1970.
    pub(super) fn time(&self) -> Result<Timestamp, ImportError> {
        let time = match self.shape() {
            Shape::String => {
                let text = self.text()?;
                text.parse().ok().or_else(|| format!("{text}Z").parse().ok())
            }
            Shape::Number => millis(self.number()?).and_then(Timestamp::from_millis),
            Shape::Null | Shape::Bool | Shape::Array | Shape::Object => None,
        };
        time.ok_or_else(|| self.wrong(format!("must be a time like 2026-02-18T14:50:00Z, is {}", clip(self.raw.get()))))
    }

    /// The items of an array.
    pub(super) fn items(&self) -> Result<Vec<Item<'a>>, ImportError> {
        if self.shape() != Shape::Array {
            return Err(self.wrong(format!("must be an array, is {}", self.shape().word())));
        }
        let raws: Vec<&'a RawValue> = serde_json::from_str(self.raw.get()).map_err(|e| self.wrong(e.to_string()))?;
        Ok(raws.into_iter().enumerate().map(|(n, raw)| self.child(raw, Path::index(&self.path, n))).collect())
    }

    /// The fields of an object with known names.
    pub(super) fn fields(&self) -> Result<Fields<'a>, ImportError> {
        let slots = self.slots()?.into_iter().map(|(key, raw)| (key, Some(raw))).collect();
        Ok(Fields::new(self.clone(), slots))
    }

    /// The entries of an object whose keys are data. Their kind is `name.*`.
    pub(super) fn entries(&self) -> Result<Vec<(String, Item<'a>)>, ImportError> {
        let child = |(key, raw): (String, _)| {
            let path = Path::entry(&self.path, &key);
            (key, self.child(raw, path))
        };
        Ok(self.slots()?.into_iter().map(child).collect())
    }

    fn slots(&self) -> Result<Vec<(String, &'a RawValue)>, ImportError> {
        if self.shape() != Shape::Object {
            return Err(self.wrong(format!("must be an object, is {}", self.shape().word())));
        }
        let Slots(slots) = serde_json::from_str(self.raw.get()).map_err(|error| self.wrong(error.to_string()))?;
        Ok(slots)
    }

    pub(super) fn field(&self, raw: &'a RawValue, key: &str) -> Item<'a> {
        self.child(raw, Path::key(&self.path, key))
    }

    fn child(&self, raw: &'a RawValue, path: Path) -> Item<'a> {
        Item { raw, path: Rc::new(path), desk: self.desk.clone() }
    }

    /// The sort of thing this is: its kind and the word that the source tells it from its like by.
    pub(super) fn sort(&self, word: &str) -> String {
        format!("{} {word:?}", self.path.kind()).trim_start().to_owned()
    }

    /// Leaves out a sort of thing this crate does not know; in strict it is an error.
    pub(super) fn unknown(&self, word: &str, known: &str) -> Result<(), ImportError> {
        if self.desk.check == Check::Strict {
            return Err(self.wrong(format!("unknown type {word:?}: known are {known}")));
        }
        self.dropped(&self.sort(word), "not a known type");
        Ok(())
    }

    /// Reports something about this item that is not one of its fields.
    pub(super) fn mapped(&self, what: &str, into: &str) {
        self.desk.loss.borrow_mut().mapped(what, into, self.path());
    }

    /// Reports that something about this item, or all of it, was left out.
    pub(super) fn dropped(&self, what: &str, why: &str) {
        self.desk.loss.borrow_mut().dropped(what, why, self.path());
    }
}

impl Shape {
    pub(super) fn word(self) -> &'static str {
        match self {
            Shape::Null => "null",
            Shape::Bool => "true or false",
            Shape::Number => "a number",
            Shape::String => "a string",
            Shape::Array => "an array",
            Shape::Object => "an object",
        }
    }
}

/// An object's entries in order, equal keys included.
#[derive(Default)]
pub(super) struct Slots<'a>(pub(super) Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Slots<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Slots<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Slots<'de>, M::Error> {
                let mut slots = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    slots.push(entry);
                }
                Ok(Slots(slots))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

fn millis(number: f64) -> Option<i64> {
    let millis = match number.abs() {
        n if n < 1e11 => number * 1e3,
        n if n < 1e14 => number,
        _ => number / 1e3,
    };
    (millis.abs() < 1e15).then_some(millis.round() as i64)
}

/// At most so much of a value is shown in an error.
const SHOWN: usize = 60;

pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
