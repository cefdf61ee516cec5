//! Doing a run that was claimed: one step after another, each written down before the next.
//!
//! Every write names the claim. When the claim is lost the driver stops where it is and writes nothing more; whoever has it
//! now goes on from the last step.

use super::context::{Look, Start, look, start};
use super::course::{Due, Next, SoFar};
use super::kept::{Acted, Answered, Decided};
use super::tools::{Came, Own, waits};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use std::sync::{Mutex, OnceLock, PoisonError};
use tokio_util::sync::CancellationToken;
use weftwork::model::{NodeId, SpaceId, Trigger};
use weftwork_provider::SendError;
use weftwork_store::Seq;
use weftwork_store::runs::{Done, Guard, Guarded, Intended, Intent, Run, RunState, StepKind, StepRefusal, StepStatus, WaitState};

/// What a call is answered that was made again and again.
const TOO_OFTEN: &str =
    "Not run: you have made this very call three times in a row, and its answer will not change. Do something else.";
/// What calls are answered that both want to wait.
const ONE_WAIT: &str = "Not sent: one message of a reply can wait, not several. Send the others without wait first.";

/// How a driver left a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// In this state: ended, waiting, queued again or parked.
    In(RunState),
    /// Somebody else has it.
    Lost,
}

/// Why a driver stopped.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The claim is no longer ours.
    #[error("the claim on the run is lost")]
    Lost,
    /// The run was asked to stop.
    #[error("the run was asked to stop")]
    Stopped,
    /// A step may not be done.
    #[error("{}", refused(.0))]
    Refused(StepRefusal),
    /// The model gave no whole reply.
    #[error("{0}")]
    Provider(SendError),
    /// The run cannot go on, for good.
    #[error("{0}")]
    Failed(String),
    /// A result cannot be written down.
    #[error("a result cannot be written down: {0}")]
    Unwritable(serde_json::Error),
    /// The driver was told to stop right here; in tests.
    #[error("stopped at a point")]
    AtPoint,
    /// Something failed.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

fn refused(why: &StepRefusal) -> String {
    match why {
        StepRefusal::Canceled => "the run was asked to stop".to_owned(),
        StepRefusal::Taken => "another act has this step's number".to_owned(),
        StepRefusal::Steps => "the run has had all its steps".to_owned(),
        StepRefusal::Budget(budget) => format!("there is not enough left in the budget of {:?}", budget.scope),
    }
}

/// A place between two things that a driver does: where a process may die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before a step is written down as begun.
    Before,
    /// Between that and what it does.
    Begun,
    /// Between what it did and writing down its result.
    Done,
    /// After that.
    Written,
}

/// Whether a driver goes on at a point. Tests let it die there.
pub trait Points: Send + Sync {
    /// Whether it goes on.
    fn pass(&self, point: Point) -> bool;
}

/// Why the work on a run is cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It was asked to stop.
    Stop,
    /// The claim is lost, or may be.
    Lost,
}

/// What cuts the work on a run short.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reins {
    pub(crate) cancel: CancellationToken,
    why: std::sync::Arc<OnceLock<Cut>>,
}

impl Reins {
    pub(crate) fn cut(&self, why: Cut) {
        let _ = self.why.set(why);
        self.cancel.cancel();
    }

    fn why(&self) -> Option<DriveError> {
        self.why.get().map(|why| match why {
            Cut::Stop => DriveError::Stopped,
            Cut::Lost => DriveError::Lost,
        })
    }
}

/// A run that is being done.
pub(crate) struct Drive<'g> {
    pub(crate) gateway: &'g Gateway,
    pub(crate) run: Run,
    pub(crate) guard: Guard,
    pub(crate) reins: Reins,
    pub(crate) start: Start,
    points: &'g dyn Points,
    entered: Mutex<Option<SpaceId>>,
    reads: Mutex<Vec<(SpaceId, Seq)>>,
}

/// Goes on at every point.
pub(crate) struct Onward;

