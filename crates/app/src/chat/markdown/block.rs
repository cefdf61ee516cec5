//! What a line is, from how it begins.

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Nothing in it.
    Blank,
    /// `## `
    Heading(usize),
    /// `> `: what follows begins a line of its own.
    Quote,
    /// `- `, `* ` or `+ `, or a number with its point; how it is written, and how far it is indented.
    Item { indent: usize, mark: String },
    /// ` ``` ` or `~~~`, and what is behind it.
    Fence(Fence),
    /// `---`
    Rule,
    /// A row of a table.
    Row,
    /// Anything else.
    Text { indent: usize },
}

/// What opens code, and must close it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    sign: char,
    count: usize,
}

impl Fence {
    /// Whether a line may still become the end of the code.
    pub(super) fn may_close(self, line: &str) -> bool {
        line.trim().chars().all(|character| character == self.sign)
    }

    /// Whether a line is the end of the code.
    pub(super) fn closes(self, line: &str) -> bool {
        self.may_close(line) && line.trim().chars().count() >= self.count
    }
}

/// Digits a number of a list may have.
const DIGITS: usize = 9;
const HEADINGS: usize = 6;

/// What a line is and how many of its bytes say so; none while more must be seen. `whole` says that there is no more.
pub(super) fn opening(line: &str, whole: bool) -> Option<(Opening, usize)> {
    let trimmed = line.trim_start_matches(' ');
    let indent = line.len() - trimmed.len();
    let text = Some((Opening::Text { indent }, indent));
    let Some(first) = trimmed.chars().next() else { return whole.then_some((Opening::Blank, line.len())) };
    let found = match first {
        '#' => heading(trimmed, whole),
        '>' => quote(trimmed, whole),
        '`' | '~' => fence(trimmed, first, whole),
        '-' | '*' | '+' => item_or_rule(trimmed, first, indent, whole),
        '_' => rule(trimmed, first, whole),
        '0'..='9' => number(trimmed, indent, whole),
        '|' => Found::Is(Opening::Row, 0),
        _ => Found::Nothing,
    };
    match found {
        Found::Is(opening, bytes) => Some((opening, indent + bytes)),
        Found::Perhaps => None,
        Found::Nothing => text,
    }
}

enum Found {
    Is(Opening, usize),
    /// More must be seen.
    Perhaps,
    Nothing,
}

fn perhaps(whole: bool) -> Found {
    if whole { Found::Nothing } else { Found::Perhaps }
}

fn run(text: &str, sign: char) -> usize {
    text.chars().take_while(|character| *character == sign).count()
}

fn heading(text: &str, whole: bool) -> Found {
    let level = run(text, '#');
    match text[level..].chars().next() {
        None if level <= HEADINGS => perhaps(whole),
        Some(' ') if level <= HEADINGS => Found::Is(Opening::Heading(level), level + 1),
        Some(_) | None => Found::Nothing,
    }
}

fn quote(text: &str, whole: bool) -> Found {
    match text[1..].chars().next() {
        None if !whole => Found::Perhaps,
        Some(' ') => Found::Is(Opening::Quote, 2),
        Some(_) | None => Found::Is(Opening::Quote, 1),
    }
}

fn fence(text: &str, sign: char, whole: bool) -> Found {
    let count = run(text, sign);
    let behind = &text[count..];
    match (count >= 3, behind.is_empty()) {
        (false, true) => perhaps(whole),
        (false, false) => Found::Nothing,
        // Code in backticks that happens to begin a line.
        (true, _) if sign == '`' && behind.contains('`') => Found::Nothing,
        (true, _) if whole => Found::Is(Opening::Fence(Fence { sign, count }), text.len()),
        (true, _) => Found::Perhaps,
    }
}

fn item_or_rule(text: &str, sign: char, indent: usize, whole: bool) -> Found {
    match text[1..].chars().next() {
        Some(' ') => Found::Is(Opening::Item { indent, mark: sign.to_string() }, 2),
        Some(second) if second == sign && sign != '+' => rule(text, sign, whole),
        None => perhaps(whole),
        Some(_) => Found::Nothing,
    }
}

fn rule(text: &str, sign: char, whole: bool) -> Found {
    let count = run(text, sign);
    match text[count..].trim_end().is_empty() {
        true if whole && count >= 3 => Found::Is(Opening::Rule, text.len()),
        true => perhaps(whole),
        false => Found::Nothing,
    }
}

fn number(text: &str, indent: usize, whole: bool) -> Found {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut behind = text[digits..].chars();
    match (behind.next(), behind.next()) {
        (None, _) if digits <= DIGITS => perhaps(whole),
        (Some('.' | ')'), None) if digits <= DIGITS => perhaps(whole),
        (Some('.' | ')'), Some(' ')) if digits <= DIGITS => {
            Found::Is(Opening::Item { indent, mark: text[..=digits].to_owned() }, digits + 2)
        }
        _ => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_by_how_it_begins() {
        let item = |indent, mark: &str| Opening::Item { indent, mark: mark.to_owned() };
        let fence = |sign, count| Opening::Fence(Fence { sign, count });
        let cases = [
            ("", Opening::Blank, 0),
            ("   ", Opening::Blank, 3),
            ("## Two", Opening::Heading(2), 3),
            ("####### Seven", Opening::Text { indent: 0 }, 0),
            ("#hash", Opening::Text { indent: 0 }, 0),
            ("> said", Opening::Quote, 2),
            (">said", Opening::Quote, 1),
            ("- one", item(0, "-"), 2),
            ("  * two", item(2, "*"), 4),
            ("12. twelve", item(0, "12."), 4),
            ("1234567890. no", Opening::Text { indent: 0 }, 0),
            ("3.14", Opening::Text { indent: 0 }, 0),
            ("**bold**", Opening::Text { indent: 0 }, 0),
            ("---", Opening::Rule, 3),
            ("--", Opening::Text { indent: 0 }, 0),
            ("```rust", fence('`', 3), 7),
            ("```x``` inline", Opening::Text { indent: 0 }, 0),
            ("~~~~", fence('~', 4), 4),
            ("| a | b |", Opening::Row, 0),
            ("  text", Opening::Text { indent: 2 }, 2),
        ];
        for (line, kind, bytes) in cases {
            assert_eq!(opening(line, true), Some((kind, bytes)), "{line:?}");
        }
    }

    #[test]
    fn what_is_decided_early_stays_decided() {
        for line in ["## Two", "> said", "- one", "12. twelve", "**bold**", "text", "```x``` inline", "3.14", "-x", "__init__"] {
            let early = (0..=line.len()).find_map(|end| opening(&line[..end], false));
            assert_eq!(early, opening(line, true), "{line:?}");
        }
    }
}
