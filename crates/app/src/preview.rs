//! The first words of what somebody said, made safe for a terminal.

use unicode_width::UnicodeWidthStr;
use weftwork::model::{Node, Part, ResultContent};

/// Characters of a text that are looked at; more than any line shows.
const LOOKED_AT: usize = 240;
/// Parts of a node that are looked at.
const PARTS: usize = 8;

/// Columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// What a node says, in one line.
pub(crate) fn node(node: &Node) -> String {
    node.parts.iter().take(PARTS).map(part).collect::<Vec<_>>().join("  ")
}

fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("\"{}\"", plain(&text.text)),
        Part::Reasoning(reasoning) => format!("(thinks) {}", plain(&reasoning.text)),
        Part::ToolCall(call) => format!("→ {}({})", plain(&call.name), plain(call.args.text())),
        Part::ToolResult(result) => format!("← {}", content(&result.content)),
        Part::Image(image) => format!("[{}]", plain(&image.media_type)),
        Part::File(file) => format!("[{} {}]", plain(&file.name), plain(&file.media_type)),
    }
}

fn content(content: &ResultContent) -> String {
    match content {
        ResultContent::Text(text) => plain(text),
        ResultContent::Parts(parts) => parts.iter().take(PARTS).map(part).collect::<Vec<_>>().join("  "),
    }
}

/// The beginning of a text without anything that moves the cursor, hides or reorders.
pub(crate) fn plain(text: &str) -> String {
    let mut safe = String::new();
    for (at, character) in text.chars().enumerate() {
        if at == LOOKED_AT {
            safe.push('…');
            break;
        }
        match character {
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            '\r' => safe.push_str("\\r"),
            hidden if is_hidden(hidden) => safe.extend(hidden.escape_unicode()),
            shown => safe.push(shown),
        }
    }
    safe
}

/// The whole of a message, its lines kept, without anything else that moves the cursor, hides or reorders.
pub(crate) fn message(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => safe.push('\n'),
            hidden if is_hidden(hidden) => safe.extend(hidden.escape_unicode()),
            shown => safe.push(shown),
        }
    }
    safe
}

/// Controls, and what reorders or hides text. Joiners stay: emoji and several scripts are written with them.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// As much of a text as fits into so many columns, with a sign where more follows.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut end = 0;
    for (at, character) in text.char_indices() {
        let next = at + character.len_utf8();
        if width(&text[..next]) + 1 > columns {
            break;
        }
        end = next;
    }
    if columns == 0 { String::new() } else { format!("{}…", &text[..end]) }
}