impl Points for Onward {
    fn pass(&self, _: Point) -> bool {
        true
    }
}

impl Gateway {
    /// Does a run that was claimed, until it ends, waits, or is lost.
    pub(crate) async fn drive(&self, run: Run, reins: &Reins, points: &dyn Points) -> Result<Ended, DriveError> {
        let guard = run.guard();
        let (of, now) = (run.clone(), self.now());
        let begun = self.stored(move |store| {
            store.glance(|glance| {
                // Whoever has done nothing yet thinks first.
                if of.progress == 0 {
                    glance.foresee_run(&of)?;
                }
                match start(glance, &of)? {
                    Ok(start) => Ok(Ok((look(glance, &of, &start, now)?, start))),
                    Err(gone) => Ok(Err(gone)),
                }
            })
        });
        let ended = match begun.await {
            Err(error) => Err(error.into()),
            Ok(Err(gone)) => Err(DriveError::Failed(gone.to_string())),
            Ok(Ok((look, start))) => {
                let drive = Drive { reins: reins.clone(), points, ..Drive::new(self, run.clone(), start) };
                drive.on(look).await
            }
        };
        match ended {
            Ok(ended) => Ok(ended),
            Err(error) => self.leave(&run, &guard, error).await,
        }
    }
}

impl<'g> Drive<'g> {
    /// A run with nothing that could cut it short.
    pub(super) fn new(gateway: &'g Gateway, run: Run, start: Start) -> Drive<'g> {
        let (guard, entered, reads) = (run.guard(), Mutex::new(None), Mutex::new(Vec::new()));
        Drive { gateway, run, guard, reins: Reins::default(), start, points: &Onward, entered, reads }
    }
}

impl Drive<'_> {
    /// Makes a space the active one.
    pub(super) fn enter(&self, space: Option<SpaceId>) {
        *lock(&self.entered) = space;
    }

    /// Goes on from where the run stands until it ends or lets go.
    async fn on(&self, begun: Look) -> Result<Ended, DriveError> {
        let mut look = begun;
        loop {
            if let Some(why) = self.reins.why() {
                return Err(why);
            }
            let Look { course, told } = look;
            self.enter(course.entered.clone());
            match (&course.next, told) {
                (Next::Think, Some((mind, view))) => self.think(&course, mind, view).await?,
                (Next::Think, None) => return Err(DriveError::Failed("it was told nothing to think about".to_owned())),
                (Next::End, _) => return self.complete().await,
                (Next::Stuck(why), _) => return Err(DriveError::Failed((*why).to_owned())),
                (Next::Act(due), _) => {
                    if let Some(state) = self.do_calls(due, course.step).await? {
                        return Ok(Ended::In(state));
                    }
                }
            }
            look = self.look().await?;
        }
    }

    /// Where the run stands, from what is written down.
    pub(super) async fn look(&self) -> Result<Look, DriveError> {
        let (run, start, now) = (self.run.clone(), self.start.clone(), self.gateway.now());
        Ok(self.gateway.stored(move |store| store.glance(|glance| look(glance, &run, &start, now))).await?)
    }

    async fn complete(&self) -> Result<Ended, DriveError> {
        let (guard, now) = (self.guard.clone(), self.gateway.now());
        let state = self.gateway.stored(move |store| store.complete(&guard, now)).await?;
        self.gateway.hint();
        Ok(Ended::In(self.held(state)?))
    }

