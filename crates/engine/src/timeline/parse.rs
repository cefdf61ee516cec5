//! Reads a rendered history back.
//!
//! This is the proof that nothing forges structure: what comes out is what went in. It reads the lines of both layouts,
//! a post without marks as one whose marks are not told.

use super::encode::{BadEscape, decode, decode_unquoted};
use super::entry::{Because, Body, Entry, Mark, Outcome, Post, Seen, Speaker};
use super::history::{SpaceHistory, no_reply};
use super::payload::string_len;
use crate::model::{EntityKind, NoReply, NodeId, Timestamp};
use std::borrow::Cow;

/// The text is not a rendered history.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTimeline {
    /// Something else stands where a line's next piece belongs.
    #[error("line {line}: expected {expected} at {at:?}")]
    Expected {
        /// Line, from 1.
        line: usize,
        /// What belongs there.
        expected: &'static str,
        /// What stands there instead.
        at: String,
    },
    /// A value is not what the encoder writes.
    #[error("line {line}: {reason}")]
    Escape {
        /// Line, from 1.
        line: usize,
        /// Which value.
        reason: BadEscape,
    },
}

/// Reads what [`render`](super::render) wrote.
pub fn parse(text: &str) -> Result<SpaceHistory<'static>, BadTimeline> {
    let mut lines = text.split('\n').zip(1..).map(|(rest, line)| Reader { rest, line });
    // Splitting gives at least one line.
    let space = lines.next().map_or(Ok(String::new()), heading)?;
    let entries = lines.map(entry).collect::<Result<_, _>>()?;
    Ok(SpaceHistory { space: space.into(), entries })
}

fn heading(mut line: Reader<'_>) -> Result<String, BadTimeline> {
    line.expect("SPACE HISTORY (")?;
    let space = line.quoted()?;
    line.expect("):")?;
    line.end(space)
}

