//! `weft agents`: who there is that acts.

mod add;
mod list;
mod show;

use super::args::{AgentsArgs, AgentsCommand};
use crate::config::Config;
use crate::exit::Outcome;
use crate::input::Source;
use anyhow::{Context, Result};
use std::path::Path;

/// Lists the agents, or does something with one.
pub(crate) fn run(args: &AgentsArgs) -> Result<Outcome> {
    match &args.command {
        Some(AgentsCommand::Add(args)) => add::add(args),
        Some(AgentsCommand::Set(args)) => add::set(args),
        Some(AgentsCommand::Show(args)) => show::show(args),
        Some(AgentsCommand::Work(args)) => super::elsewhere::work(args),
        None => list::list(&args.list),
    }
}

/// The model of a name, as it is kept. A name that leads nowhere is said before anything is made.
fn model(name: &str) -> Result<String> {
    Ok(super::gate::providers(&Config::read()?)?.resolve(name)?.model.name)
}

/// A text, or what a file holds whose name stands behind an @.
fn prompt(given: &str) -> Result<String> {
    match given.strip_prefix('@') {
        Some(file) => {
            let bytes = Source::of(Path::new(file)).read()?;
            String::from_utf8(bytes).with_context(|| format!("{file}: not UTF-8"))
        }
        None => Ok(given.to_owned()),
    }
}
