//! Marks inside a line: emphasis, code, links.
//!
//! A mark counts only when its other end is seen on the same line and not too far away; otherwise it is a character like any
//! other, so that no text is lost to a mark that was none. What stands between the two is held until then.

use super::look::Look;

/// Text in one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) look: Look,
    pub(super) text: String,
}

/// Bytes that are held for the other end of a mark.
const MOST_HELD: usize = 400;
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// What was made of the beginning of a text.
enum Found {
    /// So many bytes are understood.
    Bytes(usize),
    /// More must be seen.
    Wait,
    /// It is no mark.
    Nothing,
}

/// The text that is known so far, and what is around it.
#[derive(Clone, Copy)]
struct Known<'t> {
    text: &'t str,
    /// The character before it.
    before: Option<char>,
    /// Whether nothing follows.
    whole: bool,
    look: Look,
}

/// Spans of a whole text.
pub(super) fn spans(text: &str, look: Look) -> Vec<Span> {
    let mut all = Vec::new();
    let (mut rest, mut before) = (text, None);
    while !rest.is_empty() {
        let bytes = next(rest, before, true, look, &mut all).max(1);
        before = rest[..bytes].chars().next_back();
        rest = &rest[bytes..];
    }
    all
}

/// Understands the beginning of a text: how many bytes were taken; none while more must be seen.
pub(super) fn next(text: &str, before: Option<char>, whole: bool, look: Look, out: &mut Vec<Span>) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let known = Known { text, before, whole: whole || text.len() > MOST_HELD, look };
    let found = match first {
        '\\' => known.escape(out),
        '`' => known.code(out),
        '*' | '_' | '~' => known.emphasis(first, out),
        '[' => known.link(0, out),
        '!' => known.image(out),
        '<' => known.address(out),
        _ => Found::Nothing,
    };
    match found {
        Found::Bytes(bytes) => bytes,
        Found::Wait if !known.whole => 0,
        Found::Wait | Found::Nothing => {
            let bytes = literal(text, first);
            push(out, look, &text[..bytes]);
            bytes
        }
    }
}

/// A mark that is none stands for itself, all of its run.
fn literal(text: &str, first: char) -> usize {
    match first {
        '*' | '_' | '~' | '`' => run(text, first),
        other => other.len_utf8(),
    }
}

fn push(out: &mut Vec<Span>, look: Look, text: &str) {
    match out.last_mut() {
        Some(span) if span.look == look => span.text.push_str(text),
        Some(_) | None => out.push(Span { look, text: text.to_owned() }),
    }
}

fn run(text: &str, sign: char) -> usize {
    text.chars().take_while(|character| *character == sign).count()
}

impl Known<'_> {
    fn at_end(self, bytes: usize) -> bool {
        bytes >= self.text.len() && !self.whole
    }

    fn escape(self, out: &mut Vec<Span>) -> Found {
        match self.text[1..].chars().next() {
            None => Found::Wait,
            Some(sign) if sign.is_ascii_punctuation() => {
                push(out, self.look, &self.text[1..2]);
                Found::Bytes(2)
            }
            Some(_) => Found::Nothing,
        }
    }

    fn code(self, out: &mut Vec<Span>) -> Found {
        let count = run(self.text, '`');
        let Some(end) = code_end(self.text, count) else { return Found::Wait };
        if self.at_end(end) {
            return Found::Wait;
        }
        let inside = &self.text[count..end - count];
        let padded = inside.strip_prefix(' ').and_then(|inside| inside.strip_suffix(' '));
        let code = padded.filter(|code| !code.trim().is_empty()).unwrap_or(inside);
        push(out, self.look | Look::CODE, code);
        Found::Bytes(end)
    }

    fn emphasis(self, sign: char, out: &mut Vec<Span>) -> Found {
        let count = run(self.text, sign);
        if self.at_end(count) {
            return Found::Wait;
        }
        let look = match (sign, count) {
            ('~', 2) => Look::STRUCK,
            ('*' | '_', 1) => Look::ITALIC,
            ('*' | '_', 2) => Look::STRONG,
            ('*' | '_', 3) => Look::STRONG | Look::ITALIC,
            _ => return Found::Nothing,
        };
        if !opens(sign, self.before, self.text[count..].chars().next()) {
            return Found::Nothing;
        }
        let Some((from, end)) = closer(self.text, sign, count) else { return Found::Wait };
        if self.at_end(end) {
            return Found::Wait;
        }
        spans(&self.text[count..from], self.look | look).iter().for_each(|span| push(out, span.look, &span.text));
        Found::Bytes(end)
    }

    /// A link whose bracket stands at `at`: its text, and where it leads.
    fn link(self, at: usize, out: &mut Vec<Span>) -> Found {
        let Some(close) = matching(&self.text[at..], '[', ']').map(|close| at + close) else { return Found::Wait };
        match self.text[close + 1..].chars().next() {
            None => return Found::Wait,
            Some('(') => {}
            Some(_) => return Found::Nothing,
        }
        let Some(end) = matching(&self.text[close + 1..], '(', ')').map(|end| close + 1 + end) else { return Found::Wait };
        let inside = &self.text[at + 1..close];
        let address = self.text[close + 2..end].split_whitespace().next().unwrap_or_default();
        spans(inside, self.look | Look::UNDERLINED).iter().for_each(|span| push(out, span.look, &span.text));
        if address != inside && !address.is_empty() {
            push(out, self.look | Look::FAINT, &format!(" ({address})"));
        }
        Found::Bytes(end + 1)
    }

    fn image(self, out: &mut Vec<Span>) -> Found {
        match self.text[1..].chars().next() {
            None => Found::Wait,
            Some('[') => {
                let mut inside = Vec::new();
                let found = self.link(1, &mut inside);
                if matches!(found, Found::Bytes(_)) {
                    push(out, self.look | Look::FAINT, "image: ");
                    out.extend(inside);
                }
                found
            }
            Some(_) => Found::Nothing,
        }
    }

    fn address(self, out: &mut Vec<Span>) -> Found {
        let inside = &self.text[1..];
        let may_be = SCHEMES.iter().any(|scheme| inside.starts_with(scheme) || scheme.starts_with(inside));
        match inside.find(['>', ' ', '<']) {
            Some(end) if may_be && inside[end..].starts_with('>') => {
                push(out, self.look | Look::UNDERLINED, &inside[..end]);
                Found::Bytes(end + 2)
            }
            None if may_be => Found::Wait,
            Some(_) | None => Found::Nothing,
        }
    }
}