fn entry(mut line: Reader<'_>) -> Result<Entry<'static>, BadTimeline> {
    line.expect("  ")?;
    let entry = if line.take("[msg:") {
        let id = NodeId::from(line.bare("]")?);
        if line.take(" sent with wait: true") {
            Entry::WaitedOn(id)
        } else if line.rest.starts_with(RESUME) {
            Entry::ResumedBy { id, name: line.resume()?.into() }
        } else {
            Entry::Post(post(&mut line, id)?)
        }
    } else if line.take("[summary to msg:") {
        Entry::Summary { to: Some(line.bare("] ")?.into()), text: line.quoted()?.into() }
    } else if line.take("[summary] ") {
        Entry::Summary { to: None, text: line.quoted()?.into() }
    } else if line.take("[… ") {
        omitted(&mut line)?
    } else if line.take("NEW since msg:") {
        Entry::NewSince(line.bare_rest()?.into())
    } else {
        line.expect("← RESUME: ")?;
        let why = [NoReply::TimedOut, NoReply::Deleted, NoReply::Alone].into_iter().find(|why| line.take(no_reply(*why)));
        let why = why.ok_or_else(|| line.expected("why nobody replied"))?;
        line.expect(". Continue from here.")?;
        Entry::NobodyReplied(why)
    };
    line.end(entry)
}

fn omitted(line: &mut Reader<'_>) -> Result<Entry<'static>, BadTimeline> {
    let nodes = line.until(" ")?.parse().map_err(|_| line.expected("a number"))?;
    if line.take("NEW message") {
        line.take("s");
        line.expect(" omitted: read_messages from msg:")?;
        Ok(Entry::OmittedNew { nodes, from: line.bare(" …]")?.into() })
    } else {
        line.expect("message")?;
        line.take("s");
        line.expect(" omitted …]")?;
        Ok(Entry::Omitted { nodes })
    }
}

fn post(line: &mut Reader<'_>, id: NodeId) -> Result<Post<'static>, BadTimeline> {
    line.expect(" ")?;
    let time = if line.take("[") {
        let time: Timestamp = line.until("] ")?.parse().map_err(|_| line.expected("a time"))?;
        Some(Cow::Owned(time))
    } else {
        None
    };
    let speaker = speaker(line)?;
    let body = body(line)?;
    let seen = if line.take("  [SEEN]") {
        Some(Seen::Seen)
    } else if line.take("  [NEW]") {
        Some(Seen::New)
    } else {
        None
    };
    let mark = if line.take(" ← TRIGGER") {
        Some(Mark::Trigger)
    } else if line.rest.starts_with(RESUME) {
        let replied = line.resume()?;
        if replied != speaker.name() {
            return Err(line.expected("the speaker's name after RESUME"));
        }
        Some(Mark::Resume)
    } else {
        None
    };
    Ok(Post { id, time, speaker, body, seen, mark })
}

fn speaker(line: &mut Reader<'_>) -> Result<Speaker<'static>, BadTimeline> {
    if line.take("You: ") {
        return Ok(Speaker::You);
    }
    let name = line.bare(" (")?.into();
    let kind = match line.until(", id:")? {
        "human" => EntityKind::Human,
        "agent" => EntityKind::Agent,
        "service" => EntityKind::Service,
        _ => return Err(line.expected("human, agent or service")),
    };
    Ok(Speaker::Other { name, kind, id: line.bare("): ")?.into() })
}

fn body(line: &mut Reader<'_>) -> Result<Body<'static>, BadTimeline> {
    if line.take("[sent because ") {
        let sender = line.bare_before(" asked \"")?.into();
        line.expect(" asked ")?;
        let message = line.quoted()?.into();
        line.expect(" in ")?;
        let space = line.quoted()?.into();
        line.expect("] ")?;
        Ok(Body::SentBecause { because: Because { sender, message, space }, text: line.quoted()?.into() })
    } else if line.take("called send_message(") {
        let text = line.quoted()?.into();
        line.expect(", wait: true)")?;
        Ok(Body::Called(text))
    } else if line.take("result of ") {
        Ok(Body::Result { tool: line.bare(": ")?.into(), outcome: Outcome::Returned, text: line.quoted()?.into() })
    } else if line.take("error of ") {
        Ok(Body::Result { tool: line.bare(": ")?.into(), outcome: Outcome::Failed, text: line.quoted()?.into() })
    } else {
        Ok(Body::Said(line.quoted()?.into()))
    }
}

const RESUME: &str = " ← RESUME: ";

/// What is left of a line.
struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Reader<'t> {
    fn expected(&self, expected: &'static str) -> BadTimeline {
        BadTimeline::Expected { line: self.line, expected, at: self.rest.chars().take(40).collect() }
    }

    fn take(&mut self, literal: &'static str) -> bool {
        self.rest.strip_prefix(literal).map(|rest| self.rest = rest).is_some()
    }

    fn expect(&mut self, literal: &'static str) -> Result<(), BadTimeline> {
        if self.take(literal) { Ok(()) } else { Err(self.expected(literal)) }
    }

    /// What stands before the next `literal`, which is taken too.
    fn until(&mut self, literal: &'static str) -> Result<&'t str, BadTimeline> {
        let (before, rest) = self.rest.split_once(literal).ok_or_else(|| self.expected(literal))?;
        self.rest = rest;
        Ok(before)
    }

    /// An unquoted value before `literal`, which is taken too.
    fn bare(&mut self, literal: &'static str) -> Result<String, BadTimeline> {
        let escaped = self.until(literal)?;
        self.decoded(decode_unquoted(escaped))
    }

    /// An unquoted value before `literal`, which is left.
    fn bare_before(&mut self, literal: &'static str) -> Result<String, BadTimeline> {
        let end = self.rest.find(literal).ok_or_else(|| self.expected(literal))?;
        let (escaped, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.decoded(decode_unquoted(escaped))
    }

    /// An unquoted value that fills the line.
    fn bare_rest(&mut self) -> Result<String, BadTimeline> {
        let escaped = std::mem::take(&mut self.rest);
        self.decoded(decode_unquoted(escaped))
    }

    fn quoted(&mut self) -> Result<String, BadTimeline> {
        let (string, rest) = self.rest.split_at(string_len(self.rest));
        let inside = string.strip_prefix('"').and_then(|string| string.strip_suffix('"'));
        let inside = inside.ok_or_else(|| self.expected("a quoted text"))?;
        self.rest = rest;
        self.decoded(decode(inside))
    }

    /// The name in a resume mark, which fills the line.
    fn resume(&mut self) -> Result<String, BadTimeline> {
        self.expect(RESUME)?;
        let end = " replied. Continue from here.";
        self.rest = self.rest.strip_suffix(end).ok_or_else(|| self.expected(end))?;
        self.bare_rest()
    }

    fn decoded(&self, value: Result<String, BadEscape>) -> Result<String, BadTimeline> {
        value.map_err(|reason| BadTimeline::Escape { line: self.line, reason })
    }

    /// Gives `value` if nothing is left.
    fn end<T>(&self, value: T) -> Result<T, BadTimeline> {
        if self.rest.is_empty() { Ok(value) } else { Err(self.expected("the end of the line")) }
    }
}
