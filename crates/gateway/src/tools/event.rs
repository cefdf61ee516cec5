//! What is told while calls run.

use super::Outcome;

/// Something happened to a call.
#[derive(Clone, Debug)]
pub enum Event {
    /// A person is being asked.
    Asked {
        /// The call.
        id: String,
    },
    /// It was allowed and is being run.
    Started {
        /// The call.
        id: String,
    },
    /// Its server says how far it is.
    Progress {
        /// The call.
        id: String,
        /// How far, in the server's own unit.
        done: f64,
        /// How far it is to the end, if known.
        total: Option<f64>,
        /// What the server says about it; text of the server, shortened.
        message: Option<String>,
    },
    /// It has a result.
    Finished {
        /// The call.
        id: String,
        /// What became of it.
        outcome: Outcome,
    },
}
