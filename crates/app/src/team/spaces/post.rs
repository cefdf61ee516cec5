//! `weft spaces post`: somebody says something, and what that makes due is done.

use super::super::args::PostArgs;
use super::super::gate::Gate;
use super::super::runs::{Round, refusals, tell, woken_record};
use super::super::who::{People, member};
use super::message;
use crate::exit::Outcome;
use crate::input::Source;
use crate::keep::find_space;
use crate::output;
use crate::preview::plain;
use anyhow::{Context, Result};
use serde_json::json;
use std::path::Path;
use weftwork_gateway::Message;
use weftwork_store::runs::{How, Posted, Woken};

/// Posts, works, and tells.
pub(super) fn post(args: &PostArgs) -> Result<Outcome> {
    let text = match args.text.as_str() {
        "-" => String::from_utf8(Source::of(Path::new("-")).read()?).context("stdin is not UTF-8")?,
        text => text.to_owned(),
    };
    let gate = Gate::open(&args.list.db)?;
    let store = gate.store();
    let space = find_space(store, &args.space)?;
    let sender = member(store, &space, args.who.as_deref())?;
    let reply_to = args.reply_to.as_deref().map(|wanted| message::find(store, &space, wanted)).transpose()?;
    let said = Message { reply_to, expects_reply: args.wait_for_reply, ..Message::text(text.trim_end()) };
    let posted = gate.wait(gate.gateway.post(&space, &sender.id, said))?;
    if !args.list.json {
        output::say(&accepted(&posted, &People::of(store)?, args.then.no_work));
    }
    let round = if args.then.no_work { Round::default() } else { Round::work(&gate)? };
    if args.list.json {
        let record = json!({"message": posted.message.node.id, "woken": posted.woken.iter().map(woken_record).collect::<Vec<_>>(),
            "resumed": posted.resumed.iter().map(|run| run.as_str()).collect::<Vec<_>>(), "runs": round.record(store)?});
        output::line(&serde_json::to_vec(&record)?)?;
        return Ok(Outcome::Ok);
    }
    tell(&round, store, Some(&space))?;
    Ok(Outcome::Ok)
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
