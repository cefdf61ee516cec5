//! Faults: what a caller did or met, as facts that a program can act on.

use serde::Serialize;
use serde_json::{Value, json};
use weftwork::decode::{DecodeError, ErrorKind};
use weftwork::formats::ImportError;
use weftwork::intake::IntakeError;
use weftwork::report::Budget;
use weftwork::{AssembleError, HistoryError, Sized};

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// A message is not what its API says.
    #[error("{}: {what}", place(*index, path))]
    InvalidMessage {
        /// Which message of the list that was given, from 0; none where the fault is not in one message.
        index: Option<usize>,
        /// A JSON path to the value.
        path: String,
        /// What is wrong and how to mend it.
        what: String,
    },
    /// The input as a whole cannot be read.
    #[error("{what}")]
    InvalidInput {
        /// What is wrong.
        what: String,
    },
    /// An option is not one, or not with this value.
    #[error("{what}")]
    InvalidOption {
        /// What is wrong.
        what: String,
    },
    /// The nodes of a conversation do not hold together.
    #[error("{what}")]
    InvalidHistory {
        /// The node, where it is about one.
        node: Option<String>,
        /// What is wrong.
        what: String,
    },
    /// There is nothing to send.
    #[error("{what}")]
    NothingToSend {
        /// Said in words.
        what: String,
    },
    /// What must be sent is too large.
    #[error("{what}")]
    DoesNotFit {
        /// `systemTooLarge`, `doesNotFit` or `overLimit`.
        kind: &'static str,
        /// Said in words.
        what: String,
        /// Tokens that are needed, or that are too many.
        tokens: u64,
        /// Where the window went, where it is about the window.
        budget: Option<Box<Budget>>,
        /// What is largest: a node, `system`, `tools` or `input`, and its tokens.
        largest: Vec<(String, u64)>,
    },
    /// A repair was needed in strict mode.
    #[error("{what}")]
    NeedsRepair {
        /// The node.
        node: Option<String>,
        /// What had to be repaired.
        kind: String,
        /// Said in words.
        what: String,
    },
    /// The provider answered with an error.
    #[error("{what}")]
    Provider {
        /// overflow, rateLimit, quota, auth, overloaded or other.
        kind: &'static str,
        /// The HTTP status, where it names one.
        status: Option<u16>,
        /// Its code.
        code: Option<String>,
        /// Said in words.
        what: String,
    },
    /// A reply cannot be read.
    #[error("{what}")]
    InvalidReply {
        /// What is wrong.
        what: String,
    },
    /// A fault of this package.
    #[error("internal: {what}")]
    Internal {
        /// What happened.
        what: String,
    },
}

impl Fault {
    /// The name that both languages give its error class.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::InvalidMessage { .. } => "InvalidMessage",
            Fault::InvalidInput { .. } => "InvalidInput",
            Fault::InvalidOption { .. } => "InvalidOption",
            Fault::InvalidHistory { .. } => "InvalidHistory",
            Fault::NothingToSend { .. } => "NothingToSend",
            Fault::DoesNotFit { .. } => "DoesNotFit",
            Fault::NeedsRepair { .. } => "NeedsRepair",
            Fault::Provider { .. } => "ProviderError",
            Fault::InvalidReply { .. } => "InvalidReply",
            Fault::Internal { .. } => "InternalError",
        }
    }

    /// Its facts, by name.
    pub fn facts(&self) -> Value {
        match self {
            Fault::InvalidMessage { index, path, what } => json!({"index": index, "path": path, "reason": what}),
            Fault::InvalidHistory { node, .. } => json!({"node": node}),
            Fault::DoesNotFit { kind, tokens, budget, largest, .. } => {
                let largest: Vec<Value> = largest.iter().map(|(what, tokens)| json!({"what": what, "tokens": tokens})).collect();
                json!({"kind": kind, "tokens": tokens, "budget": budget, "largest": largest})
            }
            Fault::NeedsRepair { node, kind, .. } => json!({"node": node, "kind": kind}),
            Fault::Provider { kind, status, code, .. } => json!({"kind": kind, "status": status, "code": code}),
            Fault::InvalidInput { .. }
            | Fault::InvalidOption { .. }
            | Fault::NothingToSend { .. }
            | Fault::InvalidReply { .. }
            | Fault::Internal { .. } => json!({}),
        }
    }

    /// Name, message and facts as one JSON text, for a border that only text crosses.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Told {
            name: &'static str,
            message: String,
            facts: Value,
        }
        let told = Told { name: self.name(), message: self.to_string(), facts: self.facts() };
        serde_json::to_string(&told).unwrap_or_default()
    }

    pub(crate) fn option(what: impl Into<String>) -> Fault {
        Fault::InvalidOption { what: what.into() }
    }
}

