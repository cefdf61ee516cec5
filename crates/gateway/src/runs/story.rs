//! What the steps of a run did, for people to read.

use super::kept::{Acted, Thought};
use weftwork::model::{EntityId, NodeId, Part, ResultContent, ToolCall};
use weftwork_store::runs::{Step, StepKind, StepStatus};

/// What a step did.
#[derive(Clone, Debug, PartialEq)]
pub enum Did {
    /// The model was asked.
    Thought {
        /// The model, as `provider/model`.
        model: String,
        /// What it said to itself.
        text: String,
        /// What it called.
        calls: Vec<ToolCall>,
    },
    /// A tool answered.
    Answered {
        /// Its name.
        tool: String,
        /// What it answered.
        text: String,
        /// Whether that is a failure.
        is_error: bool,
    },
    /// It was decided whether a call may run.
    Decided {
        /// Whether it may.
        allowed: bool,
        /// Who decided; none if nobody did in time.
        by: Option<EntityId>,
    },
    /// A message was sent.
    Sent {
        /// The message.
        message: NodeId,
    },
    /// It was begun, and is not done.
    Begun,
    /// It was begun by somebody who died, and nobody knows what came of it.
    Unknown,
    /// What it did was taken out of the store.
    Gone,
}

/// What a step did, as far as it is written down.
pub fn did(step: &Step) -> Did {
    let result = step.result.as_deref();
    match (step.status, step.kind, &step.message) {
        (StepStatus::Intent, _, _) => Did::Begun,
        (StepStatus::Unknown, _, _) => Did::Unknown,
        (StepStatus::Done, _, Some(message)) => Did::Sent { message: message.clone() },
        (StepStatus::Done, StepKind::Model, None) => result.and_then(thought).unwrap_or(Did::Gone),
        (StepStatus::Done, StepKind::Tool | StepKind::Send, None) => result.and_then(acted).unwrap_or(Did::Gone),
    }
}

fn thought(result: &str) -> Option<Did> {
    let Thought { parts, model, .. } = serde_json::from_str(result).ok()?;
    let (mut text, mut calls) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Part::Text(said) => text.push(said.text),
            Part::ToolCall(call) => calls.push(call),
            Part::Reasoning(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => {}
        }
    }
    Some(Did::Thought { model, text: text.join("\n"), calls })
}

fn acted(result: &str) -> Option<Did> {
    Some(match serde_json::from_str(result).ok()? {
        Acted::Decided(decided) => Did::Decided { allowed: decided.allowed, by: decided.by },
        Acted::Answered(answered) => {
            let Part::ToolResult(result) = answered.result else { return None };
            let text = match result.content {
                ResultContent::Text(text) => text,
                ResultContent::Parts(parts) => parts.iter().map(said).collect::<Vec<_>>().join("\n"),
            };
            Did::Answered { tool: result.name.unwrap_or_default(), text, is_error: result.is_error }
        }
    })
}

fn said(part: &Part) -> String {
    match part {
        Part::Text(text) => text.text.clone(),
        Part::Image(_) => "[image]".to_owned(),
        Part::File(file) => format!("[file {}]", file.name),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => String::new(),
    }
}
