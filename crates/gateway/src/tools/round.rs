//! The calls of one reply: what they are run with, and what became of each.

use super::{Answer, BuiltIn, Event, Gate, Limits, Loss, Refusal, fit::fit};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use weftwork::model::{ToolCall, ToolResult};

/// What the calls of one reply are run with.
pub struct Round<'a> {
    /// Tools besides those of servers.
    pub built_ins: &'a [&'a dyn BuiltIn],
    /// Who is asked.
    pub gate: &'a dyn Gate,
    /// How much is allowed.
    pub limits: &'a Limits,
    /// Stops what runs and what has not begun.
    pub cancel: &'a CancellationToken,
    /// Told what happens meanwhile. Must not block.
    pub events: &'a (dyn Fn(Event) + Send + Sync),
}

/// A call and what became of it.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What the model is told.
    pub result: ToolResult,
    /// The whole text, if the result was shortened.
    pub whole: Option<String>,
    /// How long it took, with the time a person took to decide.
    pub took: Duration,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a call.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It ran.
    Done,
    /// It ran, and says that it failed.
    Failed,
    /// It was not run and had no effect.
    Refused(Refusal),
    /// It was begun; whether it took effect is unknown. It is never run a second time by itself.
    Unknown(Loss),
}

/// How a call ended, before it is made into a result.
pub(super) enum Ending {
    Answered(Answer),
    Refused(Refusal),
    Lost(Loss),
}

impl Ran {
    pub(super) fn of(call: &ToolCall, ending: Ending, took: Duration, limits: &Limits) -> Self {
        let (answer, outcome) = match ending {
            Ending::Answered(answer) if answer.is_error => (answer, Outcome::Failed),
            Ending::Answered(answer) => (answer, Outcome::Done),
            Ending::Refused(refusal) => (Answer::error(refusal.to_string()), Outcome::Refused(refusal)),
            Ending::Lost(loss) => (Answer::error(loss.to_string()), Outcome::Unknown(loss)),
        };
        let (answer, whole) = fit(&call.id, answer, limits);
        Self { result: answer.into_result(&call.id, &call.name), whole, took, outcome }
    }
}
