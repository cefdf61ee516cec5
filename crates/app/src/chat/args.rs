//! The arguments of `weft chat`, as `weft help` shows them.

use crate::remote::PlaceArgs;
use clap::{Args, ValueEnum};
use weftwork::model::LoomAccess;
use weftwork_gateway::Sight;

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
    /// Show the agent the tree it stands in, and let it do so much there.
    #[arg(long, value_name = "HOW")]
    pub(crate) loom: Option<LoomArg>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// What an agent may do in the tree it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoomArg {
    /// It reads its own path, as agents do.
    Off,
    /// It looks around.
    Read,
    /// It also adds, links, marks and prunes.
    Write,
    /// It also lets its model write continuations.
    Generate,
}

impl From<LoomArg> for Sight {
    fn from(arg: LoomArg) -> Self {
        match arg {
            LoomArg::Off => Sight::Path,
            LoomArg::Read => Sight::Tree(LoomAccess::Read),
            LoomArg::Write => Sight::Tree(LoomAccess::Write),
            LoomArg::Generate => Sight::Tree(LoomAccess::Generate),
        }
    }
}
