//! Where a verb works: on a database, or at a server.

use super::beside::Beside;
use super::server::Server;
use crate::keep::{self, DbArgs};
use crate::output;
use crate::team::People;
use anyhow::{Result, bail};
use clap::Args;
use weftwork::model::{Conversation, SpaceId};
use weftwork_store::{Listed, Store, StoreError};

/// Which database, or which server.
#[derive(Args, Debug)]
pub(crate) struct PlaceArgs {
    #[command(flatten)]
    db: DbArgs,
    /// A server instead of a database, as https://weft.example.org; WEFT_TOKEN holds the token for it [default: WEFT_SERVER].
    #[arg(long, value_name = "URL", conflicts_with = "db")]
    server: Option<String>,
}

/// A place to work at.
pub(crate) enum Place {
    /// A database.
    Here(Store),
    /// A server.
    There(Server),
}

impl PlaceArgs {
    /// To look. A file is read beside whoever has it.
    pub(crate) fn read(&self) -> Result<Place> {
        match self.address()? {
            Some(address) => Server::connect(&address).map(Place::There),
            None => self.db.read().map(Place::Here),
        }
    }

    /// To change what is there. What a server of this machine has goes through it.
    pub(crate) fn change(&self) -> Result<Place> {
        match self.address()? {
            Some(address) => Server::connect(&address).map(Place::There),
            None => self.or_through(self.db.change()),
        }
    }

    /// To change, or to make what is not there.
    pub(crate) fn write(&self) -> Result<Place> {
        match self.address()? {
            Some(address) => Server::connect(&address).map(Place::There),
            None => self.or_through(self.db.write()),
        }
    }

    /// The database, where a verb knows no other place.
    pub(crate) fn here(&self, what: &str, instead: &str) -> Result<&DbArgs> {
        match self.address()? {
            Some(_) => bail!("{what} does not go through a server: {instead}"),
            None => Ok(&self.db),
        }
    }

    /// The address of the server that is named, here or in the environment; an argument is stronger than any variable.
    pub(crate) fn address(&self) -> Result<Option<String>> {
        let variable = std::env::var("WEFT_SERVER").ok().filter(|address| !address.is_empty());
        match (&self.server, self.db.given(), variable) {
            (Some(server), _, _) => Ok(Some(server.clone())),
            (None, true, _) | (None, false, None) => Ok(None),
            (None, false, Some(_)) if DbArgs::variable().is_some() => {
                bail!("WEFT_SERVER and WEFT_DB are both set: say with --server or --db which is meant")
            }
            (None, false, Some(server)) => Ok(Some(server)),
        }
    }

    fn or_through(&self, opened: Result<Store>) -> Result<Place> {
        let error = match opened {
            Ok(store) => return Ok(Place::Here(store)),
            Err(error) => error,
        };
        let Some(StoreError::InUse { path, pid }) = error.downcast_ref() else { return Err(error) };
        let Some(beside) = Beside::find(path, pid) else { return Err(error) };
        let Some(server) = beside.open()? else { return Err(error) };
        output::say(&format!("through the server at {}\n", beside.address()));
        Ok(Place::There(server))
    }
}

impl Place {
    /// The spaces, those with the newest messages first; at a server those one belongs to.
    pub(crate) fn spaces(&self) -> Result<Vec<Listed>> {
        match self {
            Place::Here(store) => Ok(store.spaces()?),
            Place::There(server) => server.spaces(),
        }
    }

    /// The space that `wanted` means.
    pub(crate) fn find_space(&self, wanted: &str) -> Result<SpaceId> {
        keep::pick(&self.spaces()?, wanted)
    }

    /// Everybody there is; at a server those one knows of.
    pub(crate) fn people(&self) -> Result<People> {
        match self {
            Place::Here(store) => People::of(store),
            Place::There(server) => server.people(),
        }
    }

    /// A whole space.
    pub(crate) fn export(&self, space: &SpaceId) -> Result<Conversation> {
        match self {
            Place::Here(store) => Ok(store.export(space)?),
            Place::There(server) => server.export(space),
        }
    }
}
