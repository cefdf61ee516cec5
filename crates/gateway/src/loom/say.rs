//! Why a tool did not do it, in words that an agent can act on.

use super::show::glimpse;
use crate::error::GatewayError;
use weftwork::model::LoomAccess;
use weftwork::timeline::Encoded;
use weftwork_store::StoreError;

/// Characters of a name that is told back.
const NAMED: usize = 100;

/// Why a tool of the loom did not do it. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The agent is not shown the tree, or no longer.
    #[error("You are not given the tree here.")]
    Unaware,
    /// It may not do that.
    #[error("{tool} needs the permission to {needs}, and you have the permission to {has}. Go on without it.")]
    NotAllowed {
        /// The tool.
        tool: &'static str,
        /// What it needs.
        needs: &'static str,
        /// What the agent has.
        has: &'static str,
    },
    /// No such node in this space.
    #[error("There is no node {} in this tree. Use the ids that you were shown.", Encoded::quoted(.name))]
    NoNode {
        /// What was named.
        name: String,
    },
    /// An argument is missing.
    #[error("{what}")]
    Missing {
        /// What to give.
        what: &'static str,
    },
    /// The node is not one that this can be done with.
    #[error("{node} {why}.")]
    WrongNode {
        /// Its short id.
        node: String,
        /// Why not.
        why: &'static str,
    },
    /// Nothing has that name.
    #[error("Nothing is stashed under {}.", Encoded::quoted(.name))]
    NoStash {
        /// The name.
        name: String,
    },
    /// The turn has had its share.
    #[error("A turn may {what} at most {most} nodes, and this one has. Go on in your next turn.")]
    Spent {
        /// Add or generate.
        what: &'static str,
        /// How many.
        most: u32,
    },
    /// The model wrote nothing.
    #[error("Nothing was generated: {}", Encoded::line(.why))]
    NotGenerated {
        /// Why.
        why: String,
    },
    /// The store did not do it.
    #[error("It was not done: {}", Encoded::line(.why))]
    Failed {
        /// Why.
        why: String,
    },
}

impl Refused {
    pub(super) fn not_allowed(tool: &'static str, needs: LoomAccess, has: LoomAccess) -> Refused {
        Refused::NotAllowed { tool, needs: needs.word(), has: has.word() }
    }
}

impl From<GatewayError> for Refused {
    fn from(error: GatewayError) -> Self {
        match error {
            GatewayError::Store(error) => Refused::from(error),
            other => Refused::Failed { why: other.to_string() },
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoNode { node, .. } => Refused::NoNode { name: glimpse(node.as_str(), NAMED) },
            other => Refused::Failed { why: other.to_string() },
        }
    }
}
