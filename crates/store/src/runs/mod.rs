//! Runs that outlive the process: activations of agents, what they wait for, and what bounds them.
//!
//! One transaction is one durable step of a run, together with the message and the wake-ups it causes. Whoever works on a
//! run names the epoch of their claim with every write; when the run has a newer one, the write answers [`Guarded::Lost`]
//! and nothing happened. No model, tool or HTTP call is ever made inside a transaction.
//!
//! Order of locks: space, wait, run, call, root or budget, outbox. Plans and deliveries, which only begin runs, come first.

mod budget;
mod caps;
mod check;
mod claim;
mod cycle;
mod delivery;
mod due;
mod end;
mod glance;
mod guard;
mod member;
mod mind;
mod open;
mod outbox;
mod plan;
mod post;
mod read;
mod root;
mod row;
mod send;
mod start;
mod state;
mod step;
mod tool;
mod wait;
mod wake;

pub use budget::{Budget, Scope};
pub(crate) use budget::{Spender, lock_budgets};
pub use caps::Caps;
pub use check::{Invariant, Violation};
pub use claim::Pulse;
pub use delivery::{Delivered, Delivery};
pub use due::{RUN_DUE, push_name};
pub use end::{Again, Canceled};
pub use glance::{Carried, Glance, Standing};
pub use guard::{Guard, Guarded};
pub use member::{Belonging, Page};
pub use mind::{Changed, Edit, MindChange};
pub use open::OpenRun;
pub use outbox::Push;
pub use plan::{Chain, Fire, NewPlan, StoredPlan, Times};
pub use post::{Post, Posted};
pub use read::{Among, Cause, OpenMark, Root, RunPlace, RunQuery, Trigger};
pub use row::{Run, RunId};
pub use send::{Send, SendRefusal, Sent, WaitFor};
pub(crate) use state::numbered;
pub use state::{How, ParkReason, Refusal, RunState, StepKind, StepStatus, TriggerKind};
pub use step::{Done, Intended, Intent, Settled, Step, StepRefusal};
pub(crate) use wait::withdraw;
pub use wait::{Accept, Wait, WaitCancel, WaitState};
pub use wake::{Wake, Woken};
