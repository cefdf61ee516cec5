//! The verbs on people and agents in spaces: who there is, what they say, what runs, what is planned.
//!
//! Verbs that only look open the database for reading, beside a process that works. Those that act open it for writing; the
//! store is always called outside of the runtime, for its client of PostgreSQL blocks.

mod agents;
mod args;
mod demo;
mod elsewhere;
mod gate;
mod plans;
mod runs;
mod services;
mod spaces;
mod when;
mod who;

pub(crate) use agents::run as agents;
pub(crate) use args::{AgentsArgs, DemoArgs, PlansArgs, RunsArgs, ServicesArgs};
pub(crate) use demo::run as demo;
pub(crate) use gate::{Gate, worker_settings};
pub(crate) use plans::{Planned, run as plans};
pub(crate) use runs::{Called, Done, Listed, Round, Spoken, Tale, Told, Waited, Waker, run as runs, waits_for};
pub(crate) use services::run as services;
pub(crate) use spaces::{SpaceCommand, run as space};
pub(crate) use who::People;
