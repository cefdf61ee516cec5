//! What is written where: on a terminal everything in its order, in a pipe replies on stdout and the rest on stderr.

use super::markdown::{Look, Markdown, Page, Wrap};
use crate::output;
use crate::preview::is_hidden;
use crate::style::{Ink, Style};
use anyhow::Result;

/// More columns are hard to read along, fewer hold no words.
const MOST_WIDTH: usize = 110;
const LEAST_WIDTH: usize = 20;

/// Where a chat is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    style: Style,
    terminal: bool,
}

/// Something to be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// What was said.
    Said(String),
    /// What happened on the way.
    Aside(String),
}

impl Screen {
    pub(crate) fn new(terminal: bool) -> Screen {
        Screen { style: Style::stdout(), terminal }
    }

    /// How it may be written to, as wide as it is now.
    pub(crate) fn style(self) -> Style {
        if self.terminal { Style::stdout() } else { self.style }
    }

    pub(crate) fn is_terminal(self) -> bool {
        self.terminal
    }

    /// The page for texts.
    pub(crate) fn page(self) -> Page {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        let width = size.map_or(MOST_WIDTH, |(width, _)| usize::from(width.0));
        Page { colours: self.style().colours(), width: width.clamp(LEAST_WIDTH, MOST_WIDTH) }
    }

    /// How what a model says is written.
    pub(crate) fn voice(self) -> Voice {
        if self.terminal { Voice::Rendered(Box::new(Markdown::new(self.page()))) } else { Voice::Verbatim { open: false } }
    }

    /// Writes what was asked for.
    pub(crate) fn data(self, text: &str) -> Result<()> {
        output::data(text.as_bytes())
    }

    /// Writes a few words about something, in the background.
    pub(crate) fn note(self, text: &str) -> Result<()> {
        self.aside(&self.inked(Ink::Faint, text))
    }

    /// A few words in a colour, on lines that are as long as the page is wide.
    pub(crate) fn inked(self, ink: Ink, text: &str) -> String {
        if !self.terminal {
            return format!("{text}\n");
        }
        let mut wrap = Wrap::new(Page { colours: false, ..self.page() });
        wrap.begin("", "", Look::PLAIN);
        wrap.put(Look::PLAIN, text);
        wrap.end();
        wrap.take().lines().map(|line| format!("{}\n", self.style().paint(ink, line))).collect()
    }

    /// Writes something beside what was said.
    pub(crate) fn aside(self, text: &str) -> Result<()> {
        if self.terminal {
            return output::data(text.as_bytes());
        }
        output::say(text);
        Ok(())
    }

    /// Writes what is to be seen.
    pub(crate) fn show(self, all: &[Shown]) -> Result<()> {
        all.iter().try_for_each(|one| match one {
            Shown::Said(text) => self.data(text),
            Shown::Aside(text) => self.aside(text),
        })
    }
}

/// How what a model says is written.
pub(crate) enum Voice {
    /// As Markdown on a terminal.
    Rendered(Box<Markdown>),
    /// As it is, but for what steers terminals.
    Verbatim {
        /// Whether a line is begun.
        open: bool,
    },
}

impl Voice {
    pub(crate) fn push(&mut self, text: &str) -> String {
        match self {
            Voice::Rendered(markdown) => markdown.push(text),
            Voice::Verbatim { open } => {
                let safe = safe(text);
                *open = safe.chars().next_back().map_or(*open, |last| last != '\n');
                safe
            }
        }
    }

    /// The rest, up to the end of the line.
    pub(crate) fn finish(&mut self) -> String {
        match self {
            Voice::Rendered(markdown) => markdown.finish(),
            Voice::Verbatim { open } => if std::mem::take(open) { "\n" } else { "" }.to_owned(),
        }
    }
}

/// The text with whatever steers a terminal spelled out.
pub(crate) fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\r' => {}
            '\n' | '\t' => safe.push(character),
            hidden if is_hidden(hidden) => safe.extend(hidden.escape_unicode()),
            shown => safe.push(shown),
        }
    }
    safe
}

/// The sign before what a model thinks.
const THINKING: &str = "┊ ";

/// What a model thinks: faint, with a sign before each line.
pub(crate) struct Thinking {
    wrap: Wrap,
    open: bool,
}

impl Thinking {
    pub(crate) fn new(page: Page) -> Thinking {
        Thinking { wrap: Wrap::new(page), open: false }
    }

    pub(crate) fn push(&mut self, text: &str) -> String {
        for (at, line) in safe(text).split('\n').enumerate() {
            if at > 0 && std::mem::take(&mut self.open) {
                self.wrap.end();
            }
            if !line.is_empty() {
                self.begin();
                self.wrap.put(Look::FAINT, &line.replace('\t', " "));
            }
        }
        self.wrap.take()
    }

    pub(crate) fn finish(&mut self) -> String {
        if std::mem::take(&mut self.open) {
            self.wrap.end();
        }
        self.wrap.take()
    }

    fn begin(&mut self) {
        if !std::mem::replace(&mut self.open, true) {
            self.wrap.begin(THINKING, THINKING, Look::FAINT);
        }
    }
}
