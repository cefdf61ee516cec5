//! What people do in spaces: make one, come and go, speak, read, and look through an agent's eyes.

mod context;
mod create;
mod member;
mod message;
mod post;
mod read;

use super::args::{ContextArgs, CreateArgs, DeleteMessageArgs, JoinArgs, LeaveArgs, PostArgs, ReadArgs};
use crate::exit::Outcome;
use anyhow::Result;
use clap::Subcommand;

/// What to do in a space.
#[derive(Subcommand, Debug)]
pub(crate) enum SpaceCommand {
    /// Make a space for people and agents. Prints its id.
    #[command(after_help = "weft spaces create \"Project Alpha\" --person Husam --member Analyst")]
    Create(CreateArgs),
    /// Let somebody join a space.
    Join(JoinArgs),
    /// Let somebody leave a space. Whoever waits for their word goes on without it.
    Leave(LeaveArgs),
    /// Say something in a space; do what that makes due, and print what was answered.
    #[command(after_help = "weft spaces post alpha \"@Analyst how did Q4 go?\" --as Husam --wait-for-reply")]
    Post(PostArgs),
    /// Read what was said in a space; ● is what you have not read.
    Read(ReadArgs),
    /// Print what an agent would be sent if it ran now. Nothing is sent.
    Context(ContextArgs),
    /// Delete a message: nobody is shown it any more. Whoever waits for a reply to it goes on.
    DeleteMessage(DeleteMessageArgs),
}

/// Does it.
pub(crate) fn run(command: &SpaceCommand) -> Result<Outcome> {
    match command {
        SpaceCommand::Create(args) => create::create(args),
        SpaceCommand::Join(args) => member::join(args),
        SpaceCommand::Leave(args) => member::leave(args),
        SpaceCommand::Post(args) => post::post(args),
        SpaceCommand::Read(args) => read::read(args),
        SpaceCommand::Context(args) => context::context(args),
        SpaceCommand::DeleteMessage(args) => message::delete(args),
    }
}
