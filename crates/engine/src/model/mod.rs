//! The one model of history: entities, spaces, nodes, parts, edges, calls and usage.
//!
//! Everything here is plain data. A [`Node`] is what was said; a [`Conversation`] is a file of them; nothing derived is
//! stored in either. Invariants between nodes (parents exist, no cycles, unique ids, known authors) hold only in a
//! [`History`](crate::History), whose constructor checks them.

mod call;
mod conversation;
mod entity;
mod id;
mod json;
mod loom;
mod node;
mod part;
mod space;
mod time;
mod timeline;
mod tool;

pub use call::{Accounting, AccountingReading, Bytes, Call, CallOutcome, CumulativeTokens, Purpose, Usage};
pub use conversation::{Conversation, FORMAT_VERSION, Member, Whole};
pub use entity::{Entity, EntityKind};
pub use id::{EntityId, NodeId, SpaceId};
pub use json::Json;
pub use loom::{Bookmark, Link, LinkKind, LoomAccess};
pub use node::{Edge, ImportedRole, Kind, Node, Origin, Source, SourceRole, Status};
pub use part::{File, Image, Media, Part, Reasoning, ResultContent, Text, ToolCall, ToolResult};
pub use space::{Mode, Space, Wake};
pub use time::{BadTimestamp, Timestamp};
pub use timeline::{
    Goal, Loom, LoomNode, Memory, NoReply, Plan, PlanKind, PlanTrigger, Run, RunStatus, ServiceTrigger, SpaceMessageTrigger,
    SpaceRef, Trigger,
};
pub use tool::{Sampling, Tool};

pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