    /// Does the calls of a reply: those of servers at once, then its own in their order, then it asks a person, and last of
    /// all it waits. Says the state if the run has let go of its claim.
    async fn do_calls(&self, due: &[Due], first: u32) -> Result<Option<RunState>, DriveError> {
        let mut steps = first..;
        let mut number = || steps.next().unwrap_or(u32::MAX);
        let (mut foreign, mut asking, mut waiting, mut own) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for due in due {
            match (&due.so_far, Own::named(&due.call.name)) {
                (SoFar::Repeated, _) => self.answer(due, number(), Answered::error(&due.call, TOO_OFTEN)).await?,
                (_, Some(_)) if waits(&due.call) => waiting.push(due),
                (_, Some(tool)) => own.push((tool, due)),
                (SoFar::Asked { step }, None) => asking.push((due, Some(*step))),
                (SoFar::Begun { step }, None) => self.give_up(*step).await?,
                (SoFar::Refused { by_person }, None) => {
                    let why = if *by_person {
                        "A person refused this call."
                    } else {
                        "Nobody decided about this call in time: it was not run."
                    };
                    self.answer(due, number(), Answered::error(&due.call, why)).await?;
                }
                (SoFar::Nothing, None) if self.gateway.tools.asks(&due.call).await.is_some() => asking.push((due, None)),
                (SoFar::Nothing | SoFar::Allowed, None) => foreign.push((due, number())),
            }
        }
        self.use_tools(&foreign).await?;
        for (tool, due) in own {
            let step = if let SoFar::Begun { step } = due.so_far { step } else { number() };
            self.one(tool, due, step).await?;
        }
        if let Some((due, step)) = asking.first() {
            let begun = *step;
            return self.ask(due, begun.unwrap_or_else(&mut number), begun.is_some()).await;
        }
        match waiting.as_slice() {
            [] => Ok(None),
            [due] => {
                let step = if let SoFar::Begun { step } = due.so_far { step } else { number() };
                self.one(Own::SendMessage, due, step).await
            }
            several => {
                for due in several {
                    self.answer(due, number(), Answered::error(&due.call, ONE_WAIT)).await?;
                }
                Ok(None)
            }
        }
    }

    /// Does one of the run's own calls.
    async fn one(&self, tool: Own, due: &Due, step: u32) -> Result<Option<RunState>, DriveError> {
        self.point(Point::Before)?;
        match self.act(tool, &due.call, due.mark, step).await? {
            Came::Answer(answer) => {
                self.point(Point::Done)?;
                if answer.entered.is_some() {
                    self.enter(answer.entered.clone());
                }
                self.answer(due, step, answer).await?;
                Ok(None)
            }
            Came::Kept => self.point(Point::Written).map(|()| None),
            Came::Waits => Ok(Some(RunState::WaitingReply)),
        }
    }

    /// Writes down the answer to a call, as one step.
    pub(super) async fn answer(&self, due: &Due, step: u32, answer: Answered) -> Result<(), DriveError> {
        self.begin(step, StepKind::Tool, Some(due.mark), Some(0)).await?;
        self.finish(step, &Acted::Answered(answer), 0).await
    }

    /// Begins a step. Whether it was begun before makes no difference to what follows.
    pub(super) async fn begin(
        &self,
        step: u32,
        kind: StepKind,
        request: Option<[u8; 32]>,
        most: Option<i64>,
    ) -> Result<Option<StepStatus>, DriveError> {
        self.point(Point::Before)?;
        let intent = Intent { step, kind, request, most };
        let (guard, caps, now) = (self.guard.clone(), self.gateway.caps.clone(), self.gateway.now());
        let intended = self.gateway.stored(move |store| store.step_intent(&guard, &intent, &caps, now)).await?;
        let before = match self.held(intended)? {
            Intended::Begun => None,
            Intended::Before(step) => Some(step.status),
            Intended::Refused(why) => return Err(DriveError::Refused(why)),
        };
        self.point(Point::Begun)?;
        Ok(before)
    }

    /// Ends a step with what it gave, what it cost and how far it has read.
    pub(super) async fn finish(&self, step: u32, gave: &impl serde::Serialize, cost: i64) -> Result<(), DriveError> {
        self.point(Point::Done)?;
        let result = serde_json::to_string(gave).map_err(DriveError::Unwritable)?;
        let done = Done { result, cost, reads: self.read_so_far() };
        let (guard, now) = (self.guard.clone(), self.gateway.now());
        let settled = self.gateway.stored(move |store| store.step_done(&guard, step, &done, now)).await?;
        self.held(settled)?;
        self.point(Point::Written)
    }

