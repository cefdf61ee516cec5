//! Bytes kept once, however many name them: compressed, under their SHA-256, and never a byte different.

use crate::error::{Result, StoreError};
use crate::sql::{Tx, args};
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use sha2::{Digest as _, Sha256};
use std::io::Read as _;

/// Bytes ready to be kept.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    pub(crate) hash: [u8; 32],
    size: i64,
    body: Vec<u8>,
}

impl Blob {
    pub(crate) fn of(bytes: &[u8]) -> Blob {
        let mut body = Vec::new();
        ZlibEncoder::new(bytes, Compression::default()).read_to_end(&mut body).expect("memory does not fail to be read");
        Blob { hash: Sha256::digest(bytes).into(), size: bytes.len() as i64, body }
    }
}

/// An ask as it is kept: its first line, if it has more than one, by itself, for it is mostly the same from call to call.
#[derive(Clone, Debug)]
pub(super) struct AskBlobs {
    pub(super) frame: Option<Blob>,
    pub(super) rest: Blob,
}

impl AskBlobs {
    pub(super) fn of(ask: &[u8]) -> AskBlobs {
        match ask.iter().position(|byte| *byte == b'\n') {
            Some(end) => AskBlobs { frame: Some(Blob::of(&ask[..end])), rest: Blob::of(&ask[end + 1..]) },
            None => AskBlobs { frame: None, rest: Blob::of(ask) },
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Blob> {
        self.frame.iter().chain([&self.rest])
    }
}

/// The ask again, byte for byte.
pub(super) fn read_ask(tx: &mut Tx<'_>, frame: Option<&[u8]>, rest: &[u8]) -> Result<Vec<u8>> {
    let Some(frame) = frame else { return read(tx, rest) };
    let mut ask = read(tx, frame)?;
    ask.push(b'\n');
    ask.extend(read(tx, rest)?);
    Ok(ask)
}

/// Keeps blobs, each once. In order of their hashes, so that two writers never wait for each other.
pub(crate) fn put(tx: &mut Tx<'_>, blobs: &[&Blob]) -> Result<()> {
    const SQL: &str = "INSERT INTO blobs(hash, size, body, uses) VALUES(?1, ?2, ?3, 1) \
                       ON CONFLICT(hash) DO UPDATE SET uses = blobs.uses + 1";
    let mut blobs = blobs.to_vec();
    blobs.sort_unstable_by_key(|blob| blob.hash);
    for blob in blobs {
        tx.run(SQL, args![blob.hash.as_slice(), blob.size, blob.body.as_slice()])?;
    }
    Ok(())
}

/// Lets go of blobs; one that nobody else names is gone.
pub(crate) fn release(tx: &mut Tx<'_>, mut hashes: Vec<Vec<u8>>) -> Result<()> {
    hashes.sort_unstable();
    for hash in &hashes {
        tx.run("UPDATE blobs SET uses = uses - 1 WHERE hash = ?1", args![hash.as_slice()])?;
        tx.run("DELETE FROM blobs WHERE hash = ?1 AND uses <= 0", args![hash.as_slice()])?;
    }
    Ok(())
}

/// The bytes of a blob, proved by their hash.
pub(crate) fn read(tx: &mut Tx<'_>, hash: &[u8]) -> Result<Vec<u8>> {
    const SQL: &str = "SELECT size, body FROM blobs WHERE hash = ?1";
    let damaged = |why: &str| StoreError::Unreadable { detail: format!("the bytes of a blob {why}") };
    let found = tx.first(SQL, args![hash], |row| {
        let size = row.int(0)? as u64;
        let mut bytes = Vec::with_capacity(size.min(1 << 24) as usize);
        // One byte more than it should be is enough to see that it is wrong.
        let unpacked = ZlibDecoder::new(row.bytes(1)?).take(size + 1).read_to_end(&mut bytes);
        unpacked.map(|_| bytes).map_err(|error| damaged(&error.to_string()))
    })?;
    let bytes = found.ok_or_else(|| damaged("are gone"))?;
    if Sha256::digest(&bytes).as_slice() == hash { Ok(bytes) } else { Err(damaged("do not match their hash")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_takes_little_room() {
        let blob = Blob::of(&b"the same again, ".repeat(1_000));
        assert_eq!(blob.size, 16_000);
        assert!(blob.body.len() < 200, "{}", blob.body.len());
    }
}
