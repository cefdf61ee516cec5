//! A look into foreign JSON that never fails and never changes it: a field of another type counts as absent, and what is
//! kept is kept byte for byte.

use crate::model::Json;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// One JSON object, its values unparsed.
#[derive(Clone, Debug)]
pub(crate) struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Object<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The fields in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), *value))
    }

    /// The field, unless it is absent or null. Of fields with one name the last counts.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.fields().filter(|(name, _)| *name == key).last().map(|(_, value)| value).filter(|value| value.get() != "null")
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.get(key).and_then(string)
    }

    /// A string that is not empty.
    pub(crate) fn word(&self, key: &str) -> Option<String> {
        self.text(key).filter(|text| !text.is_empty())
    }

    /// A string or a number, as text.
    pub(crate) fn label(&self, key: &str) -> Option<String> {
        self.word(key).or_else(|| self.get(key).filter(|raw| is_number(raw)).map(|raw| raw.get().to_owned()))
    }

    /// A count. Negative ones are zero.
    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        let text = self.get(key).filter(|raw| is_number(raw))?.get();
        // The cast saturates: below zero is zero, beyond the range is its end.
        text.parse().ok().or_else(|| text.parse::<f64>().ok().map(|number| number as u64))
    }

    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(|raw| raw.get() == "true")
    }

    pub(crate) fn object(&self, key: &str) -> Option<Object<'a>> {
        self.get(key).and_then(|raw| Object::parse(raw.get()).ok())
    }

    /// The elements of an array; none if it is no array.
    pub(crate) fn items(&self, key: &str) -> Vec<&'a RawValue> {
        self.get(key).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// The objects of an array.
    pub(crate) fn objects(&self, key: &str) -> Vec<Object<'a>> {
        self.items(key).into_iter().filter_map(|raw| Object::parse(raw.get()).ok()).collect()
    }

    pub(crate) fn json(&self, key: &str) -> Option<Json> {
        self.get(key).and_then(|raw| sound(raw.get()))
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// JSON that parses: raw text may still be too deep, hold a number out of range or half a surrogate pair, and then no
/// reader of the stored value could open it.
pub(crate) fn sound(text: &str) -> Option<Json> {
    serde_json::from_str::<serde_json::Value>(text).ok()?;
    Json::parse(text).ok()
}

/// The text of a JSON string. Half a surrogate pair, as servers that cut UTF-16 send it, becomes U+FFFD.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    let text = raw.get();
    if !text.starts_with('"') {
        return None;
    }
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_half_pairs(text))).ok()
}

fn is_number(raw: &RawValue) -> bool {
    raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

fn without_half_pairs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push(char::REPLACEMENT_CHARACTER);
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // Any other escape is the backslash and one ASCII character.
            (None, _) => rest.len().min(2),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// The code unit of a `\uXXXX` escape at the start of `text`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}
