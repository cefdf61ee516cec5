//! Wrapping by words, as they come.
//!
//! A word is held until its end is known, since nothing that was written is ever taken back. What is written depends on the
//! characters alone, never on how many came at a time.

use super::look::Look;
use crate::preview::width;
use unicode_width::UnicodeWidthChar;

/// What the lines are written on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Whether there are colours.
    pub(crate) colours: bool,
    /// Columns.
    pub(crate) width: usize,
}

/// Lines of words.
pub(crate) struct Wrap {
    page: Page,
    out: String,
    /// What continued lines begin with.
    rest: String,
    /// Columns that are taken.
    column: usize,
    /// Columns that the line began with.
    start: usize,
    /// Blanks before the word.
    gap: usize,
    word: Vec<(Look, String)>,
    wide: usize,
    last: Option<char>,
    /// The look that is in force on the page.
    ink: Look,
}

/// Fewer columns than this hold no words: then the page is taken to be wider than it is.
const LEAST_ROOM: usize = 4;
/// A line never begins with these.
const HANGING: &str = "、。，．・：；？！）」』】〉》〕］｝ー";

impl Wrap {
    pub(crate) fn new(page: Page) -> Wrap {
        let (out, rest, word) = (String::new(), String::new(), Vec::new());
        Wrap { page, out, rest, column: 0, start: 0, gap: 0, word, wide: 0, last: None, ink: Look::PLAIN }
    }

    /// Begins a line with `first`; the lines it is continued on begin with `rest`. Both are text without colours.
    pub(crate) fn begin(&mut self, first: &str, rest: &str, look: Look) {
        self.rest = self.paint(look, rest);
        let first_text = self.paint(look, first);
        self.out.push_str(&first_text);
        self.column = width(first);
        self.start = width(rest);
        (self.gap, self.last) = (0, None);
    }

    /// Adds text without line breaks.
    pub(crate) fn put(&mut self, look: Look, text: &str) {
        text.chars().for_each(|character| self.put_one(look, character));
    }

    /// Ends the line.
    pub(crate) fn end(&mut self) {
        self.flush();
        self.write(Look::PLAIN, "\n");
        (self.column, self.gap, self.last) = (0, 0, None);
    }

    /// Adds text in a look, without wrapping. The look stays in force until another is wanted.
    pub(crate) fn verbatim(&mut self, look: Look, text: &str) {
        self.write(look, text);
    }

    /// What was written since the last time.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    fn put_one(&mut self, look: Look, character: char) {
        if character == ' ' {
            self.flush();
            self.gap += 1;
            self.last = None;
            return;
        }
        if self.may_break_before(character) || self.wide >= self.room() {
            self.flush();
        }
        match self.word.last_mut() {
            Some((same, text)) if *same == look => text.push(character),
            Some(_) | None => self.word.push((look, character.to_string())),
        }
        self.wide += character.width().unwrap_or(0);
        self.last = Some(character);
    }

    /// Scripts that are written without blanks may be broken between any two of their characters.
    fn may_break_before(&self, character: char) -> bool {
        let is_wide = |character: char| character.width() == Some(2);
        let Some(last) = self.last else { return false };
        let joined = last == '\u{200D}' || character.width().unwrap_or(0) == 0 || HANGING.contains(character);
        !joined && (is_wide(last) || is_wide(character))
    }

    fn room(&self) -> usize {
        self.page.width.saturating_sub(self.start).max(LEAST_ROOM)
    }

    /// Writes the word that was held, on this line or the next.
    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        let wide: usize = word.iter().map(|(_, text)| width(text)).sum();
        if self.column + self.gap + wide > self.start + self.room() && self.column > self.start {
            let rest = format!("\n{}", self.rest);
            self.write(Look::PLAIN, &rest);
            self.column = self.start;
        } else {
            // Blanks between two words of one look have it too.
            let same = word.first().is_some_and(|(look, _)| *look == self.ink);
            let look = if same { self.ink } else { Look::PLAIN };
            self.write(look, &" ".repeat(self.gap));
            self.column += self.gap;
        }
        for (look, text) in word {
            self.write(look, &text);
        }
        self.column += wide;
        (self.gap, self.wide) = (0, 0);
    }

    /// Writes in a look, which stays in force until another is wanted.
    fn write(&mut self, look: Look, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.page.colours && look != self.ink {
            if self.ink != Look::PLAIN {
                self.out.push_str(Look::END);
            }
            if look != Look::PLAIN {
                self.out.push_str(&look.begin());
            }
        }
        self.ink = look;
        self.out.push_str(text);
    }

    fn paint(&self, look: Look, text: &str) -> String {
        if self.page.colours { look.paint(text) } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(columns: usize, text: &str) -> String {
        let mut wrap = Wrap::new(Page { colours: false, width: columns });
        wrap.begin("- ", "  ", Look::PLAIN);
        wrap.put(Look::PLAIN, text);
        wrap.end();
        wrap.take()
    }

    #[test]
    fn lines_end_between_words() {
        insta::assert_snapshot!(wrapped(20, "the quick brown fox jumps over the lazy dog"), @r"
        - the quick brown
          fox jumps over the
          lazy dog
        ");
    }

    #[test]
    fn a_word_wider_than_the_page_is_broken_and_nothing_lost() {
        let long = "x".repeat(50);
        let text = wrapped(20, &format!("see {long} there"));
        assert!(text.lines().all(|line| width(line) <= 20), "{text}");
        assert_eq!(text.replace(['\n', ' ', '-'], ""), format!("see{long}there"));
    }

    #[test]
    fn scripts_without_blanks_are_broken_anywhere_but_before_a_full_stop() {
        insta::assert_snapshot!(wrapped(20, "天地玄黄宇宙洪荒日。月盈昃辰宿列张"), @r"
        - 天地玄黄宇宙洪荒
          日。月盈昃辰宿列张
        ");
    }
}
