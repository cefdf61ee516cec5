//! Calls that wait for a person: who asks for what, and what a person decides.

use super::course::{Next, SoFar, Told, course};
use super::kept::{Acted, Decided};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::tools::{Approval, ApproveError, Decision};
use weftwork::model::{EntityId, RunStatus, ToolCall};
use weftwork_store::runs::{Done, Guarded, Run, RunId, RunQuery};
use weftwork_store::{Store, StoreError};

/// A call that a person is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// The run.
    pub run: Run,
    /// The step that waits.
    pub step: u32,
    /// The call, with the exact arguments.
    pub call: ToolCall,
    /// Until when somebody may decide.
    pub deadline: i64,
}

/// Why a decision was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ApproveRunError {
    /// The run does not wait for one.
    #[error("run {run} does not wait for a decision")]
    NotWaiting {
        /// The run.
        run: RunId,
    },
    /// What was decided about the tool could not be kept.
    #[error(transparent)]
    Tool(#[from] ApproveError),
    /// It was not done.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

impl Gateway {
    /// All calls that people are asked about.
    pub async fn waiting(&self) -> Result<Vec<Waiting>, GatewayError> {
        self.stored(|store| {
            let runs = store.runs(&RunQuery { statuses: vec![RunStatus::WaitingTool], ..RunQuery::default() })?;
            let mut waiting = Vec::new();
            for run in runs {
                waiting.extend(asked(store, run)?);
            }
            Ok(waiting)
        })
        .await
    }

    /// Decides about the call that a run waits with. It is the very call that was shown: nothing in it can have changed.
    pub async fn decide(&self, run: &RunId, decision: Decision, by: &EntityId) -> Result<(), ApproveRunError> {
        let id = run.clone();
        let not_waiting = || ApproveRunError::NotWaiting { run: run.clone() };
        let found = self.stored(move |store| {
            let run = store.run(&id)?;
            asked(store, run)
        });
        let waiting = found.await?.ok_or_else(not_waiting)?;
        let kept = match decision {
            Decision::Once | Decision::Refuse => None,
            Decision::Always => Some(Approval::Always),
            Decision::Never => Some(Approval::Never),
        };
        if let (Some(approval), Some(asks)) = (kept, self.tools.asks(&waiting.call).await) {
            self.tools.decide(&asks.server, &asks.tool, Some(approval)).await?;
        }
        let allowed = matches!(decision, Decision::Once | Decision::Always);
        let decided = Acted::Decided(Decided { allowed, by: Some(by.clone()) });
        let result = serde_json::to_string(&decided).map_err(StoreError::from).map_err(GatewayError::from)?;
        let (id, now) = (run.clone(), self.now());
        let done = Done { result, ..Done::default() };
        let answered = self.stored(move |store| store.tool_answered(&id, waiting.step, &done, now)).await?;
        self.hint();
        match answered {
            Guarded::Held(()) => Ok(()),
            Guarded::Lost => Err(not_waiting()),
        }
    }
}

/// What a run that waits for a tool asks a person about; none if it does not.
pub fn asked(store: &Store, run: Run) -> Result<Option<Waiting>, StoreError> {
    let waits = store.waits(&run.id)?;
    let since = waits.iter().rev().find(|wait| wait.message.is_some()).map_or(0, |wait| wait.step);
    let open = waits.iter().find(|wait| wait.message.is_none() && wait.state == weftwork_store::runs::WaitState::Open);
    let Some(open) = open else { return Ok(None) };
    let Next::Act(due) = course(&store.steps(&run.id)?, since, &Told::new()).next else { return Ok(None) };
    let due = due.into_iter().find(|due| due.so_far == SoFar::Asked { step: open.step });
    Ok(due.map(|due| Waiting { run, step: open.step, call: due.call, deadline: open.deadline }))
}
