//! The arguments of `weft chat`, as `weft help` shows them.

use crate::keep::DbArgs;
use clap::Args;

/// Arguments of `chat`.
#[derive(Args, Debug)]
pub(crate) struct ChatArgs {
    /// The chat to go on with: the id of its space, or a name that only one has [default: a new one].
    #[arg(conflicts_with = "newest")]
    pub(crate) space: Option<String>,
    /// Go on with the newest chat.
    #[arg(short = 'c', long = "continue")]
    pub(crate) newest: bool,
    /// Begin a new chat, as without SPACE.
    #[arg(long, conflicts_with_all = ["space", "newest"])]
    pub(crate) new: bool,
    /// The model, as provider/model or by its bare name.
    #[arg(short, long)]
    pub(crate) model: Option<String>,
    /// What the model is told before all else.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) system: Option<String>,
    #[command(flatten)]
    pub(crate) db: DbArgs,
}
