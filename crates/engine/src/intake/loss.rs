//! What of a request cannot be carried, even to the API it was meant for.

use super::essence::{Essence, essence};
use super::list;
use crate::decode::object::Object;
use crate::encode::Api;
use serde_json::value::RawValue;

/// One thing that cannot be carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Where it stands, like `messages[3]`.
    pub place: String,
    /// Why.
    pub why: &'static str,
}

/// What cannot be carried of a request.
pub(super) fn of(object: &Object<'_>, api: Api) -> Vec<Lost> {
    let mut lost = Vec::new();
    fields(object, api, &mut lost);
    for (at, raw) in object.items(list(api)).into_iter().enumerate() {
        if let Some(why) = element(api, raw) {
            lost.push(Lost { place: format!("{}[{at}]", list(api)), why });
        }
    }
    lost
}

fn fields(object: &Object<'_>, api: Api, lost: &mut Vec<Lost>) {
    let mut lose = |field: &str, why| lost.push(Lost { place: field.to_owned(), why });
    match api {
        Api::Chat => {
            if object.number("n").is_some_and(|n| n > 1) {
                lose("n", "one answer is told, not several");
            }
            if object.is_true("logprobs") {
                lose("logprobs", "the answer is told without them");
            }
            if object.items("modalities").iter().any(|raw| raw.get() == r#""audio""#) {
                lose("modalities", "the answer is told in text");
            }
        }
        Api::Responses => {
            for field in ["previous_response_id", "conversation", "prompt"] {
                if object.get(field).is_some() {
                    lose(field, "the messages before it lie with the provider");
                }
            }
            if object.is_true("background") {
                lose("background", "the answer is told at once");
            }
        }
        Api::Messages => {}
    }
}

fn element(api: Api, raw: &RawValue) -> Option<&'static str> {
    let object = Object::parse(raw.get()).ok()?;
    let kinds: Vec<String> = object.objects("content").iter().filter_map(|block| block.word("type")).collect();
    if kinds.iter().any(|kind| kind == "compaction") || object.word("type").as_deref() == Some("compaction") {
        return Some("a summary that only its provider can place");
    }
    let is_reasoning = object.word("type").as_deref() == Some("reasoning");
    let says_nothing = || {
        let content = object.get("content").map_or("", RawValue::get);
        let calls = !object.items("tool_calls").is_empty() || object.get("function_call").is_some();
        object.get("type").is_none() && !calls && matches!(content, "" | "[]" | "\"\"")
    };
    let blank = || object.text("content").is_some_and(|text| text.trim().is_empty());
    let only_blank =
        || !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind.as_str(), "text" | "input_text" | "output_text"));
    let unknown = essence(api.dialect(), raw) == Essence::Unknown;
    (unknown && !is_reasoning && !says_nothing() && !blank() && !only_blank()).then_some("nothing in it is known here")
}
