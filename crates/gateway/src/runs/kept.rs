//! What the steps of a run did, as it is kept, and how a step is found again.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use weftwork::model::{EntityId, NodeId, Part, ResultContent, SpaceId, ToolCall, ToolResult};

/// What a model said in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Thought {
    /// All of it: text is the agent's own affair, calls are acts.
    pub(crate) parts: Vec<Part>,
    /// The model, as `provider/model`.
    pub(crate) model: String,
    /// What comes after it.
    pub(crate) then: Then,
    /// What it had in view. Later steps look at the same, so that their requests begin with the same bytes.
    pub(crate) view: Sight,
}

/// What a run has in view from when it begins or is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sight {
    /// The space; none for a run that is in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) space: Option<SpaceId>,
    /// The newest node in view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) head: Option<NodeId>,
    /// The time, in milliseconds since 1970.
    pub(crate) at: i64,
}

/// What comes after a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Then {
    /// The run ends.
    End,
    /// Its calls are done.
    Act,
    /// The provider paused: it goes on from there.
    GoOn,
    /// It broke off inside a call, and says nothing that could be acted on.
    BrokeOff,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Acted {
    /// The tool answered.
    Answered(Answered),
    /// A person decided whether it may run.
    Decided(Decided),
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answered {
    /// The result, as the model gets it.
    pub(crate) result: Part,
    /// The space that it made the active one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) entered: Option<SpaceId>,
    /// All that it said, where the result holds it shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) whole: Option<String>,
}

/// What a person decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decided {
    /// Whether the call may run.
    pub(crate) allowed: bool,
    /// Who decided; none if nobody did in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<EntityId>,
}

impl Answered {
    /// A text.
    pub(crate) fn text(call: &ToolCall, text: impl Into<String>) -> Answered {
        Answered { result: result(call, text.into(), false), entered: None, whole: None }
    }

    /// A failure, in words a model can act on.
    pub(crate) fn error(call: &ToolCall, text: impl Into<String>) -> Answered {
        Answered { result: result(call, text.into(), true), entered: None, whole: None }
    }
}

fn result(call: &ToolCall, text: String, is_error: bool) -> Part {
    let (id, name, content) = (call.id.clone(), Some(call.name.clone()), ResultContent::Text(text));
    Part::ToolResult(ToolResult { id, name, content, is_error, included: false, native: None })
}

/// What is done with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A person is asked about it.
    Ask,
    /// It is run.
    Run,
}

/// The mark by which the step of a call is found again: of the very call, so that what a person allowed is what is run.
pub(crate) fn mark(deed: Deed, thought: u32, place: usize, call: &ToolCall) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update([match deed {
        Deed::Ask => 0,
        Deed::Run => 1,
    }]);
    hash.update(thought.to_be_bytes());
    hash.update((place as u64).to_be_bytes());
    for part in [&call.id, &call.name, call.args.text()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
