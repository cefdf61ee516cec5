//! The estimate of the npm package tokenx 2.2.0, for callers that budget with it.
//!
//! Equal to its `estimateTokenCount` on every text. It measures in UTF-16 units and divides in floating point, in a fixed
//! order, and so does this. A text is cut into runs of white space, of ASCII punctuation, of CJK punctuation, and of
//! everything else; each segment is estimated by the first rule that fits it.

mod sets;

use sets::{Kind, Language, cjk, kind, language, pictographs};

/// The estimated number of tokens of a text.
pub fn tokenx(text: &str) -> u32 {
    let mut tokens = 0;
    let mut last = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (mut segment, mut after) = cut(rest, kind(first));
        if kind(first) == Kind::Text && segment.contains(cjk) {
            // CJK punctuation counts with the CJK text that it closes.
            let closing = cut(after, Kind::CjkPunctuation).0;
            (segment, after) = rest.split_at(segment.len() + closing.len());
        }
        tokens += match kind(first) {
            Kind::Space => white_space(segment, last),
            Kind::Punctuation | Kind::CjkPunctuation | Kind::Text => estimate(segment),
        };
        last = segment.chars().next_back();
        rest = after;
    }
    tokens
}

/// The leading run of one kind, and what follows it.
fn cut(text: &str, wanted: Kind) -> (&str, &str) {
    text.split_at(text.find(|char| kind(char) != wanted).unwrap_or(text.len()))
}

/// White space costs nothing unless it carries structure: a line that is indented or blank, or a line end after text.
fn white_space(segment: &str, last: Option<char>) -> u32 {
    match segment.find('\n') {
        None => 0,
        Some(newline) if newline + 1 < segment.len() => 1,
        Some(_) => match last.map(kind) {
            Some(Kind::Punctuation | Kind::CjkPunctuation) => 0,
            Some(Kind::Space | Kind::Text) | None => 1,
        },
    }
}

/// What is not white space.
fn estimate(segment: &str) -> u32 {
    if segment.is_ascii() {
        return estimate_ascii(segment.as_bytes());
    }
    if segment.contains(cjk) {
        return estimate_cjk(segment);
    }
    let per_token = match segment.chars().filter_map(language).min() {
        Some(Language::German) => 3.0,
        Some(Language::Romance) => 4.5,
        Some(Language::Slavic) => 2.5,
        Some(Language::Cyrillic) => 6.0,
        Some(Language::Greek) => 3.0,
        None if pictographs(segment) => 0.9,
        None => return by_length(segment.chars().map(char::len_utf16).sum()),
    };
    (segment.chars().count() as f64 / per_token).ceil() as u32
}

fn estimate_ascii(segment: &[u8]) -> u32 {
    let length = segment.len();
    if segment.iter().all(u8::is_ascii_digit) {
        return length.div_ceil(3) as u32;
    }
    if length <= 3 || length <= 8 && segment.iter().all(u8::is_ascii_lowercase) {
        return 1;
    }
    // Punctuation never shares a segment with anything else.
    match kind(char::from(segment[0])) {
        Kind::Punctuation => length.div_ceil(6) as u32,
        Kind::Space | Kind::CjkPunctuation | Kind::Text => by_length(length),
    }
}

fn by_length(length: usize) -> u32 {
    if length <= 3 { 1 } else { length.div_ceil(7) as u32 }
}

fn estimate_cjk(segment: &str) -> u32 {
    let (mut kana, mut hangul, mut hanzi) = (0, 0, 0);
    for char in segment.chars() {
        match char {
            '\u{3040}'..='\u{30FF}' => kana += 1,
            '\u{AC00}'..='\u{D7FF}' | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A960}'..='\u{A97F}' => hangul += 1,
            _ => hanzi += 1,
        }
    }
    (f64::from(hanzi) / 1.2 + f64::from(kana) / 1.35 + f64::from(hangul) / 1.65).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_estimates_its_kind_of_segment() {
        for (text, count) in [
            ("", 0),
            ("hello world", 2),
            ("internationalisation", 3),
            ("1234567", 3),
            ("!!!!!!!", 2),
            ("a\n", 2),
            ("a.\n", 2),
            ("a.\n ", 3),
            ("Straße", 2),
            ("привет", 1),
            ("你好，世界", 5),
            ("ひらがな", 3),
            ("한국어", 2),
            ("👍👍👍", 4),
        ] {
            assert_eq!(tokenx(text), count, "{text:?}");
        }
    }
}