    /// Says of a step that it failed and what that cost.
    pub(super) async fn fall_short(&self, step: u32, cost: i64) -> Result<(), DriveError> {
        let (guard, now) = (self.guard.clone(), self.gateway.now());
        let failed = self.gateway.stored(move |store| store.step_failed(&guard, step, cost, now)).await?;
        self.held(failed)
    }

    /// Says of a step that was begun by somebody who died that nobody knows what came of it.
    pub(super) async fn give_up(&self, step: u32) -> Result<(), DriveError> {
        let (guard, now) = (self.guard.clone(), self.gateway.now());
        let given_up = self.gateway.stored(move |store| store.step_unknown(&guard, step, now)).await?;
        self.held(given_up)
    }

    /// Asks a person about a call, and lets go of the run until they answer.
    async fn ask(&self, due: &Due, step: u32, asked: bool) -> Result<Option<RunState>, DriveError> {
        if asked && self.asked_in_vain(step).await? {
            let nobody = Acted::Decided(Decided { allowed: false, by: None });
            self.finish(step, &nobody, 0).await?;
            return Ok(None);
        }
        self.begin(step, StepKind::Tool, Some(due.asking), Some(0)).await?;
        let (guard, caps, now) = (self.guard.clone(), self.gateway.caps.clone(), self.gateway.now());
        let waiting = self.gateway.stored(move |store| store.wait_for_tool(&guard, step, None, &caps, now)).await?;
        self.held(waiting)?;
        Ok(Some(RunState::WaitingTool))
    }

    /// Whether a person was asked and did not answer in time.
    async fn asked_in_vain(&self, step: u32) -> Result<bool, DriveError> {
        let id = self.run.id.clone();
        let waits = self.gateway.stored(move |store| store.waits(&id)).await?;
        Ok(waits.iter().any(|wait| wait.step == step && wait.message.is_none() && wait.state == WaitState::Expired))
    }

    /// The space that messages go to: the one entered last, else the one the run is in.
    pub(super) fn active(&self) -> Option<SpaceId> {
        lock(&self.entered).clone().or_else(|| self.start.space.clone())
    }

    /// A message of the branch that a message of this run goes to, if it is in a space that the run knows a branch of.
    pub(super) fn branch(&self, space: &SpaceId) -> Option<NodeId> {
        if self.start.space.as_ref() == Some(space) {
            return self.start.branch.clone();
        }
        match &self.start.trigger {
            Trigger::SpaceMessage(message) if message.space == *space => Some(message.message_id.clone()),
            Trigger::SpaceMessage(_) | Trigger::Plan(_) | Trigger::Service(_) => None,
        }
    }

    /// Remembers how far the run has read, until the step is written down.
    pub(super) fn note_read(&self, space: SpaceId, seq: Seq) {
        lock(&self.reads).push((space, seq));
    }

    /// Takes what was remembered of reading.
    pub(super) fn read_so_far(&self) -> Vec<(SpaceId, Seq)> {
        std::mem::take(&mut *lock(&self.reads))
    }

    /// What a guarded write gave, if the claim still holds.
    pub(super) fn held<T>(&self, guarded: Guarded<T>) -> Result<T, DriveError> {
        match guarded {
            Guarded::Held(value) => Ok(value),
            Guarded::Lost => Err(self.reins.why().unwrap_or(DriveError::Lost)),
        }
    }

    pub(super) fn point(&self, point: Point) -> Result<(), DriveError> {
        if self.points.pass(point) { Ok(()) } else { Err(DriveError::AtPoint) }
    }

    /// Why a provider's or a tool's work ended because of us, if it did.
    pub(super) fn cut(&self) -> Option<DriveError> {
        self.reins.why()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
