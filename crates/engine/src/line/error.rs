//! Why there is no request.

use crate::model::{EntityId, NodeId};
use crate::report::{Budget, Repair};

/// Why there is no request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AssembleError {
    /// Neither history nor input.
    #[error("nothing to send: the path has no message to show and there is no input")]
    NothingToSend,
    /// Only a part of the history was read, and it was not enough.
    #[error("not enough of the history was read")]
    Unread,
    /// The ask names a node that is not there.
    #[error("{what} {node:?} is not in the history")]
    UnknownNode {
        /// What the ask names it as.
        what: &'static str,
        /// The id.
        node: NodeId,
    },
    /// The ask names a viewer who is not there.
    #[error("the viewer {viewer:?} is not among the entities")]
    UnknownViewer {
        /// The id.
        viewer: EntityId,
    },
    /// The timeline needs somebody to be written for.
    #[error("a timeline is written for one agent: name it as the viewer")]
    NoViewer,
    /// The timeline tells the time.
    #[error("a timeline tells the time: say what time it is")]
    NoTime,
    /// What the run is told names somebody who is not there.
    #[error("{error}")]
    BadView {
        /// Who or what.
        error: crate::timeline::ViewError,
    },
    /// System text and tools leave no room.
    #[error("systemTooLarge: system text and tools need {needed} of {limit} tokens{}", Largest(largest))]
    SystemTooLarge {
        /// What they need.
        needed: u64,
        /// The window without the reserve.
        limit: u64,
        /// Where the window went.
        budget: Budget,
        /// What is largest.
        largest: Vec<Sized>,
    },
    /// What must be sent does not fit.
    #[error("doesNotFit: what must be sent needs {needed} tokens and {} are available{}", budget.available, Largest(largest))]
    DoesNotFit {
        /// What must be sent needs.
        needed: u64,
        /// Where the window went.
        budget: Budget,
        /// What is largest.
        largest: Vec<Sized>,
    },
    /// Nothing may be removed, and it is too much.
    #[error("overLimit: {excess} tokens over the limit, and this strategy removes nothing{}", Largest(largest))]
    OverLimit {
        /// By how much.
        excess: u64,
        /// Where the window went.
        budget: Budget,
        /// What is largest.
        largest: Vec<Sized>,
    },
    /// The API's other limits.
    #[error("doesNotFit: {found} {what} are more than the {limit} that {dialect} takes")]
    OverDialectLimit {
        /// What there is too much of.
        what: &'static str,
        /// How many.
        found: u64,
        /// How many there may be.
        limit: u64,
        /// The API.
        dialect: crate::dialect::Dialect,
    },
    /// The previous request cannot be compared.
    #[error("the previous request: {error}")]
    BadPrevious {
        /// What is wrong with it.
        error: String,
    },
    /// A repair was needed and none is allowed.
    #[error("strict: {} is needed{}: {}", repair.kind, at(repair), repair.detail)]
    Strict {
        /// The first repair.
        repair: Repair,
    },
}

/// Something that takes room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sized {
    /// A node's id, or `system`, `tools`, `input`.
    pub what: String,
    /// Its tokens.
    pub tokens: u64,
}

fn at(repair: &Repair) -> String {
    repair.node.as_ref().map(|node| format!(" at {node}")).unwrap_or_default()
}

struct Largest<'a>(&'a [Sized]);

impl std::fmt::Display for Largest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "; largest: " } else { ", " })?;
            write!(f, "{} {}", item.what, item.tokens)?;
        }
        Ok(())
    }
}
