//! Zip archives, as chat services export them: conversations, and the pictures and files that were sent in them.

use super::error::ImportError;
use super::loss::LossReport;
use super::source::{Document, utf8};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The largest file that is taken in as an attachment.
pub(super) const MAX_ATTACHMENT: u64 = 32 << 20;
/// The most that all files of an archive may unpack to.
pub(super) const MAX_UNPACKED: u64 = 4 << 30;

/// The files of an archive. A file that is not in an archive comes with an empty one.
#[derive(Default)]
pub(super) struct Archive<'a> {
    zip: Option<ZipArchive<Cursor<&'a [u8]>>>,
    names: Vec<String>,
    read: RefCell<BTreeSet<String>>,
    unpacked: RefCell<u64>,
}

impl<'a> Archive<'a> {
    /// Whether the bytes are a zip archive.
    pub(super) fn is_zip(bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
    }

    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(None, &error))?;
        let names = zip
            .file_names()
            .filter_map(|name| name.ok().map(|name| name.into_owned()))
            .filter(|name| !name.ends_with('/'))
            .collect();
        Ok(Archive { zip: Some(zip), names, ..Archive::default() })
    }

    /// The names of all files, sorted as the archive has them.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The texts that hold conversations: `conversations*.json` where there are any, else every `.json` and `.jsonl`.
    pub(super) fn documents(&self) -> Result<Vec<Document<'static>>, ImportError> {
        let is_json =
            |name: &&String| [".json", ".jsonl"].iter().any(|end| name.ends_with(end)) && !name.starts_with("__MACOSX/");
        let mut names: Vec<_> = self.names.iter().filter(is_json).collect();
        if names.iter().any(|name| base(name).starts_with("conversations")) {
            names.retain(|name| base(name).starts_with("conversations"));
        }
        names.sort();
        names.into_iter().map(|name| self.document(name)).collect()
    }

    fn document(&self, name: &str) -> Result<Document<'static>, ImportError> {
        let bytes = self.read(name, MAX_UNPACKED)?;
        let text = utf8(&bytes).map_err(|error| ImportError::Zip { entry: Some(name.into()), message: error.to_string() })?;
        Ok(Document { name: Some(name.into()), text: text.to_owned().into() })
    }

    /// The bytes of a file, at most `limit`.
    pub(super) fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, ImportError> {
        let fault = |message: &str| ImportError::Zip { entry: Some(name.into()), message: message.into() };
        let Some(zip) = &self.zip else { return Err(fault("there is no archive")) };
        // Reading moves the cursor; a clone shares the directory and costs nothing.
        let mut zip = zip.clone();
        let file = zip.by_name(name).map_err(|error| broken(Some(name), &error))?;
        let left = MAX_UNPACKED.saturating_sub(*self.unpacked.borrow());
        let most = limit.min(left);
        let mut bytes = Vec::new();
        // The size in the header may lie: what counts is what comes out.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| fault(&error.to_string()))?;
        if bytes.len() as u64 > most {
            return Err(fault(&format!("unpacks to more than {most} bytes")));
        }
        *self.unpacked.borrow_mut() += bytes.len() as u64;
        self.read.borrow_mut().insert(name.into());
        Ok(bytes)
    }

    /// Reports every file that nobody read, by its ending.
    pub(super) fn end(&self, loss: &mut LossReport) {
        let read = self.read.borrow();
        for name in self.names.iter().filter(|name| !read.contains(*name)) {
            let what = match base(name).rsplit_once('.') {
                Some((_, ending)) if !name.ends_with(".json") => format!("*.{ending} in the archive"),
                _ => format!("{name} in the archive"),
            };
            loss.dropped(&what, "no conversation refers to it", name);
        }
    }
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn broken(entry: Option<&str>, error: &zip::result::ZipError) -> ImportError {
    ImportError::Zip { entry: entry.map(str::to_owned), message: error.to_string() }
}
