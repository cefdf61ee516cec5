//! Splits a text into the pieces that are encoded one by one.
//!
//! Each function answers where the piece that begins at a position ends; a piece is never empty, and the pieces of a text
//! are the matches of tiktoken's pattern for that vocabulary, in order. The patterns are alternations, tried from left to
//! right with backtracking; what is written here is what remains of them once every way back has been followed. No byte
//! is read more than a few times, so a text of one endless run costs no more than any other.

use super::class::Class;
use super::scan::Scan;

/// The end of the piece at `at`, by the pattern of o200k:
/// ```text
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
/// ```
#[inline]
pub(super) fn o200k(scan: Scan<'_>, at: usize) -> usize {
    let Some((first, next)) = scan.at(at) else { return at };
    // Decided before the second character is read: half of all pieces.
    if matches!(first, Class::Upper | Class::Lower) {
        return scan.contraction(cased_word(scan, at));
    }
    match (first, scan.at(next).map(|(class, _)| class)) {
        (Class::Upper | Class::Lower | Class::Caseless, _) => scan.contraction(cased_word(scan, at)),
        (Class::Mark, _) => scan.contraction(mixed_word(scan, next).unwrap_or(next)),
        (Class::Space | Class::Other, Some(Class::Upper | Class::Lower | Class::Caseless | Class::Mark)) => {
            scan.contraction(cased_word(scan, next))
        }
        (Class::Number, _) => digits(scan, at),
        (Class::Other, _) => endings(scan, symbols(scan, next), b"\r\n/"),
        (Class::Space, Some(Class::Other)) if scan.byte(at) == Some(b' ') => endings(scan, symbols(scan, next), b"\r\n/"),
        (Class::Space | Class::Newline, _) => blanks(scan, at, spaces(scan, next)),
    }
}

/// The end of the piece at `at`, by the pattern of cl100k:
/// ```text
/// '(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+
/// \s++$|\s*[\r\n]|\s+(?!\S)|\s
/// ```
#[inline]
pub(super) fn cl100k(scan: Scan<'_>, at: usize) -> usize {
    let Some((first, next)) = scan.at(at) else { return at };
    let contraction = scan.contraction(at);
    if contraction > at {
        return contraction;
    }
    match (first, scan.at(next).map(|(class, _)| class)) {
        (Class::Upper | Class::Lower | Class::Caseless, _) => letters(scan, at),
        (Class::Space | Class::Other | Class::Mark, Some(Class::Upper | Class::Lower | Class::Caseless)) => letters(scan, next),
        (Class::Number, _) => digits(scan, at),
        (Class::Other | Class::Mark, _) => endings(scan, symbols(scan, next), b"\r\n"),
        (Class::Space, Some(Class::Other | Class::Mark)) if scan.byte(at) == Some(b' ') => {
            endings(scan, symbols(scan, next), b"\r\n")
        }
        (Class::Space | Class::Newline, _) => {
            let end = spaces(scan, next);
            if end == scan.bytes().len() { end } else { blanks(scan, at, end) }
        }
    }
}

/// `\p{L}+` from a letter.
#[inline(always)]
fn letters(scan: Scan<'_>, at: usize) -> usize {
    let end = scan.ascii_letters(at);
    if scan.byte(end).is_none_or(|byte| byte.is_ascii()) {
        return end;
    }
    scan.run(end, |class| matches!(class, Class::Upper | Class::Lower | Class::Caseless))
}

/// The two word forms of o200k from their first letter or mark, without the contraction.
#[inline(always)]
fn cased_word(scan: Scan<'_>, at: usize) -> usize {
    let end = scan.ascii_lower(scan.ascii_upper(at));
    if end > at && scan.byte(end).is_none_or(|byte| byte.is_ascii()) {
        return end;
    }
    mixed_word(scan, at).unwrap_or_else(|| scan.run(at, |class| class == Class::Upper))
}

