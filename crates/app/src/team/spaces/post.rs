//! `weft spaces post`: somebody says something, and what that makes due is done.

use super::super::args::PostArgs;
use super::super::gate::Gate;
use super::super::runs::{Round, refusals, tell, woken_record};
use super::super::who::{People, member};
use super::message;
use crate::exit::Outcome;
use crate::input::Source;
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use anyhow::{Context, Result};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use weftwork_gateway::Message;
use weftwork_store::runs::{How, Posted, RunId, Woken};

/// Posts, works, and tells.
pub(super) fn post(args: &PostArgs) -> Result<Outcome> {
    let text = match args.text.as_str() {
        "-" => String::from_utf8(Source::of(Path::new("-")).read()?).context("stdin is not UTF-8")?,
        text => text.to_owned(),
    };
    let text = text.trim_end();
    let place = args.list.place.change()?;
    let (space, people) = (place.find_space(&args.space)?, place.people()?);
    let reply_to = args.reply_to.as_deref().map(|wanted| message::find(&place, &space, wanted)).transpose()?;
    let told = |posted: &Posted| {
        if !args.list.json {
            output::say(&accepted(posted, &people, args.then.no_work));
        }
    };
    let (posted, round) = match place {
        Place::Here(store) => {
            let sender = member(&store, &space, args.who.as_deref())?;
            let gate = Gate::on(store)?;
            let said = Message { reply_to, expects_reply: args.wait_for_reply, ..Message::text(text) };
            let posted = gate.wait(gate.gateway.post(&space, &sender.id, said))?;
            told(&posted);
            let round = if args.then.no_work { Round::default() } else { Round::work(&gate)? };
            (posted, round)
        }
        Place::There(server) => {
            server.myself(args.who.as_deref())?;
            let before = server.before()?;
            let posted = server.post(&space, text, reply_to.as_ref(), args.wait_for_reply)?;
            told(&posted);
            let round = if args.then.no_work { Round::default() } else { server.follow(&before, &woken(&posted))? };
            (posted, round)
        }
    };
    if args.list.json {
        let record = json!({"message": posted.message.node.id, "woken": posted.woken.iter().map(woken_record).collect::<Vec<_>>(),
            "resumed": posted.resumed.iter().map(|run| run.as_str()).collect::<Vec<_>>(), "runs": round.record()});
        output::line(&serde_json::to_vec(&record)?)?;
        return Ok(Outcome::Ok);
    }
    tell(&round, Some(&space))?;
    Ok(Outcome::Ok)
}

/// The runs that a message woke or ended the waiting of.
fn woken(posted: &Posted) -> Vec<RunId> {
    let runs = posted.woken.iter().filter_map(|woken| match woken {
        Woken::Run { run, .. } => Some(run.clone()),
        Woken::Refused { .. } => None,
    });
    runs.chain(posted.resumed.iter().cloned()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// What a message did, in a line or two.
fn accepted(posted: &Posted, people: &People, no_work: bool) -> String {
    let names = |wanted: &dyn Fn(How) -> bool| {
        let name = |woken: &Woken| match woken {
            Woken::Run { agent, how, .. } if wanted(*how) => Some(people.name(agent)),
            Woken::Run { .. } | Woken::Refused { .. } => None,
        };
        posted.woken.iter().filter_map(name).collect::<Vec<_>>().join(", ")
    };
    let (resumed, woken) = (names(&|how| how == How::Resumed), names(&|how| how != How::Resumed));
    let does = match (woken.as_str(), resumed.as_str()) {
        ("", "") => "it wakes nobody".to_owned(),
        (woken, "") => format!("it wakes {woken}"),
        ("", resumed) => format!("{resumed} waited for it"),
        (woken, resumed) => format!("it wakes {woken}; {resumed} waited for it"),
    };
    let later = if no_work && !(woken.is_empty() && resumed.is_empty()) { "; weft runs work does what is due" } else { "" };
    let mut text = format!("said as {}: {does}{later}\n", plain(posted.message.node.id.as_str()));
    refusals(&posted.woken, people).for_each(|line| text += &format!("  {line}\n"));
    text
}
