//! `weft token`: ways in for programs and for people who lost theirs, made on the database itself or by its server.

use crate::exit::Outcome;
use crate::keep;
use crate::output;
use crate::remote::{Place, PlaceArgs, Server};
use crate::serve::{hash, new_secret};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};
use weftwork::model::{Entity, EntityId, EntityKind, Timestamp};
use weftwork_store::{NewPass, Pass, PassKind, Role, Scopes, Store};

const DAY: i64 = 24 * 60 * 60 * 1000;
/// How long a link is good that lets somebody sign in again.
const LINK_HOURS: i64 = 24;

/// Arguments of `token`.
#[derive(Args, Debug)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Subcommand, Debug)]
enum TokenCommand {
    /// Make a token for a program, and print it: it is shown once.
    New {
        /// What it is for.
        name: String,
        /// Who acts through it: an id, or a name that only one has [default: the only owner].
        #[arg(long = "as", value_name = "ENTITY")]
        who: Option<String>,
        /// What it may do: read, write, models, admin [default: all].
        #[arg(long, value_name = "SCOPE", value_delimiter = ',')]
        scope: Vec<String>,
        /// After how many days it ends [default: never].
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: Option<u32>,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// List tokens: what they are for, who acts through them, when they were used last.
    List {
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Revoke a token.
    Revoke {
        /// Its id.
        id: String,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Print what stands behind the server's address in a link that lets somebody sign in again, once.
    Link {
        /// Who: an id, or a name that only one has.
        who: String,
        #[command(flatten)]
        place: PlaceArgs,
    },
}

/// Makes, lists or revokes.
pub(crate) fn run(args: &TokenArgs) -> Result<Outcome> {
    match &args.command {
        TokenCommand::New { name, who, scope, days, place } => {
            let secret = match place.change()? {
                Place::Here(store) => new(&store, name, who.as_deref(), scope, *days)?,
                Place::There(server) => {
                    let who = who.as_deref().map(|who| found_there(&server, who)).transpose()?;
                    server.make_token(name, who.as_ref(), scope, *days)?
                }
            };
            output::line(secret.as_bytes())?;
        }
        TokenCommand::List { place } => list(&place.read()?)?,
        TokenCommand::Revoke { id, place } => {
            match place.change()? {
                Place::Here(store) if store.revoke_pass(id, None, keep::now())? => {}
                Place::Here(_) => bail!("there is no token {id:?}: weft token list shows them"),
                Place::There(server) => server.revoke_token(id)?,
            }
            output::say("it opens nothing any more\n");
        }
        TokenCommand::Link { who, place } => {
            let link = match place.change()? {
                Place::Here(store) => link(&store, who)?,
                Place::There(server) => server.link(&found_there(&server, who)?, LINK_HOURS)?,
            };
            output::line(link.as_bytes())?;
        }
    }
    Ok(Outcome::Ok)
}

fn found_there(server: &Server, who: &str) -> Result<EntityId> {
    Ok(server.people()?.find(who)?.id.clone())
}

fn new(store: &Store, name: &str, who: Option<&str>, words: &[String], days: Option<u32>) -> Result<String> {
    let now = keep::now();
    let entity = match who {
        Some(who) => find(store, who)?,
        None => only_owner(store)?,
    };
    if store.account(&entity.id)?.is_none() {
        store.put_account(&entity.id, Role::Member, now)?;
    }
    let mut scopes = if words.is_empty() { Scopes::ALL } else { Scopes::NONE };
    for word in words {
        let scope = Scopes::of_word(word).ok_or_else(|| anyhow!("{word:?} is none of read, write, models, admin"))?;
        scopes = scopes | scope;
    }
    let secret = new_secret(PassKind::Token)?;
    let expires_at = days.map(|days| now + i64::from(days) * DAY);
    let (entity, name) = (Some(entity.id), name.to_owned());
    store.put_pass(&NewPass { entity, name, scopes, expires_at, ..NewPass::new(PassKind::Token, hash(&secret)) }, now)?;
    Ok(secret)
}

fn link(store: &Store, who: &str) -> Result<String> {
    let (entity, now) = (find(store, who)?, keep::now());
    let secret = new_secret(PassKind::Invitation)?;
    let pass = NewPass {
        entity: Some(entity.id),
        name: "signing in again".into(),
        scopes: Scopes::ALL,
        expires_at: Some(now + DAY),
        ..NewPass::new(PassKind::Invitation, hash(&secret))
    };
    store.put_pass(&pass, now)?;
    Ok(format!("/join/{secret}"))
}

fn list(place: &Place) -> Result<()> {
    let mut table = Table::of_ids(&[Align::Left, Align::Left, Align::Left, Align::Left, Align::Left]);
    let mut row = |id: String, name: String, entity: &str, scopes: String, used: Option<Timestamp>| {
        let used = used.map_or_else(|| "never".to_owned(), |at| at.to_string());
        table.row(Ink::Plain, [id, name, entity.to_owned(), scopes, used]);
    };
    match place {
        Place::Here(store) => {
            for account in store.accounts()? {
                for Pass { id, name, scopes, used_at, .. } in store.passes(&account.entity, PassKind::Token)? {
                    let scopes = scopes.words().collect::<Vec<_>>().join(",");
                    row(id, name, account.entity.as_str(), scopes, used_at.and_then(Timestamp::from_millis));
                }
            }
        }
        Place::There(server) => {
            for token in server.tokens()? {
                let entity = token.entity.as_ref().map_or("", EntityId::as_str);
                row(token.id, token.name, entity, token.scopes.join(","), token.used_at);
            }
        }
    }
    output::data(table.show(Style::stdout()).as_bytes())
}

fn find(store: &Store, who: &str) -> Result<Entity> {
    let mut all = store.entities(EntityKind::Human)?;
    all.extend(store.entities(EntityKind::Agent)?);
    if let Some(found) = all.iter().find(|entity| entity.id.as_str() == who) {
        return Ok(found.clone());
    }
    let mut named = all.into_iter().filter(|entity| entity.name == who);
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => bail!("several are called {who:?}: say {} or {}", one.id, other.id),
        (None, _) => bail!("nobody here is called {who:?}"),
    }
}

fn only_owner(store: &Store) -> Result<Entity> {
    let accounts = store.accounts()?;
    let mut owners = accounts.iter().filter(|account| account.role == Role::Owner && account.closed_at.is_none());
    match (owners.next(), owners.next()) {
        (Some(owner), None) => Ok(store.entity(&owner.entity)?),
        (Some(_), Some(_)) => bail!("there are several owners: say with --as who acts through it"),
        (None, _) => bail!("nobody has an account yet: start weft serve and open the link it prints, or say with --as who it is"),
    }
}
