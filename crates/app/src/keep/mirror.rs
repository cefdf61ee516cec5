//! A store of this process alone, for what is only looked at. It accepts nothing whose hash does not match.

use super::address::now;
use anyhow::{Context, Result};
use tempfile::TempDir;
use weftwork::model::Conversation;
use weftwork_store::{Access, Address, Names, Store};

/// The store; gone when it is dropped.
pub(super) struct Mirror {
    store: Store,
    _folder: TempDir,
}

impl Mirror {
    pub(super) fn new() -> Result<Mirror> {
        let folder = tempfile::Builder::new().prefix("weft-").tempdir().context("a folder for a while")?;
        let store = Store::open(&Address::File(folder.path().join("mirror.db")), Access::Write, now())?;
        Ok(Mirror { store, _folder: folder })
    }

    /// One that holds a space.
    pub(super) fn of(file: &Conversation) -> Result<Mirror> {
        let mirror = Mirror::new()?;
        mirror.store.import(file, Names::Ours, now(), &mut |_| {})?;
        Ok(mirror)
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }
}
