//! What comes in: a file or stdin, and the one conversation of it that is meant.

use crate::output;
use crate::words::From;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::fmt;
use std::fs::File;
use std::io::{IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};
use weftwork::History;
use weftwork::ask::Check;
use weftwork::formats::{Format, Import, LossLine, Outcome, import};
use weftwork::model::Conversation;

/// Larger input is refused: it would not fit into memory together with what is made of it.
const MOST_BYTES: u64 = 4 << 30;
/// Conversations that a message lists at most.
const LISTED: usize = 20;

/// A conversation to read.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// The file to read; `-` or nothing for stdin.
    pub(crate) file: Option<PathBuf>,
    /// Format of the file.
    #[arg(long, value_name = "FORMAT", value_parser = crate::words::from(), default_value = "auto")]
    pub(crate) from: From,
    /// Which conversation, where the file holds several: its number, id or name.
    #[arg(long, value_name = "N|NAME")]
    pub(crate) conversation: Option<String>,
}

/// Where bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A file.
    File(PathBuf),
    /// Whatever is piped in.
    Stdin,
}

impl Source {
    /// The source that a path argument means.
    pub(crate) fn of(path: &Path) -> Source {
        if path.as_os_str() == "-" { Source::Stdin } else { Source::File(path.to_owned()) }
    }

    /// The source that an optional path argument means. Somebody who only typed the command waits for nothing.
    pub(crate) fn or_stdin(path: Option<&PathBuf>) -> Result<Source> {
        match path {
            Some(path) => Ok(Source::of(path)),
            None if stdin().is_terminal() => bail!("no file is named and nothing is piped in: name a FILE, or - for stdin"),
            None => Ok(Source::Stdin),
        }
    }

    /// Everything in it.
    pub(crate) fn read(&self) -> Result<Vec<u8>> {
        let bytes = match self {
            Source::File(path) => File::open(path).and_then(limited),
            Source::Stdin => limited(stdin().lock()),
        };
        let bytes = bytes.with_context(|| self.to_string())?;
        if bytes.len() as u64 > MOST_BYTES {
            bail!("{self}: more than {MOST_BYTES} bytes are not read: split the file");
        }
        Ok(bytes)
    }
}

fn limited(stream: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Stdin => f.write_str("stdin"),
        }
    }
}

/// What was read.
pub(crate) struct Loaded {
    /// Where it came from, for messages.
    pub(crate) source: Source,
    /// What the importer made of it.
    pub(crate) import: Import,
}

impl Loaded {
    /// The conversation that is meant, as a tree that holds together.
    pub(crate) fn history(self, args: &InputArgs) -> Result<History> {
        let source = self.source;
        let one = choose(self.import.conversations, args.conversation.as_deref()).with_context(|| source.to_string())?;
        History::new(one).with_context(|| source.to_string())
    }

    /// Fields of a conversation file that nobody here understands.
    pub(crate) fn unknown_fields(&self) -> Vec<String> {
        let own = self.import.format == Format::Weft;
        let lost = self.import.loss.lines.iter().filter(|line| own && line.outcome == Outcome::Dropped);
        let times = |line: &LossLine| crate::number::many(line.count, "time");
        lost.map(|line| format!("{} is {} ({}, first at {})", line.what, line.note, times(line), line.first)).collect()
    }

    /// One line where an import from elsewhere left things out.
    pub(crate) fn warn_of_loss(&self) {
        let lost = self.import.loss.lines.iter().filter(|line| line.outcome == Outcome::Dropped).count();
        if self.import.format != Format::Weft && lost > 0 {
            let kinds = crate::number::many(lost as u64, "kind");
            let format = self.import.format;
            output::warn(&format!("{kinds} of things were dropped on the way from {format}: run weft convert to see"));
        }
    }
}

/// Reads and imports.
pub(crate) fn load(args: &InputArgs, check: Check) -> Result<Loaded> {
    load_from(Source::or_stdin(args.file.as_ref())?, args.from, check)
}

/// Reads and imports from a source.
pub(crate) fn load_from(source: Source, from: From, check: Check) -> Result<Loaded> {
    let bytes = source.read()?;
    let import = import(&bytes, from.format(), check).with_context(|| source.to_string())?;
    // A conversation file may ask for strictness itself, which is known only after it was read.
    let strict = import.conversations.iter().any(|conversation| conversation.space.settings.strict == Some(true));
    if strict && check == Check::Repair && import.format == Format::Weft && import.loss.is_lossy() {
        return load_again(source, &bytes, from);
    }
    Ok(Loaded { source, import })
}

fn load_again(source: Source, bytes: &[u8], from: From) -> Result<Loaded> {
    let import = import(bytes, from.format(), Check::Strict).with_context(|| source.to_string())?;
    Ok(Loaded { source, import })
}

/// The conversation that is meant: the only one, or the one with this number, id or name.
pub(crate) fn choose(mut all: Vec<Conversation>, which: Option<&str>) -> Result<Conversation> {
    let at = match which {
        None if all.len() == 1 => 0,
        None => {
            let fix = "choose one with --conversation and its number, id or name";
            bail!("{} conversations: {fix}\n{}", all.len(), list(&all))
        }
        Some(which) => position(&all, which)?,
    };
    Ok(all.swap_remove(at))
}

fn position(all: &[Conversation], which: &str) -> Result<usize> {
    let named = |one: &Conversation| one.space.id.as_str() == which || one.space.name == which;
    let mut found = (0..all.len()).filter(|&at| named(&all[at]));
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at),
        (Some(_), Some(_)) => bail!("several conversations are called {which:?}: choose by number or id\n{}", list(all)),
        (None, _) => {
            let number = which.parse::<usize>().ok().filter(|number| (1..=all.len()).contains(number));
            number.map(|number| number - 1).ok_or_else(|| anyhow!("no conversation is called {which:?}:\n{}", list(all)))
        }
    }
}

fn list(all: &[Conversation]) -> String {
    let line = |(at, one): (usize, &Conversation)| {
        let (id, name) = (crate::preview::plain(one.space.id.as_str()), crate::preview::plain(&one.space.name));
        format!("  {:>3}  {id}  {name}  ({} nodes)", at + 1, one.nodes.len())
    };
    let mut lines: Vec<String> = all.iter().enumerate().take(LISTED).map(line).collect();
    if all.len() > LISTED {
        lines.push(format!("  … and {} more", all.len() - LISTED));
    }
    lines.join("\n")
}
