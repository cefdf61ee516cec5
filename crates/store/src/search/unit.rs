//! A text as a row of units: words, letters of dense scripts, pictures. What is searched and what is marked is made of them.

use super::fold::{Class, fold};
use std::ops::Range;

/// Bytes of a word that go into the index. Whoever looks for a longer one finds it by its beginning.
const LONGEST: usize = 48;
/// Bytes of a word that may be a name made of several words; a longer one is no name.
const LONGEST_NAME: usize = 64;

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A word.
    Word,
    /// The first letter of a stretch of a dense script.
    Dense,
    /// A letter that follows another without a gap.
    Joined,
    /// A picture.
    Sign,
}

/// One unit of a text.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) shape: Shape,
    /// Where it stands in the text.
    pub(super) source: Range<usize>,
    folded: Range<usize>,
}

/// The units of a text.
pub(super) struct Units<'t> {
    text: &'t str,
    folded: String,
    list: Vec<Unit>,
}

impl<'t> Units<'t> {
    pub(super) fn of(text: &'t str) -> Units<'t> {
        let mut units = Units { text, folded: String::with_capacity(text.len()), list: Vec::new() };
        let mut open: Option<(Class, usize)> = None;
        for (at, c) in text.char_indices() {
            let class = Class::of(c);
            match (open, class) {
                (Some(_), Class::Within) | (Some((Class::Word, _)), Class::Word) | (Some((Class::Dense, _)), Class::Dense) => {}
                _ => {
                    units.close(open.take(), at);
                    open = matches!(class, Class::Word | Class::Dense | Class::Sign).then_some((class, at));
                }
            }
        }
        units.close(open, text.len());
        units
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn list(&self) -> &[Unit] {
        &self.list
    }

    /// A unit as it is compared.
    pub(super) fn folded(&self, unit: &Unit) -> &str {
        &self.folded[unit.folded.clone()]
    }

    fn close(&mut self, open: Option<(Class, usize)>, end: usize) {
        match open {
            Some((Class::Word, start)) => self.push(Shape::Word, start..end),
            Some((Class::Sign, start)) => self.push(Shape::Sign, start..end),
            Some((Class::Dense, start)) => self.letters(start..end),
            Some((Class::Within | Class::Gap, _)) | None => {}
        }
    }

    fn push(&mut self, shape: Shape, source: Range<usize>) {
        let from = self.folded.len();
        fold(&self.text[source.clone()], &mut self.folded);
        if self.folded.len() > from {
            self.list.push(Unit { shape, source, folded: from..self.folded.len() });
        }
    }

    /// A stretch of a dense script, letter by letter, each with its marks.
    fn letters(&mut self, run: Range<usize>) {
        let text = &self.text[run.clone()];
        let starts: Vec<usize> = text.char_indices().filter(|(_, c)| Class::of(*c) != Class::Within).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let mut shape = Shape::Dense;
        for (start, end) in starts.iter().copied().zip(ends) {
            let source = run.start + start..run.start + end;
            let from = self.folded.len();
            fold(&self.text[source.clone()], &mut self.folded);
            // A square form may stand for several letters.
            let inner: Vec<usize> = self.folded[from..]
                .char_indices()
                .filter(|(_, c)| Class::of(*c) != Class::Within)
                .map(|(at, _)| from + at)
                .collect();
            let inner_ends = inner.iter().skip(1).copied().chain([self.folded.len()]);
            for (from, to) in inner.iter().copied().zip(inner_ends) {
                self.list.push(Unit { shape, source: source.clone(), folded: from..to });
                shape = Shape::Joined;
            }
        }
    }

    /// The words that a name like `parseHttpHeader` is made of, folded; none if it is one.
    pub(super) fn parts(&self, unit: &Unit) -> Vec<String> {
        let word = &self.text[unit.source.clone()];
        if unit.shape != Shape::Word || word.len() > LONGEST_NAME {
            return Vec::new();
        }
        let borders = borders(word);
        let starts = [0].into_iter().chain(borders.iter().copied());
        let ends = borders.iter().copied().chain([word.len()]);
        let folded = |(start, end)| {
            let mut part = String::new();
            fold(&word[start..end], &mut part);
            part
        };
        if borders.is_empty() { Vec::new() } else { starts.zip(ends).map(folded).filter(|part| !part.is_empty()).collect() }
    }

    /// The terms under which the text is kept in the index, each once.
    pub(super) fn terms(&self) -> Vec<String> {
        let mut terms = Vec::with_capacity(self.list.len());
        for (at, unit) in self.list.iter().enumerate() {
            match unit.shape {
                Shape::Word => {
                    terms.push(cut(self.folded(unit)).to_owned());
                    terms.extend(self.parts(unit).iter().map(|part| cut(part).to_owned()));
                }
                Shape::Sign => terms.push(self.folded(unit).to_owned()),
                Shape::Dense | Shape::Joined => terms.push(self.pair(at).to_owned()),
            }
        }
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// A letter with the one that follows it; alone if it is the last of its stretch.
    pub(super) fn pair(&self, at: usize) -> &str {
        let unit = &self.list[at];
        let next = self.list.get(at + 1).filter(|next| next.shape == Shape::Joined);
        &self.folded[unit.folded.start..next.unwrap_or(unit).folded.end]
    }
}

/// A word as far as the index keeps it.
pub(super) fn cut(word: &str) -> &str {
    &word[..word.floor_char_boundary(LONGEST)]
}

/// Where a new word begins in a name: before a capital after a small letter, and before the last of several capitals.
fn borders(word: &str) -> Vec<usize> {
    if !word.bytes().any(|byte| byte.is_ascii_uppercase() || byte >= 0x80) {
        return Vec::new();
    }
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let is_border = |at: usize| {
        let (before, here) = (chars[at - 1].1, chars[at].1);
        let after = chars.get(at + 1).is_some_and(|(_, after)| after.is_lowercase());
        here.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && after)
    };
    (1..chars.len()).filter(|&at| is_border(at)).map(|at| chars[at].0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_terms_in_every_script() {
        for (text, expected) in [
            ("The cat, the CAT!", "cat the"),
            ("parseHTTPHeader snake_case x1", "case header http parse parsehttpheader snake x1"),
            ("don't", "don t"),
            ("黒猫", "猫 黒猫"),
            ("犬", "犬"),
            ("東京 is big", "big is 京 東京"),
            ("สวัสดี", "ดี วัส สดี สวั"),
            ("한국어", "국어 어 한국"),
            ("नमस्ते दुनिया", "दुनिया नमस्ते"),
            ("ok🎉🎉👍🏽", "ok 🎉 👍"),
            ("می‌خواهم", "میخواهم"),
            ("", ""),
            ("\u{301}- *\"'", ""),
        ] {
            assert_eq!(Units::of(text).terms().join(" "), expected, "{text}");
        }
    }

    #[test]
    fn long_words_are_cut_and_no_term_breaks_the_index() {
        let text = format!("{} {} a\0b ½ ㎢ \u{fdfa}", "é".repeat(500), "x".repeat(500));
        for term in Units::of(&text).terms() {
            assert!(term.len() <= LONGEST && !term.is_empty());
            assert!(term.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric()), "{term:?}");
        }
    }
}
