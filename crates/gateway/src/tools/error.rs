//! What can go wrong, as facts. What a model reads of a call that has no answer is the text of its [`Refusal`] or [`Loss`].

use super::{MissingVariable, Unfit, limits};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Why a call was not run: it had no effect.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refusal {
    /// The reply had more calls than are run at once.
    #[error(
        "Not run: at most {limit} tools are run for one reply, and this call came after them. Call it again if it is still needed."
    )]
    TooMany {
        /// How many are run.
        limit: usize,
    },
    /// No such tool.
    #[error("Not run: there is no tool {name:?}. Use only the tools you were given.")]
    UnknownTool {
        /// The name that was called.
        name: String,
    },
    /// The server has it, but it cannot be used.
    #[error("Not run: {name} cannot be used: {why}.")]
    Unfit {
        /// The tool.
        name: String,
        /// Why not.
        why: Unfit,
    },
    /// Its description is not the one that was trusted.
    #[error("Not run: the description of {name} has changed, and a person has to approve the new one first. Go on without it.")]
    Changed {
        /// The tool.
        name: String,
    },
    /// It was decided that it may not run.
    #[error("Not run: {name} may not be used here. Go on without it.")]
    Never {
        /// The tool.
        name: String,
    },
    /// A person said no.
    #[error("Not run: the person refused this call. Do not repeat it; go on without it or ask what they want instead.")]
    ByPerson,
    /// The arguments are no object: cut off, or never JSON.
    #[error("Not run: the arguments must be one complete JSON object.")]
    NotAnObject,
    /// A whole number that would arrive as another one.
    #[error(
        "Not run: the number {number} in the arguments is too large to be passed on exactly. Write it as a string if the tool takes one."
    )]
    Inexact {
        /// The number, as it was written.
        number: String,
    },
    /// The arguments do not match the tool's schema.
    #[error("Not run: the arguments do not match the schema of the tool.{}", lines(.mismatches))]
    Arguments {
        /// The first mismatches.
        mismatches: Vec<Mismatch>,
    },
    /// Its server cannot be spoken to.
    #[error("Not run: the server {server} cannot be reached: {why}.")]
    Unreachable {
        /// The server.
        server: String,
        /// Why not.
        why: String,
    },
    /// It could not be found out whether it may run.
    #[error("Not run: {why}.")]
    Undecided {
        /// Why not.
        why: String,
    },
    /// The turn was stopped first.
    #[error("Not run: stopped before it began.")]
    Stopped,
}

/// Why a call that was begun has no answer. It may have had its effect, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    /// It took too long.
    #[error("No answer within {} s; the call was given up. Whether it took effect is unknown: check before calling it again.", .after.as_secs_f64())]
    Timeout {
        /// How long was waited.
        after: Duration,
    },
    /// The turn was stopped.
    #[error("Stopped while it ran. Whether it took effect is unknown: check before calling it again.")]
    Stopped,
    /// The connection to its server broke.
    #[error(
        "The server {server} was lost while it ran the call ({said}). Whether it took effect is unknown: check before calling it again.{last_words}"
    )]
    Server {
        /// The server.
        server: String,
        /// How it was lost.
        said: String,
        /// What it wrote last.
        last_words: LastWords,
    },
    /// The server answered with something that is no result.
    #[error("The server {server} answered with {what}, which is not offered to it. Whether the call took effect is unknown.")]
    Unusable {
        /// The server.
        server: String,
        /// What it answered with.
        what: &'static str,
    },
}

/// One place where arguments do not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// A JSON pointer into the arguments; empty for the whole.
    pub path: String,
    /// What is wrong there.
    pub problem: String,
}

fn lines(mismatches: &[Mismatch]) -> String {
    let line = |mismatch: &Mismatch| match mismatch.path.as_str() {
        "" => format!("\n- {}", mismatch.problem),
        path => format!("\n- at {path}: {}", mismatch.problem),
    };
    mismatches.iter().map(line).collect()
}

/// Why a server cannot be used now.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ServerError {
    /// Its configuration names a variable that is not set.
    #[error(transparent)]
    Variable(#[from] MissingVariable),
    /// Its program could not be started.
    #[error("{program} could not be started: {why}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        why: Arc<io::Error>,
    },
    /// A header that cannot be sent.
    #[error("the header {name:?} cannot be sent: its name or value holds characters that HTTP forbids")]
    Header {
        /// Its name.
        name: String,
    },
    /// The HTTP client could not be made.
    #[error("the HTTP client could not be made: {said}")]
    Client {
        /// What it said.
        said: String,
    },
    /// It did not greet and list its tools in time.
    #[error("it was not ready within {} s{last_words}", .after.as_secs_f64())]
    Slow {
        /// How long was waited.
        after: Duration,
        /// What it wrote last.
        last_words: LastWords,
    },
    /// The greeting failed.
    #[error("the greeting failed: {said}{last_words}")]
    Greeting {
        /// How.
        said: String,
        /// What it wrote last.
        last_words: LastWords,
    },
    /// It did not list its tools.
    #[error("it did not list its tools: {said}{last_words}")]
    Listing {
        /// Why not.
        said: String,
        /// What it wrote last.
        last_words: LastWords,
    },
    /// Its list of tools has no end.
    #[error("its list of tools has more than {} pages", limits::PAGES)]
    Endless,
    /// It failed and is left alone for a while.
    #[error("{last}; it is tried again in {} s", .again_in.as_secs_f64().ceil())]
    Resting {
        /// What it failed with.
        last: Box<ServerError>,
        /// How long it is left alone.
        again_in: Duration,
    },
}

/// The end of what a server wrote to its error stream; empty for one that wrote nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastWords(pub String);

impl fmt::Display for LastWords {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(out, "\nThe last it wrote:\n{}", self.0) }
    }
}
