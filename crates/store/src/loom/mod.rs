//! What loom-aware agents need of a tree: short ids, what stands around a node, and what is kept beside what was said: names
//! of bookmarks, links, pins, stashes, a trace of acts.
//!
//! Every question and every act names a space and stays in it: the node of another space does not exist.

mod local;
mod marks;
mod memory;
mod path;
mod spot;
mod tree;

pub use local::LocalId;
pub use marks::Linked;
pub(crate) use marks::{export_bookmarks, export_links, import};
pub(crate) use memory::forget;
pub use memory::{LoomMemory, MOST_PINS, MOST_STASHES, Stash, Stashed, TRACED, Traced};
pub use path::{Fork, Position};
pub(crate) use path::{fill, fill_again};
pub use spot::Spot;
pub use tree::{Drawn, Tree};
