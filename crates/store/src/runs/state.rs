//! Words for where things stand, each decided once; the numbers are those of the tables.

use crate::error::{Result, StoreError};
use weftwork::model::RunStatus;

/// An enum that is kept as a number.
macro_rules! numbered {
    ($name:ident { $($variant:ident = $number:literal),* $(,)? }) => {
        impl $name {
            pub(crate) fn number(self) -> i64 {
                match self { $($name::$variant => $number),* }
            }

            pub(crate) fn of(number: i64) -> $crate::error::Result<$name> {
                match number {
                    $($number => Ok($name::$variant),)*
                    other => Err($crate::error::StoreError::Unreadable { detail: format!("a {} of {other}", stringify!($name)) }),
                }
            }
        }
    };
}
pub(crate) use numbered;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Will be claimed.
    Queued,
    /// At work.
    Running,
    /// Waits for somebody's message.
    WaitingReply,
    /// Waits for a tool that answers later.
    WaitingTool,
    /// Stands still until a person acts.
    Parked(ParkReason),
    /// Ended well.
    Completed,
    /// Ended badly.
    Failed,
    /// Was stopped.
    Canceled,
}

/// Why a run stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParkReason {
    /// It was claimed again and again and never came further.
    Poison,
    /// There is no money left for it.
    Budget,
    /// A person must allow something.
    Approval,
    /// The provider refuses.
    Provider,
    /// Something is set up wrongly.
    Config,
}
numbered!(ParkReason { Poison = 0, Budget = 1, Approval = 2, Provider = 3, Config = 4 });

/// The numbers of states, for statements.
pub(super) mod number {
    pub(crate) const QUEUED: i64 = 0;
    pub(crate) const RUNNING: i64 = 1;
    pub(crate) const WAITING_REPLY: i64 = 2;
    pub(crate) const WAITING_TOOL: i64 = 3;
    pub(crate) const PARKED: i64 = 4;
    pub(crate) const COMPLETED: i64 = 5;
    pub(crate) const FAILED: i64 = 6;
    pub(crate) const CANCELED: i64 = 7;
}

impl RunState {
    pub(crate) fn read(number: i64, reason: Option<i64>) -> Result<RunState> {
        match (number, reason) {
            (0, None) => Ok(RunState::Queued),
            (1, None) => Ok(RunState::Running),
            (2, None) => Ok(RunState::WaitingReply),
            (3, None) => Ok(RunState::WaitingTool),
            (4, Some(reason)) => ParkReason::of(reason).map(RunState::Parked),
            (5, None) => Ok(RunState::Completed),
            (6, None) => Ok(RunState::Failed),
            (7, None) => Ok(RunState::Canceled),
            (number, reason) => Err(StoreError::Unreadable { detail: format!("a run in state {number}, {reason:?}") }),
        }
    }

    /// Whether the run has ended.
    pub fn is_over(self) -> bool {
        matches!(self, RunState::Completed | RunState::Failed | RunState::Canceled)
    }

    /// The state as files and timelines name it.
    pub fn status(self) -> RunStatus {
        match self {
            RunState::Queued => RunStatus::Queued,
            RunState::Running => RunStatus::Running,
            RunState::WaitingReply => RunStatus::WaitingReply,
            RunState::WaitingTool => RunStatus::WaitingTool,
            RunState::Parked(_) => RunStatus::Parked,
            RunState::Completed => RunStatus::Completed,
            RunState::Failed => RunStatus::Failed,
            RunState::Canceled => RunStatus::Canceled,
        }
    }
}

/// What wakes an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerKind {
    /// Somebody wrote in a space.
    Message,
    /// A plan came due.
    Plan,
    /// A service delivered something.
    Delivery,
}
numbered!(TriggerKind { Message = 0, Plan = 1, Delivery = 2 });

/// What a trigger did to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The run is there because of it.
    Started,
    /// The run was queued already.
    Joined,
    /// The run waited for it.
    Resumed,
}
numbered!(How { Started = 0, Joined = 1, Resumed = 2 });

/// Why somebody was not woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The chain of agents is as long as it may be.
    Depth,
    /// The root has had its runs.
    RootRuns,
    /// The root has had its agents' messages.
    RootMessages,
    /// These two agents have written to each other too often of late.
    Pair,
    /// The plan's last run has not ended.
    Overlap,
}
numbered!(Refusal { Depth = 0, RootRuns = 1, RootMessages = 2, Pair = 3, Overlap = 4 });

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Calls a model.
    Model,
    /// Calls a tool.
    Tool,
    /// Sends a message.
    Send,
}
numbered!(StepKind { Model = 0, Tool = 1, Send = 2 });

/// What is known of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepStatus {
    /// It was begun.
    Intent,
    /// It is done.
    Done,
    /// It was begun and failed, or nobody knows what came of it.
    Unknown,
}
numbered!(StepStatus { Intent = 0, Done = 1, Unknown = 2 });
