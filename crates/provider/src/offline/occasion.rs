//! Why a run in a space happens: read from the trigger and the timeline in the request.

use super::directive::{Directive, directives};
use weftwork::timeline::{Body, Entry, Mark, Post, Speaker, decode, parse};

/// Why a run happens.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Occasion {
    /// The trigger's text: a message, a plan's instruction, a service's payload.
    pub(crate) text: String,
    /// The message that triggered.
    pub(crate) message_id: Option<String>,
    /// Whether an agent wrote it.
    pub(crate) by_agent: bool,
    /// Whether its sender waits for a reply.
    pub(crate) expects_reply: bool,
    /// Whether the run goes on after a wait.
    pub(crate) resumed: bool,
    /// What is to be done now.
    pub(crate) orders: Vec<Directive>,
}

/// Reads the system text and messages of a run; none if they show no trigger.
pub(crate) fn occasion(text: &str) -> Option<Occasion> {
    let fields: Vec<(&str, &str)> = section(text, "TRIGGER:")?.filter_map(|line| line.trim().split_once(": ")).collect();
    let field = |name: &str| fields.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    let quoted = |value: &str| decode(value.strip_prefix('"')?.strip_suffix('"')?).ok();
    let said = field("message").or_else(|| field("instruction")).and_then(quoted);
    let text_of_trigger = said.or_else(|| field("payload").map(str::to_owned)).unwrap_or_default();
    let mut occasion = Occasion {
        message_id: field("messageId").and_then(|id| decode(id).ok()),
        by_agent: field("sender").is_some_and(|sender| sender.contains("(agent, id: ")),
        expects_reply: field("senderExpectsReply") == Some("true"),
        resumed: false,
        orders: directives(&text_of_trigger),
        text: text_of_trigger,
    };
    occasion.resume(&entries(text));
    Some(occasion)
}

impl Occasion {
    /// After a wait, the reply's own directives count; without any, the script goes on after its wait.
    fn resume(&mut self, entries: &[Entry<'_>]) {
        let Some(reply) = reply(entries) else { return };
        self.resumed = true;
        let ordered = directives(&reply);
        if !ordered.is_empty() {
            self.orders = ordered;
            return;
        }
        let waits = self.waits_done(entries);
        let mut seen = 0;
        self.orders.retain(|order| {
            let after = seen >= waits;
            seen += usize::from(order.awaits().is_some());
            after
        });
    }

    /// How many waits of the script were already sent: messages of the viewer after the trigger that say just that.
    fn waits_done(&self, entries: &[Entry<'_>]) -> usize {
        let texts: Vec<String> = self.orders.iter().filter_map(Directive::awaits).collect();
        let is_trigger = |entry: &Entry<'_>| post(entry).is_some_and(|post| Some(post.id.as_str()) == self.message_id.as_deref());
        let from = entries.iter().position(is_trigger).map_or(0, |at| at + 1);
        let own = entries[from..].iter().filter_map(post).filter(|post| post.speaker == Speaker::You);
        own.filter(|post| texts.iter().any(|text| text == said(post))).count().clamp(1, texts.len().max(1))
    }
}

/// What ended the wait; empty if nobody replied.
fn reply(entries: &[Entry<'_>]) -> Option<String> {
    let by_id = |id: &str| entries.iter().filter_map(post).find(|post| post.id.as_str() == id).map(|post| said(post).to_owned());
    entries.iter().rev().find_map(|entry| match entry {
        Entry::NobodyReplied(_) => Some(String::new()),
        Entry::ResumedBy { id, .. } => by_id(id.as_str()),
        Entry::Post(post) if post.mark == Some(Mark::Resume) => Some(said(post).to_owned()),
        Entry::Post(_)
        | Entry::Summary { .. }
        | Entry::Omitted { .. }
        | Entry::OmittedNew { .. }
        | Entry::NewSince(_)
        | Entry::WaitedOn(_) => None,
    })
}

fn post<'e, 'h>(entry: &'e Entry<'h>) -> Option<&'e Post<'h>> {
    if let Entry::Post(post) = entry { Some(post) } else { None }
}

fn said<'e>(post: &'e Post<'_>) -> &'e str {
    match &post.body {
        Body::Said(text) | Body::Called(text) | Body::SentBecause { text, .. } | Body::Result { text, .. } => text,
    }
}

/// The entries of the timeline in the request.
fn entries(text: &str) -> Vec<Entry<'static>> {
    let Some(heading) = text.lines().find(|line| line.starts_with("SPACE HISTORY (")) else { return Vec::new() };
    let lines: Vec<&str> = std::iter::once(heading).chain(section(text, heading).into_iter().flatten()).collect();
    parse(&lines.join("\n")).map(|history| history.entries).unwrap_or_default()
}

/// The indented lines after the last line that reads `heading`.
fn section<'t>(text: &'t str, heading: &str) -> Option<impl Iterator<Item = &'t str>> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().rposition(|line| *line == heading)?;
    Some(lines.into_iter().skip(at + 1).take_while(|line| line.starts_with("  ")))
}
