//! Shapes: reading fields of a body whose every value may be of any type.
//!
//! Invariant: a reader gives a value of the asked type or nothing, and when it gives nothing where something was due, the
//! finding has been recorded. `null` counts as absent, as it does in all of these APIs.

use serde_json::{Map, Value};

use super::finding::{Findings, shown};
use super::path::At;
use super::rule::Rule;

/// Whether a field must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
}

/// What a number must be.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    /// A whole number of at least this.
    Whole(u64),
    /// Any number between these, both included.
    Between(f64, f64),
}

/// An object of the body and its place.
pub(super) struct Object<'v, 'p> {
    fields: &'v Map<String, Value>,
    pub(super) at: At<'p>,
}

/// `value` as an object, or a finding.
pub(super) fn object<'v, 'p>(value: &'v Value, at: At<'p>, out: &mut Findings) -> Option<Object<'v, 'p>> {
    match value {
        Value::Object(fields) => Some(Object { fields, at }),
        _ => {
            wrong_type(value, &at, "an object", out);
            None
        }
    }
}

/// Record that `value` is not `expected`.
pub(super) fn wrong_type(value: &Value, at: &At, expected: &str, out: &mut Findings) {
    out.error(at, Rule::WrongType, format!("expected {expected}, found {}", kind(value)), &format!("make it {expected}"));
}

/// Record that the field at `at` is not there.
pub(super) fn missing(at: &At, key: &str, out: &mut Findings) {
    out.error(at, Rule::MissingField, format!("`{key}` is required"), &format!("add `{key}`"));
}

/// Record that `found` is none of the values the API knows here.
pub(super) fn unknown(rule: Rule, found: &str, known: &[&str], at: &At, out: &mut Findings) {
    out.error(
        at,
        rule,
        format!("{} is not one of {}", shown(found), known.join(", ")),
        &format!("use one of {}", known.join(", ")),
    );
}

impl<'v> Object<'v, '_> {
    /// The field `key`, unless it is absent or null.
    pub(super) fn value(&self, key: &str) -> Option<&'v Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    /// The first of two spellings that is there; Gemini reads camelCase and snake_case alike.
    pub(super) fn either(&self, camel: &'static str, snake: &'static str) -> &'static str {
        if self.value(camel).is_none() && self.value(snake).is_some() { snake } else { camel }
    }

    pub(super) fn string(&self, key: &'static str, need: Need, out: &mut Findings) -> Option<&'v str> {
        self.typed(key, need, "a string", Value::as_str, out)
    }

    /// A string that must not be empty, such as an id or a name.
    pub(super) fn filled(&self, key: &'static str, need: Need, out: &mut Findings) -> Option<&'v str> {
        let text = self.string(key, need, out)?;
        if text.is_empty() {
            missing(&self.at.key(key), key, out);
            return None;
        }
        Some(text)
    }

    pub(super) fn list(&self, key: &'static str, need: Need, out: &mut Findings) -> Option<&'v [Value]> {
        self.typed(key, need, "a list", |value| value.as_array().map(Vec::as_slice), out)
    }

    pub(super) fn child(&self, key: &'static str, need: Need, out: &mut Findings) -> Option<Object<'v, '_>> {
        let fields = self.typed(key, need, "an object", Value::as_object, out)?;
        Some(Object { fields, at: self.at.key(key) })
    }

    pub(super) fn flag(&self, key: &'static str, out: &mut Findings) -> Option<bool> {
        self.typed(key, Need::Optional, "true or false", Value::as_bool, out)
    }

    pub(super) fn number(&self, key: &'static str, need: Need, bound: Bound, out: &mut Findings) -> Option<f64> {
        let number = self.typed(key, need, "a number", Value::as_f64, out)?;
        let (fits, wanted) = match bound {
            Bound::Whole(least) => {
                (number >= least as f64 && number.fract() == 0.0, format!("a whole number of at least {least}"))
            }
            Bound::Between(low, high) => ((low..=high).contains(&number), format!("a number from {low} to {high}")),
        };
        if !fits {
            out.error(
                &self.at.key(key),
                Rule::OutOfRange,
                format!("`{key}` is {number}, expected {wanted}"),
                &format!("set `{key}` to {wanted}"),
            );
        }
        fits.then_some(number)
    }

    /// Check settings that may be absent but not out of their bounds.
    pub(super) fn settings(&self, bounds: &[(&'static str, Bound)], out: &mut Findings) {
        for (key, bound) in bounds {
            self.number(key, Need::Optional, *bound, out);
        }
    }

    fn typed<T>(
        &self,
        key: &'static str,
        need: Need,
        expected: &str,
        read: impl Fn(&'v Value) -> Option<T>,
        out: &mut Findings,
    ) -> Option<T> {
        match self.value(key) {
            None => {
                if need == Need::Required {
                    missing(&self.at.key(key), key, out);
                }
                None
            }
            Some(value) => {
                let read = read(value);
                if read.is_none() {
                    wrong_type(value, &self.at.key(key), expected, out);
                }
                read
            }
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
