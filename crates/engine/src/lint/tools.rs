//! Tools: names and definitions, in the shape of each API.

use std::collections::HashSet;

use serde_json::Value;

use super::finding::{Findings, shown};
use super::path::At;
use super::rule::Rule;
use super::shape::{Need, Object, object, unknown};

/// What an API lets a tool be called.
#[derive(Clone, Copy)]
pub(super) enum Naming {
    /// Letters, digits, `_` and `-`, at most 64.
    OpenAi,
    /// The same, at most 128.
    Anthropic,
    /// Dots and colons too, not beginning with a digit, at most 64.
    Gemini,
    /// Anything but nothing.
    Free,
}

impl Naming {
    fn takes(self, name: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        match self {
            Self::OpenAi => name.len() <= 64 && name.bytes().all(plain),
            Self::Anthropic => name.len() <= 128 && name.bytes().all(plain),
            Self::Gemini => {
                name.len() <= 64
                    && name.bytes().all(|byte| plain(byte) || matches!(byte, b'.' | b':'))
                    && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            }
            Self::Free => true,
        }
    }

    fn wanted(self) -> &'static str {
        match self {
            Self::OpenAi => "1 to 64 letters, digits, _ or -",
            Self::Anthropic => "1 to 128 letters, digits, _ or -",
            Self::Gemini => "1 to 64 letters, digits, _ . : or -, beginning with a letter or _",
            Self::Free => "not empty",
        }
    }

    /// Check the name of a tool, where it is defined or called.
    pub(super) fn check(self, name: &str, at: &At, out: &mut Findings) {
        if !name.is_empty() && self.takes(name) {
            return;
        }
        out.error(
            at,
            Rule::BadToolName,
            format!("{} is no tool name, expected {}", shown(name), self.wanted()),
            "rename the tool in its definition and in every call",
        );
    }
}

/// The tools a request defines.
pub(super) struct Defined<'v> {
    names: HashSet<&'v str>,
    naming: Naming,
}

impl<'v> Defined<'v> {
    pub(super) fn new(naming: Naming) -> Self {
        Self { names: HashSet::new(), naming }
    }

    /// Check the `name` of one definition.
    pub(super) fn name(&mut self, tool: &Object<'v, '_>, out: &mut Findings) {
        let Some(name) = tool.string("name", Need::Required, out) else {
            return;
        };
        let at = tool.at.key("name");
        self.naming.check(name, &at, out);
        if !self.names.insert(name) {
            out.error(
                &at,
                Rule::DuplicateToolName,
                format!("the tool {} is defined twice", shown(name)),
                "define each tool once",
            );
        }
    }

    /// Check that the tool a choice names is defined.
    pub(super) fn chosen(&self, choice: &Object, out: &mut Findings) {
        let Some(name) = choice.string("name", Need::Required, out) else {
            return;
        };
        if !self.names.contains(name) {
            out.error(
                &choice.at.key("name"),
                Rule::UnknownToolChoice,
                format!("the chosen tool {} is not defined", shown(name)),
                "define the tool, or choose another",
            );
        }
    }
}

/// Check the definitions of Chat Completions, which Ollama shares: `{"type":"function","function":{…}}`.
pub(super) fn wrapped<'v>(tools: &'v [Value], naming: Naming, at: &At, out: &mut Findings) -> Defined<'v> {
    let mut defined = Defined::new(naming);
    for (i, tool) in tools.iter().enumerate() {
        let Some(tool) = object(tool, at.index(i), out) else {
            continue;
        };
        match tool.string("type", Need::Required, out) {
            Some("function") => {
                if let Some(function) = tool.child("function", Need::Required, out) {
                    defined.name(&function, out);
                    schema(&function, "parameters", Need::Optional, out);
                }
            }
            Some("custom") => {
                if let Some(custom) = tool.child("custom", Need::Required, out) {
                    defined.name(&custom, out);
                }
            }
            Some(found) => unknown(Rule::UnknownPart, found, &["function", "custom"], &tool.at.key("type"), out),
            None => {}
        }
    }
    defined
}

/// Check the schema of a tool's arguments: they are an object, so its type is one.
pub(super) fn schema(tool: &Object, key: &'static str, need: Need, out: &mut Findings) {
    let Some(schema) = tool.child(key, need, out) else {
        return;
    };
    let kind = schema.value("type").and_then(Value::as_str);
    // OpenAI takes an empty schema for a tool without arguments.
    let missing = kind.is_none() && need == Need::Required;
    if missing || kind.is_some_and(|kind| !kind.eq_ignore_ascii_case("object")) {
        out.error(
            &schema.at.key("type"),
            Rule::BadToolSchema,
            "arguments are an object, so the schema's type is \"object\"".to_owned(),
            "wrap the schema in {\"type\":\"object\",\"properties\":{…}}",
        );
    }
    schema.child("properties", Need::Optional, out);
}
