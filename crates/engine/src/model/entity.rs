//! Who speaks.

use super::{EntityId, LoomAccess, Sampling, is_default, is_false};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A human, an agent or a service: the author of nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// Unique among the entities of a file or server.
    pub id: EntityId,
    /// What it is called. Names may change and may repeat; the id says who it is.
    pub name: String,
    /// Human, agent or service.
    #[serde(rename = "type")]
    pub kind: EntityKind,
    /// An agent's own system prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The model an agent speaks with, as `provider/model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether the agent is shown the tree it stands in.
    #[serde(default, skip_serializing_if = "is_false")]
    pub loom_aware: bool,
    /// Whether the agent's runs are done by a program elsewhere.
    #[serde(default, skip_serializing_if = "is_false")]
    pub external: bool,
    /// How far it may act in that tree.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loom_access: LoomAccess,
    /// How an agent's model samples; what the space or a generation says wins over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
}

impl Entity {
    /// Somebody of whom nothing else is known yet.
    pub fn new(id: impl Into<EntityId>, name: impl Into<String>, kind: EntityKind) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            kind,
            system_prompt: None,
            model: None,
            loom_aware: false,
            external: false,
            loom_access: LoomAccess::default(),
            sampling: None,
        }
    }
}

/// The three kinds of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntityKind {
    /// A person.
    Human,
    /// A model with a prompt.
    Agent,
    /// A program that posts through triggers.
    Service,
}

impl EntityKind {
    /// The word shown in timelines and prefixes.
    pub fn word(self) -> &'static str {
        match self {
            EntityKind::Human => "human",
            EntityKind::Agent => "agent",
            EntityKind::Service => "service",
        }
    }
}
