//! Why something was not done.

use weftwork::AssembleError;
use weftwork::model::NodeId;
use weftwork_provider::{ResolveError, SendError};
use weftwork_store::StoreError;

/// Why something was not done. What was said before is kept.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// The store did not do it.
    #[error(transparent)]
    Store(StoreError),
    /// There is no request that a model could be sent.
    #[error(transparent)]
    Assemble(AssembleError),
    /// The model's name leads nowhere.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The model gave no whole reply. What came is in the node.
    #[error("{error}")]
    Send {
        /// The reply, with what came.
        node: Option<NodeId>,
        /// Why.
        error: SendError,
    },
    /// The request did not fit a second time.
    #[error(
        "the model says twice that the request does not fit into its window; the second was {smaller} tokens: give the model's real window as context_length"
    )]
    OverflowsAgain {
        /// Tokens of the smaller one.
        smaller: u64,
    },
    /// The request did not fit, and nothing in it can be left out.
    #[error("the model says that the request does not fit into its window, and nothing of it can be left out")]
    NothingToLeaveOut,
    /// A budget does not allow it.
    #[error("{0}")]
    Budget(OverBudget),
    /// Nobody knows what was decided about tools.
    #[error(transparent)]
    Tools(#[from] crate::tools::PinsFailed),
    /// A key cannot be sealed or opened.
    #[error(transparent)]
    Seal(#[from] crate::keys::SealError),
    /// A service cannot be called this.
    #[error(
        "a service cannot be called {name:?}: a letter first, then letters, digits and single -, all lower case, at most {most} \
         characters, for example \"build-server\""
    )]
    BadServiceName {
        /// The name.
        name: String,
        /// How long it may be.
        most: usize,
    },
    /// An address that did not come from the owner is not asked.
    #[error(transparent)]
    Address(#[from] weftwork_provider::guard::Refused),
    /// The agent's runs are done here: nobody elsewhere is told of them.
    #[error("{agent} lives here: only the program of an agent that lives elsewhere is told of its runs")]
    LivesHere {
        /// The agent.
        agent: weftwork::model::EntityId,
    },
    /// There is nothing yet to do this with.
    #[error("{what}")]
    NothingThere {
        /// What is missing.
        what: &'static str,
    },
    /// The node is not one that this can be done with.
    #[error("{node} {why}")]
    WrongNode {
        /// The node.
        node: NodeId,
        /// Why not.
        why: &'static str,
    },
    /// What the model gave cannot stand for the conversation. Nothing is hidden.
    #[error("the summary was refused: {0}. The conversation is as it was")]
    BadSummary(Unusable),
    /// What the model gave is no title.
    #[error("the title was refused: {0}")]
    BadTitle(Unusable),
    /// A number is out of its range.
    #[error("{what} must be from {least} to {most}, not {given}")]
    OutOfRange {
        /// What.
        what: &'static str,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
        /// What was given.
        given: u64,
    },
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

/// Why a budget does not allow a call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the budget of {whose} has {left_usd:.4} dollars left, {}", match most_usd { Some(most) => format!("and this call may cost {most:.4}"), None => "and nobody knows what this model costs: give its prices in the configuration".to_owned() })]
pub struct OverBudget {
    /// Whose.
    pub whose: String,
    /// Dollars left.
    pub left_usd: f64,
    /// Dollars that the call may cost; none if its price is not known.
    pub most_usd: Option<f64>,
}

/// Why a text that a model gave cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It is empty.
    #[error("it is empty")]
    Empty,
    /// It was cut off.
    #[error("it was cut off")]
    CutOff,
    /// It calls a tool instead of saying something.
    #[error("it calls a tool")]
    ToolCall,
    /// The model refused.
    #[error("the model refused")]
    Refused,
}

impl From<StoreError> for GatewayError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Assemble(error) => GatewayError::Assemble(error),
            other => GatewayError::Store(other),
        }
    }
}
