//! Saying something, and listening until what that wakes has come to rest: the server does the work.

use super::runs::PAGE;
use super::server::Server;
use super::spaces::Said;
use super::steps::ShownTale;
use crate::team::{Done, People, Round, Spoken};
use anyhow::Result;
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use weftwork::model::{EntityId, NodeId, SpaceId};
use weftwork_store::Seq;
use weftwork_store::runs::{How, Posted, Refusal, Run, RunId, RunQuery, RunState, Woken};
use weftwork_store::{Appended, Listed};

/// How often the server is asked how far it is.
const POLL: Duration = Duration::from_millis(200);
/// Runs that do nothing for so long are left to themselves.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Deserialize)]
struct ShownPosted {
    message: Said,
    woken: Vec<WokenAgent>,
    resumed: Vec<String>,
}

#[derive(Deserialize)]
struct WokenAgent {
    agent: EntityId,
    run: Option<String>,
    refused: Option<String>,
}

impl WokenAgent {
    fn woken(self, resumed: &[String]) -> Option<Woken> {
        let WokenAgent { agent, run, refused } = self;
        if let Some(run) = run {
            let how = if resumed.contains(&run) { How::Resumed } else { How::Started };
            return Some(Woken::Run { agent, run: RunId::from(run.as_str()), how });
        }
        let why = match refused?.as_str() {
            "depth" => Refusal::Depth,
            "rootRuns" => Refusal::RootRuns,
            "rootMessages" => Refusal::RootMessages,
            "pair" => Refusal::Pair,
            _ => Refusal::Overlap,
        };
        Some(Woken::Refused { agent, why })
    }
}

/// How runs stood before something was done.
pub(crate) struct Before(HashMap<RunId, (RunState, u32)>);

impl Before {
    /// Whether a run was there.
    pub(crate) fn has(&self, run: &RunId) -> bool {
        self.0.contains_key(run)
    }

    fn steps(&self, run: &RunId) -> u32 {
        self.0.get(run).map_or(0, |(_, steps)| *steps)
    }

    fn is_changed(&self, run: &Run) -> bool {
        self.0.get(&run.id) != Some(&(run.state, run.progress))
    }
}

impl Server {
    /// Says something, and wakes who is to be woken.
    pub(crate) fn post(&self, space: &SpaceId, text: &str, reply_to: Option<&NodeId>, expects_reply: bool) -> Result<Posted> {
        let mut body = json!({"text": text, "expectsReply": expects_reply, "answer": "wake"});
        if let Some(message) = reply_to {
            body["replyTo"] = json!(message);
        }
        let ShownPosted { message, woken, resumed } = self.act(Method::POST, &["spaces", space.as_str(), "messages"], body)?;
        let woken = woken.into_iter().filter_map(|one| one.woken(&resumed)).collect();
        let resumed = resumed.iter().map(|run| RunId::from(run.as_str())).collect();
        Ok(Posted { message: Appended { node: message.node, seq: Seq(message.seq), repeated: false }, woken, resumed })
    }

    /// How the newest runs stand.
    pub(crate) fn before(&self) -> Result<Before> {
        let runs = self.runs(&RunQuery { limit: PAGE, ..RunQuery::default() })?;
        Ok(Before(runs.into_iter().map(|run| (run.id, (run.state, run.progress))).collect()))
    }

    /// Waits until these runs, and those that they wake, have come to rest, and tells what they said since.
    pub(crate) fn follow(&self, before: &Before, runs: &[RunId]) -> Result<Round> {
        let people = self.people()?;
        let mut followed: Vec<RunId> = runs.to_vec();
        let (mut moved, mut last) = (Instant::now(), HashSet::new());
        loop {
            let now = self.runs(&RunQuery { limit: PAGE, ..RunQuery::default() })?;
            // Newest first: whoever was woken first is told of first.
            for run in now.iter().rev().filter(|run| before.is_changed(run)) {
                if !followed.contains(&run.id) {
                    followed.push(run.id.clone());
                }
            }
            let stand: HashSet<String> = now.iter().map(|run| format!("{} {:?} {}", run.id, run.state, run.progress)).collect();
            if stand != last {
                (moved, last) = (Instant::now(), stand);
            }
            let is_busy = now.iter().any(|run| followed.contains(&run.id) && is_busy(run, &people));
            if !is_busy || moved.elapsed() > PATIENCE {
                break;
            }
            std::thread::sleep(POLL);
        }
        let spaces = self.spaces()?;
        let done = followed.iter().map(|run| self.done(before, &people, &spaces, run)).collect::<Result<_>>()?;
        Ok(Round { people, done })
    }

    fn done(&self, before: &Before, people: &People, spaces: &[Listed], run: &RunId) -> Result<Done> {
        let tale: ShownTale = self.get(&["runs", run.as_str()], Vec::new())?;
        let place = tale.run.run().space;
        let mut said = Vec::new();
        for step in tale.steps.iter().filter(|step| step.step > before.steps(run)) {
            let Some(message) = &step.message else { continue };
            if let Some((space, node)) = self.said(place.as_ref(), message)? {
                said.push(Spoken::of(&node, Some(space), Vec::new()));
            }
        }
        let name = spaces.iter().find(|space| Some(&space.id) == place.as_ref()).map(|space| crate::preview::plain(&space.name));
        Ok(Done { listed: tale.listed(people, name.unwrap_or_default()), said })
    }
}

/// Whether a run will be further in a moment.
fn is_busy(run: &Run, people: &People) -> bool {
    match run.state {
        RunState::Running => true,
        // One that failed is tried again later; one of a program elsewhere when that comes.
        RunState::Queued => run.error.is_none() && !people.is_external(&run.agent),
        RunState::WaitingReply
        | RunState::WaitingTool
        | RunState::Parked(_)
        | RunState::Completed
        | RunState::Failed
        | RunState::Canceled => false,
    }
}
