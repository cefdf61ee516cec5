//! Keys of providers, sealed: who has the database has no key.
//!
//! The seal is a secret outside the database. A key is bound to the name it is kept under, so that nobody who can write into
//! the database can make one provider's key go to another.

use crate::error::GatewayError;
use crate::gateway::Gateway;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use weftwork_provider::Providers;
use weftwork_store::{SecretName, Store};

const NONCE: usize = 24;
const LENGTH: usize = 32;
/// Characters of a key that are shown, so that its owner knows it again.
const SHOWN: usize = 4;

/// Of shorter keys nothing is shown.
const LEAST_TO_SHOW: usize = 16;

/// What keys are sealed with.
pub struct Seal(XChaCha20Poly1305);

/// Why there is no seal, or it does not open.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The text is no seal.
    #[error("the seal must be 64 hexadecimal digits")]
    NotASeal,
    /// The file cannot be read or made.
    #[error("the seal {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// Others may read the file.
    #[error("the seal {} can be read by others: chmod 600 it", path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// The machine gives no randomness.
    #[error("the machine gives no randomness")]
    NoDice,
    /// It was sealed with another seal, under another name, or was changed.
    #[error("the key of {name:?} does not open with this seal: set it again")]
    Broken {
        /// What it is kept under.
        name: String,
    },
    /// The text cannot be a key.
    #[error(transparent)]
    BadKey(#[from] weftwork_provider::BadKey),
}

impl Seal {
    /// A seal of 64 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Seal, SealError> {
        let text = text.trim();
        if text.len() != LENGTH * 2 || !text.is_ascii() {
            return Err(SealError::NotASeal);
        }
        let mut bytes = [0; LENGTH];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).map_err(|_| SealError::NotASeal)?;
        }
        Ok(Seal(XChaCha20Poly1305::new(&Key::from(bytes))))
    }

    /// The seal in a file that only its owner may read; made if it is not there.
    pub fn open_or_make(path: &Path) -> Result<Seal, SealError> {
        let failed = |error| SealError::File { path: path.to_owned(), error };
        match std::fs::read_to_string(path) {
            Ok(text) if is_private(path).map_err(failed)? => Seal::parse(&text),
            Ok(_) => Err(SealError::Open { path: path.to_owned() }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let mut bytes = [0; LENGTH];
                getrandom::fill(&mut bytes).map_err(|_| SealError::NoDice)?;
                let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                write_new(path, &text).map_err(failed)?;
                Seal::parse(&text)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Seals a text under a name.
    pub fn seal(&self, name: &str, text: &str) -> Result<Vec<u8>, SealError> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| SealError::NoDice)?;
        let payload = Payload { msg: text.as_bytes(), aad: name.as_bytes() };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload).map_err(|_| SealError::NoDice)?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Opens what was sealed under a name.
    pub fn open(&self, name: &str, sealed: &[u8]) -> Result<String, SealError> {
        let broken = || SealError::Broken { name: name.to_owned() };
        let (nonce, rest) = sealed.split_first_chunk::<NONCE>().ok_or_else(broken)?;
        let payload = Payload { msg: rest, aad: name.as_bytes() };
        let text = self.0.decrypt(&XNonce::from(*nonce), payload).map_err(|_| broken())?;
        String::from_utf8(text).map_err(|_| broken())
    }
}

/// Keeps a provider's key, sealed.
pub fn keep_key(store: &Store, seal: &Seal, provider: &str, key: &str, now: i64) -> Result<(), GatewayError> {
    weftwork_provider::Key::new(key).map_err(SealError::BadKey)?;
    let length = key.chars().count();
    let hint: String = if length < LEAST_TO_SHOW { String::new() } else { key.chars().skip(length - SHOWN).collect() };
    Ok(store.put_secret(provider, &seal.seal(provider, key)?, &hint, now)?)
}

/// What may be shown of the keys that are kept for providers. A provider's name has no slash; other secrets have one.
pub fn kept_keys(store: &Store) -> Result<Vec<SecretName>, GatewayError> {
    Ok(store.secrets()?.into_iter().filter(|secret| !secret.name.contains('/')).collect())
}

impl Gateway {
    /// Gives providers the keys that are kept now: what was kept or forgotten since holds from the next request.
    pub async fn renew_keys(&self) -> Result<(), GatewayError> {
        let Some(seal) = self.seal.clone() else { return Ok(()) };
        let providers = self.providers.clone();
        self.stored(move |store| Ok(hand_out_keys(store, &seal, &providers))).await?.map(drop)
    }
}

/// Gives providers the keys that are kept for them, where the environment gives none, and takes back those that are not kept
/// any more. Names keys of which there is no provider. One that cannot be opened is in no other's way: it is told at the end.
pub fn hand_out_keys(store: &Store, seal: &Seal, providers: &Providers) -> Result<Vec<String>, GatewayError> {
    // Of two at once the later would set what the earlier had read.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut unknown, mut closed, kept) = (Vec::new(), None, kept_keys(store)?);
    for provider in providers.all() {
        if provider.has_kept_key() && !kept.iter().any(|secret| secret.name == provider.name()) {
            providers.set_key(provider.name(), None);
        }
    }
    for secret in kept {
        let Some(kept) = store.secret(&secret.name)? else { continue };
        let opened = seal.open(&secret.name, &kept.sealed);
        match opened.and_then(|key| weftwork_provider::Key::new(&key).map_err(SealError::BadKey)) {
            Ok(key) => {
                if !providers.set_key(&secret.name, Some(key)) {
                    unknown.push(secret.name);
                }
            }
            Err(error) => closed = closed.or(Some(error)),
        }
    }
    closed.map_or(Ok(unknown), |error| Err(error.into()))
}

#[cfg(unix)]
fn is_private(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> std::io::Result<bool> {
    Ok(true)
}

fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    #[test]
    fn a_key_opens_with_its_seal_and_under_its_name_alone() {
        let seal = Seal::parse(A).expect("a seal");
        let sealed = seal.seal("openai", "sk-secret").expect("sealed");
        assert!(!sealed.windows(9).any(|bytes| bytes == b"sk-secret"));
        assert_eq!(seal.open("openai", &sealed).expect("opens"), "sk-secret");
        let mut changed = sealed.clone();
        changed[30] ^= 1;
        let other = Seal::parse(&A.replace("00", "ff")).expect("a seal");
        assert!(seal.open("evil", &sealed).is_err());
        assert!(seal.open("openai", &changed).is_err());
        assert!(other.open("openai", &sealed).is_err());
        assert!(seal.open("openai", &sealed[..10]).is_err());
        assert_ne!(seal.seal("openai", "sk-secret").expect("sealed"), sealed);
    }

    #[test]
    fn a_seal_is_made_once_and_read_by_its_owner_alone() {
        let folder = std::env::temp_dir().join(format!("weft-seal-{}", fastrand::u64(..)));
        let path = folder.join("deep").join("seal");
        let sealed = Seal::open_or_make(&path).expect("made").seal("x", "y").expect("sealed");
        assert_eq!(Seal::open_or_make(&path).expect("read").open("x", &sealed).expect("opens"), "y");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("chmod");
            assert!(matches!(Seal::open_or_make(&path), Err(SealError::Open { .. })));
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
