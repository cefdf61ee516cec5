//! Where it is said.

use super::{SpaceId, is_default, is_false};
use crate::ask::Settings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A container of members and one append-only tree of nodes: a chat, a loom, a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Space {
    /// Unique id.
    pub id: SpaceId,
    /// Shown name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How its tree is read when an ask does not say.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mode: Mode,
    /// System text of this space, after the agent's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub system_context: String,
    /// Whether buffer mode carries the system text too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub buffer_mode_system_context: bool,
    /// Which agents a message here wakes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wake: Wake,
    /// Whether what was read here may be repeated only where every reader belongs to this space, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub confidential: bool,
    /// Choices that override the app's and yield to the ask's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: Settings,
}

impl Space {
    /// An empty dialogue space.
    pub fn new(id: impl Into<SpaceId>, name: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            mode: Mode::Dialogue,
            system_context: String::new(),
            buffer_mode_system_context: false,
            wake: Wake::All,
            confidential: false,
            settings: Settings::default(),
        }
    }
}

/// Which agents a message wakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Wake {
    /// Every agent who belongs to the space.
    #[default]
    All,
    /// Those it names, as `@Name`.
    Mentioned,
}

/// How a space is read by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// As messages of people and agents.
    #[default]
    Dialogue,
    /// As one continuous text.
    Buffer,
}
