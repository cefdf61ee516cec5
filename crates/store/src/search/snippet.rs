//! A glimpse of a text around what was found.

use super::fold::Class;
use std::ops::Range;

/// Characters shown before the first place, and in all.
const BEFORE: usize = 60;
const SHOWN: usize = 200;

/// A part of a node's text, as it was written, with what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The part.
    pub text: String,
    /// Where in [`text`](Self::text) something was found: bytes, in order, without overlaps.
    pub marks: Vec<Range<usize>>,
    /// Whether something stands before it.
    pub cut_before: bool,
    /// Whether something stands after it.
    pub cut_after: bool,
}

/// Cuts the part around the first of `places`, which are in order.
pub(super) fn snippet(text: &str, places: &[Range<usize>]) -> Snippet {
    let first = places.first().map_or(0, |place| place.start);
    let start = begin(text, first);
    let end = end(text, start);
    let mut marks: Vec<Range<usize>> = Vec::new();
    for place in places.iter().filter(|place| place.start < end) {
        let mark = place.start - start..place.end.min(end) - start;
        match marks.last_mut() {
            Some(last) if mark.start < last.end => last.end = last.end.max(mark.end),
            _ => marks.push(mark),
        }
    }
    Snippet { text: text[start..end].to_owned(), marks, cut_before: start > 0, cut_after: end < text.len() }
}

/// Some characters before `first`, at the beginning of a word if there is one.
fn begin(text: &str, first: usize) -> usize {
    let far = text[..first].char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    if far == 0 {
        return 0;
    }
    let gap = text[far..first].char_indices().find(|(_, c)| c.is_whitespace()).map(|(at, c)| far + at + c.len_utf8());
    gap.unwrap_or_else(|| whole(text, far, first))
}

/// Some characters after `start`, at the end of a word if there is one near.
fn end(text: &str, start: usize) -> usize {
    let Some((far, _)) = text[start..].char_indices().nth(SHOWN) else { return text.len() };
    let far = start + far;
    let least = start + text[start..far].char_indices().nth(SHOWN - 40).map_or(0, |(at, _)| at);
    let gap = text[least..far].char_indices().rev().find(|(_, c)| c.is_whitespace()).map(|(at, _)| least + at);
    gap.unwrap_or_else(|| whole(text, far, text.len()))
}

/// The next place from `at` on where no letter loses its marks and no picture its other half.
fn whole(text: &str, at: usize, most: usize) -> usize {
    let joined = text[..at].ends_with('\u{200d}');
    let mut rest = text[at..most].char_indices().skip(usize::from(joined));
    rest.find(|(_, c)| Class::of(*c) != Class::Within).map_or(most, |(skipped, _)| at + skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, places: &[(usize, usize)]) -> Snippet {
        let places: Vec<Range<usize>> = places.iter().map(|&(start, end)| start..end).collect();
        snippet(text, &places)
    }

    #[test]
    fn what_was_found_is_marked_in_the_original_text() {
        let found = shown("A Café here", &[(2, 7)]);
        assert_eq!(&found.text[found.marks[0].clone()], "Café");
        assert!(!found.cut_before && !found.cut_after);
    }

    #[test]
    fn a_long_text_is_cut_between_words() {
        let text = format!("{}needle {}", "hay ".repeat(100), "straw ".repeat(100));
        let found = shown(&text, &[(400, 406)]);
        assert_eq!(&found.text[found.marks[0].clone()], "needle");
        assert!(found.cut_before && found.cut_after && found.text.starts_with("hay ") && found.text.ends_with("straw"));
        assert!(found.text.chars().count() <= SHOWN);
    }

    #[test]
    fn overlapping_places_are_one_mark_and_no_character_is_torn() {
        assert_eq!(shown("abcdef", &[(0, 3), (2, 5)]).marks, vec![Range { start: 0, end: 5 }]);
        let text = "क्षि".repeat(300);
        for at in (0..text.len() - 30).filter(|at| text.is_char_boundary(*at)) {
            let to = at + text[at..].chars().next().map_or(0, char::len_utf8);
            let found = shown(&text, &[(at, to)]);
            assert!(found.marks.iter().all(|mark| found.text.get(mark.clone()).is_some()));
        }
    }
}
