//! The one encoder: every value that is written into a timeline passes it.
//!
//! Invariant: an encoded value stays on its line, shows every character that would hide or reorder others, and cannot be
//! read as the marks around it. Decoding gives the value back: a backslash is always escaped, so no value looks like the
//! escape of another.

use super::payload;
use crate::model::{Json, Timestamp};
use std::fmt::{self, Write};

/// A value made safe to stand in a timeline: the only thing beside literals that its writer accepts.
#[derive(Clone, Copy, Debug)]
pub struct Encoded<'a>(Shape<'a>);

#[derive(Clone, Copy, Debug)]
enum Shape<'a> {
    Quoted(&'a str),
    Bare(Class, &'a str),
    Json(&'a Json),
    Time(&'a Timestamp),
    Number(i128),
}

/// What stands around an unquoted value, and so what it must not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A name, before a parenthesis or a colon.
    Name,
    /// A name in a list with commas.
    Listed,
    /// An id: also without blanks.
    Id,
    /// Text up to the end of its line.
    Line,
    /// A goal, before its note in parentheses.
    Goal,
}

/// What the viewer is called in its own timeline. Somebody else of that name is written with an escape.
pub(super) const YOU: &str = "You";

/// An empty unquoted value. No other value begins so, because quotes in unquoted values are escaped.
const EMPTY: &str = "\"\"";

/// A quote as JSON escapes it.
pub(super) const QUOTE: &str = "\\\"";

impl<'a> Encoded<'a> {
    /// A JSON string, with its quotes.
    pub fn quoted(text: &'a str) -> Self {
        Self(Shape::Quoted(text))
    }

    /// A name without quotes. `( ) [ ] : "` and the arrow of marks are escaped, blanks at its ends too, and a name that
    /// reads `You` is written `\u0059ou`: only the viewer is You.
    pub fn name(name: &'a str) -> Self {
        Self(Shape::Bare(Class::Name, name))
    }

    /// A name in a list: like [`Encoded::name`], commas escaped too, so that one member is never read as two.
    pub fn listed(name: &'a str) -> Self {
        Self(Shape::Bare(Class::Listed, name))
    }

    /// An id without quotes: like a name, with all blanks and commas escaped.
    pub fn id(id: &'a str) -> Self {
        Self(Shape::Bare(Class::Id, id))
    }

    /// Text without quotes that fills the rest of its line.
    pub fn line(text: &'a str) -> Self {
        Self(Shape::Bare(Class::Line, text))
    }

    /// A goal's text. What looks like the beginning of a goal's own note, `(priority:` or `(long-term`, is escaped.
    pub fn goal(text: &'a str) -> Self {
        Self(Shape::Bare(Class::Goal, text))
    }

    /// A JSON value on one line: a blank inside braces and after each colon and comma, numbers as they came.
    pub fn json(json: &'a Json) -> Self {
        Self(Shape::Json(json))
    }

    /// A moment in UTC.
    pub fn time(time: &'a Timestamp) -> Self {
        Self(Shape::Time(time))
    }

    /// A number.
    pub fn number(number: impl Into<i128>) -> Self {
        Self(Shape::Number(number.into()))
    }
}

impl Encoded<'_> {
    /// Writes it behind what is there. Most values have nothing that must be escaped, and are copied.
    pub(super) fn push_to(&self, out: &mut String) {
        match self.0 {
            Shape::Quoted(text) if text.bytes().all(|byte| is_plain(byte) || b"()[]:, ".contains(&byte)) => {
                out.push('"');
                out.push_str(text);
                out.push('"');
            }
            Shape::Bare(class, text) if class.is_plain(text) => out.push_str(text),
            // Writing to a string cannot fail.
            Shape::Quoted(_) | Shape::Bare(..) | Shape::Json(_) | Shape::Time(_) | Shape::Number(_) => {
                let _ = write!(out, "{self}");
            }
        }
    }
}

/// Whether a byte is escaped in no value: a visible ASCII character that is none of the marks.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'"' | b'(' | b')' | b'[' | b']' | b':' | b',')
}

impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Shape::Quoted(text) => {
                f.write_char('"')?;
                write_escaped(f, text, QUOTE, |_, c| always(c))?;
                f.write_char('"')
            }
            Shape::Bare(_, "") => f.write_str(EMPTY),
            Shape::Bare(class, text) => {
                let inner = text.len() - text.trim_start().len()..text.trim_end().len();
                let you = class.is_name() && looks_like_you(text);
                write_escaped(f, text, class.quote(), |at, c| {
                    always(c) || !inner.contains(&at) || (you && at == 0) || class.escapes(c, &text[at..])
                })
            }
            Shape::Json(json) => payload::write(f, json.text()),
            Shape::Time(time) => f.write_str(&time.utc()),
            Shape::Number(number) => write!(f, "{number}"),
        }
    }
}

impl Class {
    /// Whether a value surely stands as it is.
    fn is_plain(self, text: &str) -> bool {
        let inner = |byte: u8| is_plain(byte) || (byte == b' ' && self != Class::Id);
        let ends = text.bytes().next().is_some_and(is_plain) && text.bytes().next_back().is_some_and(is_plain);
        ends && text.bytes().all(inner) && !(self.is_name() && looks_like_you(text))
    }

    /// Whether it may be taken for the viewer's name.
    fn is_name(self) -> bool {
        matches!(self, Class::Name | Class::Listed)
    }

    /// How a quote is escaped. In names not by a quote behind a backslash: a search for quotes must not find it.
    fn quote(self) -> &'static str {
        match self {
            Class::Name | Class::Listed | Class::Id => "\\u0022",
            Class::Line | Class::Goal => QUOTE,
        }
    }

    /// Whether a value of this class must not hold `c`, the first character of `rest`, as it is.
    fn escapes(self, c: char, rest: &str) -> bool {
        let mark = matches!(c, '(' | ')' | '[' | ']' | ':' | '←');
        match self {
            Class::Name => mark,
            Class::Listed => mark || c == ',',
            Class::Id => mark || c == ',' || c.is_whitespace(),
            Class::Line => false,
            Class::Goal => rest.starts_with("(priority:") || rest.starts_with("(long-term"),
        }
    }
}

/// Whether `c` is escaped wherever it stands.
fn always(c: char) -> bool {
    c == '\\' || c == '"' || hidden(c)
}

/// Whether `c` breaks a line, or hides or reorders what stands beside it.
pub(super) fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a reader sees nothing where `c` stands.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || hidden(c)
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a name could be taken for the viewer's, in any case and with whatever invisible characters in it.
fn looks_like_you(name: &str) -> bool {
    name.chars().filter(|&c| !is_blank(c)).map(|c| c.to_ascii_lowercase()).eq("you".chars())
}

/// Writes `text` with the characters escaped that `must` names by their place and themselves; `quote` is how a quote is.
pub(super) fn write_escaped(
    f: &mut fmt::Formatter<'_>,
    text: &str,
    quote: &str,
    must: impl Fn(usize, char) -> bool,
) -> fmt::Result {
    let mut written = 0;
    for (at, c) in text.char_indices().filter(|&(at, c)| must(at, c)) {
        f.write_str(&text[written..at])?;
        match c {
            '"' => f.write_str(quote)?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            c => write!(f, "\\u{:04x}", u32::from(c))?,
        }
        written = at + c.len_utf8();
    }
    f.write_str(&text[written..])
}

/// The text is not what the encoder writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} holds a bad escape or a raw quote")]
pub struct BadEscape {
    /// What could not be decoded.
    pub text: String,
}

/// Undoes the escapes of what stands between the quotes of an encoded value.
pub fn decode(escaped: &str) -> Result<String, BadEscape> {
    serde_json::from_str(&format!("\"{escaped}\"")).map_err(|_| BadEscape { text: escaped.to_owned() })
}

/// Undoes the escapes of an unquoted value.
pub fn decode_unquoted(escaped: &str) -> Result<String, BadEscape> {
    if escaped == EMPTY { Ok(String::new()) } else { decode(escaped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_is_what_would_be_written() {
        let pairs = (0..=0x80_u8).flat_map(|a| (0..=0x80_u8).map(move |b| [char::from(a), 'x', char::from(b)].iter().collect()));
        let odd = ["", "You", "y o u", "yOU", "you two", "Zoë", "(priority: 1)", " a", "a ", "a b", "←"].map(str::to_owned);
        for text in odd.into_iter().chain(pairs) {
            for shape in [Encoded::quoted, Encoded::name, Encoded::listed, Encoded::id, Encoded::line, Encoded::goal] {
                let mut copied = String::new();
                shape(&text).push_to(&mut copied);
                assert_eq!(copied, shape(&text).to_string(), "{:?}", shape(&text));
            }
        }
    }
}
