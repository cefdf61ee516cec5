//! Where lines come from: somebody at a terminal, or a pipe.

mod complete;
mod edit;
mod piped;

use anyhow::Result;
use edit::Edited;
use piped::Piped;
use std::io::IsTerminal;
use weftwork::model::NodeId;
use weftwork_gateway::Gateway;
use weftwork_store::Listed;

/// What can be named besides nodes, for whoever presses the tab key.
pub(crate) trait Known {
    fn models(&self) -> Vec<String>;
    fn spaces(&self) -> Vec<String>;
}

impl Known for Gateway {
    fn models(&self) -> Vec<String> {
        self.providers().models().into_iter().map(|model| model.name).collect()
    }

    fn spaces(&self) -> Vec<String> {
        self.store().spaces().unwrap_or_default().into_iter().map(named).collect()
    }
}

/// What a space is called: its name, or its id if it has none.
pub(crate) fn named(space: Listed) -> String {
    if space.name.is_empty() { space.id.to_string() } else { space.name }
}

/// Where lines come from.
pub(crate) enum Lines {
    /// Somebody types them.
    Edited(Box<Edited>),
    /// They are piped in.
    Piped(Piped),
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Got {
    /// A line; one may hold several, where the person meant it.
    Line(String),
    /// The line was given up.
    GivenUp,
    /// There are no more.
    End,
}

impl Lines {
    /// A line editor where somebody sits at a terminal and sees what is answered, plain lines everywhere else.
    pub(crate) fn open(known: impl FnOnce() -> Box<dyn Known>) -> Result<Lines> {
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            Ok(Lines::Edited(Box::new(Edited::new(known())?)))
        } else {
            Ok(Lines::Piped(Piped::default()))
        }
    }

    /// Whether somebody sits there.
    pub(crate) fn is_somebody(&self) -> bool {
        matches!(self, Lines::Edited(_))
    }

    /// The next line, with `before` in it already.
    pub(crate) fn next(&mut self, before: &str) -> Result<Got> {
        match self {
            Lines::Edited(edited) => edited.next(before),
            Lines::Piped(piped) => piped.next(),
        }
    }

    /// Asks a question that has nothing to do with the conversation; nobody answers in a pipe.
    pub(crate) fn ask(&mut self, question: &str) -> Result<Option<String>> {
        match self {
            Lines::Edited(edited) => edited.ask(question),
            Lines::Piped(_) => Ok(None),
        }
    }

    /// Nodes that can be named now.
    pub(crate) fn know(&mut self, nodes: &[NodeId]) {
        match self {
            Lines::Edited(edited) => edited.know(nodes),
            Lines::Piped(_) => {}
        }
    }
}

/// A line that ends with a backslash goes on with the next.
pub(super) fn goes_on(line: &str) -> bool {
    let slashes = line.len() - line.trim_end_matches('\\').len();
    slashes % 2 == 1
}

/// The line without the backslashes at the ends of its lines.
pub(super) fn joined(line: &str) -> String {
    let ends: Vec<&str> = line.split('\n').collect();
    let last = ends.len() - 1;
    let shorter = |(at, line): (usize, &&str)| match at < last && goes_on(line) {
        true => line[..line.len() - 1].to_owned(),
        false => (*line).to_owned(),
    };
    ends.iter().enumerate().map(shorter).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_at_the_end_joins_lines_with_a_line_break() {
        let cases = [("a", "a"), ("a\\\nb", "a\nb"), ("a\nb", "a\nb"), ("a\\\\\nb", "a\\\\\nb"), ("a\\", "a\\")];
        for (typed, meant) in cases {
            assert_eq!(joined(typed), meant, "{typed:?}");
        }
        assert!(goes_on("a\\") && !goes_on("a\\\\") && !goes_on("a"));
    }
}
