//! Markdown on a terminal, as it comes.
//!
//! Characters are taken one by one and written as soon as it is known what they are; nothing that was written is taken back.
//! So what is written in all depends on the text alone, not on the pieces it came in. Nothing in the text reaches the
//! terminal but what can be seen: controls and what reorders text are spelled out.
//!
//! Without colours the text stays as it was written, marks and all, and is only wrapped.

mod block;
mod grid;
mod inline;
mod look;
mod wrap;

pub(crate) use look::Look;
pub(crate) use wrap::{Page, Wrap};

use crate::preview::is_hidden;
use block::{Fence, Opening, opening};

/// Rows of a table that are held to line up its columns.
const MOST_ROWS: usize = 200;
/// Columns of a rule.
const RULE: usize = 40;
/// A tab inside a text.
const TAB: &str = "    ";

/// A text that is being written.
pub(crate) struct Markdown {
    page: Page,
    wrap: Wrap,
    state: State,
    /// How deep the line is in quotes.
    quotes: usize,
    /// Whether a blank line comes before whatever is next.
    blank: bool,
    /// Whether anything was written.
    any: bool,
    /// Rows of a table that may go on.
    rows: Vec<String>,
}

/// Where in the text we are.
enum State {
    /// At the beginning of a line, with what is known of it.
    Start(String),
    /// Inside a line, with what may be a mark.
    Inside { look: Look, pending: String, before: Option<char> },
    /// Inside a row of a table.
    Row(String),
    /// At the beginning of a line of code that may end it.
    CodeStart(Fence, String),
    /// Inside a line of code.
    Code(Fence),
}

impl Markdown {
    /// A text on this page.
    pub(crate) fn new(page: Page) -> Markdown {
        let (wrap, state) = (Wrap::new(page), State::Start(String::new()));
        Markdown { page, wrap, state, quotes: 0, blank: false, any: false, rows: Vec::new() }
    }

    /// More of the text; gives what can be written now.
    pub(crate) fn push(&mut self, text: &str) -> String {
        for character in text.chars() {
            match character {
                '\r' => {}
                '\n' => self.line_ends(),
                '\t' if matches!(self.state, State::Code(_) | State::CodeStart(..)) => self.shown("\t"),
                '\t' => self.shown(TAB),
                hidden if is_hidden(hidden) => self.shown(&hidden.escape_unicode().to_string()),
                shown => self.shown(shown.encode_utf8(&mut [0; 4])),
            }
        }
        self.wrap.take()
    }

    /// The end of the text; gives the rest. The line is at its beginning then, and another text may follow.
    pub(crate) fn finish(&mut self) -> String {
        let at_start = matches!(&self.state, State::Start(held) | State::CodeStart(_, held) if held.is_empty());
        if !at_start || self.quotes > 0 {
            self.line_ends();
        }
        self.end_table();
        let rest = self.wrap.take();
        *self = Markdown::new(self.page);
        rest
    }

    fn shown(&mut self, text: &str) {
        match &mut self.state {
            State::Start(held) => {
                held.push_str(text);
                self.begin_line(false);
            }
            State::Inside { pending, .. } => {
                pending.push_str(text);
                self.write_known(false);
            }
            State::Row(row) => row.push_str(text),
            State::CodeStart(fence, held) => {
                held.push_str(text);
                if !fence.may_close(held) {
                    let (fence, held) = (*fence, std::mem::take(held));
                    self.wrap.verbatim(Look::CODE, &held);
                    self.state = State::Code(fence);
                }
            }
            State::Code(_) => self.wrap.verbatim(Look::CODE, text),
        }
    }

    fn line_ends(&mut self) {
        match &mut self.state {
            State::Start(_) => {
                self.begin_line(true);
                // What began a line of text or a row ends with it.
                if !matches!(self.state, State::Start(_) | State::CodeStart(..)) {
                    self.line_ends();
                }
            }
            State::Inside { .. } => {
                self.write_known(true);
                self.wrap.end();
                self.start();
            }
            State::Row(row) => {
                let row = std::mem::take(row);
                self.rows.push(row);
                self.start();
                if self.rows.len() >= MOST_ROWS {
                    self.end_table();
                }
            }
            State::CodeStart(fence, held) => {
                let (fence, held) = (*fence, std::mem::take(held));
                self.code_line_ends(fence, &held);
            }
            State::Code(fence) => {
                self.state = State::CodeStart(*fence, String::new());
                self.wrap.verbatim(Look::PLAIN, "\n");
            }
        }
    }

    fn code_line_ends(&mut self, fence: Fence, held: &str) {
        if fence.closes(held) {
            self.wrap.verbatim(Look::FAINT, held);
            self.start();
        } else {
            self.wrap.verbatim(Look::CODE, held);
            self.state = State::CodeStart(fence, String::new());
        }
        self.wrap.verbatim(Look::PLAIN, "\n");
    }