fn place(index: Option<usize>, path: &str) -> String {
    match index {
        Some(index) => format!("message {index} ({path})"),
        None => path.to_owned(),
    }
}

/// The number of the message that a JSON path leads into.
fn index_in(path: &str) -> Option<usize> {
    let (list, rest) = path.split_once('[')?;
    let of_messages = ["$", "$.messages", "$.input", "$.contents", "$.nodes"].contains(&list);
    rest.split_once(']').filter(|_| of_messages)?.0.parse().ok()
}

impl From<ImportError> for Fault {
    fn from(error: ImportError) -> Fault {
        match error {
            ImportError::Field { path, message, .. } => Fault::InvalidMessage { index: index_in(&path), path, what: message },
            ImportError::Empty
            | ImportError::NotUtf8 { .. }
            | ImportError::Syntax { .. }
            | ImportError::TooDeep { .. }
            | ImportError::Version { .. }
            | ImportError::UnknownFormat
            | ImportError::Zip { .. } => Fault::InvalidInput { what: error.to_string() },
        }
    }
}

impl From<IntakeError> for Fault {
    fn from(error: IntakeError) -> Fault {
        match error {
            IntakeError::Value(error) => error.into(),
            IntakeError::NotUtf8 { .. }
            | IntakeError::NotAnObject { .. }
            | IntakeError::Missing { .. }
            | IntakeError::NotAList { .. }
            | IntakeError::Empty { .. } => Fault::InvalidInput { what: error.to_string() },
        }
    }
}

impl From<HistoryError> for Fault {
    fn from(error: HistoryError) -> Fault {
        let node = match &error {
            HistoryError::DuplicateNode { node }
            | HistoryError::MissingParent { node, .. }
            | HistoryError::Cycle { node }
            | HistoryError::UnknownAuthor { node, .. }
            | HistoryError::MissingNode { node, .. }
            | HistoryError::MissingHead { head: node } => Some(node.to_string()),
            HistoryError::DuplicateEntity { .. } | HistoryError::TooManyNodes { .. } => None,
        };
        Fault::InvalidHistory { node, what: error.to_string() }
    }
}

impl From<AssembleError> for Fault {
    fn from(error: AssembleError) -> Fault {
        let what = error.to_string();
        let too_large = |kind, tokens, budget: Option<Budget>, largest: Vec<Sized>| {
            let largest = largest.into_iter().map(|item| (item.what, item.tokens)).collect();
            Fault::DoesNotFit { kind, what: what.clone(), tokens, budget: budget.map(Box::new), largest }
        };
        match error {
            AssembleError::NothingToSend => Fault::NothingToSend { what },
            AssembleError::UnknownNode { .. }
            | AssembleError::UnknownViewer { .. }
            | AssembleError::NoViewer
            | AssembleError::NoTime
            | AssembleError::BadView { .. }
            | AssembleError::BadPrevious { .. } => Fault::InvalidOption { what },
            AssembleError::SystemTooLarge { needed, budget, largest, .. } => {
                too_large("systemTooLarge", needed, Some(budget), largest)
            }
            AssembleError::DoesNotFit { needed, budget, largest } => too_large("doesNotFit", needed, Some(budget), largest),
            AssembleError::OverLimit { excess, budget, largest } => too_large("overLimit", excess, Some(budget), largest),
            AssembleError::OverDialectLimit { found, .. } => too_large("doesNotFit", found, None, Vec::new()),
            AssembleError::Strict { repair } => {
                let node = repair.node.map(|node| node.to_string());
                Fault::NeedsRepair { node, kind: repair.kind.to_string(), what }
            }
            AssembleError::Unread => Fault::Internal { what },
        }
    }
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Fault {
        let what = error.to_string();
        match error {
            DecodeError::Provider(error) => {
                let kind = match error.kind {
                    ErrorKind::Overflow => "overflow",
                    ErrorKind::RateLimit => "rateLimit",
                    ErrorKind::Quota => "quota",
                    ErrorKind::Auth => "auth",
                    ErrorKind::Overloaded => "overloaded",
                    ErrorKind::Other => "other",
                };
                Fault::Provider { kind, status: error.status, code: error.code, what }
            }
            DecodeError::Malformed { .. } | DecodeError::TooLarge { .. } | DecodeError::Empty => Fault::InvalidReply { what },
        }
    }
}
