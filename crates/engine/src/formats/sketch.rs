//! A small picture of a large document, enough to tell its format.

use super::item::Slots;
use super::surrogates::lossy_string;
use serde::de::{Deserializer, SeqAccess, Visitor};
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
        Some(b'[') => first_items(json).into_iter().map(|item| outline(item.get(), levels - 1)).collect(),
        Some(b'{') => {
            let slots: Slots<'_> = serde_json::from_str(json).unwrap_or_default();
            let entry = |(key, value): (String, &RawValue)| (key, outline(value.get(), levels - 1));
            Value::Object(slots.0.into_iter().take(KEYS).map(entry).collect::<Map<_, _>>())
        }
        Some(b'"') => lossy_string(json).unwrap_or_default().chars().take(CHARS).collect::<String>().into(),
        _ => serde_json::from_str(json).unwrap_or(Value::Null),
    }
}

/// The first items of an array; what follows them is not even read.
fn first_items(json: &str) -> Vec<&RawValue> {
    struct First<'o, 'j>(&'o mut Vec<&'j RawValue>);

    impl<'j> Visitor<'j> for First<'_, 'j> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<S: SeqAccess<'j>>(self, mut items: S) -> Result<(), S::Error> {
            while self.0.len() < ITEMS {
                let Some(item) = items.next_element()? else { break };
                self.0.push(item);
            }
            Ok(())
        }
    }

    let mut items = Vec::with_capacity(ITEMS);
    // That more follows is an error to the parser and none here.
    let _ = serde_json::Deserializer::from_str(json).deserialize_seq(First(&mut items));
    items
}
