//! Agents that see the tree they stand in: what they are told of it, and the tools they walk and work it with.
//!
//! [`told`] is what is laid into a request: an addendum to the prompt, the operational memory, the place in the tree; the store
//! adds a line of facts for each node. [`offered`] are the tools that go with it, [`LoomTurn`] runs them: one for each turn, made of
//! a gateway, a space and an agent. What never breaks:
//!
//! - an agent acts in its own space: what is not there does not exist;
//! - nothing that was said is changed: an edit is a version beside the old one, what is pruned can be restored;
//! - the conversation stays where people left it: no tool moves a head but the agent's own, none prunes what the conversation
//!   stands on, and nothing is hung where the results of tools must come;
//! - a tool beyond what the agent may do is not offered, and refused when it is called all the same;
//! - a turn generates at most [`MOST_GENERATED`] nodes and adds at most [`MOST_ADDED`]; a generated node gets no tools;
//! - every text that a tool shows went through the engine's encoder: none can forge what stands around it.
//!
//! `docs/loom.md` says what each tool does.

mod act;
mod arguments;
mod generate;
mod look;
mod remember;
mod say;
mod show;
mod tell;
mod tool;
mod turn;

pub use say::Refused;
pub use tell::told;
pub use tool::{LoomTool, offered};
pub use turn::LoomTurn;

use weftwork::model::{Entity, Mode, Space};

/// Nodes that an agent may let its model write in one turn.
pub const MOST_GENERATED: u32 = 4;
/// Nodes that an agent may add with its own words in one turn.
pub const MOST_ADDED: u32 = 20;

/// Whether an agent is shown the tree of a space. A text that is gone on from has no room for it between its pieces.
pub fn is_aware(space: &Space, agent: &Entity) -> bool {
    agent.loom_aware && space.mode == Mode::Dialogue
}
