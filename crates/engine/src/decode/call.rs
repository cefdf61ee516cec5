//! A tool call while it arrives.

use super::{
    Stop,
    args::Args,
    object::{Object, sound},
};
use crate::model::{Json, ToolCall};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// A tool call while it arrives.
#[derive(Clone, Debug)]
pub(super) struct CallDraft {
    /// Which call of the reply.
    pub(super) index: usize,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Args,
    pub(super) signature: Option<String>,
    /// The provider's own block, if the provider runs the tool.
    pub(super) native: Option<Json>,
    /// Whether its beginning was handed out.
    pub(super) announced: bool,
    /// Whether the provider said that no more arguments come.
    pub(super) closed: bool,
}

impl CallDraft {
    pub(super) fn new(index: usize) -> Self {
        Self {
            index,
            id: String::new(),
            name: String::new(),
            args: Args::default(),
            signature: None,
            native: None,
            announced: false,
            closed: false,
        }
    }

    /// Takes an id, once.
    pub(super) fn identify(&mut self, id: &str) {
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
        }
    }

    /// Takes a name, once; true if this begins the call for a reader. From here on it has an id.
    pub(super) fn announce(&mut self, name: &str, seed: Option<&str>) -> bool {
        if self.announced || name.is_empty() {
            return false;
        }
        self.identify(&made_id(seed, self.index));
        name.clone_into(&mut self.name);
        self.announced = true;
        true
    }

    /// The call as it stands at the end of the reply.
    pub(super) fn finish(mut self, stop: Stop, last: bool, seed: Option<&str>) -> ToolCall {
        self.identify(&made_id(seed, self.index));
        let closed = stop.is_whole() || (self.closed && !last);
        let args = self.args.value(closed);
        let native = self.native.map(|block| with_input(&block, &args));
        ToolCall { id: self.id, name: self.name, args, signature: self.signature, included: false, native }
    }
}

/// A provider's block as it must come back: begun with an empty input, it needs the input that followed.
fn with_input(block: &Json, args: &Json) -> Json {
    let Ok(object) = Object::parse(block.text()) else { return block.clone() };
    if !args.is_object() || object.get("input").is_none_or(|input| input.get() != "{}") {
        return block.clone();
    }
    let field = |(key, value): (&str, &RawValue)| {
        let value = if key == "input" { args.text() } else { value.get() };
        format!("{}:{value}", Json::string(key).text())
    };
    let fields: Vec<String> = object.fields().map(field).collect();
    sound(&format!("{{{}}}", fields.join(","))).unwrap_or_else(|| block.clone())
}

/// An id for a call that came without one: the same for the same reply, another for the next.
fn made_id(seed: Option<&str>, index: usize) -> String {
    match seed {
        Some(seed) => {
            let hash = Sha256::digest(seed.as_bytes());
            format!("call_{:02x}{:02x}{:02x}{:02x}_{index}", hash[0], hash[1], hash[2], hash[3])
        }
        None => format!("call_{index}"),
    }
}