/// The first word form of o200k, `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, or nothing where only
/// upper case stands. Letters without case and marks belong to both halves: the second half takes the last of them back
/// where no lower case letter follows, and what is upper case behind it begins a piece of its own.
fn mixed_word(scan: Scan<'_>, mut at: usize) -> Option<usize> {
    let mut caseless = None;
    loop {
        match scan.at(at) {
            Some((Class::Upper, next)) => at = next,
            Some((Class::Caseless | Class::Mark, next)) => {
                at = next;
                caseless = Some(next);
            }
            Some((Class::Lower, next)) => {
                return Some(scan.run(next, |class| matches!(class, Class::Lower | Class::Caseless | Class::Mark)));
            }
            Some((Class::Number | Class::Newline | Class::Space | Class::Other, _)) | None => return caseless,
        }
    }
}

/// `\p{N}{1,3}` from a number.
#[inline]
fn digits(scan: Scan<'_>, at: usize) -> usize {
    let number = |at| match scan.at(at) {
        Some((Class::Number, next)) => next,
        _ => at,
    };
    number(number(number(at)))
}

/// `[^\s\p{L}\p{N}]*`
#[inline]
fn symbols(scan: Scan<'_>, at: usize) -> usize {
    scan.run(at, |class| matches!(class, Class::Other | Class::Mark))
}

/// The end of the run of the bytes that may close a piece of symbols.
#[inline]
fn endings(scan: Scan<'_>, mut at: usize, bytes: &[u8]) -> usize {
    while scan.byte(at).is_some_and(|byte| bytes.contains(&byte)) {
        at += 1;
    }
    at
}

/// `\s*`
#[inline]
fn spaces(scan: Scan<'_>, at: usize) -> usize {
    scan.run(at, |class| matches!(class, Class::Space | Class::Newline))
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+` on the white space from `at` to `end`, which is all there is: through the last newline; with
/// no newline all of it at the end of the text, else all but the last character, which goes with what follows.
fn blanks(scan: Scan<'_>, at: usize, end: usize) -> usize {
    let run = &scan.text()[at..end];
    if let Some(newline) = run.rfind(['\r', '\n']) {
        return at + newline + 1;
    }
    let last = run.chars().next_back().map_or(0, char::len_utf8);
    if end == scan.bytes().len() || run.len() == last { end } else { end - last }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(split: fn(Scan<'_>, usize) -> usize, text: &str) -> Vec<&str> {
        let (scan, mut at, mut pieces) = (Scan::new(text), 0, Vec::new());
        while at < text.len() {
            let end = split(scan, at);
            pieces.push(&text[at..end]);
            at = end;
        }
        pieces
    }

    #[test]
    fn o200k_splits_as_its_pattern_does() {
        for (text, expected) in [
            ("Hello, world's", &["Hello", ",", " world's"][..]),
            ("camelCase HTTPServer", &["camel", "Case", " HTTPServer"]),
            ("don'T 'sa", &["don'T", " '", "sa"]),
            ("12345", &["123", "45"]),
            ("a  b", &["a", " ", " b"]),
            ("a \n  \n  b", &["a", " \n  \n", " ", " b"]),
            ("a \n ", &["a", " \n", " "]),
            ("--/\n/x", &["--/\n/", "x"]),
            (" !\n", &[" !\n"]),
            ("你AB", &["你", "AB"]),
            ("\u{301}AB", &["\u{301}", "AB"]),
            ("\u{301}Ab", &["\u{301}Ab"]),
            ("!\u{301}!", &["!\u{301}", "!"]),
            ("\u{a0}\u{a0}x", &["\u{a0}", "\u{a0}x"]),
        ] {
            assert_eq!(pieces(o200k, text), expected, "{text:?}");
        }
    }

    #[test]
    fn cl100k_splits_as_its_pattern_does() {
        for (text, expected) in [
            ("Hello, world's", &["Hello", ",", " world", "'s"][..]),
            ("camelCase", &["camelCase"]),
            ("'sa 'xa", &["'s", "a", " '", "xa"]),
            ("12345", &["123", "45"]),
            ("a \n  \n  b", &["a", " \n  \n", " ", " b"]),
            ("a \n ", &["a", " \n "]),
            ("--/\n/x", &["--/\n", "/x"]),
            ("e\u{301}a", &["e", "\u{301}a"]),
            ("!\u{301}!", &["!\u{301}!"]),
        ] {
            assert_eq!(pieces(cl100k, text), expected, "{text:?}");
        }
    }
}
