//! The arguments of `weft agents`.

use crate::keep::ListArgs;
use clap::{Args, Subcommand};

/// Arguments of `agents`.
#[derive(Args, Debug)]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<AgentsCommand>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// What to do with agents besides listing them.
#[derive(Subcommand, Debug)]
pub(crate) enum AgentsCommand {
    /// Make an agent. Prints its id.
    #[command(after_help = "weft agents add Analyst --prompt \"You read numbers and say what they mean.\" --space alpha")]
    Add(AddAgentArgs),
    /// Show an agent: what it is after, remembers, plans and does.
    Show(OneAgentArgs),
    /// Change an agent.
    Set(SetAgentArgs),
    /// Let a program of your own do the runs of an external agent: it is told a run, and acts, in lines of JSON.
    #[command(after_help = "weft agents work Remote --once -- python3 examples/external_agent.py")]
    Work(WorkAgentArgs),
}

/// Arguments of `agents add`.
#[derive(Args, Debug)]
pub(crate) struct AddAgentArgs {
    /// What it is called; no two names may look alike.
    pub(crate) name: String,
    /// Its id [default: made of its name].
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The model it thinks with [default: the usual one].
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// What it is told before all else: a text, or @ and a file.
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// A program elsewhere does its runs.
    #[arg(long)]
    pub(crate) external: bool,
    /// It is shown the tree it stands in, and can act on it.
    #[arg(long)]
    pub(crate) loom_aware: bool,
    /// Spaces that it joins.
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Vec<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `agents show`.
#[derive(Args, Debug)]
pub(crate) struct OneAgentArgs {
    /// The agent: its id, or a name that only one has.
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `agents set`.
#[derive(Args, Debug)]
pub(crate) struct SetAgentArgs {
    /// The agent: its id, or a name that only one has.
    pub(crate) agent: String,
    /// What it is called from now on.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The model it thinks with; "" for the usual one.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// What it is told before all else: a text, or @ and a file; "" for nothing.
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// Whether a program elsewhere does its runs.
    #[arg(long, value_name = "true|false")]
    pub(crate) external: Option<bool>,
    /// Whether it is shown the tree it stands in.
    #[arg(long, value_name = "true|false")]
    pub(crate) loom_aware: Option<bool>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `agents work`.
#[derive(Args, Debug)]
pub(crate) struct WorkAgentArgs {
    /// The agent: its id, or a name that only one has.
    pub(crate) agent: String,
    /// End when nothing is due, instead of at Ctrl-C.
    #[arg(long)]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) list: ListArgs,
    /// The program and its arguments; it is started for each run.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
