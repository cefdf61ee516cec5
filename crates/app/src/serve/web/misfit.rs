//! Why a request does not fit, as facts that a client can act on without reading the words.

use schemars::JsonSchema;
use serde::Serialize;

/// What does not fit, and by how much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Misfit {
    /// What is too large: `system` (system text and tools alone), `required` (what must be sent, whatever is left out),
    /// `everything` (the strategy leaves nothing out); or, of an API's own limits, `bytes`, `images`, `messages` and the like.
    what: &'static str,
    /// How much there is of it; in tokens, unless an API's own limit says otherwise.
    needed: u64,
    /// How much there may be.
    limit: u64,
    /// What takes most of the room, largest first.
    largest: Vec<Large>,
}

/// Something that takes room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
struct Large {
    /// A node's id, or `system`, `tools`, `input`.
    what: String,
    tokens: u64,
}

impl Misfit {
    pub(super) fn of(error: &weftwork::AssembleError) -> Option<Misfit> {
        use weftwork::AssembleError::*;
        let (what, needed, limit, largest) = match error {
            SystemTooLarge { needed, limit, largest, .. } => ("system", *needed, *limit, largest.as_slice()),
            DoesNotFit { needed, budget, largest } => ("required", *needed, budget.available, largest.as_slice()),
            OverLimit { excess, budget, largest } => {
                ("everything", budget.available + excess, budget.available, largest.as_slice())
            }
            OverDialectLimit { what, found, limit, .. } => (*what, *found, *limit, [].as_slice()),
            NothingToSend
            | UnknownNode { .. }
            | UnknownViewer { .. }
            | NoViewer
            | NoTime
            | BadView { .. }
            | BadPrevious { .. }
            | Strict { .. }
            | Unread => return None,
        };
        let large = |one: &weftwork::Sized| Large { what: one.what.clone(), tokens: one.tokens };
        Some(Misfit { what, needed, limit, largest: largest.iter().map(large).collect() })
    }
}
