//! SPACE HISTORY: a heading, then an entry a line.
//!
//! Invariant: an entry is exactly one line. In layout `cacheStable` the line of a post depends on the post alone, not on
//! the run that reads it, so that a longer history begins with the bytes of the shorter one; what depends on the run is
//! told in lines of its own at the end.

use super::encode::Encoded;
use super::entry::{Body, Entry, Mark, Outcome, Post, Seen, Speaker};
use super::text::Text;
use crate::model::{NoReply, NodeId};
use std::borrow::Cow;

/// A space's history, as a timeline shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceHistory<'h> {
    /// The space's name.
    pub space: Cow<'h, str>,
    /// The lines.
    pub entries: Vec<Entry<'h>>,
}

/// Writes a history, without a newline at its end.
pub fn render(history: &SpaceHistory<'_>) -> String {
    let mut text = Text::default();
    write_heading(&mut text, &history.space);
    for entry in &history.entries {
        text.word("\n");
        write_line(&mut text, entry, Told::WithMarks);
    }
    text.into_string()
}

impl Entry<'_> {
    /// The entry's line in layout `seed`, indented, without a newline.
    pub fn line(&self) -> String {
        let mut text = Text::default();
        write_line(&mut text, self, Told::WithMarks);
        text.into_string()
    }

    /// The entry's line in layout `cacheStable`, indented, without a newline.
    pub fn stable_line(&self) -> String {
        let mut text = Text::default();
        write_line(&mut text, self, Told::Plainly);
        text.into_string()
    }

    /// Whether the entry depends on the run that reads it and not on the history alone.
    pub(super) fn is_of_the_run(&self) -> bool {
        match self {
            Entry::Post(_) | Entry::Summary { .. } | Entry::Omitted { .. } => false,
            Entry::OmittedNew { .. }
            | Entry::NobodyReplied(_)
            | Entry::NewSince(_)
            | Entry::WaitedOn(_)
            | Entry::ResumedBy { .. } => true,
        }
    }
}

/// What `entries` tell of the run that reads them, in lines of their own.
pub(super) fn of_the_run<'h>(entries: &[Entry<'h>]) -> Vec<Entry<'h>> {
    let find = |wanted: fn(&Post<'_>) -> bool| entries.iter().filter_map(Entry::post).find(|post| wanted(post));
    let new = find(|post| post.seen == Some(Seen::New)).map(|post| Entry::NewSince(post.id.clone()));
    let waited = find(|post| matches!(post.body, Body::Called(_))).map(|post| Entry::WaitedOn(post.id.clone()));
    let resumed = find(|post| post.mark == Some(Mark::Resume))
        .map(|post| Entry::ResumedBy { id: post.id.clone(), name: post.speaker.name() });
    let (last, first): (Vec<_>, Vec<_>) =
        entries.iter().filter(|entry| entry.is_of_the_run()).cloned().partition(|entry| matches!(entry, Entry::NobodyReplied(_)));
    new.into_iter().chain(first).chain(waited).chain(resumed).chain(last).collect()
}

/// What is said of a wait that nobody ended by a reply.
pub(super) fn no_reply(why: NoReply) -> &'static str {
    match why {
        NoReply::TimedOut => "nobody replied",
        NoReply::Deleted => "the message was deleted",
        NoReply::Alone => "nobody who could reply is left",
    }
}

/// Writes the heading of a history.
pub(super) fn write_heading(text: &mut Text, space: &str) {
    text.word("SPACE HISTORY (").value(Encoded::quoted(space)).word("):");
}

/// Whether a post's line tells what it means to the run that reads it.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// With what is seen, what started the run and what it waited on.
    WithMarks,
    /// Only who said what and when.
    Plainly,
}

/// Writes one line, indented.
pub(super) fn write_line(text: &mut Text, entry: &Entry<'_>, told: Told) {
    text.word("  ");
    match entry {
        Entry::Post(post) => write_post(text, post, told),
        Entry::Summary { to, text: summary } => {
            text.word("[summary");
            if let Some(to) = to {
                text.word(" to msg:").value(Encoded::id(to.as_str()));
            }
            text.word("] ").value(Encoded::quoted(summary));
        }
        Entry::Omitted { nodes } => {
            text.word("[… ").value(Encoded::number(*nodes)).word(if *nodes == 1 { " message" } else { " messages" });
            text.word(" omitted …]");
        }
        Entry::OmittedNew { nodes, from } => {
            text.word("[… ").value(Encoded::number(*nodes)).word(if *nodes == 1 { " NEW message" } else { " NEW messages" });
            text.word(" omitted: read_messages from msg:").value(Encoded::id(from.as_str())).word(" …]");
        }
        Entry::NobodyReplied(why) => {
            text.word("← RESUME: ").word(no_reply(*why)).word(". Continue from here.");
        }
        Entry::NewSince(id) => {
            text.word("NEW since msg:").value(Encoded::id(id.as_str()));
        }
        Entry::WaitedOn(id) => {
            write_id(text, id);
            text.word(" sent with wait: true");
        }
        Entry::ResumedBy { id, name } => {
            write_id(text, id);
            write_resume(text, Encoded::name(name));
        }
    }
}

fn write_post(text: &mut Text, post: &Post<'_>, told: Told) {
    write_id(text, &post.id);
    if let Some(time) = &post.time {
        text.word(" [").value(Encoded::time(time)).word("]");
    }
    match &post.speaker {
        Speaker::You => text.word(" You: "),
        Speaker::Other { name, kind, id } => {
            text.word(" ").value(Encoded::name(name)).word(" (").word(kind.word());
            text.word(", id:").value(Encoded::id(id.as_str())).word("): ")
        }
    };
    write_body(text, &post.body, told);
    match told {
        Told::Plainly => {}
        Told::WithMarks => write_marks(text, post),
    }
}

fn write_body(text: &mut Text, body: &Body<'_>, told: Told) {
    match (body, told) {
        (Body::Said(said), _) | (Body::Called(said), Told::Plainly) => text.value(Encoded::quoted(said)),
        (Body::Called(said), Told::WithMarks) => {
            text.word("called send_message(").value(Encoded::quoted(said)).word(", wait: true)")
        }
        (Body::SentBecause { because, text: said }, _) => {
            text.word("[sent because ").value(Encoded::name(&because.sender));
            text.word(" asked ").value(Encoded::quoted(&because.message));
            text.word(" in ").value(Encoded::quoted(&because.space));
            text.word("] ").value(Encoded::quoted(said))
        }
        (Body::Result { tool, outcome, text: given }, _) => {
            text.word(match outcome {
                Outcome::Returned => "result of ",
                Outcome::Failed => "error of ",
            });
            text.value(Encoded::name(tool)).word(": ").value(Encoded::quoted(given))
        }
    };
}

fn write_marks(text: &mut Text, post: &Post<'_>) {
    match post.seen {
        Some(Seen::Seen) => text.word("  [SEEN]"),
        Some(Seen::New) => text.word("  [NEW]"),
        None => text,
    };
    match post.mark {
        Some(Mark::Trigger) => {
            text.word(" ← TRIGGER");
        }
        Some(Mark::Resume) => write_resume(text, Encoded::name(&post.speaker.name())),
        None => {}
    }
}

fn write_id(text: &mut Text, id: &NodeId) {
    text.word("[msg:").value(Encoded::id(id.as_str())).word("]");
}

fn write_resume(text: &mut Text, name: Encoded<'_>) {
    text.word(" ← RESUME: ").value(name).word(" replied. Continue from here.");
}
