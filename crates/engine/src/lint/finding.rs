//! A finding: one broken rule, where it is broken, and how to mend it.

use super::path::At;
use super::rule::Rule;

/// How sure it is that the API refuses the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The API refuses the request, or reads it as something else than was meant.
    Error,
    /// The request passes, or passes on some models only; it costs money or loses meaning.
    Warning,
}

/// One broken wire rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// JSON path of the fault, such as `$.messages[3].content[0].text`.
    pub path: String,
    /// The rule that is broken.
    pub rule: Rule,
    /// Whether the API refuses the request or only serves it badly.
    pub severity: Severity,
    /// What is wrong, with the ids and numbers.
    pub message: String,
    /// How to mend it.
    pub fix: String,
}

/// The findings of one pass, in the order of the walk.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Record a fault that the API refuses.
    pub(super) fn error(&mut self, at: &At, rule: Rule, message: String, fix: &str) {
        self.add(Severity::Error, at.to_string(), rule, message, fix);
    }

    /// Record a fault that the API serves badly.
    pub(super) fn warning(&mut self, at: &At, rule: Rule, message: String, fix: &str) {
        self.add(Severity::Warning, at.to_string(), rule, message, fix);
    }

    /// Record a fault whose place was kept as text because it is only known to be one later.
    pub(super) fn add(&mut self, severity: Severity, path: String, rule: Rule, message: String, fix: &str) {
        self.0.push(Finding { path, rule, severity, message, fix: fix.to_owned() });
    }

    pub(super) fn into_vec(self) -> Vec<Finding> {
        self.0
    }
}

/// A value from the body as it may stand in a message: quoted, and short whatever its length.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 48;
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}
