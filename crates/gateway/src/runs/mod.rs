//! Runs: an agent is woken, reads its timeline, acts through tools, and ends, waits or is stopped.
//!
//! What comes next is decided purely (`course`); a driver does it, one step at a time, and each step is written down before
//! the next (`drive`); a worker claims runs, keeps the claims alive and looks at the clock (`worker`). Nothing that matters
//! lives anywhere but in the store, so a process may die between any two steps, and another goes on.

mod approve;
mod context;
mod course;
mod drive;
mod external;
mod given;
mod kept;
mod leave;
mod mention;
mod post;
mod preview;
mod story;
mod think;
mod tools;
mod worker;

pub use approve::{ApproveRunError, Waiting, asked};
pub use drive::{DriveError, Ended, Point, Points};
pub use external::{Deeded, Handed};
pub use given::Given;
pub use post::{LONGEST_MESSAGE, Message, PostError};
pub use preview::RunPreview;
pub use story::{Did, did};
pub use tools::not_woken;
pub use worker::{Worker, WorkerSettings};
