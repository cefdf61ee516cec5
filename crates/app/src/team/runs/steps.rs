//! The steps of a run as people read them.

use crate::preview::plain;
use crate::style::Ink;
use crate::team::who::People;
use anyhow::Result;
use serde_json::{Value, json};
use weftwork::model::ToolCall;
use weftwork_gateway::{Did, did, not_woken};
use weftwork_store::runs::{RunId, Step, StepKind, Woken};
use weftwork_store::{Cost, Store};

/// A step, and what it sent.
pub(crate) struct Told {
    pub(crate) number: u32,
    pub(crate) kind: StepKind,
    pub(crate) cost: Cost,
    pub(crate) did: Did,
    /// How the message begins that it sent.
    pub(crate) said: Option<String>,
    /// What that did to agents, where it is told.
    pub(crate) woken: Option<Vec<Woken>>,
}

impl Told {
    /// All steps of a run.
    pub(super) fn all(store: &Store, run: &RunId) -> Result<Vec<Told>> {
        let tell = |step: Step| {
            let sent = if step.message.is_some() { store.sent_in(run, step.step)? } else { None };
            let said = sent.as_ref().map(|sent| crate::preview::node(&sent.message.node));
            let (did, cost, woken) = (did(&step), Cost::billionths(step.cost), sent.map(|sent| sent.woken));
            Ok(Told { number: step.step, kind: step.kind, cost, did, said, woken })
        };
        store.steps(run)?.into_iter().map(tell).collect()
    }

    pub(super) fn kind(&self) -> &'static str {
        match self.kind {
            StepKind::Model => "model",
            StepKind::Tool => "tool",
            StepKind::Send => "send",
        }
    }

    pub(super) fn ink(&self) -> Ink {
        match &self.did {
            Did::Answered { is_error: true, .. } | Did::Unknown | Did::Gone => Ink::Notice,
            Did::Begun => Ink::Faint,
            Did::Thought { .. } | Did::Answered { .. } | Did::Decided { .. } | Did::Sent { .. } => Ink::Plain,
        }
    }

    /// What it did, in a line, and what else is to be said of it.
    pub(super) fn lines(&self, people: &People) -> Vec<String> {
        match &self.did {
            Did::Thought { text, calls, .. } => {
                let thought = (!text.is_empty()).then(|| format!("(thinks) {}", plain(text)));
                thought.into_iter().chain(calls.iter().map(call)).collect()
            }
            Did::Answered { tool, text, is_error } => {
                let sign = if *is_error { "✗" } else { "←" };
                vec![format!("{sign} {}: {}", plain(tool), plain(text))]
            }
            Did::Decided { allowed, by } => {
                let word = if *allowed { "allowed" } else { "refused" };
                vec![
                    by.as_ref()
                        .map_or_else(|| "nobody decided in time".to_owned(), |by| format!("{word} by {}", people.name(by))),
                ]
            }
            Did::Sent { message } => {
                let text = self.said.as_deref().unwrap_or_default();
                let said = format!("{text} as {}", plain(message.as_str()));
                let refused = self.woken.iter().flat_map(|woken| refusals(woken, people));
                std::iter::once(said).chain(refused).collect()
            }
            Did::Begun => vec!["(begun)".to_owned()],
            Did::Unknown => vec!["(interrupted: nobody knows what came of it)".to_owned()],
            Did::Gone => vec!["(taken out of the store)".to_owned()],
        }
    }

    pub(super) fn record(&self) -> Value {
        let (what, detail) = match &self.did {
            Did::Thought { model, text, calls } => {
                let call = |call: &ToolCall| json!({"id": call.id, "name": call.name, "args": call.args});
                let calls: Vec<Value> = calls.iter().map(call).collect();
                ("thought", json!({"model": model, "text": text, "calls": calls}))
            }
            Did::Answered { tool, text, is_error } => ("answered", json!({"tool": tool, "text": text, "isError": is_error})),
            Did::Decided { allowed, by } => ("decided", json!({"allowed": allowed, "by": by})),
            Did::Sent { message } => {
                let woken = self.woken.as_ref().map(|woken| woken.iter().map(woken_record).collect::<Vec<_>>());
                ("sent", json!({"message": message, "woken": woken}))
            }
            Did::Begun => ("begun", Value::Null),
            Did::Unknown => ("unknown", Value::Null),
            Did::Gone => ("gone", Value::Null),
        };
        json!({"step": self.number, "kind": self.kind(), "did": what, "detail": detail, "costUsd": self.cost.usd()})
    }
}

fn call(call: &ToolCall) -> String {
    format!("→ {}({})", plain(&call.name), plain(call.args.text()))
}

/// Who was not woken, a line each.
pub(in crate::team) fn refusals<'w>(woken: &'w [Woken], people: &'w People) -> impl Iterator<Item = String> + 'w {
    woken.iter().filter_map(|woken| match woken {
        Woken::Refused { agent, why } => Some(format!("✗ did not wake {}: {}", people.name(agent), not_woken(*why))),
        Woken::Run { .. } => None,
    })
}

/// What a message did to an agent, in JSON.
pub(in crate::team) fn woken_record(woken: &Woken) -> Value {
    match woken {
        Woken::Run { agent, run, .. } => json!({"agent": agent, "run": run.as_str()}),
        Woken::Refused { agent, why } => json!({"agent": agent, "refused": not_woken(*why)}),
    }
}
