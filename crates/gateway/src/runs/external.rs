//! Agents that live elsewhere: their runs are handed to a program of the user's own, which acts through the same tools,
//! under the claim of its run.
//!
//! The program is a worker like any other: it has the run for as long as its heart beats, every act names its claim, and
//! an act that is repeated under the same id is done once.

use super::context::{Mind, Start, sight};
use super::drive::{Drive, DriveError};
use super::kept::{Acted, Answered, Deed, Sight, mark};
use super::tools::{Came, Own, sent};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use weftwork::model::{EntityId, Json, Part, ResultContent, Tool, ToolCall};
use weftwork::report::Report;
use weftwork_store::runs::{Guard, Guarded, Pulse, Run, RunState, Step, StepKind, StepRefusal, StepStatus};

/// How often it is looked whether a run has come, while somebody waits for one.
const LOOK: Duration = Duration::from_millis(500);

/// How often a number is looked for that nobody else takes.
const TRIES: u32 = 16;

/// A run that was handed to a program elsewhere.
#[derive(Clone, Debug)]
pub struct Handed {
    /// The run; its id and epoch are the claim.
    pub run: Run,
    /// What a model would be sent now, in the dialect of the agent's model.
    pub request: Vec<u8>,
    /// What happened to every node.
    pub report: Report,
    /// What the program may do.
    pub tools: Vec<Tool>,
}

/// What came of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deeded {
    /// An answer, as a model would get it.
    Answered {
        /// What the tool said.
        text: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// The message was sent and the run waits: it is handed out again when it goes on.
    Waits,
}

impl Gateway {
    /// Takes the next run of an agent that lives elsewhere; waits for one if there is none, for so long.
    pub async fn take_run(&self, agent: &EntityId, owner: &str, patience: Duration) -> Result<Option<Handed>, DriveError> {
        let until = Instant::now() + patience;
        loop {
            self.look_at_the_clock().await?;
            let (caps, now) = (self.caps.clone(), self.now());
            let (whose, worker) = (agent.clone(), owner.to_owned());
            let claimed = self
                .stored(move |store| {
                    store.reclaim(&caps, now)?;
                    store.claim_for(&whose, &worker, 1, &caps, now)
                })
                .await?;
            match claimed.into_iter().next() {
                Some(run) => match self.hand(run).await? {
                    Some(handed) => return Ok(Some(handed)),
                    // It could not be handed out, and that is written down.
                    None => continue,
                },
                None if Instant::now() >= until => return Ok(None),
                None => {
                    let wait = LOOK.min(until.saturating_duration_since(Instant::now()));
                    let _ = tokio::time::timeout(wait, self.hinted()).await;
                }
            }
        }
    }

    /// Assembles what a claimed run is shown, and writes down how far that reads.
    async fn hand(&self, run: Run) -> Result<Option<Handed>, DriveError> {
        let handed = match self.start_of(&run).await? {
            Ok(start) => self.show(&run, start).await,
            Err(gone) => Err(DriveError::Failed(gone.to_string())),
        };
        match handed {
            Ok(handed) => Ok(Some(handed)),
            Err(error) => self.leave(&run, &run.guard(), error).await.map(|_| None),
        }
    }

    async fn show(&self, run: &Run, start: Start) -> Result<Handed, DriveError> {
        let drive = Drive::new(self, run.clone(), start);
        let (asked, begin, now) = (run.clone(), drive.start.clone(), self.now());
        let (mut mind, view): (Mind, Sight) = self
            .stored(move |store| {
                store.glance(|glance| Ok((Mind::of(glance, &asked, begin.space.as_ref())?, sight(glance, &begin, now)?)))
            })
            .await?;
        mind.loom = drive.tree(&mind, &view).await?;
        let (request, report) = drive.shown(&Arc::new(mind), &view).await?;
        // Not a step: a program that dies each time it is handed the run has not come further.
        drive.note_view(&view).await?;
        let (guard, reads, now) = (run.guard(), drive.read_so_far(), self.now());
        let noted = self.stored(move |store| store.note_run_reads(&guard, &reads, now)).await?;
        drive.held(noted)?;
        Ok(Handed { run: run.clone(), request, report, tools: Own::tools() })
    }

    /// Keeps a claim alive, and says whether the run is to stop; lost if it is somebody else's by now.
    pub async fn keep_run(&self, guard: &Guard) -> Result<Guarded<Pulse>, GatewayError> {
        let (guard, caps, now) = (guard.clone(), self.caps.clone(), self.now());
        self.stored(move |store| store.heartbeat(&guard, &caps, now)).await
    }

    /// Does one of the tools of a run in the name of the program that has it. The same call is done once since the run
    /// began or was resumed, and answered the same.
    pub async fn act(&self, guard: &Guard, call: &ToolCall) -> Result<Deeded, DriveError> {
        // A program may do several things at once; whoever is second to take a step's number takes the next.
        let mut tries = 1;
        loop {
            match self.try_to_act(guard, call).await {
                Err(DriveError::Refused(StepRefusal::Taken)) if tries < TRIES => tries += 1,
                Err(DriveError::Refused(StepRefusal::Canceled)) => return Err(DriveError::Stopped),
                done => return done,
            }
        }
    }

