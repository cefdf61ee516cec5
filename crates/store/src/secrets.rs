//! Keys of providers. Whoever puts one here has sealed it; the store never opens it, and no export holds one.

use crate::error::Result;
use crate::node::check_id;
use crate::space::check_text;
use crate::sql::{Row, args};
use crate::store::Store;
use std::fmt;

/// A secret as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    /// What it is of.
    pub name: SecretName,
    /// The secret, sealed by whoever put it here.
    pub sealed: Vec<u8>,
}

/// What may be shown of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretName {
    /// Its name.
    pub name: String,
    /// Its last characters, to tell it from another.
    pub hint: String,
    /// When it was put here, in milliseconds since 1970.
    pub created_at: i64,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Store {
    /// Keeps a sealed secret. One of the same name is replaced.
    pub fn put_secret(&self, name: &str, sealed: &[u8], hint: &str, now: i64) -> Result<()> {
        const SQL: &str = "INSERT INTO secrets(name, sealed, hint, created_at) VALUES(?1, ?2, ?3, ?4) \
                           ON CONFLICT(name) DO UPDATE SET sealed = excluded.sealed, hint = excluded.hint, \
                           created_at = excluded.created_at";
        check_id(name)?;
        check_text("a secret's hint", hint)?;
        self.writing(|tx| tx.run(SQL, args![name, sealed, hint, now]).map(drop))
    }

    /// A sealed secret.
    pub fn secret(&self, name: &str) -> Result<Option<Secret>> {
        const SQL: &str = "SELECT name, hint, created_at, sealed FROM secrets WHERE name = ?1";
        self.reading(|tx| tx.first(SQL, args![name], |row| Ok(Secret { name: read(row)?, sealed: row.bytes(3)?.to_vec() })))
    }

    /// What may be shown of all secrets, by name.
    pub fn secrets(&self) -> Result<Vec<SecretName>> {
        self.reading(|tx| tx.list("SELECT name, hint, created_at FROM secrets ORDER BY name", &[], read))
    }

    /// Takes a secret away; says whether it was there.
    pub fn remove_secret(&self, name: &str) -> Result<bool> {
        self.writing(|tx| Ok(tx.run("DELETE FROM secrets WHERE name = ?1", args![name])? == 1))
    }
}

fn read(row: &Row<'_>) -> Result<SecretName> {
    Ok(SecretName { name: row.text(0)?.to_owned(), hint: row.text(1)?.to_owned(), created_at: row.int(2)? })
}