/// Where code that begins with so many backticks ends.
fn code_end(text: &str, count: usize) -> Option<usize> {
    let mut at = count;
    while let Some(found) = text[at..].find('`') {
        let end = at + found + run(&text[at + found..], '`');
        if end - at - found == count {
            return Some(end);
        }
        at = end;
    }
    None
}

/// Whether a run may begin emphasis, by the characters around it. `2 * 3` and `snake_case` have none.
fn opens(sign: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(after) = after.filter(|after| !after.is_whitespace()) else { return false };
    let loose = before.is_none_or(|before| !before.is_alphanumeric());
    match sign {
        '_' => loose,
        _ => loose || after.is_alphanumeric(),
    }
}

/// Where emphasis that began with so many signs ends: the end of what is inside, and of all.
fn closer(text: &str, sign: char, count: usize) -> Option<(usize, usize)> {
    let mut at = count;
    while let Some(character) = text[at..].chars().next() {
        at += match character {
            '\\' => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            '`' => {
                let ticks = run(&text[at..], '`');
                code_end(&text[at..], ticks).unwrap_or(ticks)
            }
            same if same == sign => {
                let found = run(&text[at..], sign);
                let fits = found == count || found == 3 && count < 3;
                if fits && closes(sign, &text[..at], &text[at + found..]) {
                    return Some((at + found - count, at + found));
                }
                found
            }
            other => other.len_utf8(),
        };
    }
    None
}

fn closes(sign: char, before: &str, after: &str) -> bool {
    let tight = before.chars().next_back().is_some_and(|before| !before.is_whitespace());
    tight && (sign != '_' || after.chars().next().is_none_or(|after| !after.is_alphanumeric()))
}

/// Where the bracket that the text begins with is closed.
fn matching(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == open => depth += 1,
            _ if character == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks as letters around the text: `B` strong, `I` italic, `C` code, `F` faint, `S` struck, `U` underlined.
    fn shown(text: &str) -> String {
        let letters = |look: Look| {
            let all = [("B", Look::STRONG), ("I", Look::ITALIC), ("C", Look::CODE), ("F", Look::FAINT)];
            let all = all.into_iter().chain([("S", Look::STRUCK), ("U", Look::UNDERLINED)]);
            all.filter(|(_, one)| look | *one == look).map(|(letter, _)| letter).collect::<String>()
        };
        let one = |span: &Span| match letters(span.look).as_str() {
            "" => span.text.clone(),
            letters => format!("{letters}‹{}›", span.text),
        };
        spans(text, Look::PLAIN).iter().map(one).collect()
    }

    #[test]
    fn marks_count_when_both_ends_are_there() {
        let cases = [
            ("a **b** c", "a B‹b› c"),
            ("*a* _b_ ***c***", "I‹a› I‹b› BI‹c›"),
            ("**a *b* c**", "B‹a ›BI‹b›B‹ c›"),
            ("**a *b***", "B‹a ›BI‹b›"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("snake_case_name __init__", "snake_case_name B‹init›"),
            ("**kwargs and *args", "**kwargs and *args"),
            ("`a*b*` ``c`d``", "C‹a*b*› C‹c`d›"),
            ("**`x**y`**", "BC‹x**y›"),
            ("~~old~~ ~5", "S‹old› ~5"),
            (r"\*not\* \a", r"*not* \a"),
            ("[docs](https://x.org/a_(b))", "U‹docs›F‹ (https://x.org/a_(b))›"),
            ("[https://x.org](https://x.org)", "U‹https://x.org›"),
            ("[1] and [ ] and [a][b]", "[1] and [ ] and [a][b]"),
            ("![cat](cat.png) wow!", "F‹image: ›U‹cat›F‹ (cat.png)› wow!"),
            ("<https://x.org> <br> a < b", "U‹https://x.org› <br> a < b"),
            ("unclosed [a](b and `c", "unclosed [a](b and `c"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
