//! The report that travels beside a request: what happened to every node, and why.
//!
//! Every node of the path is in it exactly once, in path order.

use crate::ask::{Form, Strategy, choice};
use crate::count::Kind;
use crate::dialect::Dialect;
use crate::model::NodeId;
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// What was decided, and why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How the path was read.
    pub form: Form,
    /// The wire format.
    pub dialect: Dialect,
    /// What was done where it did not fit.
    pub strategy: Strategy,
    /// Whether anything was removed or shortened to make it fit.
    pub truncated: bool,
    /// How tokens were counted.
    pub counter: CounterUsed,
    /// Where the window went.
    pub budget: Budget,
    /// What became of each node. A run of nodes with one decision and reason is one item.
    pub items: Vec<Item>,
    /// What had to be mended. Never stored.
    pub repairs: Vec<Repair>,
    /// What was cut out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// What the provider's cache will make of it.
    pub cache: CacheReport,
    /// What a person should know.
    pub warnings: Vec<Warning>,
    /// SHA-256 of the request's bytes.
    pub hash: String,
}

/// How tokens were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CounterUsed {
    /// The counter, with its factor where there is one.
    pub name: String,
    /// What its numbers rest on.
    pub kind: Kind,
}

/// Where the window went, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// The whole window.
    pub context_length: u64,
    /// Kept free for the reply.
    pub reserve: u64,
    /// System text.
    pub system: u64,
    /// Tool schemas.
    pub tools: u64,
    /// The new input.
    pub input: u64,
    /// The marker of the cut.
    pub markers: u64,
    /// What is left for the history.
    pub available: u64,
    /// What the history takes.
    pub history: u64,
}

/// What became of a node, or of a run of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The first node.
    pub from: NodeId,
    /// The last node.
    pub to: NodeId,
    /// How many.
    pub nodes: u64,
    /// Sent or not.
    pub decision: Decision,
    /// Why.
    pub reason: Reason,
    /// What they cost, or would have cost.
    pub tokens: u64,
    /// Which message of the conversation the first of them is in, counted from 1.
    pub message: Option<u64>,
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.nodes == 1 {
            map.serialize_entry("node", &self.from)?;
        } else {
            map.serialize_entry("from", &self.from)?;
            map.serialize_entry("to", &self.to)?;
            map.serialize_entry("nodes", &self.nodes)?;
        }
        map.serialize_entry("decision", &self.decision)?;
        map.serialize_entry("reason", &self.reason)?;
        map.serialize_entry("tokens", &self.tokens)?;
        if let Some(message) = self.message {
            map.serialize_entry("message", &message)?;
        }
        map.end()
    }
}

/// An item as it is written.
#[derive(JsonSchema)]
#[schemars(rename = "Item")]
#[allow(dead_code, reason = "it is the shape of what is written, and never made")]
struct WrittenItem {
    /// The node, where it is one.
    node: Option<NodeId>,
    /// The first node, where there are several.
    from: Option<NodeId>,
    /// The last of several.
    to: Option<NodeId>,
    /// How many, where there are several.
    nodes: Option<u64>,
    /// Sent or not.
    decision: Decision,
    /// Why.
    reason: Reason,
    /// What they cost, or would have cost.
    tokens: u64,
    /// Which message of the conversation the first of them is in, counted from 1.
    message: Option<u64>,
}

impl JsonSchema for Item {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        WrittenItem::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        WrittenItem::json_schema(generator)
    }
}

choice! {
    /// Whether a node was sent.
    Decision {
        /// As it is.
        Included = "included",
        /// Not at all.
        Dropped = "dropped",
        /// In part.
        Shortened = "shortened",
        /// Changed by a repair.
        Repaired = "repaired",
    }
}

