//! `weft backup`: a copy of the database while others write.

use super::args::BackupArgs;
use crate::exit::Outcome;
use crate::number::many;
use crate::output;
use anyhow::{Result, bail};

/// Copies and says so.
pub(crate) fn run(args: &BackupArgs) -> Result<Outcome> {
    let instead = "copy the database where it is, or take the spaces you belong to with weft export --all --out DIR/";
    let store = args.place.here("backup", instead)?.read()?;
    let folder = args.to.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{}: there is no such folder: make it first", folder.display());
    }
    store.backup(&args.to)?;
    let bytes = std::fs::metadata(&args.to).map(|file| file.len()).unwrap_or_default();
    let spaces = many(store.spaces()?.len() as u64, "space");
    output::say(&format!("{spaces}, {} written to {}\n", many(bytes, "byte"), args.to.display()));
    output::say(&format!("use it with --db {}\n", args.to.display()));
    Ok(Outcome::Ok)
}
