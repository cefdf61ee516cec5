//! `weft key`: keys of providers, sealed in the database.
//!
//! The seal lies outside the database: in `WEFT_SEAL`, or in a file of the configuration folder that only its owner may
//! read. Who has the database alone has no key.

use crate::config::folder;
use crate::exit::Outcome;
use crate::keep;
use crate::output;
use crate::remote::{Place, PlaceArgs};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use std::io::{IsTerminal, Read};
use weftwork_gateway::{Seal, hand_out_keys, keep_key, kept_keys};
use weftwork_provider::Providers;
use weftwork_store::Store;

/// Longest key that is read.
const LONGEST: u64 = 16 << 10;

/// Arguments of `key`.
#[derive(Args, Debug)]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Subcommand, Debug)]
enum KeyCommand {
    /// Keep a provider's key. It is read from stdin; on a terminal it is asked for and not shown.
    Set {
        /// The provider: openai, anthropic, gemini, or one of the configuration.
        provider: String,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Which providers have a key here. Of each only the last characters are shown.
    List {
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Forget a provider's key.
    Remove {
        /// The provider.
        provider: String,
        #[command(flatten)]
        place: PlaceArgs,
    },
}

/// Keeps, lists or forgets.
pub(crate) fn run(args: &KeyArgs) -> Result<Outcome> {
    match &args.command {
        KeyCommand::Set { provider, place } => set(provider, &place.write()?),
        KeyCommand::List { place } => list(&place.read()?),
        KeyCommand::Remove { provider, place } => remove(provider, &place.write()?),
    }
}

fn set(provider: &str, place: &Place) -> Result<Outcome> {
    let key = if std::io::stdin().is_terminal() {
        rpassword::prompt_password(format!("key of {provider}: ")).context("the key")?
    } else {
        let mut text = String::new();
        std::io::stdin().take(LONGEST).read_to_string(&mut text).context("the key")?;
        text
    };
    match place {
        Place::Here(store) => keep_key(store, &seal()?, provider, key.trim(), keep::now())?,
        Place::There(server) => server.keep_key(provider, key.trim())?,
    }
    output::say(&format!("the key of {provider} is kept, sealed\n"));
    Ok(Outcome::Ok)
}

fn list(place: &Place) -> Result<Outcome> {
    let mut table = Table::new(&[Align::Left, Align::Left]);
    match place {
        Place::Here(store) => {
            for secret in kept_keys(store)? {
                table.row(Ink::Plain, [secret.name, format!("…{}", secret.hint)]);
            }
        }
        // How a key ends is not told from afar.
        Place::There(server) => server.keys()?.into_iter().for_each(|name| table.row(Ink::Plain, [name, "kept".to_owned()])),
    }
    output::data(table.show(Style::stdout()).as_bytes())?;
    Ok(Outcome::Ok)
}

fn remove(provider: &str, place: &Place) -> Result<Outcome> {
    match place {
        Place::Here(store) if store.remove_secret(provider)? => {}
        Place::Here(_) => bail!("no key of {provider:?} is kept here"),
        Place::There(server) => server.forget_key(provider)?,
    }
    output::say(&format!("the key of {provider} is forgotten\n"));
    Ok(Outcome::Ok)
}

/// Gives providers the keys that are kept for them, where the environment gives none.
pub(crate) fn hand_out(store: &Store, providers: &Providers) -> Result<()> {
    if kept_keys(store)?.is_empty() {
        return Ok(());
    }
    for unknown in hand_out_keys(store, &seal()?, providers)? {
        output::warn(&format!("a key of {unknown:?} is kept here, and no provider has that name"));
    }
    Ok(())
}

/// The seal, made if there is none.
pub(crate) fn seal() -> Result<Seal> {
    match std::env::var("WEFT_SEAL") {
        Ok(text) => Ok(Seal::parse(&text).context("WEFT_SEAL")?),
        Err(_) => {
            let folder = folder("XDG_CONFIG_HOME", ".config").context("no folder for the seal: set WEFT_SEAL")?;
            Ok(Seal::open_or_make(&folder.join("weft/seal"))?)
        }
    }
}
