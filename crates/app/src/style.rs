//! Colours: on a terminal only, and never where `NO_COLOR` is set.

use std::io::IsTerminal;

/// Columns where there is no terminal to ask.
const PIPED_WIDTH: usize = 100;
/// Fewer columns hold no table.
const LEAST_WIDTH: usize = 60;
/// More columns are hard to read along.
const MOST_WIDTH: usize = 160;

/// What a colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// As it is.
    Plain,
    /// A heading.
    Strong,
    /// Not sent, or not important.
    Faint,
    /// Changed, or worth a look.
    Notice,
    /// Wrong.
    Bad,
    /// One of the segments of a bar.
    Segment(u8),
}

/// How a stream may be written to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    colours: bool,
    width: usize,
}

impl Style {
    /// For stderr.
    pub(crate) fn stderr() -> Style {
        Style::of(&std::io::stderr(), terminal_size::terminal_size_of(std::io::stderr()))
    }

    /// For stdout.
    pub(crate) fn stdout() -> Style {
        Style::of(&std::io::stdout(), terminal_size::terminal_size_of(std::io::stdout()))
    }

    fn of(stream: &impl IsTerminal, size: Option<(terminal_size::Width, terminal_size::Height)>) -> Style {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let width = size.map_or(PIPED_WIDTH, |(width, _)| usize::from(width.0));
        Style { colours: stream.is_terminal() && !forbidden && !dumb, width: width.clamp(LEAST_WIDTH, MOST_WIDTH) }
    }

    /// Without colours, so wide.
    pub(crate) fn bare(width: usize) -> Style {
        Style { colours: false, width }
    }

    /// Whether there are colours.
    pub(crate) fn colours(self) -> bool {
        self.colours
    }

    /// Columns of the stream.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// The text in a colour, if there are colours.
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Plain => return text.to_owned(),
            Ink::Strong => "1",
            Ink::Faint => "2",
            Ink::Notice => "33",
            Ink::Bad => "31",
            Ink::Segment(n) => ["35", "34", "36", "32", "33", "90", "37"][usize::from(n) % 7],
        };
        if self.colours && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
