//! Reads a request body into blocks, in one pass where the body is ours. Values stay the text they are; only where they
//! begin is worked out.

use super::{WireBlock, WireSection};
use crate::dialect::Dialect;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A body that is not a request of the dialect.
#[derive(Debug, thiserror::Error)]
#[error("not a request body in the dialect {dialect}: {source}")]
pub struct BadBody {
    /// The dialect it was read as.
    pub dialect: Dialect,
    /// What is wrong with it.
    #[source]
    pub source: serde_json::Error,
}

const FIRST: WireSection = WireSection::History { message: 0 };

pub(super) fn blocks(body: &[u8], dialect: Dialect) -> Result<Vec<WireBlock<'_>>, BadBody> {
    let bad = |source| BadBody { dialect, source };
    let text = std::str::from_utf8(body).map_err(|error| bad(serde_json::Error::custom(error)))?;
    if dialect == Dialect::Text {
        return Ok(vec![WireBlock { section: FIRST, role: None, start: 0, text: text.into(), marked: false }]);
    }
    let mut reader = Reader { dialect, base: body.as_ptr() as usize, blocks: Vec::new(), messages: 0 };
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_map(Body(&mut reader)).and_then(|()| json.end()).map_err(bad)?;
    // Providers hash tools, then system text, then messages, wherever they stand in the body.
    reader.blocks.sort_by_key(|block| block.section);
    Ok(reader.blocks)
}

struct Reader<'b> {
    dialect: Dialect,
    base: usize,
    blocks: Vec<WireBlock<'b>>,
    messages: usize,
}

type Read = Result<(), serde_json::Error>;

impl<'b> Reader<'b> {
    /// Gemini wraps its declarations once more.
    fn tools(&mut self, tools: &'b RawValue) -> Read {
        if self.dialect != Dialect::Gemini {
            return self.list_or_whole(tools, WireSection::Tools, None);
        }
        for tool in items(tools)? {
            let declarations = Object::of(tool)?.member("functionDeclarations").unwrap_or(tool);
            self.list_or_whole(declarations, WireSection::Tools, None)?;
        }
        Ok(())
    }

    /// Only Anthropic's messages are read further: there a mark stands on a content block.
    fn message(&mut self, message: &'b RawValue) -> Read {
        if self.messages == 0 && self.dialect != Dialect::Anthropic && is_system(message)? {
            return self.push(message, WireSection::System, None);
        }
        let section = WireSection::History { message: self.messages };
        self.messages += 1;
        if self.dialect != Dialect::Anthropic {
            return self.push(message, section, None);
        }
        let object = Object::of(message)?;
        let role = match object.member("role") {
            Some(role) => Some(serde_json::from_str::<Text<'b>>(role.get())?.0),
            None => None,
        };
        self.list_or_whole(object.member("content").unwrap_or(message), section, role)
    }

    fn list_or_whole(&mut self, value: &'b RawValue, section: WireSection, role: Option<Cow<'b, str>>) -> Read {
        if !value.get().starts_with('[') {
            return self.push(value, section, role);
        }
        for item in items(value)? {
            self.push(item, section, role.clone())?;
        }
        Ok(())
    }

    /// Where marks are unknown, blocks are borrowed as they stand.
    fn push(&mut self, value: &'b RawValue, section: WireSection, role: Option<Cow<'b, str>>) -> Read {
        let marks = self.dialect.cache_marks() > 0;
        let (text, marked) = if marks { unmarked(value)? } else { (Cow::Borrowed(value.get()), false) };
        let start = value.get().as_ptr() as usize - self.base;
        self.blocks.push(WireBlock { section, role, start, text, marked });
        Ok(())
    }
}

/// The members of a body.
struct Body<'r, 'b>(&'r mut Reader<'b>);

impl<'de> Visitor<'de> for Body<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (system, history) = keys(self.0.dialect);
        while let Some(Text(key)) = map.next_key()? {
            if key == "tools" {
                self.0.tools(map.next_value()?).map_err(A::Error::custom)?;
            } else if key == system {
                self.0.list_or_whole(map.next_value()?, WireSection::System, None).map_err(A::Error::custom)?;
            } else if key == history {
                map.next_value_seed(History(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Where a body keeps its system text and its conversation.
fn keys(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Responses => ("instructions", "input"),
        Dialect::Gemini => ("systemInstruction", "contents"),
        Dialect::Completions => ("system", "prompt"),
        Dialect::OpenAi | Dialect::Anthropic | Dialect::Ollama | Dialect::AiSdk | Dialect::Text | Dialect::Messages => {
            ("system", "messages")
        }
    }
}

/// The messages of a body, read one by one.
struct History<'r, 'b>(&'r mut Reader<'b>);

impl<'de> DeserializeSeed<'de> for History<'_, 'de> {
    type Value = ();

    /// A completion's prompt and Responses' shortest form of input are plain strings.
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.0.dialect {
            Dialect::Completions | Dialect::Responses => {
                let value = <&RawValue>::deserialize(deserializer)?;
                let read = if value.get().starts_with('[') {
                    items(value).and_then(|list| list.into_iter().try_for_each(|one| self.0.message(one)))
                } else {
                    self.0.push(value, FIRST, None)
                };
                read.map_err(D::Error::custom)
            }
            Dialect::OpenAi
            | Dialect::Anthropic
            | Dialect::Gemini
            | Dialect::Ollama
            | Dialect::AiSdk
            | Dialect::Text
            | Dialect::Messages => deserializer.deserialize_seq(self),
        }
    }
}

impl<'de> Visitor<'de> for History<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<(), A::Error> {
        while let Some(message) = messages.next_element()? {
            self.0.message(message).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

fn is_system(message: &RawValue) -> Result<bool, serde_json::Error> {
    let role = Object::of(message)?.member("role").map_or("", RawValue::get);
    Ok(matches!(role, r#""system""# | r#""developer""#))
}

/// The block without its mark, and without those inside the content of a tool result.
fn unmarked(value: &RawValue) -> Result<(Cow<'_, str>, bool), serde_json::Error> {
    const MARK: &str = "cache_control";
    if !value.get().starts_with('{') || !value.get().contains(MARK) {
        return Ok((Cow::Borrowed(value.get()), false));
    }
    let mut members = Vec::new();
    let mut marked = false;
    for (key, member) in Object::of(value)?.0 {
        match (key.as_ref(), member.get().starts_with('[')) {
            (MARK, _) => marked |= member.get() != "null",
            ("content", true) => {
                let mut parts = Vec::new();
                for part in items(member)? {
                    let (text, inner) = unmarked(part)?;
                    marked |= inner;
                    parts.push(text);
                }
                members.push(format!("\"content\":[{}]", parts.join(",")));
            }
            (key, _) => members.push(format!("{}:{}", serde_json::to_string(key)?, member.get())),
        }
    }
    Ok((Cow::Owned(format!("{{{}}}", members.join(","))), marked))
}

fn items(value: &RawValue) -> Result<Vec<&RawValue>, serde_json::Error> {
    serde_json::from_str(value.get())
}

/// A JSON object as its members in order, each the text it is.
struct Object<'b>(Vec<(Cow<'b, str>, &'b RawValue)>);

impl<'b> Object<'b> {
    fn of(value: &'b RawValue) -> Result<Self, serde_json::Error> {
        serde_json::from_str(value.get())
    }

    fn member(&self, key: &str) -> Option<&'b RawValue> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(key), value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
                    members.push((key, value));
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A string, borrowed where it holds no escapes.
#[derive(Deserialize)]
struct Text<'b>(#[serde(borrow)] Cow<'b, str>);
