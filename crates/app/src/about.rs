//! What the program says of itself: `weft schema`, `weft completions`.

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::Outcome;
use crate::output;
use anyhow::Result;
use clap::CommandFactory;
use weftwork::model::Conversation;

/// Prints the JSON Schema of the conversation file.
pub(crate) fn schema() -> Result<Outcome> {
    let schema = schemars::schema_for!(Conversation);
    output::line(&serde_json::to_vec_pretty(&schema)?)?;
    Ok(Outcome::Ok)
}

/// Prints completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "weft", &mut script);
    output::data(&script)?;
    Ok(Outcome::Ok)
}
