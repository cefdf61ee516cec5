//! `weft import`: conversations of any format into the database. A second time changes nothing.

use super::args::ImportArgs;
use super::entry::{self, Id, enter};
use super::progress::Progress;
use crate::convert::tell;
use crate::exit::{Outcome, is_closed_pipe};
use crate::input::{Loaded, Source, load_from};
use crate::number::{grouped, many};
use crate::output;
use crate::preview::{message, plain};
use crate::remote::{CameSpace, Place, Server};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::path::Path;
use weftwork::ask::Check;
use weftwork::formats::Format;
use weftwork::model::{Conversation, SpaceId};
use weftwork_store::{Imported, Store};

/// What was done so far.
#[derive(Default)]
struct Done {
    conversations: u64,
    nodes: u64,
    failed: Vec<String>,
}

/// Takes in every file. One that fails does not keep the others out.
pub(crate) fn run(args: &ImportArgs) -> Result<Outcome> {
    let place = args.place.write()?;
    let mut done = Done::default();
    for path in &args.files {
        let before = done.failed.len();
        let taken = match &place {
            Place::Here(store) => take(args, store, path, &mut done),
            Place::There(server) => hand_over(args, server, path, &mut done),
        };
        if let Err(error) = taken {
            if is_closed_pipe(&error) {
                return Err(error);
            }
            output::say(&format!("error: {}\n", message(&format!("{error:#}"))));
            done.failed.push(Source::of(path).to_string());
        }
        done.failed.truncate(before + 1);
    }
    if let Place::Here(store) = &place {
        index(store, done.nodes)?;
    }
    output::say(&format!("{}, {}\n", many(done.conversations, "conversation"), many(done.nodes, "new node")));
    match done.failed.as_slice() {
        [] => Ok(Outcome::Ok),
        failed => bail!("not everything was taken in: mend {}, and import again", failed.join(", ")),
    }
}

fn take(args: &ImportArgs, store: &Store, path: &Path, done: &mut Done) -> Result<()> {
    let Loaded { source, import } = load_from(Source::of(path), args.from, Check::Repair)?;
    tell(&format!("{source} from {}", import.format), &import.loss);
    let several = import.conversations.len();
    if args.space.is_some() && several > 1 {
        bail!("{source}: --space names one space, and here are {several} conversations: leave it out");
    }
    for conversation in import.conversations {
        let name = conversation.space.id.clone();
        match one(args, store, conversation, import.format) {
            Ok(imported) => {
                done.conversations += 1;
                done.nodes += imported.added;
            }
            Err(error) if is_closed_pipe(&error) => return Err(error),
            Err(error) => {
                let error = explained(error).context(format!("{source}: {name}"));
                output::say(&format!("error: {}\n", message(&format!("{error:#}"))));
                done.failed.push(source.to_string());
            }
        }
    }
    Ok(())
}

fn one(args: &ImportArgs, store: &Store, mut file: Conversation, format: Format) -> Result<Imported> {
    entry::name(&mut file, format);
    let name = file.space.name.clone();
    let given = args.space.as_deref().map_or(Id::Own, Id::Given);
    let mut progress = Progress::new(if name.is_empty() { file.space.id.as_str() } else { &name }, file.nodes.len() as u64);
    let (id, imported) = enter(store, file, format, given, &mut |done| progress.at(done))?;
    drop(progress);
    line(args, &id, &name, &imported)?;
    Ok(imported)
}

/// The line of a conversation.
fn line(args: &ImportArgs, id: &SpaceId, name: &str, imported: &Imported) -> Result<()> {
    let (added, known) = (imported.added, imported.known);
    if args.json {
        let line = json!({"space": id, "name": name, "added": added, "known": known, "newSpace": imported.new_space});
        return output::line(&serde_json::to_vec(&line)?);
    }
    let counts = format!("{} new, {} known", grouped(added), grouped(known));
    output::line(format!("{}  {counts}  {}", plain(id.as_str()), plain(name)).trim_end().as_bytes())
}

/// Lets a server take in a file.
fn hand_over(args: &ImportArgs, server: &Server, path: &Path, done: &mut Done) -> Result<()> {
    if args.space.is_some() {
        return server.refuse("--space", "a server chooses the id, the same each time; leave it out");
    }
    let source = Source::of(path);
    let came = server.import(source.read()?, args.from.format()).with_context(|| source.to_string())?;
    tell(&format!("{source} from {}", came.format), &came.loss);
    for CameSpace { id, name, added, known, new_space, error } in came.spaces {
        match id {
            Some(id) => {
                line(args, &id, &name, &Imported { added, known, new_space })?;
                done.conversations += 1;
                done.nodes += added;
            }
            None => {
                let why = error.unwrap_or_else(|| "not taken in".to_owned());
                output::say(&format!("error: {}\n", message(&format!("{source}: {name}: {why}"))));
                done.failed.push(source.to_string());
            }
        }
    }
    Ok(())
}

/// Makes what is new findable at once; a search would do without, but slower.
fn index(store: &Store, nodes: u64) -> Result<()> {
    const BATCH: u64 = 2_000;
    let mut progress = Progress::new("for search", nodes);
    let mut done = 0;
    loop {
        let count = store.index(BATCH).context("everything was taken in, but not made ready for search")?;
        done += count;
        progress.at(done);
        if count == 0 {
            return Ok(());
        }
    }
}

/// The error with what the arguments can do about it.
fn explained(error: anyhow::Error) -> anyhow::Error {
    match crate::exit::fix_of(&error) {
        Some(fix) => anyhow::anyhow!("{error:#}\n  fix: {fix}"),
        None => error,
    }
}
