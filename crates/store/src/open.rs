//! Opening: which database, for whom, at which schema version.

use crate::around::Around;
use crate::error::{Result, StoreError};
use crate::process::Presence;
use crate::schema;
use crate::sql::{Engine, Mode, Pool, open_lite, open_post, settle};
use crate::store::Store;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Readers of an embedded database.
const READERS: usize = 8;
/// Connections to a server.
const CONNECTIONS: usize = 16;

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file of its own.
    File(PathBuf),
    /// A PostgreSQL database.
    Postgres(String),
}

/// What a store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read and write. One process at a time has an embedded database so.
    Write,
    /// To read, also while another process writes.
    Read,
}

impl Address {
    /// `postgres://…` or `postgresql://…` is a server, anything else is a file.
    pub fn parse(text: &str) -> Address {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Address::Postgres(text.to_owned())
        } else {
            Address::File(text.strip_prefix("sqlite:").unwrap_or(text).into())
        }
    }
}

impl Store {
    /// Opens a store, and makes it if it is not there. `now` is the time, in milliseconds since 1970.
    pub fn open(address: &Address, access: Access, now: i64) -> Result<Store> {
        match address {
            Address::File(path) => open_file(path, access, now),
            Address::Postgres(url) => open_server(url, access, now),
        }
    }
}

/// Makes a database as an earlier version of this program made it. For tests of migrations.
#[doc(hidden)]
pub fn make_at(version: i64, address: &Address, now: i64) -> Result<()> {
    let mut conn = match address {
        Address::File(path) => open_lite(path, Mode::Write)?,
        Address::Postgres(url) => open_post(url)?,
    };
    schema::migrate_to(&mut conn, version, now)
}

fn open_file(path: &Path, access: Access, now: i64) -> Result<Store> {
    let lock = match access {
        Access::Read => None,
        Access::Write => {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
            }
            Some(lock(path)?)
        }
    };
    let mode = match access {
        Access::Read => Mode::Read,
        Access::Write => Mode::Write,
    };
    let mut first = open_lite(path, mode)?;
    match access {
        Access::Write => {
            settle(&first)?;
            schema::migrate(&mut first, now)?;
        }
        Access::Read => schema::check(&mut first)?,
    }
    drop(first);
    let (to_write, to_read) = (path.to_owned(), path.to_owned());
    let write = Pool::new(1, move || open_lite(&to_write, mode));
    let read = Pool::new(READERS, move || open_lite(&to_read, Mode::Read));
    Ok(Store::new(Engine::Sqlite, access, Presence::alone(), write, read, Arc::default(), lock))
}

fn open_server(url: &str, access: Access, now: i64) -> Result<Store> {
    let mut first = open_post(url)?;
    match access {
        Access::Write => schema::migrate(&mut first, now)?,
        Access::Read => schema::check(&mut first)?,
    }
    drop(first);
    let presence = match access {
        Access::Write => Presence::among(url)?,
        Access::Read => Presence::alone(),
    };
    let (to_write, to_read) = (url.to_owned(), url.to_owned());
    let write = Pool::new(CONNECTIONS, move || open_post(&to_write));
    let around = Arc::<Around>::default();
    let kept = around.clone();
    let read = Pool::new(CONNECTIONS, move || {
        // Another server may answer now, one that took over and has lost the newest.
        open_post(&to_read).inspect(|_| kept.forget())
    });
    Ok(Store::new(Engine::Postgres, access, presence, write, read, around, None))
}

/// Takes the file for this process alone; the lock goes with the process, however it ends.
fn lock(path: &Path) -> Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let path_of_lock = PathBuf::from(name);
    let file = File::options().create(true).truncate(false).read(true).write(true).open(&path_of_lock);
    let mut file = file.map_err(|error| file_error(&path_of_lock, error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut pid = String::new();
            let _ = file.read_to_string(&mut pid);
            return Err(StoreError::InUse { path: path.to_owned(), pid: pid.trim().to_owned() });
        }
        Err(TryLockError::Error(error)) => return Err(file_error(&path_of_lock, error)),
    }
    // The lock is held whether or not there is room to say who holds it.
    let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(file)
}

fn file_error(path: &Path, error: std::io::Error) -> StoreError {
    StoreError::File { path: path.to_owned(), error }
}
