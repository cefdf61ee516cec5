//! Cache marks: at most four, each where a mark may stand, long-lived ones before short-lived ones.

use crate::lint::finding::{Findings, Severity};
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, unknown};
use crate::lint::text::is_blank;

/// All marks of a request together, the automatic one included (peers 42).
const MOST_MARKS: usize = 4;

/// What a mark is put on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// A tool, or a block that may carry one.
    Allowed,
    /// Text without a visible character (claude-code#50082, peers 43).
    EmptyText,
    /// Thinking, which is cached with what follows it.
    Thinking,
    /// A block inside a tool result; the mark belongs on the result.
    InResult,
    /// A message; the mark belongs on one of its blocks.
    Message,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Minutes,
    Hour,
}

/// The marks met so far, in the order in which the API reads them.
#[derive(Default)]
pub(super) struct Marks {
    count: usize,
    beyond: Option<String>,
    short_lived: bool,
    newest: Option<Life>,
    reach: Reach,
}

/// How much of the system text stands before a mark.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Reach {
    #[default]
    None,
    /// The blocks up to this one.
    Block(usize),
    All,
}

impl Marks {
    /// A block of the system text.
    pub(super) fn system(&mut self, block: &Object, text: &str, index: usize, out: &mut Findings) {
        if self.visit_only(block, placement(text), out) {
            self.reach = Reach::Block(index);
        }
    }

    /// A block or tool that may carry a mark; one in the messages covers all of the system text.
    pub(super) fn message_block(&mut self, block: &Object, on: Placement, out: &mut Findings) {
        if self.visit_only(block, on, out) {
            self.reach = Reach::All;
        }
    }

    /// A tool: its mark stands before the system text and covers none of it.
    pub(super) fn visit(&mut self, block: &Object, on: Placement, out: &mut Findings) {
        self.visit_only(block, on, out);
    }

    /// A message that is one string, which carries no mark of its own.
    pub(super) fn plain_text(&mut self) {
        self.newest = None;
    }

    /// Whether the system block `index` stands before a mark.
    pub(super) fn covers(&self, index: usize) -> bool {
        match self.reach {
            Reach::None => false,
            Reach::Block(last) => index <= last,
            Reach::All => true,
        }
    }

    /// The mark on the body, which the API puts on the last block that can carry one.
    pub(super) fn automatic(&mut self, body: &Object, out: &mut Findings) {
        let target = self.newest;
        let Some(life) = life(body, out) else {
            return;
        };
        self.reach = Reach::All;
        match target {
            None => self.count(life, body, out),
            Some(own) if own == life => {}
            Some(_) => out.error(
                &body.at.key("cache_control"),
                Rule::CacheTtlConflict,
                "the last block carries a mark with another ttl".to_owned(),
                "give both the same ttl, or drop one",
            ),
        }
    }

    /// Say when there were too many.
    pub(super) fn finish(self, out: &mut Findings) {
        if let Some(path) = self.beyond {
            out.add(
                Severity::Error,
                path,
                Rule::TooManyCacheMarks,
                format!("{} cache marks, at most {MOST_MARKS} are taken", self.count),
                "keep the marks on tools, system and the newest messages",
            );
        }
    }

    fn visit_only(&mut self, block: &Object, on: Placement, out: &mut Findings) -> bool {
        let found = life(block, out);
        if !matches!(on, Placement::Thinking | Placement::InResult) {
            self.newest = found;
        }
        let Some(life) = found else {
            return false;
        };
        misplaced(block, on, out);
        self.count(life, block, out);
        true
    }

    fn count(&mut self, life: Life, block: &Object, out: &mut Findings) {
        let at = block.at.key("cache_control");
        self.count += 1;
        if self.count == MOST_MARKS + 1 {
            self.beyond = Some(at.to_string());
        }
        match life {
            Life::Minutes => self.short_lived = true,
            Life::Hour if self.short_lived => out.error(
                &at.key("ttl"),
                Rule::CacheTtlOrder,
                "a mark for 1h stands behind one for 5m".to_owned(),
                "put 1h marks first: tools, then system, then messages",
            ),
            Life::Hour => {}
        }
    }
}

/// Where a mark on `text` would stand.
pub(super) fn placement(text: &str) -> Placement {
    if is_blank(text) { Placement::EmptyText } else { Placement::Allowed }
}

fn life(block: &Object, out: &mut Findings) -> Option<Life> {
    let mark = block.child("cache_control", Need::Optional, out)?;
    if let Some(kind) = mark.string("type", Need::Required, out)
        && kind != "ephemeral"
    {
        let at = mark.at.key("type");
        unknown(Rule::InvalidValue, kind, &["ephemeral"], &at, out);
    }
    match mark.string("ttl", Need::Optional, out) {
        Some("1h") => Some(Life::Hour),
        Some("5m") | None => Some(Life::Minutes),
        Some(other) => {
            let at = mark.at.key("ttl");
            unknown(Rule::InvalidValue, other, &["5m", "1h"], &at, out);
            Some(Life::Minutes)
        }
    }
}

fn misplaced(block: &Object, on: Placement, out: &mut Findings) {
    let (rule, message, fix) = match on {
        Placement::Allowed => return,
        Placement::EmptyText => {
            (Rule::CacheMarkOnEmptyText, "a cache mark on empty text", "put the mark on the last block with text")
        }
        Placement::Thinking => (Rule::CacheMarkOnThinking, "a cache mark on thinking", "put the mark on the block behind it"),
        Placement::InResult => {
            (Rule::CacheMarkMisplaced, "a cache mark inside a tool result", "put the mark on the tool_result itself")
        }
        Placement::Message => (Rule::CacheMarkMisplaced, "a cache mark on a message", "put the mark on a block of its content"),
    };
    let at = block.at.key("cache_control");
    out.error(&at, rule, message.to_owned(), fix);
}
