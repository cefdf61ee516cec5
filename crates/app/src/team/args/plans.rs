//! The arguments of `weft plans`.

use crate::keep::ListArgs;
use clap::{Args, Subcommand};

/// Arguments of `plans`.
#[derive(Args, Debug)]
pub(crate) struct PlansArgs {
    #[command(subcommand)]
    pub(crate) command: Option<PlansCommand>,
    /// Only those of this agent.
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// What to do with plans besides listing them.
#[derive(Subcommand, Debug)]
pub(crate) enum PlansCommand {
    /// Let an agent do something later, or again and again. Prints the plan's id.
    #[command(after_help = "weft plans add --agent Analyst \"Daily report\" --do \"Report the sales.\" --cron \"0 9 * * 1-5\" \
        --zone Europe/Berlin")]
    Add(AddPlanArgs),
    /// Take a plan away: it never fires again.
    Remove(RemovePlanArgs),
}

/// Arguments of `plans add`.
#[derive(Args, Debug)]
#[group(id = "when", required = true, multiple = false, args = ["after", "at", "cron"])]
pub(crate) struct AddPlanArgs {
    /// A short name.
    pub(crate) name: String,
    /// Whose plan it is: an agent's id, or a name that only one has.
    #[arg(long)]
    pub(crate) agent: String,
    /// What the agent is to do then.
    #[arg(long = "do", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) instruction: String,
    /// After a delay: "2 hours", "1 day 3 hours".
    #[arg(long, value_name = "DELAY")]
    pub(crate) after: Option<String>,
    /// At a time: 2027-03-01T09:00:00+01:00, or without an offset together with --zone.
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// By a cron line: minute, hour, day, month, weekday.
    #[arg(long, value_name = "LINE")]
    pub(crate) cron: Option<String>,
    /// The time zone of --cron or --at, such as Europe/Berlin [default: UTC].
    #[arg(long)]
    pub(crate) zone: Option<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `plans remove`.
#[derive(Args, Debug)]
pub(crate) struct RemovePlanArgs {
    /// The plan: its id, or a name that only one has.
    pub(crate) plan: String,
    /// Whose.
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}
