//! Where a run stands and what comes next, from what is written down of it. Pure: the driver does what is decided here.
//!
//! A run is a row of steps: the model is asked, its calls are done, it is asked again. A wait for a reply ends an
//! invocation; what came before it is not looked at any more, but for the timeline. So a run that died anywhere goes on
//! from its last step, and a call that was answered is never done again.

use super::kept::{Acted, Answered, Decided, Deed, Sight, Then, Thought, mark};
use std::collections::HashMap;
use weftwork::ask::Round;
use weftwork::model::{NodeId, Part, SpaceId, ToolCall};
use weftwork_store::runs::{Step, StepKind, StepStatus};

/// What a call is answered that was begun by a worker who died.
pub(crate) const INTERRUPTED: &str = "[interrupted: no result was recorded; its effects are unknown]";
/// Identical calls in a row that are run.
const REPEATS: usize = 3;

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Course {
    /// What was said and done since it began or was resumed.
    pub(crate) rounds: Vec<Round>,
    /// What it has in view; none before the model was asked.
    pub(crate) view: Option<Sight>,
    /// The space that it entered last.
    pub(crate) entered: Option<SpaceId>,
    /// The number of the next new step.
    pub(crate) step: u32,
    /// Steps in which the model was asked, by somebody who died before the answer was written down.
    pub(crate) unheard: Vec<u32>,
    /// What comes next.
    pub(crate) next: Next,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// The model is asked.
    Think,
    /// These calls are done.
    Act(Vec<Due>),
    /// The run has come to its end.
    End,
    /// The model broke off again and again, or what it did is gone.
    Stuck(&'static str),
}

/// A call that has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Due {
    /// The call.
    pub(crate) call: ToolCall,
    /// By which the step that runs it is found again.
    pub(crate) mark: [u8; 32],
    /// By which the step that asks about it is found again.
    pub(crate) asking: [u8; 32],
    /// How far it has come.
    pub(crate) so_far: SoFar,
}

/// How far a call has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SoFar {
    /// Nothing was done.
    Nothing,
    /// It was made too often in a row.
    Repeated,
    /// A step that runs it was begun, by somebody who died.
    Begun {
        /// The step.
        step: u32,
    },
    /// A person was asked, or was about to be.
    Asked {
        /// The step.
        step: u32,
    },
    /// A person allowed it.
    Allowed,
    /// A person refused it, or nobody decided in time.
    Refused {
        /// Whether it was a person.
        by_person: bool,
    },
}

/// A message that a run has sent, as its agent is told of it.
pub(crate) type Told = HashMap<NodeId, String>;

/// Reads where a run stands out of its steps after `since`, the last step of what it did before it waited.
pub(crate) fn course(steps: &[Step], since: u32, told: &Told) -> Course {
    let step = steps.iter().map(|step| step.step).max().unwrap_or(0) + 1;
    let steps: Vec<&Step> = steps.iter().filter(|step| step.step > since).collect();
    let open = |step: &&&Step| step.kind == StepKind::Model && step.status == StepStatus::Intent;
    let unheard = steps.iter().filter(open).map(|step| step.step).collect();
    let mut course = Course { rounds: Vec::new(), view: None, entered: None, step, unheard, next: Next::Think };
    let mut broke_off = 0;
    for thought in steps.iter().filter(|step| step.kind == StepKind::Model && step.status == StepStatus::Done) {
        let Some(said) = thought.result.as_deref().and_then(|text| serde_json::from_str::<Thought>(text).ok()) else {
            course.next = Next::Stuck("what the run did was taken out of the store");
            return course;
        };
        course.view.get_or_insert_with(|| said.view.clone());
        let (mut results, mut due) = (Vec::new(), Vec::new());
        for (place, call) in calls(&said.parts).enumerate() {
            let [run, asking] = [Deed::Run, Deed::Ask].map(|deed| mark(deed, thought.step, place, call));
            match so_far(&steps, run, asking, call, told) {
                Ok(answered) => {
                    course.entered = answered.entered.or(course.entered);
                    results.push(answered.result);
                }
                Err(so_far) => due.push(Due { call: call.clone(), mark: run, asking, so_far }),
            }
        }
        broke_off = if said.then == Then::BrokeOff { broke_off + 1 } else { 0 };
        course.next = match said.then {
            Then::End => Next::End,
            Then::Act if due.is_empty() => Next::Think,
            Then::Act => Next::Act(due),
            Then::BrokeOff if broke_off > 1 => Next::Stuck("the model's reply was cut off inside a tool call, twice"),
            Then::GoOn | Then::BrokeOff => Next::Think,
        };
        // A call that broke off is told of without being repeated: its arguments are half.
        let parts = if said.then == Then::BrokeOff { broken(said.parts) } else { said.parts };
        course.rounds.push(Round { parts, results, model: Some(said.model) });
    }
    mark_repeats(&mut course);
    course
}