choice! {
    /// Why a node was sent or not.
    Reason {
        /// It is part of the system text.
        System = "system",
        /// It stands for what came before it.
        Summary = "summary",
        /// It belongs to the first turn.
        FirstTurn = "firstTurn",
        /// It is among the newest.
        Recent = "recent",
        /// There was room.
        Window = "window",
        /// Somebody pinned it.
        Pinned = "pinned",
        /// It caused the run.
        Trigger = "trigger",
        /// It is the reply that was waited for.
        Reply = "reply",
        /// It is what the model is asked.
        Input = "input",
        /// It belongs to the exchange that is going on.
        OpenExchange = "openExchange",
        /// It is a title, a request for one, a request for a summary, or accounting.
        NotConversation = "notConversation",
        /// It was softly deleted.
        Pruned = "pruned",
        /// Somebody left it out.
        Excluded = "excluded",
        /// It is a remark.
        Annotation = "annotation",
        /// It is still being written.
        NotSent = "notSent",
        /// It broke off.
        Failed = "failed",
        /// A summary covers it.
        BeforeCheckpoint = "beforeCheckpoint",
        /// It lies before a context edge.
        ContextEdge = "contextEdge",
        /// It is older than the newest so many.
        OutsideWindow = "outsideWindow",
        /// The tool policy leaves it out.
        ToolPolicy = "toolPolicy",
        /// It says nothing.
        Empty = "empty",
        /// It held only results of calls that are not there.
        OrphanResult = "orphanResult",
        /// It was in the middle, and there was no room.
        MiddleCut = "middleCut",
        /// There was no room.
        OverBudget = "overBudget",
    }
}

/// One thing that had to be mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Repair {
    /// The node, if it was in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// What was wrong.
    pub kind: RepairKind,
    /// What was done.
    pub detail: String,
}

choice! {
    /// What was wrong.
    RepairKind {
        /// A call had no result.
        InterruptedCall = "interruptedCall",
        /// A result had no call.
        OrphanResult = "orphanResult",
        /// A call had two results.
        DuplicateResult = "duplicateResult",
        /// Two calls had one id.
        DuplicateCall = "duplicateCall",
        /// Results did not follow their calls in order.
        Reordered = "reordered",
        /// Arguments were no JSON object.
        BadArguments = "badArguments",
        /// The API refuses the call's id.
        MappedId = "mappedId",
        /// The API refuses the tool's name.
        MappedName = "mappedName",
        /// The conversation did not begin with the user.
        Opener = "opener",
        /// The conversation did not end with the user.
        Closer = "closer",
        /// The API takes no such media there.
        Media = "media",
        /// The tool was run by another provider.
        ForeignTool = "foreignTool",
        /// A system message stands where the API takes none.
        SystemMessage = "systemMessage",
    }
}

/// What was cut out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cut {
    /// The last node kept before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<NodeId>,
    /// The first node kept after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<NodeId>,
    /// How many nodes.
    pub nodes: u64,
    /// How many tokens.
    pub tokens: u64,
}

/// What the provider's cache will make of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CacheReport {
    /// Where marks stand: `tools`, `system`, a node, or `input`.
    pub marks: Vec<String>,
    /// What changed first since the previous request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_change: Option<FirstChange>,
    /// Tokens that will be read from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted_read: Option<u64>,
    /// Tokens that will be put into the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted_write: Option<u64>,
}

/// What changed first since the previous request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FirstChange {
    /// `tools`, `system`, `history` or `parameters`.
    pub section: String,
    /// Where in the new request.
    pub byte: u64,
}

/// What a person should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// The facts.
    pub detail: String,
}

choice! {
    /// What a warning is about.
    WarningKind {
        /// The model's window is unknown.
        UnknownWindow = "unknownWindow",
        /// The reserve was capped.
        ReserveCapped = "reserveCapped",
        /// The first turn had to go.
        FirstTurnDropped = "firstTurnDropped",
        /// Fewer recent nodes were kept than wished for.
        FewerRecent = "fewerRecent",
        /// The open turn alone was too large.
        OpenTurnCut = "openTurnCut",
        /// A summary names a node that is not before it on the path.
        StraySummary = "straySummary",
        /// No mark was placed, and why.
        NoCacheMark = "noCacheMark",
        /// The file says something that nobody here understands.
        UnknownField = "unknownField",
        /// Something asked for could not be done in this form or dialect.
        Unsupported = "unsupported",
    }
}
