//! The line editor: several lines, history across sessions, completion.
//!
//! Enter sends; Alt-Enter, a backslash at the end, or pasting keeps line breaks. On a terminal that cannot move its cursor
//! (`TERM=dumb`) it reads plain lines.

use super::complete::{Names, candidates};
use super::{Got, Known, goes_on, joined};
use anyhow::{Context as _, Result};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Cmd, CompletionType, Config, Context, Editor, Helper, KeyCode, KeyEvent, Modifiers};
use std::cell::Cell;
use std::path::PathBuf;
use weftwork::model::NodeId;

/// Lines that are remembered.
const REMEMBERED: usize = 10_000;
const PROMPT: &str = "› ";
/// For terminals that know no more than ASCII.
const BARE_PROMPT: &str = "> ";

/// The line editor.
pub(crate) struct Edited {
    editor: Editor<Aid, DefaultHistory>,
    history: Option<PathBuf>,
    prompt: &'static str,
}

/// What the editor asks while somebody types.
struct Aid {
    known: Box<dyn Known>,
    nodes: Vec<NodeId>,
    /// Whether anything stands in the line.
    typed: Cell<bool>,
}

impl Edited {
    pub(super) fn new(known: Box<dyn Known>) -> Result<Edited> {
        let config = Config::builder()
            .max_history_size(REMEMBERED)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Aid { known, nodes: Vec::new(), typed: Cell::new(false) }));
        editor.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), Cmd::Newline);
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let history = history_file();
        if let Some(path) = &history {
            // A first session has none yet.
            let _ = editor.load_history(path);
        }
        Ok(Edited { editor, history, prompt: if dumb { BARE_PROMPT } else { PROMPT } })
    }

    pub(super) fn next(&mut self, before: &str) -> Result<Got> {
        self.editor.helper().iter().for_each(|aid| aid.typed.set(!before.is_empty()));
        let mut line = match self.editor.readline_with_initial(self.prompt, (before, "")) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                let typed = self.editor.helper().is_some_and(|aid| aid.typed.get());
                return Ok(if typed { Got::Line(String::new()) } else { Got::GivenUp });
            }
            Err(ReadlineError::Eof) => return Ok(Got::End),
            Err(error) => return Err(error).context("the terminal"),
        };
        // A dumb terminal does not ask whether a line goes on.
        while goes_on(&line) {
            match self.editor.readline(self.prompt) {
                Ok(more) => line = format!("{line}\n{more}"),
                Err(_) => break,
            }
        }
        self.remember(&line);
        Ok(Got::Line(joined(&line)))
    }

    pub(super) fn ask(&mut self, question: &str) -> Result<Option<String>> {
        match self.editor.readline(question) {
            Ok(answer) => Ok(Some(answer)),
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
            Err(error) => Err(error).context("the terminal"),
        }
    }

    pub(super) fn know(&mut self, nodes: &[NodeId]) {
        if let Some(aid) = self.editor.helper_mut() {
            aid.nodes = nodes.to_vec();
        }
    }

    /// A history that cannot be written must not keep anybody from talking.
    fn remember(&mut self, line: &str) {
        if !matches!(self.editor.add_history_entry(line), Ok(true)) {
            return;
        }
        if let Some(path) = &self.history {
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = self.editor.append_history(path);
        }
    }
}

/// The editor makes it readable for its owner alone.
fn history_file() -> Option<PathBuf> {
    crate::config::folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("weft/history"))
}

impl Helper for Aid {}

impl Highlighter for Aid {}

impl Hinter for Aid {
    type Hint = String;

    /// Hints nothing, but is told of every change.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.typed.set(!line.is_empty());
        None
    }
}

impl Validator for Aid {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if goes_on(context.input()) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Aid {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(candidates(&line[..at], self))
    }
}

impl Names for Aid {
    fn models(&self) -> Vec<String> {
        self.known.models()
    }

    fn spaces(&self) -> Vec<String> {
        self.known.spaces()
    }

    fn nodes(&self) -> Vec<String> {
        self.nodes.iter().map(NodeId::to_string).collect()
    }
}
