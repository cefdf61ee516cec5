//! `get_my_runs` and `stop_run`: an agent looks after its own runs.

use super::super::drive::{Drive, DriveError};
use super::super::kept::Answered;
use super::{Came, arguments};
use serde::Deserialize;
use serde_json::json;
use weftwork::model::{RunStatus, Timestamp, ToolCall};
use weftwork_store::StoreError;
use weftwork_store::runs::{Canceled, Run, RunId, RunQuery};

const USUAL: u32 = 10;
const MOST: u32 = 200;

#[derive(Deserialize)]
struct Which {
    status: Option<RunStatus>,
    limit: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct One {
    run_id: String,
}

impl Drive<'_> {
    pub(super) async fn get_my_runs(&self, call: &ToolCall) -> Result<Came, DriveError> {
        let which: Which = match arguments(call) {
            Ok(which) => which,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let limit = which.limit.unwrap_or(USUAL).clamp(1, MOST);
        let query = RunQuery {
            agent: Some(self.run.agent.clone()),
            statuses: which.status.into_iter().collect(),
            limit,
            ..RunQuery::default()
        };
        let runs = self.gateway.stored(move |store| store.runs(&query)).await?;
        let lines: Vec<String> = runs.iter().map(|run| self.line(run)).collect();
        let text = if lines.is_empty() { "You have no such runs.".to_owned() } else { lines.join("\n") };
        Ok(Came::Answer(Answered::text(call, text)))
    }

    fn line(&self, run: &Run) -> String {
        let time = |millis: i64| Timestamp::from_millis(millis).map(|time| time.utc());
        json!({
            "runId": run.id.as_str(),
            "status": run.state.status(),
            "thisRun": run.id == self.run.id,
            "spaceId": run.space,
            "begun": time(run.created_at),
            "ended": run.ended_at.and_then(time),
            "why": run.error,
        })
        .to_string()
    }

    pub(super) async fn stop_run(&self, call: &ToolCall) -> Result<Came, DriveError> {
        let one: One = match arguments(call) {
            Ok(one) => one,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let id = RunId::from(one.run_id.as_str());
        if id == self.run.id {
            return Ok(Came::Answer(Answered::error(call, "This is the run you are in: it ends when you call no more tools.")));
        }
        let (agent, now) = (self.run.agent.clone(), self.gateway.now());
        let stopped = self
            .gateway
            .stored(move |store| match store.run(&id) {
                Ok(run) if run.agent == agent => store.cancel(&id, now).map(Some),
                Ok(_) | Err(StoreError::NoRun { .. }) => Ok(None),
                Err(error) => Err(error),
            })
            .await?;
        Ok(Came::Answer(match stopped {
            Some(Canceled::Now) => Answered::text(call, "Stopped."),
            Some(Canceled::Asked) => Answered::text(call, "It is at work and will stop after what it is doing."),
            Some(Canceled::Over) => Answered::text(call, "It had ended already."),
            None => Answered::error(call, "None of your runs has this id. get_my_runs lists them."),
        }))
    }
}
