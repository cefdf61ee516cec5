//! A small picture of a large document, enough to tell its format.

use super::item::Slots;
use super::surrogates::lossy_string;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Items of an array, and documents of a file, that are looked at.
pub(super) const ITEMS: usize = 16;
const KEYS: usize = 64;
const LEVELS: usize = 7;
const CHARS: usize = 200;

/// The outline of a JSON text: the first items, keys and characters of the upper levels. Null for what lies deeper.
pub(super) fn sketch(json: &str) -> Value {
    outline(json, LEVELS)
}

fn outline(json: &str, levels: usize) -> Value {
    match json.as_bytes().first() {
        _ if levels == 0 => Value::Null,
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            items.into_iter().take(ITEMS).map(|item| outline(item.get(), levels - 1)).collect()
        }
        Some(b'{') => {
            let slots: Slots<'_> = serde_json::from_str(json).unwrap_or_default();
            let entry = |(key, value): (String, &RawValue)| (key, outline(value.get(), levels - 1));
            Value::Object(slots.0.into_iter().take(KEYS).map(entry).collect::<Map<_, _>>())
        }
        Some(b'"') => lossy_string(json).unwrap_or_default().chars().take(CHARS).collect::<String>().into(),
        _ => serde_json::from_str(json).unwrap_or(Value::Null),
    }
}
