//! Runs, as a list tells of them, and what a person does about one.

use super::ask::{Body, query};
use super::server::Server;
use super::steps::ShownTale;
use crate::team::{Listed, People, waits_for};
use anyhow::Result;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use weftwork::model::{EntityId, RunStatus, SpaceId, Timestamp};
use weftwork_store::Cost;
use weftwork_store::runs::{Canceled, ParkReason, Run, RunId, RunQuery, RunState};

/// Runs that are asked for at a time.
pub(super) const PAGE: u32 = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownRun {
    pub(super) id: String,
    agent: EntityId,
    space: Option<SpaceId>,
    status: RunStatus,
    parked: Option<String>,
    waits_for: Option<String>,
    asks_for: Option<String>,
    steps: u32,
    depth: u32,
    error: Option<String>,
    created_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
}

impl ShownRun {
    fn state(&self) -> RunState {
        match self.status {
            RunStatus::Queued => RunState::Queued,
            RunStatus::Running => RunState::Running,
            RunStatus::WaitingReply => RunState::WaitingReply,
            RunStatus::WaitingTool => RunState::WaitingTool,
            RunStatus::Completed => RunState::Completed,
            RunStatus::Failed => RunState::Failed,
            RunStatus::Canceled => RunState::Canceled,
            RunStatus::Parked => RunState::Parked(match self.parked.as_deref() {
                Some("poison") => ParkReason::Poison,
                Some("budget") => ParkReason::Budget,
                Some("approval") => ParkReason::Approval,
                Some("provider") => ParkReason::Provider,
                _ => ParkReason::Config,
            }),
        }
    }

    /// The run, as far as it is told. What started its chain and who has claimed it are not.
    pub(super) fn run(&self) -> Run {
        let created_at = self.created_at.as_ref().map_or(0, Timestamp::millis);
        Run {
            id: RunId::from(self.id.as_str()),
            agent: self.agent.clone(),
            space: self.space.clone(),
            root: String::new(),
            depth: self.depth,
            state: self.state(),
            epoch: 0,
            owner: None,
            lease: None,
            claims: 0,
            progress: self.steps,
            waits: 0,
            available_at: created_at,
            cancel: false,
            error: self.error.clone(),
            created_at,
            ended_at: self.ended_at.as_ref().map(Timestamp::millis),
            changed_at: created_at,
        }
    }
}

#[derive(Deserialize)]
struct RunPage {
    runs: Vec<ShownRun>,
    next: Option<String>,
}

/// Several of them in one word; none for all.
fn statuses(some: &[RunStatus]) -> Option<String> {
    let words = some.iter().map(|status| status.word()).collect::<Vec<_>>().join(",");
    Some(words).filter(|words| !words.is_empty())
}

#[derive(Deserialize)]
struct Stopped {
    stopped: String,
}

impl Server {
    /// The runs that are asked for, newest first; all of them where no limit is.
    pub(crate) fn runs(&self, asked: &RunQuery) -> Result<Vec<Run>> {
        let most = if asked.limit == 0 { usize::MAX } else { asked.limit as usize };
        let (mut runs, mut after) = (Vec::new(), None);
        loop {
            let left = u32::try_from(most - runs.len()).unwrap_or(u32::MAX);
            let page: RunPage = self.get(
                &["runs"],
                query([
                    ("agent", asked.agent.as_ref().map(|agent| agent.as_str().to_owned())),
                    ("space", asked.space.as_ref().map(|space| space.as_str().to_owned())),
                    ("status", statuses(&asked.statuses)),
                    ("limit", Some(left.min(PAGE).to_string())),
                    ("after", after),
                ]),
            )?;
            runs.extend(page.runs.iter().map(ShownRun::run));
            after = page.next;
            if after.is_none() || runs.len() >= most {
                return Ok(runs);
            }
        }
    }

    /// A run; none if there is none that one may see.
    pub(crate) fn run(&self, id: &str) -> Result<Option<Run>> {
        Ok(self.look::<ShownTale>(&["runs", id])?.map(|tale| tale.run.run()))
    }

    /// Runs with what a table tells of them.
    pub(crate) fn listed(&self, people: &People, runs: Vec<Run>) -> Result<Vec<Listed>> {
        let spaces = self.spaces()?;
        let name = |id: &SpaceId| {
            let known = spaces.iter().find(|space| space.id == *id && !space.name.is_empty());
            crate::preview::plain(known.map_or(id.as_str(), |space| &space.name))
        };
        let one = |run: Run| {
            let tale: ShownTale = self.get(&["runs", run.id.as_str()], Vec::new())?;
            Ok(tale.listed(people, run.space.as_ref().map(name).unwrap_or_default()))
        };
        runs.into_iter().map(one).collect()
    }

    /// Stops a run.
    pub(crate) fn cancel(&self, run: &RunId) -> Result<Canceled> {
        let stopped: Stopped = self.act(Method::POST, &["runs", run.as_str(), "cancel"], json!({}))?;
        Ok(match stopped.stopped.as_str() {
            "now" => Canceled::Now,
            "asked" => Canceled::Asked,
            _ => Canceled::Over,
        })
    }

    /// Lets a run go on that stands still.
    pub(crate) fn retry(&self, run: &RunId) -> Result<()> {
        self.act_only(Method::POST, &["runs", run.as_str(), "retry"], Body::Nothing)
    }

    /// The call that a run asks about: its name and its arguments.
    pub(crate) fn asks(&self, run: &RunId) -> Result<Option<(String, String)>> {
        let tale: ShownTale = self.get(&["runs", run.as_str()], Vec::new())?;
        Ok(tale.asks.map(|asks| asks.call.told()))
    }

    /// Decides about the call that a run waits with.
    pub(crate) fn decide(&self, run: &RunId, allow: bool, always: bool) -> Result<()> {
        let body = json!({"allow": allow, "always": always});
        self.act::<Value>(Method::PUT, &["runs", run.as_str(), "decision"], body).map(drop)
    }
}

impl ShownTale {
    /// The run with what a table tells of it.
    pub(super) fn listed(&self, people: &People, space: String) -> Listed {
        let run = self.run.run();
        let plain = |text: &Option<String>| text.as_deref().map(crate::preview::plain);
        Listed {
            agent: people.name(&run.agent),
            space,
            trigger: self.woken_by(people),
            waits: waits_for(run.state, plain(&self.run.waits_for), plain(&self.run.asks_for)),
            until: self.until(),
            cost: Cost::from_usd(self.cost_usd),
            run,
        }
    }
}
