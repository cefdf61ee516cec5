//! `weft export`: whole spaces on stdout, in a file, or a file each in a folder.

use super::args::ExportArgs;
use super::progress::Progress;
use super::space::pick;
use crate::convert::{ending, slug, tell};
use crate::exit::Outcome;
use crate::number::many;
use crate::output;
use crate::remote::Place;
use anyhow::{Context, Result};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use weftwork::formats::{ExportFormat, export_all};
use weftwork::model::{Conversation, SpaceId};

/// Exports and prints.
pub(crate) fn run(args: &ExportArgs) -> Result<Outcome> {
    let place = args.place.read()?;
    let spaces = chosen(args, &place)?;
    if spaces.is_empty() {
        output::say("there are no spaces yet: begin with weft import FILE\n");
        return Ok(Outcome::Ok);
    }
    match &args.out {
        Some(out) if is_folder(out) => into_folder(&place, &spaces, args.to, out)?,
        Some(out) => {
            into_file(out, &bytes(&place, &spaces, args.to)?)?;
            output::say(&format!("{} written to {}\n", many(spaces.len() as u64, "space"), out.display()));
        }
        None => output::data(&bytes(&place, &spaces, args.to)?)?,
    }
    Ok(Outcome::Ok)
}

/// Writes one space into a file, or to stdout.
pub(crate) fn one(file: &Conversation, format: ExportFormat, out: Option<&Path>) -> Result<()> {
    let bytes = written(std::slice::from_ref(file), format);
    match out {
        Some(out) => {
            into_file(out, &bytes)?;
            output::say(&format!("written to {}\n", out.display()));
            Ok(())
        }
        None => output::data(&bytes),
    }
}

/// Which spaces, in an order that stays the same.
fn chosen(args: &ExportArgs, place: &Place) -> Result<Vec<SpaceId>> {
    let all = place.spaces()?;
    if !args.all {
        return args.spaces.iter().map(|space| pick(&all, space)).collect();
    }
    let mut ids: Vec<SpaceId> = all.into_iter().map(|space| space.id).collect();
    ids.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    Ok(ids)
}

fn is_folder(out: &Path) -> bool {
    out.is_dir() || out.to_string_lossy().ends_with(std::path::is_separator)
}

fn bytes(place: &Place, spaces: &[SpaceId], format: ExportFormat) -> Result<Vec<u8>> {
    let mut progress = Progress::new("spaces", spaces.len() as u64);
    let mut files: Vec<Conversation> = Vec::with_capacity(spaces.len());
    for space in spaces {
        files.push(place.export(space)?);
        progress.at(files.len() as u64);
    }
    drop(progress);
    Ok(written(&files, format))
}

/// Files in a format, with what is lost told.
fn written(files: &[Conversation], format: ExportFormat) -> Vec<u8> {
    let (mut bytes, loss) = export_all(files, format);
    tell(&format!("to {format}"), &loss);
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes
}

/// A file for each space, and never over another.
fn into_folder(place: &Place, spaces: &[SpaceId], format: ExportFormat, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let digits = spaces.len().to_string().len();
    for (number, space) in (1..).zip(spaces) {
        let file = place.export(space)?;
        let name = format!("{number:0digits$}-{}{}", slug(&file), ending(format));
        let (bytes, loss) = export_all(&[file], format);
        let path = folder.join(name);
        tell(&format!("to {}", path.display()), &loss);
        into_file(&path, &bytes)?;
    }
    output::say(&format!("{} written to {}\n", many(spaces.len() as u64, "file"), folder.display()));
    Ok(())
}

fn into_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.with_context(|| format!("{}: choose a place where there is nothing", path.display()))
}
