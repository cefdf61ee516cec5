//! Weft's own conversation file: one object, or JSON Lines with a header and then a node a line.
//!
//! Read straight from the text into the model, without a tree of values between: arguments keep their bytes, and a
//! million nodes take seconds. Only after a failure is the text read again to find the path to the fault.

use super::error::{ImportError, Position};
use super::source::{check_depth, syntax};
use super::{Check, LossReport};
use crate::model::{Conversation, FORMAT_VERSION, Node};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

pub(super) fn detect(docs: &[Value]) -> bool {
    docs.first().is_some_and(|doc| doc.get("weft").is_some_and(Value::is_number))
}

/// Whether the first key is `weft`, as this crate writes it. Tells at once what `detect` tells after a look at all.
pub(super) fn looks_like(text: &str) -> bool {
    text.trim_start().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with("\"weft\""))
}

/// Reads the conversations of a text: one, or in JSON Lines one for each header.
pub(super) fn import(text: &str, check: Check, loss: &mut LossReport) -> Result<Vec<Conversation>, ImportError> {
    check_depth(text)?;
    let conversations = if is_lines(text) { lines(text, check, loss)? } else { vec![header(text, Place::WHOLE, check, loss)?] };
    for conversation in &conversations {
        loss.kept("conversation", &conversation.space.id);
        loss.kept_all("entities", conversation.entities.len(), "$.entities");
        loss.kept_all("nodes", conversation.nodes.len(), "$.nodes");
        loss.kept_all("calls", conversation.calls.len(), "$.calls");
    }
    Ok(conversations)
}

/// Whether the first line is a whole object and more follows.
fn is_lines(text: &str) -> bool {
    let text = text.trim();
    text.split_once('\n').is_some_and(|(first, _)| serde_json::from_str::<&RawValue>(first).is_ok())
}

fn lines(text: &str, check: Check, loss: &mut LossReport) -> Result<Vec<Conversation>, ImportError> {
    let mut conversations: Vec<Conversation> = Vec::new();
    for (n, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = Place { line: Some(n + 1) };
        match conversations.last_mut() {
            Some(conversation) if !looks_like(line) => conversation.nodes.push(parse::<Node>(line, place, check, loss)?),
            Some(_) | None => conversations.push(header(line, place, check, loss)?),
        }
    }
    Ok(conversations)
}

fn header(text: &str, place: Place, check: Check, loss: &mut LossReport) -> Result<Conversation, ImportError> {
    #[derive(Deserialize)]
    struct Version {
        weft: u64,
    }
    // Another version may differ anywhere, so its number is the first thing to say.
    let other = |found: u64| ImportError::Version { found, supported: FORMAT_VERSION };
    let conversation: Conversation = parse(text, place, check, loss).map_err(|error| {
        let version = serde_json::from_str::<Version>(text).ok().filter(|version| version.weft != u64::from(FORMAT_VERSION));
        version.map_or(error, |version| other(version.weft))
    })?;
    if conversation.weft == FORMAT_VERSION { Ok(conversation) } else { Err(other(conversation.weft.into())) }
}

/// Which part of the file a text is: all of it, or one line.
#[derive(Clone, Copy)]
struct Place {
    line: Option<usize>,
}

impl Place {
    const WHOLE: Place = Place { line: None };

    fn root(self) -> String {
        self.line.map_or_else(|| "$".to_owned(), |line| format!("line {line}: $"))
    }

    fn position(self, error: &serde_json::Error) -> Position {
        let before = self.line.map_or(0, |line| line - 1);
        Position { line: error.line() + before, column: error.column() }
    }
}

fn parse<T: DeserializeOwned>(text: &str, place: Place, check: Check, loss: &mut LossReport) -> Result<T, ImportError> {
    let mut unknown = None;
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_ignored::deserialize(&mut json, |path| {
        let (kind, path) = ignored(&path, place);
        loss.dropped(&kind, "not a known field", &path);
        unknown.get_or_insert(path);
    });
    let value = value.and_then(|value| json.end().map(|()| value)).map_err(|error| fault::<T>(text, place, &error))?;
    match unknown.filter(|_| check == Check::Strict) {
        Some(path) => {
            let message = "is not a known field: remove it, or import without strict".to_owned();
            Err(ImportError::Field { path, position: None, message })
        }
        None => Ok(value),
    }
}

/// Says what is wrong and where; reads the text again to find the path.
fn fault<T: DeserializeOwned>(text: &str, place: Place, error: &serde_json::Error) -> ImportError {
    let ImportError::Syntax { message, .. } = syntax(error) else { return syntax(error) };
    let position = place.position(error);
    if error.classify() != Category::Data {
        return ImportError::Syntax { position, message };
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let path = match serde_path_to_error::deserialize::<_, T>(&mut json) {
        Err(error) if error.path().iter().next().is_some() => match error.path().to_string() {
            path if path.starts_with('[') => format!("{}{path}", place.root()),
            path => format!("{}.{path}", place.root()),
        },
        Err(_) | Ok(_) => place.root(),
    };
    ImportError::Field { path, position: Some(position), message }
}

/// The kind of an unknown field and the path to it.
fn ignored(path: &serde_ignored::Path<'_>, place: Place) -> (String, String) {
    use serde_ignored::Path;
    match path {
        Path::Root => (String::new(), place.root()),
        Path::Seq { parent, index } => {
            let (kind, path) = ignored(parent, place);
            (kind + "[]", format!("{path}[{index}]"))
        }
        Path::Map { parent, key } => {
            let (kind, path) = ignored(parent, place);
            let kind = if kind.is_empty() { key.clone() } else { format!("{kind}.{key}") };
            (kind, format!("{path}.{key}"))
        }
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => ignored(parent, place),
    }
}