    async fn try_to_act(&self, guard: &Guard, call: &ToolCall) -> Result<Deeded, DriveError> {
        let id = guard.run.clone();
        let (run, steps) = self.stored(move |store| Ok((store.run(&id)?, store.steps(&id)?))).await?;
        if run.epoch != guard.epoch || run.state != RunState::Running {
            return Err(DriveError::Lost);
        }
        let start = self.start_of(&run).await?.map_err(|gone| DriveError::Failed(gone.to_string()))?;
        // A call is known by its id: a program may spell its arguments in another order when it repeats itself.
        let mark = mark(Deed::Run, 0, 0, &ToolCall { name: String::new(), args: Json::empty_object(), ..call.clone() });
        // A program that died and is handed the run again does its acts under the same ids; after a wait it begins anew.
        let before = steps.iter().find(|step| step.step > start.since && step.request.as_deref() == Some(mark.as_slice()));
        if let Some(step) = before.filter(|step| step.status == StepStatus::Done) {
            return self.answered_before(&run, step).await;
        }
        let Some(own) = Own::named(&call.name) else {
            return Ok(Deeded::Answered { text: format!("There is no tool {:?} in a run.", call.name), is_error: true });
        };
        let drive = Drive::new(self, run, start);
        drive.enter(entered(&steps, drive.start.since));
        let step = before.map_or_else(|| next(&steps), |step| step.step);
        match drive.act(own, call, mark, step).await? {
            Came::Waits => Ok(Deeded::Waits),
            Came::Answer(answer) => {
                let told = told(&answer);
                drive.begin(step, StepKind::Tool, Some(mark), Some(0)).await?;
                drive.finish(step, &Acted::Answered(answer), 0).await?;
                Ok(told)
            }
            Came::Kept => {
                let (id, run) = (drive.run.id.clone(), drive.run.clone());
                let steps = self.stored(move |store| store.steps(&id)).await?;
                match steps.iter().find(|kept| kept.step == step) {
                    Some(kept) => self.answered_before(&run, kept).await,
                    None => Err(DriveError::Lost),
                }
            }
        }
    }

    /// What a step was answered.
    async fn answered_before(&self, run: &Run, step: &Step) -> Result<Deeded, DriveError> {
        let (id, number, agent) = (run.id.clone(), step.step, run.agent.clone());
        if step.message.is_some() {
            let posted = self.stored(move |store| Ok((store.sent_in(&id, number)?, store.belonging(&agent)?))).await?;
            let (Some(posted), people) = posted else { return Err(DriveError::Lost) };
            let name = |id: &EntityId| {
                people
                    .entities
                    .iter()
                    .find(|entity| entity.id == *id)
                    .map_or_else(|| id.to_string(), |entity| entity.name.clone())
            };
            return Ok(Deeded::Answered { text: sent(&posted, name), is_error: false });
        }
        let kept = step.result.as_deref().and_then(|text| serde_json::from_str::<Acted>(text).ok());
        Ok(match kept {
            Some(Acted::Answered(answer)) => told(&answer),
            Some(Acted::Decided(_)) | None => Deeded::Answered { text: super::course::INTERRUPTED.to_owned(), is_error: true },
        })
    }

    /// Ends a run that a program elsewhere did: well, or badly for a reason.
    pub async fn end_run(&self, guard: &Guard, failed: Option<&str>) -> Result<Guarded<RunState>, GatewayError> {
        let (guard, now, failed) = (guard.clone(), self.now(), failed.map(str::to_owned));
        let ended = self
            .stored(move |store| match &failed {
                None => store.complete(&guard, now),
                Some(why) => store.fail(&guard, why, now),
            })
            .await?;
        self.hint();
        Ok(ended)
    }
}

fn next(steps: &[Step]) -> u32 {
    steps.iter().map(|step| step.step).max().unwrap_or(0) + 1
}

/// The space that was entered last since the run began or was resumed.
fn entered(steps: &[Step], since: u32) -> Option<weftwork::model::SpaceId> {
    let since = steps.iter().rev().filter(|step| step.step > since);
    since.filter_map(|step| serde_json::from_str(step.result.as_deref()?).ok()).find_map(|acted| match acted {
        Acted::Answered(answer) => answer.entered,
        Acted::Decided(_) => None,
    })
}

fn told(answer: &Answered) -> Deeded {
    match &answer.result {
        Part::ToolResult(result) => {
            let text = match &result.content {
                ResultContent::Text(text) => text.clone(),
                ResultContent::Parts(_) => String::new(),
            };
            Deeded::Answered { text, is_error: result.is_error }
        }
        Part::Text(_) | Part::Reasoning(_) | Part::ToolCall(_) | Part::Image(_) | Part::File(_) => {
            Deeded::Answered { text: String::new(), is_error: true }
        }
    }
}
