//! The file beside a database by which its server is found: where it listens, and a secret that lets the user of this machine
//! in as the owner. `weft serve` writes it and takes it away again; it can be read by its user alone, who could read the
//! database as well. The secret is kept nowhere else and dies with the server.

use super::refused::Refused;
use super::server::Server;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How a server of this machine is reached.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Beside {
    url: String,
    secret: String,
    /// The server's process: what is left of one that died leads nowhere.
    pid: u32,
}

/// The file, gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Written {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Beside {
    /// Writes where a server is, for those who find a database in its hands.
    pub(crate) fn write(database: &Path, at: std::net::SocketAddr, secret: &str) -> Result<Written> {
        let port = at.port();
        // Whoever listens everywhere listens on this machine, too.
        let at = match at.ip() {
            ip if !ip.is_unspecified() => at,
            std::net::IpAddr::V4(_) => (std::net::Ipv4Addr::LOCALHOST, port).into(),
            std::net::IpAddr::V6(_) => (std::net::Ipv6Addr::LOCALHOST, port).into(),
        };
        let beside = Beside { url: format!("http://{at}"), secret: secret.to_owned(), pid: std::process::id() };
        let (path, bytes) = (place(database), serde_json::to_vec(&beside)?);
        // What is left of a server that died may be anybody's: never written into, always replaced.
        let new = path.with_extension("server-new");
        let _ = fs::remove_file(&new);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).with_context(|| shown(&new))?;
        file.write_all(&bytes).and_then(|()| fs::rename(&new, &path)).with_context(|| shown(&path))?;
        Ok(Written { path, bytes })
    }

    /// What stands beside a database that a process has; nothing if there is nothing, nothing that its owner alone could have
    /// written, or something of another process.
    pub(crate) fn find(database: &Path, pid: &str) -> Option<Beside> {
        let path = place(database);
        let (kept, told) = (fs::metadata(database).ok()?, fs::symlink_metadata(&path).ok()?);
        let is_private = told.is_file() && told.uid() == kept.uid() && told.mode() & 0o077 == 0;
        if !is_private {
            return None;
        }
        let beside: Beside = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (beside.pid.to_string() == pid).then_some(beside)
    }

    /// The server it tells of; none if that is gone, or another is there by now.
    pub(crate) fn open(&self) -> Result<Option<Server>> {
        match Server::at(&self.url, &self.secret) {
            Ok(server) => Ok(Some(server)),
            Err(error) => match error.downcast_ref::<Refused>() {
                Some(refused) if !refused.is_stranger() => Err(error),
                Some(_) | None => Ok(None),
            },
        }
    }

    /// Where it is.
    pub(crate) fn address(&self) -> &str {
        &self.url
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // Another server may have come and written its own.
        if fs::read(&self.path).is_ok_and(|bytes| bytes == self.bytes) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn place(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".server");
    name.into()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
