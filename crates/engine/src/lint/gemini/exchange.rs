//! Calls and responses: as many, in the same order, in the content behind them.

use crate::lint::arguments;
use crate::lint::finding::{Findings, Severity, shown};
use crate::lint::path::At;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object};
use crate::lint::tools::Naming;

/// A call of the turn before, waiting for its response.
pub(super) struct Call<'v> {
    name: Option<&'v str>,
    id: Option<&'v str>,
    path: String,
}

pub(super) fn call<'v>(part: &Object<'v, '_>, out: &mut Findings) -> Option<Call<'v>> {
    let key = part.either("functionCall", "function_call");
    let call = part.child(key, Need::Required, out)?;
    let name = call.string("name", Need::Required, out);
    if let Some(name) = name {
        Naming::Gemini.check(name, &call.at.key("name"), out);
    }
    // A function without parameters is called without arguments.
    if call.value("args").is_some() {
        arguments::object(call.value("args"), &call.at.key("args"), out);
    }
    Some(Call { name, id: call.string("id", Need::Optional, out), path: part.at.to_string() })
}

/// The responses of one content, held against the calls of the content before.
pub(super) struct Answers<'v> {
    calls: Vec<Call<'v>>,
    answered: usize,
    content: bool,
}

impl<'v> Answers<'v> {
    pub(super) fn to(calls: Vec<Call<'v>>) -> Self {
        Self { calls, answered: 0, content: false }
    }

    /// Something else than a response.
    pub(super) fn interrupt(&mut self) {
        self.content = true;
    }

    pub(super) fn response(&mut self, part: &Object<'v, '_>, out: &mut Findings) {
        if self.content {
            out.error(
                &part.at,
                Rule::ContentBeforeResult,
                "a response stands behind other parts".to_owned(),
                "put all responses first in their content",
            );
        }
        let key = part.either("functionResponse", "function_response");
        let Some(response) = part.child(key, Need::Required, out) else {
            return;
        };
        let name = response.filled("name", Need::Required, out);
        response.child("response", Need::Required, out);
        let id = response.string("id", Need::Optional, out);
        let place = self.answered;
        self.answered += 1;
        match self.calls.get(place) {
            Some(call) => matched(call, name, id, &part.at, out),
            // More responses than calls (gemini-cli#4217, peers 18).
            None => out.error(
                &part.at,
                Rule::OrphanToolResult,
                format!("response {} to {} calls in the content before", place + 1, self.calls.len()),
                "send one response for each call, in the content behind it",
            ),
        }
    }

    pub(super) fn finish(self, out: &mut Findings) {
        unanswered(self.calls.get(self.answered..).unwrap_or_default(), out);
    }
}

/// Responses are read in the order of their calls, so name and id at one place must agree.
fn matched(call: &Call, name: Option<&str>, id: Option<&str>, at: &At, out: &mut Findings) {
    let differs = |a: Option<&str>, b: Option<&str>| a.is_some() && b.is_some() && a != b;
    let same_id = call.id.is_some() && call.id == id;
    let rule = match (differs(call.name, name), differs(call.id, id)) {
        (false, false) => return,
        (true, false) if same_id => Rule::ToolNameMismatch,
        _ => Rule::ResultsOutOfOrder,
    };
    out.error(
        at,
        rule,
        format!("the response to {} stands where that to {} is due", label(name, id), label(call.name, call.id)),
        "put responses in the order of their calls, with their names and ids",
    );
}

fn label(name: Option<&str>, id: Option<&str>) -> String {
    let name = shown(name.unwrap_or_default());
    match id {
        None => name,
        Some(id) => format!("{name} ({})", shown(id)),
    }
}

pub(super) fn unanswered(calls: &[Call], out: &mut Findings) {
    for call in calls {
        out.add(
            Severity::Error,
            call.path.clone(),
            Rule::UnansweredToolCall,
            format!("the call of {} has no response in the next content", shown(call.name.unwrap_or_default())),
            "add its response there, or one that says it was interrupted",
        );
    }
}
