//! The conversation file: one space with its entities and nodes, and what an ask may add.

use super::{
    Bookmark, Bytes, Call, Entity, EntityId, Goal, Link, Loom, Memory, Node, NodeId, Plan, Run, Sampling, Space, SpaceRef, Tool,
    Trigger, is_default,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file format this crate writes.
pub const FORMAT_VERSION: u32 = 1;

/// A conversation file. Nodes may stand in any order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// Version of the format: 1.
    pub weft: u32,
    /// The space.
    pub space: Space,
    /// Everyone who speaks or is named.
    #[serde(default)]
    pub entities: Vec<Entity>,
    /// Who belongs to the space and since when, in a full export.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// The tree.
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// The default head; the last node of the file if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<NodeId>,
    /// The heads of viewers who moved theirs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub heads: BTreeMap<EntityId, NodeId>,
    /// How far each member has read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cursors: BTreeMap<EntityId, NodeId>,
    /// Requests to models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// What tools answered in whole, where nodes hold it shortened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wholes: Vec<Whole>,
    /// What bookmarks are called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bookmarks: Vec<Bookmark>,
    /// Links between nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Uncommitted text of a buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<String>,
    /// Tools a model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// Tools chosen under the `manual` tool policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included_tools: Vec<String>,
    /// Sampling settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sampling: Sampling,
    /// The agent to assemble for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<EntityId>,
    /// Why that agent runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<Trigger>,
    /// Where it is a member.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spaces: Vec<SpaceRef>,
    /// What it is after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<Goal>,
    /// What it remembers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Memory>,
    /// What it will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<Plan>,
    /// What it is doing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// What it is shown of the tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loom: Option<Loom>,
}

impl Conversation {
    /// The JSON Schema of the file.
    pub fn schema() -> serde_json::Value {
        schemars::schema_for!(Conversation).to_value()
    }

    /// An empty conversation in `space`.
    pub fn new(space: Space) -> Self {
        Self {
            weft: FORMAT_VERSION,
            space,
            entities: Vec::new(),
            members: Vec::new(),
            nodes: Vec::new(),
            head: None,
            heads: BTreeMap::new(),
            cursors: BTreeMap::new(),
            calls: Vec::new(),
            wholes: Vec::new(),
            bookmarks: Vec::new(),
            links: Vec::new(),
            buffer: None,
            tools: Vec::new(),
            included_tools: Vec::new(),
            sampling: Sampling::default(),
            viewer: None,
            trigger: None,
            spaces: Vec::new(),
            goals: Vec::new(),
            memories: Vec::new(),
            plans: Vec::new(),
            runs: Vec::new(),
            loom: None,
        }
    }
}

/// What a tool answered in whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Whole {
    /// The node that holds it shortened.
    pub node: NodeId,
    /// The id of the tool call.
    pub call: String,
    /// All of it, byte for byte.
    pub content: Bytes,
}

/// A member of a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Who.
    pub entity: EntityId,
    /// What they may do, as the server that exported it named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}
