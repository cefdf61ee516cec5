//! A conversation as running text: for base models that go on with it, and for people who read it.
//!
//! One message alone is a document and stays as it is; so a buffer reaches the model byte for byte. Several messages
//! are told apart by labels, and a line of text that looks like a label is escaped with a backslash: no text can speak
//! as somebody else.

use super::media::{file_note, image_note};
use super::rules::JOINT;
use crate::prompt::{Message, Piece, Prompt, Role};
use std::borrow::Cow;

const LABELS: [&str; 3] = ["User:", "Assistant:", "System:"];

/// For a person to read.
pub(super) fn for_a_person(prompt: &Prompt<'_>) -> String {
    match prompt.messages.as_slice() {
        [document] => before(prompt.system_text(), plain(document)),
        messages => {
            let mut texts = Vec::new();
            if !prompt.system.is_empty() {
                texts.push(format!("System: {}", escaped(&prompt.system_text())));
            }
            texts.extend(messages.iter().map(labelled));
            texts.join(JOINT)
        }
    }
}

/// For a base model to go on with: after a conversation comes the label of the one who speaks next.
pub(super) fn for_a_model(prompt: &Prompt<'_>) -> String {
    match prompt.messages.as_slice() {
        [document] => before(prompt.system_text(), plain(document)),
        messages => {
            let mut texts: Vec<_> = messages.iter().map(labelled).collect();
            texts.push("Assistant:".to_owned());
            before(escaped(&prompt.system_text()).into_owned(), texts.join(JOINT))
        }
    }
}

fn before(system: String, text: String) -> String {
    if system.is_empty() { text } else { system + JOINT + &text }
}

fn labelled(message: &Message<'_>) -> String {
    let label = match message.role {
        Role::User => "User:",
        Role::Assistant => "Assistant:",
        Role::System => "System:",
    };
    format!("{label} {}", escaped(&plain(message)))
}

fn plain(message: &Message<'_>) -> String {
    let texts: Vec<_> = message.pieces.iter().filter_map(said).collect();
    texts.join(JOINT)
}

fn said<'m>(piece: &'m Piece<'_>) -> Option<Cow<'m, str>> {
    match piece {
        Piece::Text(text) => Some(Cow::Borrowed(&text.text)),
        Piece::Call(call) => Some(format!("[called {}({})]", call.name, call.args).into()),
        Piece::Result(result) => {
            let texts: Vec<_> = result.content.iter().filter_map(said).collect();
            let what = if result.is_error { "error" } else { "result" };
            Some(format!("[{what} of {}: {}]", result.name, texts.join(JOINT)).into())
        }
        Piece::Image(image) => Some(image_note(image).into()),
        Piece::File(file) => Some(file_note(file).into()),
        Piece::Reasoning(_) => None,
    }
}

fn escaped(text: &str) -> Cow<'_, str> {
    let imitates = |line: &str| LABELS.iter().any(|label| line.trim_start().starts_with(label));
    if !text.lines().any(imitates) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<_> =
        text.split_inclusive('\n').map(|line| if imitates(line) { format!("\\{line}") } else { line.to_owned() }).collect();
    Cow::Owned(lines.concat())
}
