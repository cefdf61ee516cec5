//! Asking a person whether a tool may run.

use super::{Hints, Pending};
use weftwork::model::ToolCall;

/// Who is asked before a tool runs whose approval is `ask`.
pub trait Gate: Send + Sync {
    /// Asks, and takes its time. Questions about different tools may stand open at once; those about one tool come one
    /// after the other, so that "always" answers the rest.
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a, Decision>;
}

/// What a person is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question<'a> {
    /// The call, with the exact arguments.
    pub call: &'a ToolCall,
    /// The server; none for a built-in.
    pub server: Option<&'a str>,
    /// The tool, by its server's name for it.
    pub tool: &'a str,
    /// What the server says the tool is.
    pub description: &'a str,
    /// What the server claims about it.
    pub hints: Hints,
}

/// What a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This call may run.
    Once,
    /// This call and all later ones of this tool may run.
    Always,
    /// This call may not.
    Refuse,
    /// Neither this call nor a later one of this tool.
    Never,
}