fn calls(parts: &[Part]) -> impl Iterator<Item = &ToolCall> {
    parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) if call.native.is_none() => Some(call),
        Part::ToolCall(_) | Part::Text(_) | Part::Reasoning(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    })
}

fn broken(parts: Vec<Part>) -> Vec<Part> {
    let note = "[This reply was cut off inside a tool call, which was not run. Keep it shorter.]";
    let kept = parts.into_iter().filter(|part| !matches!(part, Part::ToolCall(_) | Part::Reasoning(_)));
    kept.chain([Part::text(note)]).collect()
}

/// The answer to a call, or how far it has come.
fn so_far(steps: &[&Step], run: [u8; 32], asking: [u8; 32], call: &ToolCall, told: &Told) -> Result<Answered, SoFar> {
    let find = |mark: [u8; 32]| steps.iter().find(|step| step.request.as_deref() == Some(mark.as_slice()));
    if let Some(step) = find(run) {
        let interrupted = || Answered::error(call, INTERRUPTED);
        return match (step.status, &step.message) {
            (StepStatus::Intent, _) => Err(SoFar::Begun { step: step.step }),
            (StepStatus::Unknown, _) => Ok(interrupted()),
            (StepStatus::Done, Some(message)) => {
                let sent = || format!("Sent as msg:{message}.");
                Ok(Answered::text(call, told.get(message).cloned().unwrap_or_else(sent)))
            }
            (StepStatus::Done, None) => match read(step) {
                Some(Acted::Answered(answered)) => Ok(answered),
                Some(Acted::Decided(_)) | None => Ok(interrupted()),
            },
        };
    }
    match find(asking) {
        None => Err(SoFar::Nothing),
        Some(step) if step.status == StepStatus::Intent => Err(SoFar::Asked { step: step.step }),
        Some(step) => match read(step) {
            Some(Acted::Decided(Decided { allowed: true, .. })) => Err(SoFar::Allowed),
            Some(Acted::Decided(Decided { by, .. })) => Err(SoFar::Refused { by_person: by.is_some() }),
            Some(Acted::Answered(_)) | None => Err(SoFar::Refused { by_person: false }),
        },
    }
}

fn read(step: &Step) -> Option<Acted> {
    serde_json::from_str(step.result.as_deref()?).ok()
}

/// Marks calls that the last rounds have made in the very same way.
fn mark_repeats(course: &mut Course) {
    let Next::Act(due) = &mut course.next else { return };
    let before = course.rounds.len().saturating_sub(1);
    let last: Vec<&Round> = course.rounds[..before].iter().rev().take(REPEATS).collect();
    if last.len() < REPEATS {
        return;
    }
    let same = |round: &&Round, due: &Due| {
        calls(&round.parts).any(|call| call.name == due.call.name && call.args.text() == due.call.args.text())
    };
    for due in due.iter_mut().filter(|due| due.so_far == SoFar::Nothing) {
        if last.iter().all(|round| same(round, due)) {
            due.so_far = SoFar::Repeated;
        }
    }
}
