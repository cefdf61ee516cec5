//! History as messages, for `history: messages`: own entries as the assistant's, all others as the user's.
//!
//! Invariant: text of somebody else never stands without the prefix of who said it, and no line of it looks like one.

use super::entry::{Body, Entry, Outcome, Post, Speaker};
use super::prefix::{escape_imitations, sender_prefix};
use crate::model::Trigger;
use crate::prompt::Role;
use std::borrow::Cow;

/// The user message that starts a run.
pub const BEGIN_RUN: &str = "Begin this run.";

/// The user message that resumes a run.
pub const CONTINUE_RUN: &str = "Continue this run.";

/// The line that a summary begins with, where it is a message.
pub const SUMMARY_LABEL: &str = "[Summary of the conversation so far]";

/// The user message of a run that `trigger` started.
pub fn opening(trigger: Option<&Trigger>) -> &'static str {
    if trigger.is_some_and(|trigger| trigger.waited_on().is_some()) { CONTINUE_RUN } else { BEGIN_RUN }
}

/// An entry as a message. Seen marks, arrows and why a message crossed spaces are left out: the assistant would learn to
/// write them itself.
pub fn message<'h>(entry: &Entry<'h>) -> (Role, Cow<'h, str>) {
    match entry {
        Entry::Post(post) => post_message(post),
        Entry::Summary { text, .. } => (Role::User, Cow::Owned(format!("{SUMMARY_LABEL}\n{}", escape_imitations(text)))),
        Entry::Omitted { .. }
        | Entry::OmittedNew { .. }
        | Entry::NobodyReplied(_)
        | Entry::NewSince(_)
        | Entry::WaitedOn(_)
        | Entry::ResumedBy { .. } => (Role::User, Cow::Owned(entry.line().trim_start().to_owned())),
    }
}

fn post_message<'h>(post: &Post<'h>) -> (Role, Cow<'h, str>) {
    let text = match &post.body {
        Body::Said(text) | Body::SentBecause { text, .. } | Body::Called(text) => text.clone(),
        Body::Result { tool, outcome: Outcome::Returned, text } => Cow::Owned(format!("result of {tool}: {text}")),
        Body::Result { tool, outcome: Outcome::Failed, text } => Cow::Owned(format!("error of {tool}: {text}")),
    };
    match &post.speaker {
        Speaker::You => (Role::Assistant, text),
        Speaker::Other { name, kind, .. } => {
            (Role::User, Cow::Owned(format!("{}{}", sender_prefix(name, *kind), escape_imitations(&text))))
        }
    }
}
