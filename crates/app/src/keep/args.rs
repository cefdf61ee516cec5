//! The arguments of these verbs, as `weft help` shows them.

use super::when::{Moment, since, until};
use crate::remote::PlaceArgs;
use crate::words::{From, small_amount, to};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use weftwork::formats::ExportFormat;

/// Arguments of `import`.
#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// The files to take in; `-` for stdin.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Format of the files.
    #[arg(long, value_name = "FORMAT", value_parser = crate::words::from(), default_value = "auto")]
    pub(crate) from: From,
    /// The id that the space gets; for a single conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) space: Option<String>,
    /// Print what was taken in as JSON, a line for each conversation.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// Arguments of `export`.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The spaces: ids, or names that only one has.
    #[arg(value_name = "SPACE", required_unless_present = "all")]
    pub(crate) spaces: Vec<String>,
    /// Every space.
    #[arg(long, conflicts_with = "spaces")]
    pub(crate) all: bool,
    /// Format to write. Only weft and weft-jsonl lose nothing.
    #[arg(long, value_name = "FORMAT", value_parser = to(), default_value = "weft")]
    pub(crate) to: ExportFormat,
    /// A file, or a folder (one that is there, or ends with a slash) for a file per space, instead of stdout.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// Arguments of `spaces`.
#[derive(Args, Debug)]
pub(crate) struct SpacesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SpacesCommand>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of a list.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Print it as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// What to do with spaces besides listing them.
#[derive(Subcommand, Debug)]
pub(crate) enum SpacesCommand {
    /// Show a space: who belongs to it, how far they have read, its branches.
    Show(ShowArgs),
    #[command(flatten)]
    Team(crate::team::SpaceCommand),
}

/// Arguments of `spaces show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The space: its id, or a name that only one has.
    pub(crate) space: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `search`.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// What to look for: all of these words; "words in quotes" as they stand; wor* begins a word; -word must not be there.
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// Only in these spaces: ids, or names that only one has.
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Vec<String>,
    /// Only what they said: an id, or a name that only one has.
    #[arg(long, value_name = "AUTHOR")]
    pub(crate) by: Option<String>,
    /// Only on the path to this node of the one --space.
    #[arg(long, value_name = "NODE", requires = "space")]
    pub(crate) branch: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N", value_parser = small_amount, default_value = "20")]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) period: PeriodArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// A stretch of time.
#[derive(Args, Debug)]
pub(crate) struct PeriodArgs {
    /// From this day (UTC) or moment on: 2026-02-18 or 2026-02-18T14:50:00Z.
    #[arg(long, value_name = "DATE", value_parser = since)]
    pub(crate) since: Option<Moment>,
    /// Up to the end of this day (UTC), or before this moment.
    #[arg(long, value_name = "DATE", value_parser = until)]
    pub(crate) until: Option<Moment>,
}

/// Arguments of `usage`.
#[derive(Args, Debug)]
pub(crate) struct UsageArgs {
    /// What calls are summed by; days are those of UTC.
    #[arg(long, value_enum, default_value = "space")]
    pub(crate) by: UsageBy,
    /// Only in these spaces. For a single one also its context window and accounting lines.
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Vec<String>,
    #[command(flatten)]
    pub(crate) period: PeriodArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// What calls are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UsageBy {
    /// Where they were made.
    Space,
    /// Who asked.
    Agent,
    /// Which model was asked.
    Model,
    /// When.
    Day,
    /// The run they belong to.
    Run,
    /// Each on its own.
    Call,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Spaces, or exported conversation files; every space if none.
    #[arg(value_name = "SPACE|FILE")]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `backup`.
#[derive(Args, Debug)]
pub(crate) struct BackupArgs {
    /// The file to write; it must not be there yet.
    #[arg(value_name = "TO")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}
