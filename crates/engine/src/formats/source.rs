//! What an importer reads: the documents of a file or archive, and the files that lie beside them.

use super::archive::Archive;
use super::error::{ImportError, Position};
use super::item::{Desk, Item};
use super::loss::LossReport;
use super::path::Path;
use crate::ask::Check;
use serde_json::value::RawValue;
use std::{borrow::Cow, cell::RefCell, rc::Rc};

/// Nesting beyond this is refused. serde_json recurses to 127 levels; a value taken from the middle of a document and
/// put into another must still be readable there.
pub(super) const MAX_DEPTH: usize = 100;

/// Everything an importer may read.
pub(super) struct Source<'a> {
    /// The JSON documents: one for a JSON file, one a line for JSON Lines, and those of each file of an archive.
    pub(super) docs: Vec<Item<'a>>,
    /// The other files of an archive.
    pub(super) files: &'a Archive<'a>,
    /// What becomes of things; items write to it themselves.
    pub(super) loss: Rc<RefCell<LossReport>>,
}

/// A text of documents, with its name if it lies in an archive.
pub(super) struct Document<'t> {
    pub(super) name: Option<String>,
    pub(super) text: Cow<'t, str>,
}

/// Reads bytes as text, without a byte order mark.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, ImportError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ImportError::NotUtf8 { offset: error.valid_up_to() })?;
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// Cuts a text into its JSON documents: one, or many after each other as in JSON Lines.
pub(super) fn documents(text: &str) -> Result<Vec<&RawValue>, ImportError> {
    check_depth(text)?;
    let documents: Result<Vec<&RawValue>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    let documents = documents.map_err(|error| syntax(&error))?;
    if documents.is_empty() { Err(ImportError::Empty) } else { Ok(documents) }
}

pub(super) fn syntax(error: &serde_json::Error) -> ImportError {
    let message = error.to_string();
    // serde_json ends its messages with the place, which the error says already.
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
    ImportError::Syntax { position: Position { line: error.line(), column: error.column() }, message }
}

/// The documents of a log, a line each. Programs that write logs are killed in the middle of a line; such a line is left
/// out. None if the first line is no JSON object: then it is no log.
fn log_lines<'a>(text: &'a str, loss: &RefCell<LossReport>) -> Option<Vec<&'a RawValue>> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let first: &RawValue = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok())?;
    let mut documents = vec![first];
    for (n, line) in lines {
        match serde_json::from_str(line) {
            Ok(document) => documents.push(document),
            Err(_) => loss.borrow_mut().dropped("line", "not JSON: cut off", format_args!("line {}", n + 1)),
        }
    }
    first.get().starts_with('{').then_some(documents)
}

/// Makes items of the documents of one text. A fault that only logs may have is given back beside them.
pub(super) fn items<'a>(
    document: &'a Document<'_>,
    check: Check,
    loss: &Rc<RefCell<LossReport>>,
) -> Result<(Vec<Item<'a>>, Option<ImportError>), ImportError> {
    let (raws, fault) = match documents(&document.text) {
        Ok(raws) => (raws, None),
        Err(error @ ImportError::Syntax { .. }) if check == Check::Repair => match log_lines(&document.text, loss) {
            Some(raws) => (raws, Some(error)),
            None => return Err(error),
        },
        Err(error) => return Err(error),
    };
    let desk = Rc::new(Desk { text: &document.text, check, loss: loss.clone() });
    let many = raws.len() > 1;
    let name = |n: usize| match (&document.name, many) {
        (None, false) => None,
        (None, true) => Some(format!("document {}", n + 1)),
        (Some(file), false) => Some(file.clone()),
        (Some(file), true) => Some(format!("{file}, document {}", n + 1)),
    };
    let item = |(n, raw)| Item::new(raw, Path::Root { name: name(n) }, desk.clone());
    Ok((raws.into_iter().enumerate().map(item).collect(), fault))
}

/// Refuses a text that nests too deep, before anything recurses into it.
pub(super) fn check_depth(text: &str) -> Result<(), ImportError> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1),
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(ImportError::TooDeep { position: Position::of(text, at), limit: MAX_DEPTH });
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// Where the string that begins at `at` has its closing quote. Most bytes of a conversation lie inside strings: these are passed
/// over as fast as they can be.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == b'"' || byte == b'\\')) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}
