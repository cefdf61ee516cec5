//! The arguments of what people do in spaces.

use super::runs::ThenArgs;
use crate::keep::ListArgs;
use crate::remote::PlaceArgs;
use crate::words::small_amount;
use clap::{Args, ValueEnum};
use weftwork::model::Wake;

/// Arguments of `spaces create`.
#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// What the space is called.
    pub(crate) name: String,
    /// Its id [default: made of its name].
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// What was read here may be repeated only where every reader belongs to this space, too.
    #[arg(long)]
    pub(crate) confidential: bool,
    /// Which agents a message wakes: all, or only those it mentions as @Name.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) wake: WakeWord,
    /// Agents and people who belong to it: ids, or names that only one has.
    #[arg(long, value_name = "WHO")]
    pub(crate) member: Vec<String>,
    /// People who belong to it, by name; those who are not known are made [default: the person at this machine].
    #[arg(long, value_name = "NAME")]
    pub(crate) person: Vec<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Which agents a message wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WakeWord {
    /// Every agent.
    All,
    /// Those that are mentioned.
    Mentioned,
}

impl WakeWord {
    /// The rule it names.
    pub(crate) fn rule(self) -> Wake {
        match self {
            WakeWord::All => Wake::All,
            WakeWord::Mentioned => Wake::Mentioned,
        }
    }
}

/// Arguments of `spaces join`.
#[derive(Args, Debug)]
pub(crate) struct JoinArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    /// Who joins: ids, or names that only one has.
    #[arg(value_name = "WHO", required_unless_present = "person")]
    pub(crate) who: Vec<String>,
    /// People who join, by name; those who are not known are made.
    #[arg(long, value_name = "NAME")]
    pub(crate) person: Vec<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `spaces leave`.
#[derive(Args, Debug)]
pub(crate) struct LeaveArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    /// Who leaves: an id, or a name that only one has.
    pub(crate) who: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `spaces post`.
#[derive(Args, Debug)]
pub(crate) struct PostArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    /// What to say; `-` reads it from stdin.
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: String,
    /// Who says it [default: the only person of the space, or the person at this machine].
    #[arg(long = "as", value_name = "WHO")]
    pub(crate) who: Option<String>,
    /// The message it replies to: its id, or how it begins.
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) reply_to: Option<String>,
    /// Tell the agents that you wait for a reply.
    #[arg(long)]
    pub(crate) wait_for_reply: bool,
    #[command(flatten)]
    pub(crate) then: ThenArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `spaces read`.
#[derive(Args, Debug)]
pub(crate) struct ReadArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    /// Who reads [default: the only person of the space, or the person at this machine].
    #[arg(long = "as", value_name = "WHO")]
    pub(crate) who: Option<String>,
    /// At most so many messages, the newest.
    #[arg(long, value_name = "N", value_parser = small_amount, default_value = "20")]
    pub(crate) limit: u32,
    /// Only what was said before this message: its id, or how it begins.
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) before: Option<String>,
    /// Count what is shown as read.
    #[arg(long)]
    pub(crate) mark_read: bool,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `spaces context`.
#[derive(Args, Debug)]
pub(crate) struct ContextArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    /// The agent: its id, or a name that only one has.
    #[arg(long)]
    pub(crate) agent: String,
    /// Show where the window goes and what becomes of each message, instead.
    #[arg(long, conflicts_with_all = ["report", "json"])]
    pub(crate) explain: bool,
    /// Print the report as JSON, instead.
    #[arg(long, conflicts_with = "json")]
    pub(crate) report: bool,
    /// Print the request body, byte for byte, instead.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// Arguments of `spaces delete-message`.
#[derive(Args, Debug)]
pub(crate) struct DeleteMessageArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    /// The message: its id, or how it begins.
    pub(crate) message: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}
