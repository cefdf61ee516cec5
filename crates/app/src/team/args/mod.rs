//! The arguments of these verbs, as `weft help` shows them.

mod agents;
mod demo;
mod plans;
mod runs;
mod services;
mod spaces;

pub(crate) use agents::{AddAgentArgs, AgentsArgs, AgentsCommand, OneAgentArgs, SetAgentArgs, WorkAgentArgs};
pub(crate) use demo::DemoArgs;
pub(crate) use plans::{AddPlanArgs, PlansArgs, PlansCommand, RemovePlanArgs};
pub(crate) use runs::{DecideArgs, OneRunArgs, RetryArgs, RunsArgs, RunsCommand, ThenArgs, WorkArgs};
pub(crate) use services::{AddServiceArgs, DeliverArgs, OneServiceArgs, RotateArgs, ServicesArgs, ServicesCommand};
pub(crate) use spaces::{ContextArgs, CreateArgs, DeleteMessageArgs, JoinArgs, LeaveArgs, PostArgs, ReadArgs};
