//! The arguments of `weft runs`.

use crate::keep::ListArgs;
use crate::words::{choice, small_amount};
use clap::{Args, Subcommand};
use weftwork::model::RunStatus;

/// Arguments of `runs`.
#[derive(Args, Debug)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,
    #[command(flatten)]
    pub(crate) which: WhichRuns,
    /// Print a line for each change, of this and other processes, until Ctrl-C.
    #[arg(long)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Which runs.
#[derive(Args, Debug)]
pub(crate) struct WhichRuns {
    /// Only those of this agent.
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Only those woken in this space.
    #[arg(long)]
    pub(crate) space: Option<String>,
    /// Only those that stand here.
    #[arg(long, value_parser = choice(STATUSES, RunStatus::word))]
    pub(crate) status: Option<RunStatus>,
    /// At most so many, the newest first; 0 for all.
    #[arg(long, value_name = "N", value_parser = small_amount, default_value = "30")]
    pub(crate) limit: u32,
}

const STATUSES: &[RunStatus] = &[
    RunStatus::Queued,
    RunStatus::Running,
    RunStatus::WaitingReply,
    RunStatus::WaitingTool,
    RunStatus::Parked,
    RunStatus::Completed,
    RunStatus::Failed,
    RunStatus::Canceled,
];

/// What to do with runs besides listing them.
#[derive(Subcommand, Debug)]
pub(crate) enum RunsCommand {
    /// Show a run: what woke it, each step, what it waits for, what it used.
    Show(OneRunArgs),
    /// Stop a run: at once, or after what it is doing.
    Stop(OneRunArgs),
    /// Let a run go on that stands still.
    Retry(RetryArgs),
    /// Let the tool run that a run asks about, this once.
    Allow(DecideArgs),
    /// Do not let the tool run that a run asks about.
    Refuse(DecideArgs),
    /// Do what is due: claim runs, end waits, fire plans. Until Ctrl-C, which lets runs at work come to an end.
    Work(WorkArgs),
}

/// Arguments of verbs on one run.
#[derive(Args, Debug)]
pub(crate) struct OneRunArgs {
    /// The run: its id, or how it begins.
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `runs retry`.
#[derive(Args, Debug)]
pub(crate) struct RetryArgs {
    #[command(flatten)]
    pub(crate) one: OneRunArgs,
    #[command(flatten)]
    pub(crate) then: ThenArgs,
}

/// Arguments of `runs allow` and `runs refuse`.
#[derive(Args, Debug)]
pub(crate) struct DecideArgs {
    #[command(flatten)]
    pub(crate) one: OneRunArgs,
    /// Decide so for this tool from now on.
    #[arg(long)]
    pub(crate) always: bool,
    /// Who decides [default: the only person of the space, or the person at this machine].
    #[arg(long = "as", value_name = "WHO")]
    pub(crate) who: Option<String>,
    #[command(flatten)]
    pub(crate) then: ThenArgs,
}

/// What is done afterwards.
#[derive(Args, Debug)]
pub(crate) struct ThenArgs {
    /// Leave what is due to another process.
    #[arg(long)]
    pub(crate) no_work: bool,
}

/// Arguments of `runs work`.
#[derive(Args, Debug)]
pub(crate) struct WorkArgs {
    /// Do what is due now, and end.
    #[arg(long)]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}
