//! The arguments of `weft services`.

use super::ThenArgs;
use crate::keep::ListArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Arguments of `services`.
#[derive(Args, Debug)]
pub(crate) struct ServicesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ServicesCommand>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// What to do with services besides listing them.
#[derive(Subcommand, Debug)]
pub(crate) enum ServicesCommand {
    /// Let a program elsewhere wake an agent by signed webhooks. Prints its secret, this once.
    #[command(after_help = "weft services add build-server --agent Analyst")]
    Add(AddServiceArgs),
    /// Give a service another secret. Prints it, this once.
    Rotate(RotateArgs),
    /// Take a service away: nothing it sends is taken any more.
    Remove(OneServiceArgs),
    /// Hand over what a service sent, and do what that makes due.
    #[command(after_help = "echo '{\"build\":\"failed\"}' | weft services deliver build-server --secret whsec_…")]
    Deliver(DeliverArgs),
}

/// Arguments of `services add`.
#[derive(Args, Debug)]
pub(crate) struct AddServiceArgs {
    /// Its name, as it stands in addresses: small letters, digits, hyphens.
    pub(crate) name: String,
    /// Whom it wakes: an agent's id, or a name that only one has.
    #[arg(long)]
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `services rotate`.
#[derive(Args, Debug)]
pub(crate) struct RotateArgs {
    /// The service.
    pub(crate) name: String,
    /// How long the secret it had is taken beside the new one; 0 for no longer.
    #[arg(long, value_name = "DELAY", default_value = "24 hours")]
    pub(crate) keep_old: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `services remove`.
#[derive(Args, Debug)]
pub(crate) struct OneServiceArgs {
    /// The service.
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

/// Arguments of `services deliver`.
#[derive(Args, Debug)]
#[group(id = "signed", required = true, multiple = false, args = ["header", "secret"])]
pub(crate) struct DeliverArgs {
    /// The service.
    pub(crate) name: String,
    /// A header it came with: webhook-id, webhook-timestamp, webhook-signature.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) header: Vec<String>,
    /// Sign it here, with this secret.
    #[arg(long, value_name = "whsec_…")]
    pub(crate) secret: Option<String>,
    /// The delivery's own id, where it is signed here [default: a new one]. The same id is taken once.
    #[arg(long, conflicts_with = "header")]
    pub(crate) id: Option<String>,
    /// The body, byte for byte; `-` or nothing for stdin.
    #[arg(long)]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) then: ThenArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}
