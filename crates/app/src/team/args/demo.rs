//! The arguments of `weft demo`.

use crate::keep::DbArgs;
use clap::Args;

/// Arguments of `demo`.
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Make it anew: what was done in the demo's file is lost.
    #[arg(long)]
    pub(crate) reset: bool,
    /// Print what there is as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) db: DbArgs,
}
