//! The `weft` binary: reads files or a database, asks the engine, prints what it says.
//!
//! Data goes to stdout, everything else to stderr. Nothing here panics: a closed pipe ends a command quietly, bad input
//! is an error with its place, and the exit code tells which of the two it was (see [`exit`]).

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod about;
mod ask;
mod assemble;
mod chat;
mod cli;
mod config;
mod convert;
mod count;
mod exit;
mod explain;
mod input;
mod keep;
mod key;
mod lint;
mod number;
mod output;
mod preview;
mod remote;
mod serve;
mod style;
mod table;
mod team;
mod token;
mod words;

use clap::Parser;
use cli::{Cli, Command};
use exit::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => exit::end(run(cli.command)),
        Err(usage) => exit::usage(&usage),
    }
}

fn run(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Assemble(args) => assemble::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Chat(args) => chat::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Import(args) => keep::import(&args),
        Command::Export(args) => keep::export(&args),
        Command::Spaces(args) => keep::spaces(&args),
        Command::Agents(args) => team::agents(&args),
        Command::Runs(args) => team::runs(&args),
        Command::Plans(args) => team::plans(&args),
        Command::Services(args) => team::services(&args),
        Command::Demo(args) => team::demo(&args),
        Command::Search(args) => keep::search(&args),
        Command::Usage(args) => keep::usage(&args),
        Command::Verify(args) => keep::verify(&args),
        Command::Key(args) => key::run(&args),
        Command::Token(args) => token::run(&args),
        Command::Backup(args) => keep::backup(&args),
        Command::Schema => about::schema(),
        Command::Completions(args) => about::completions(&args),
    }
}
