//! `weft demo`: a small world to look around in, in a file of its own.

use super::args::DemoArgs;
use super::gate::Gate;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::path::{Path, PathBuf};
use weftwork_gateway::{Demo, Made};
use weftwork_store::{Access, Address, Store};

/// The demo's own file, in the folder for data.
const FILE: &str = "weft/demo.db";
/// How the ids of its spaces begin.
const OURS: &str = "demo-";
/// What lies beside a database.
const BESIDE: [&str; 5] = ["", "-wal", "-shm", ".lock", ".server"];

/// Makes the demo, or says that it is there.
pub(crate) fn run(args: &DemoArgs) -> Result<Outcome> {
    let address = args.db.address_or(FILE)?;
    if args.reset {
        forget(&address)?;
    }
    let gate = Gate::sealed(Store::open(&address, Access::Write, now())?)?;
    let demo = gate.wait(gate.gateway.make_demo()).map_err(|error| match error.downcast_ref() {
        Some(weftwork_gateway::DemoError::Half { .. }) => error.context("weft demo --reset makes it anew"),
        _ => error,
    })?;
    let place = match &address {
        Address::File(path) => path.display().to_string(),
        // An address may hold a password: whoever gave it has it.
        Address::Postgres(_) => "the database of --db".to_owned(),
    };
    if args.json {
        let Demo { team, reports, chat, loom, person, made } = &demo;
        let made = *made == Made::Now;
        let all =
            json!({"db": place, "made": made, "team": team, "reports": reports, "chat": chat, "loom": loom, "person": person});
        output::line(&serde_json::to_vec(&all)?)?;
    } else {
        output::data(guide(&demo, &address, &place).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

/// Takes the file away, if there is nothing in it but the demo, and nobody has it.
fn forget(address: &Address) -> Result<()> {
    let Address::File(path) = address else {
        bail!("--reset takes a file away, and this is a server: give another database with --db");
    };
    if !path.exists() {
        return Ok(());
    }
    let store = Store::open(address, Access::Write, now())?;
    let spaces = store.spaces()?;
    if let Some(other) = spaces.iter().find(|space| !space.id.as_str().starts_with(OURS)) {
        bail!("{}: {} is no space of the demo, so the file is left alone", path.display(), other.id);
    }
    drop(store);
    BESIDE.iter().try_for_each(|beside| remove(&with(path, beside)))
}

fn with(path: &Path, beside: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(beside);
    name.into()
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).with_context(|| path.display().to_string()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Where to look first.
fn guide(demo: &Demo, address: &Address, place: &str) -> String {
    let Demo { team, chat, loom, made, .. } = demo;
    let said = match made {
        Made::Now => format!("The demo is in {place}."),
        Made::Before => format!("The demo is there already, in {place}: --reset makes it anew."),
    };
    let export = match address {
        Address::File(path) => format!("\n  export WEFT_DB='{}'\n", path.display()),
        Address::Postgres(_) => String::new(),
    };
    let mut table = Table::of_ids(&[Align::Left, Align::Left]);
    for (command, shows) in [
        (format!("weft spaces read {team} --as Mira"), "what the team said, and what is new"),
        (format!("weft spaces post {team} \"Blue and gold\" --as Mira"), "Editor waits for this"),
        ("weft runs".to_owned(), "what the agents did, and wait for"),
        ("weft agents show Editor".to_owned(), "what it is after, remembers and did"),
        (format!("weft spaces context {team} --agent Scout"), "what Scout would be sent now"),
        ("weft plans".to_owned(), "what comes due, and when"),
        ("weft services".to_owned(), "who else can wake an agent"),
        (format!("weft chat {chat}"), "a conversation with branches: /tree"),
        (format!("weft chat {loom}"), "a story with several ways on: /tree"),
    ] {
        table.row(Ink::Plain, [command, shows.to_owned()]);
    }
    format!("{said} Look around:\n{export}\n{}", table.show(Style::stdout()))
}
