//! Which database is meant, and opening it.

use anyhow::{Result, anyhow, bail};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use weftwork_store::{Access, Address, Store, StoreError};

/// Which database.
#[derive(Args, Debug)]
pub(crate) struct DbArgs {
    /// The database: a file, or postgres://… [default: weft/weft.db in $XDG_DATA_HOME or ~/.local/share].
    #[arg(long, value_name = "URL|FILE")]
    db: Option<String>,
}

impl DbArgs {
    /// Whether an argument names a database.
    pub(crate) fn given(&self) -> bool {
        self.db.is_some()
    }

    /// The database of the environment, which is weaker than any argument.
    pub(crate) fn variable() -> Option<String> {
        std::env::var("WEFT_DB").ok().filter(|text| !text.is_empty())
    }

    /// Opens to read, also while another process writes.
    pub(crate) fn read(&self) -> Result<Store> {
        let address = self.address()?;
        if let Address::File(path) = &address
            && !path.exists()
        {
            bail!("{}", nothing_there(path));
        }
        match Store::open(&address, Access::Read, now()) {
            Err(StoreError::Older { found: 0, .. }) => {
                bail!("the database is empty: begin with weft import FILE, with the same --db")
            }
            result => Ok(result?),
        }
    }

    /// Opens to change what is there.
    pub(crate) fn change(&self) -> Result<Store> {
        let address = self.address()?;
        if let Address::File(path) = &address
            && !path.exists()
        {
            bail!("{}", nothing_there(path));
        }
        Ok(Store::open(&address, Access::Write, now())?)
    }

    /// Opens to write, and makes the database if it is not there.
    pub(crate) fn write(&self) -> Result<Store> {
        Ok(Store::open(&self.address()?, Access::Write, now())?)
    }

    /// Opens to write, and makes the database if it is not there: the one that is named, or a file in the folder for data.
    pub(crate) fn open_or_make(&self, file: &str) -> Result<Store> {
        Ok(Store::open(&self.address_or(file)?, Access::Write, now())?)
    }

    fn address(&self) -> Result<Address> {
        self.address_or("weft/weft.db")
    }

    /// The database that is named, or a file in the folder for data.
    pub(crate) fn address_or(&self, file: &str) -> Result<Address> {
        match self.db.clone().filter(|text| !text.is_empty()).or_else(DbArgs::variable) {
            Some(text) => Ok(Address::parse(&text)),
            None => default_file(file).map(Address::File),
        }
    }
}

fn nothing_there(path: &Path) -> String {
    format!(
        "{}: there is no database yet: begin with weft import FILE, weft spaces create NAME, weft chat or weft demo, or name \
         another one with --db",
        path.display()
    )
}

/// The file of somebody who names none.
fn default_file(name: &str) -> Result<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")));
    let data = data.ok_or_else(|| anyhow!("neither XDG_DATA_HOME nor HOME is set: name the database with --db"))?;
    Ok(data.join(name))
}

/// The time, in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
