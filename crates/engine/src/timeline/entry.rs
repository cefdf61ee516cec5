//! One line of a space's history, as a value.
//!
//! An [`Entry`] is all that its line says: rendering adds nothing and [`parse()`](super::parse()) takes nothing away.

use super::encode::YOU;
use crate::model::{Entity, EntityId, EntityKind, NoReply, NodeId, Origin, Timestamp, Trigger};
use std::borrow::Cow;

/// One line of a space's history.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<'h> {
    /// A message or a tool's result.
    Post(Post<'h>),
    /// Stands for what is no longer shown: `[summary to msg:n2] "…"`.
    Summary {
        /// The last node it covers, if not simply all before it.
        to: Option<NodeId>,
        /// The summary.
        text: Cow<'h, str>,
    },
    /// The marker of a cut: `[… 12 messages omitted …]`.
    Omitted {
        /// How many.
        nodes: u64,
    },
    /// Messages that the viewer never saw and that are not shown either.
    OmittedNew {
        /// How many.
        nodes: u64,
        /// The first of them.
        from: NodeId,
    },
    /// Ends the history of a run whose wait ended without a reply.
    NobodyReplied(NoReply),
    /// In layout `cacheStable`: this message and what others wrote after it is new.
    NewSince(NodeId),
    /// In layout `cacheStable`: the message that the resumed run waited on.
    WaitedOn(NodeId),
    /// In layout `cacheStable`: the message that ended the wait.
    ResumedBy {
        /// The message.
        id: NodeId,
        /// Who wrote it.
        name: Cow<'h, str>,
    },
}

/// A message or a tool's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Post<'h> {
    /// The node.
    pub id: NodeId,
    /// When; written in UTC. Its bracket is left out if not known.
    pub time: Option<Cow<'h, Timestamp>>,
    /// Who.
    pub speaker: Speaker<'h>,
    /// What.
    pub body: Body<'h>,
    /// Whether the viewer had it in an earlier run; none where that is not told.
    pub seen: Option<Seen>,
    /// Why it matters to this run.
    pub mark: Option<Mark>,
}

/// Who speaks, as the viewer sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Speaker<'h> {
    /// The viewer.
    You,
    /// Anybody else, told apart by id even if they share a name.
    Other {
        /// Shown name.
        name: Cow<'h, str>,
        /// Human, agent or service.
        kind: EntityKind,
        /// Who it is.
        id: EntityId,
    },
}

/// What a post says.
#[derive(Clone, Debug, PartialEq)]
pub enum Body<'h> {
    /// Text.
    Said(Cow<'h, str>),
    /// Text that the viewer sent here because it was asked to elsewhere.
    SentBecause {
        /// By whom, for what and where.
        because: Because<'h>,
        /// The text.
        text: Cow<'h, str>,
    },
    /// The message that a resumed run waited on.
    Called(Cow<'h, str>),
    /// What a visible tool gave, [`shortened`].
    Result {
        /// The tool's name.
        tool: Cow<'h, str>,
        /// Whether it failed.
        outcome: Outcome,
        /// What it gave.
        text: Cow<'h, str>,
    },
}

/// Why a message crossed spaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Because<'h> {
    /// Who asked.
    pub sender: Cow<'h, str>,
    /// What they asked.
    pub message: Cow<'h, str>,
    /// The name of the space they asked in.
    pub space: Cow<'h, str>,
}

/// How a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a result.
    Returned,
    /// With an error.
    Failed,
}

/// Whether the viewer had a post in an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It had, or wrote it itself.
    Seen,
    /// It arrived since.
    New,
}

/// Why a post matters to this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It started the run.
    Trigger,
    /// It ended the run's wait.
    Resume,
}

/// Longest text of a tool's result, in characters.
const RESULT_CHARS: usize = 200;

/// The first 200 characters, the last of them an ellipsis if there were more.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(RESULT_CHARS - 1) {
        Some((end, last)) if end + last.len_utf8() < text.len() => Cow::Owned(format!("{}…", &text[..end])),
        Some(_) | None => Cow::Borrowed(text),
    }
}

impl<'h> Entry<'h> {
    /// The post, if it is one.
    pub fn post(&self) -> Option<&Post<'h>> {
        if let Entry::Post(post) = self { Some(post) } else { None }
    }

    /// The last line of a run's history if its wait ended without a reply.
    pub fn wait_ran_out(trigger: &Trigger) -> Option<Self> {
        trigger.no_reply().map(Entry::NobodyReplied)
    }
}

impl<'h> Speaker<'h> {
    /// `entity`, as `viewer` sees it.
    pub fn of(entity: &'h Entity, viewer: &EntityId) -> Self {
        if entity.id == *viewer {
            Speaker::You
        } else {
            Speaker::Other { name: Cow::Borrowed(&entity.name), kind: entity.kind, id: entity.id.clone() }
        }
    }

    /// The name that others would know the speaker by in this timeline.
    pub(super) fn name(&self) -> Cow<'h, str> {
        match self {
            Speaker::You => Cow::Borrowed(YOU),
            Speaker::Other { name, .. } => name.clone(),
        }
    }
}

impl Mark {
    /// The mark of the node `id` in a run that `trigger` started. A message that did both ended the wait last.
    pub fn of(id: &NodeId, trigger: &Trigger) -> Option<Self> {
        let started = match trigger {
            Trigger::SpaceMessage(message) => message.message_id == *id,
            Trigger::Plan(_) | Trigger::Service(_) => false,
        };
        if trigger.resumed_by() == Some(id) { Some(Mark::Resume) } else { started.then_some(Mark::Trigger) }
    }
}

impl<'h> From<&'h Origin> for Because<'h> {
    fn from(origin: &'h Origin) -> Self {
        Because {
            sender: Cow::Borrowed(&origin.sender_name),
            message: Cow::Borrowed(&origin.message),
            space: Cow::Borrowed(&origin.space_name),
        }
    }
}
