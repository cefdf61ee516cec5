//! `weft verify`: is everything that was said still what it was.

use super::address::now;
use super::args::VerifyArgs;
use super::mirror::Mirror;
use super::progress::Progress;
use super::space::pick;
use crate::exit::Outcome;
use crate::input::{Source, load_from};
use crate::number::{grouped, many};
use crate::output;
use crate::preview::plain;
use crate::remote::{Place, Server};
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use crate::words::From;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::path::Path;
use weftwork::ask::Check;
use weftwork::formats::Format;
use weftwork::model::{Conversation, SpaceId, Status};
use weftwork_store::runs::Violation;
use weftwork_store::{Listed, Names, Store, StoreError, Verified};

/// What was found of one space.
struct Verdict {
    space: String,
    nodes: u64,
    purged: u64,
    pending: u64,
    broken: Option<(String, &'static str)>,
}

/// Checks and prints.
pub(crate) fn run(args: &VerifyArgs) -> Result<Outcome> {
    let (files, spaces): (Vec<&String>, Vec<&String>) = args.what.iter().partition(|what| Path::new(what).is_file());
    let mut verdicts = Vec::new();
    let mut violations = Vec::new();
    for file in &files {
        verdicts.extend(verify_file(Path::new(file))?);
    }
    if !spaces.is_empty() || files.is_empty() {
        let place = args.list.place.read()?;
        match &place {
            Place::Here(store) => {
                verdicts.extend(verify_spaces(store, &spaces)?);
                if spaces.is_empty() {
                    violations = store.check_invariants(now())?;
                }
            }
            Place::There(server) => verdicts.extend(verify_there(server, &spaces)?),
        }
    }
    tell(args, &verdicts, &violations)?;
    let is_well = violations.is_empty() && verdicts.iter().all(|verdict| verdict.broken.is_none());
    Ok(if is_well { Outcome::Ok } else { Outcome::Findings })
}

/// Which spaces are meant.
fn chosen(all: &[Listed], wanted: &[&String]) -> Result<Vec<SpaceId>> {
    match wanted {
        [] => Ok(all.iter().map(|space| space.id.clone()).collect()),
        wanted => wanted.iter().map(|wanted| pick(all, wanted)).collect(),
    }
}

fn verify_spaces(store: &Store, wanted: &[&String]) -> Result<Vec<Verdict>> {
    let all = store.spaces()?;
    let chosen = chosen(&all, wanted)?;
    let one = |id: &SpaceId| {
        let nodes = all.iter().find(|space| space.id == *id).map_or(0, |space| space.nodes);
        let mut progress = Progress::new(id.as_str(), nodes);
        let found = store.verify(id, &mut |done| progress.at(done))?;
        Ok(verdict(id, found))
    };
    chosen.iter().map(one).collect()
}

/// Proves here what a server gives out: it is not asked whether it is right.
fn verify_there(server: &Server, wanted: &[&String]) -> Result<Vec<Verdict>> {
    let mirror = Mirror::new()?;
    let prove = |id: SpaceId| {
        let file = server.export(&id)?;
        if file.nodes.iter().any(|node| node.hash.is_none() && node.status != Status::Pending) {
            bail!("the server gives no hashes of {id}, which could prove something");
        }
        verify_conversation(mirror.store(), &file)
    };
    let verdicts = chosen(&server.spaces()?, wanted)?.into_iter().map(prove).collect::<Result<_>>()?;
    output::say("what was said is proved here; the rules of runs are looked at on the database: weft verify there\n");
    Ok(verdicts)
}

fn verdict(space: &SpaceId, found: Verified) -> Verdict {
    let Verified { nodes, purged, pending, broken } = found;
    let broken = broken.map(|broken| (broken.node.to_string(), broken.fault.word()));
    Verdict { space: space.to_string(), nodes, purged, pending, broken }
}

/// Takes a file into a store of its own: that accepts nothing whose hash does not match.
fn verify_file(path: &Path) -> Result<Vec<Verdict>> {
    let loaded = load_from(Source::of(path), From::Auto, Check::Repair)?;
    let has_hashes = loaded.import.conversations.iter().flat_map(|file| &file.nodes).any(|node| node.hash.is_some());
    if loaded.import.format != Format::Weft || !has_hashes {
        bail!("{}: it holds no hashes that could prove anything: only files of weft export do", path.display());
    }
    let mirror = Mirror::new()?;
    loaded.import.conversations.iter().map(|file| verify_conversation(mirror.store(), file)).collect()
}

fn verify_conversation(store: &Store, file: &Conversation) -> Result<Verdict> {
    let id = &file.space.id;
    let mut progress = Progress::new(id.as_str(), file.nodes.len() as u64);
    match store.import(file, Names::Ours, now(), &mut |done| progress.at(done)) {
        Ok(_) => Ok(verdict(id, store.verify(id, &mut |_| {})?)),
        Err(StoreError::BadHash { node }) => {
            let word = "its content or what it hangs on was changed after it was written";
            let nodes = file.nodes.len() as u64;
            Ok(Verdict { space: id.to_string(), nodes, purged: 0, pending: 0, broken: Some((node.to_string(), word)) })
        }
        Err(error) => Err(error.into()),
    }
}

fn tell(args: &VerifyArgs, verdicts: &[Verdict], violations: &[Violation]) -> Result<()> {
    if args.list.json {
        let broken = |violation: &Violation| json!({"rule": violation.invariant.word(), "at": violation.at});
        let found = json!({"spaces": verdicts.iter().map(record).collect::<Vec<_>>(),
            "violations": violations.iter().map(broken).collect::<Vec<_>>()});
        return output::line(&serde_json::to_vec(&found)?);
    }
    if verdicts.is_empty() {
        output::say("there are no spaces yet: begin with weft import FILE\n");
        return Ok(());
    }
    let mut text = table(verdicts);
    for violation in violations {
        text += &format!("  broken rule: {}: {}\n", violation.invariant.word(), plain(&violation.at));
    }
    output::data(text.as_bytes())?;
    let broken = verdicts.iter().filter(|verdict| verdict.broken.is_some()).count() + violations.len();
    let nodes = many(verdicts.iter().map(|verdict| verdict.nodes).sum(), "node");
    let all = if broken == 0 { "all as they were".to_owned() } else { format!("{broken} broken") };
    output::say(&format!("{}, {nodes}: {all}\n", many(verdicts.len() as u64, "space")));
    Ok(())
}

fn record(verdict: &Verdict) -> Value {
    let broken = verdict.broken.as_ref().map(|(node, fault)| json!({"node": node, "fault": fault}));
    json!({"space": verdict.space, "nodes": verdict.nodes, "purged": verdict.purged, "pending": verdict.pending,
        "broken": broken})
}

fn table(verdicts: &[Verdict]) -> String {
    let mut table = Table::of_ids(&[Align::Left, Align::Right, Align::Left]);
    table.row(Ink::Faint, ["space", "nodes", "verdict"].map(str::to_owned));
    for verdict in verdicts {
        let (ink, words) = match &verdict.broken {
            Some((node, fault)) => (Ink::Bad, format!("broken at {}: {fault}", plain(node))),
            None => (Ink::Plain, sound(verdict)),
        };
        table.row(ink, [plain(&verdict.space), grouped(verdict.nodes), words]);
    }
    table.show(Style::stdout())
}

fn sound(verdict: &Verdict) -> String {
    let purged = (verdict.purged > 0).then(|| format!(", {} purged", grouped(verdict.purged)));
    let pending = (verdict.pending > 0).then(|| format!(", {} being written", grouped(verdict.pending)));
    format!("ok{}{}", purged.unwrap_or_default(), pending.unwrap_or_default())
}