    fn start(&mut self) {
        self.quotes = 0;
        self.state = State::Start(String::new());
    }

    /// Decides what the line is, as soon as that is known.
    fn begin_line(&mut self, whole: bool) {
        let State::Start(held) = &self.state else { return };
        let Some((kind, bytes)) = opening(held, whole) else { return };
        let (sign, rest) = (held[..bytes].to_owned(), held[bytes..].to_owned());
        if kind != Opening::Row {
            self.end_table();
        }
        match kind {
            Opening::Blank => self.blank_line(),
            Opening::Quote => {
                self.quotes += 1;
                self.state = State::Start(rest);
                self.begin_line(whole);
            }
            Opening::Heading(level) => self.heading(level, &sign, rest),
            Opening::Item { indent, mark } => self.item(indent, &mark, rest),
            // Code and tables in a quote have the quote's sign before each line, so they stay text.
            Opening::Fence(_) | Opening::Row if self.quotes > 0 => self.text("", "", Look::PLAIN, sign + &rest),
            Opening::Fence(fence) => self.fence(fence, &sign),
            Opening::Rule => self.rule(),
            Opening::Row => self.state = State::Row(rest),
            Opening::Text { indent } => {
                let indent = " ".repeat(self.indent(indent));
                self.text(&indent, &indent, Look::PLAIN, rest);
            }
        }
    }

    fn blank_line(&mut self) {
        if self.quotes > 0 {
            self.text("", "", Look::PLAIN, String::new());
        } else {
            self.blank = self.any;
            self.start();
        }
    }

    fn heading(&mut self, level: usize, sign: &str, rest: String) {
        let look = if level == 1 { Look::STRONG | Look::UNDERLINED } else { Look::STRONG };
        let first = if self.page.colours { "" } else { sign };
        self.text(first, "", look, rest);
    }

    fn item(&mut self, indent: usize, mark: &str, rest: String) {
        let is_number = mark.starts_with(|first: char| first.is_ascii_digit());
        let mark = if self.page.colours && !is_number { "•" } else { mark };
        let first = format!("{}{mark} ", " ".repeat(self.indent(indent)));
        let hang = " ".repeat(crate::preview::width(&first));
        self.text(&first, &hang, Look::PLAIN, rest);
    }

    fn fence(&mut self, fence: Fence, sign: &str) {
        self.before_block();
        self.wrap.verbatim(Look::FAINT, sign);
        self.wrap.verbatim(Look::PLAIN, "\n");
        self.state = State::CodeStart(fence, String::new());
    }

    fn rule(&mut self) {
        self.before_block();
        self.wrap.verbatim(Look::FAINT, &"─".repeat(RULE.min(self.page.width)));
        self.wrap.verbatim(Look::PLAIN, "\n");
        self.start();
    }

    /// Begins a line of text, in as many quotes as it stands in.
    fn text(&mut self, first: &str, hang: &str, look: Look, rest: String) {
        self.before_block();
        let sign = if self.page.colours { "│ " } else { "> " };
        let quotes = sign.repeat(self.quotes);
        let prefix_look = if self.quotes > 0 { Look::FAINT } else { Look::PLAIN };
        self.wrap.begin(&format!("{quotes}{first}"), &format!("{quotes}{hang}"), prefix_look);
        self.state = State::Inside { look, pending: rest, before: None };
        self.write_known(false);
    }

    /// Writes what is known of the line.
    fn write_known(&mut self, whole: bool) {
        let State::Inside { look, pending, before } = &mut self.state else { return };
        if !self.page.colours {
            self.wrap.put(Look::PLAIN, &std::mem::take(pending));
            return;
        }
        let mut spans = Vec::new();
        let mut done = 0;
        while done < pending.len() {
            let bytes = inline::next(&pending[done..], *before, whole, *look, &mut spans);
            if bytes == 0 {
                break;
            }
            *before = pending[done..done + bytes].chars().next_back();
            done += bytes;
        }
        pending.drain(..done);
        spans.iter().for_each(|span| self.wrap.put(span.look, &span.text));
    }

    fn before_block(&mut self) {
        if std::mem::take(&mut self.blank) {
            self.wrap.verbatim(Look::PLAIN, "\n");
        }
        self.any = true;
    }

    /// Deep lists leave room for words.
    fn indent(&self, indent: usize) -> usize {
        indent.min(self.page.width / 3)
    }

    /// Writes the rows that were held: as a table, or as they stand where they are none.
    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        self.before_block();
        match grid::grid(&rows, self.page) {
            Some(table) => self.wrap.verbatim(Look::PLAIN, &table),
            None => rows.iter().for_each(|row| {
                self.wrap.begin("", "", Look::PLAIN);
                self.wrap.put(Look::PLAIN, row);
                self.wrap.end();
            }),
        }
    }
}

#[cfg(test)]
mod tests;
