//! Pairing: every call is answered once, in the place its API wants, and every result has its call.
//!
//! The walker of a dialect opens the calls of a message, hands in the results that may answer them, and closes the
//! exchange where the API closes it. Invariant: a result is only ever matched with a call of the open exchange; what
//! comes later is misplaced, what never had a call is an orphan.

use std::collections::{HashMap, HashSet};

use super::finding::{Findings, Severity, shown};
use super::path::At;
use super::rule::Rule;

/// Whether results must come in the order of their calls.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// Any order is valid; another one than that of the calls only costs the cache (vercel/ai#16567, peers 19).
    Advised,
    /// The order of the calls is a rule.
    Required,
}

/// The calls and results of one request.
pub(super) struct Pairs<'v> {
    seen: HashSet<&'v str>,
    open: Vec<Call<'v>>,
    by_id: HashMap<&'v str, usize>,
    /// The furthest call that has a result.
    newest: usize,
    /// Open calls without an id.
    unnamed: usize,
    order: Order,
    unpaired: Severity,
}

struct Call<'v> {
    /// Ollama's calls may go without.
    id: Option<&'v str>,
    name: Option<&'v str>,
    path: String,
    answered: bool,
}

impl<'v> Pairs<'v> {
    pub(super) fn new(order: Order) -> Self {
        Self {
            seen: HashSet::new(),
            open: Vec::new(),
            by_id: HashMap::new(),
            newest: 0,
            unnamed: 0,
            order,
            unpaired: Severity::Error,
        }
    }

    /// For a server that does not check pairs: what is unpaired misleads the model, but is not refused.
    pub(super) fn unchecked(order: Order) -> Self {
        Self { unpaired: Severity::Warning, ..Self::new(order) }
    }

    /// Whether calls wait for their results.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether a call with this id was made, in this exchange or an earlier one.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.seen.contains(id)
    }

    /// A call of the open exchange.
    pub(super) fn call(&mut self, id: &'v str, name: Option<&'v str>, at: &At, out: &mut Findings) {
        if !self.seen.insert(id) {
            out.error(
                at,
                Rule::DuplicateCallId,
                format!("the call id {} was used before", shown(id)),
                "give each call of the request its own id, and its result the same",
            );
        }
        self.by_id.insert(id, self.open.len());
        self.open(Some(id), name, at);
    }

    /// A call without an id, answered by the place of its result.
    pub(super) fn unnamed_call(&mut self, at: &At) {
        self.unnamed += 1;
        self.open(None, None, at);
    }

    fn open(&mut self, id: Option<&'v str>, name: Option<&'v str>, at: &At) {
        self.open.push(Call { id, name, path: at.to_string(), answered: false });
    }

    /// A result, wherever it stands.
    pub(super) fn result(&mut self, id: &'v str, name: Option<&'v str>, at: &At, out: &mut Findings) {
        let Some(&index) = self.by_id.get(id) else {
            self.unmatched(id, at, out);
            return;
        };
        let call = &mut self.open[index];
        if std::mem::replace(&mut call.answered, true) {
            out.error(
                at,
                Rule::DuplicateToolResult,
                format!("the call {} has a result already", shown(id)),
                "keep one result for each call, the later one",
            );
            return;
        }
        if let (Some(called), Some(answered)) = (call.name, name)
            && called != answered
        {
            out.error(
                at,
                Rule::ToolNameMismatch,
                format!("the result names {}, its call {}", shown(answered), shown(called)),
                "give the result the name of its call",
            );
        }
        self.check_order(index, at, out);
    }

    /// A call that is settled without a result of its own, such as one whose approval was answered.
    pub(super) fn settle(&mut self, id: &str) {
        if let Some(&index) = self.by_id.get(id) {
            self.open[index].answered = true;
        }
    }

    /// A result that is matched by its place, because it or its call has no id; says whether there was such a call.
    pub(super) fn answer_in_turn(&mut self, id: Option<&str>) -> bool {
        if id.is_some() && self.unnamed == 0 {
            return false;
        }
        let waiting = |call: &Call| !call.answered && (id.is_none() || call.id.is_none());
        let rest = self.open.get(self.newest..).unwrap_or_default();
        let Some(skipped) = rest.iter().position(waiting) else {
            return false;
        };
        self.newest += skipped;
        let call = &mut self.open[self.newest];
        call.answered = true;
        self.unnamed -= usize::from(call.id.is_none());
        true
    }

    /// The place after which no result can answer the open calls.
    pub(super) fn close(&mut self, out: &mut Findings) {
        self.by_id.clear();
        self.newest = 0;
        self.unnamed = 0;
        for call in self.open.drain(..).filter(|call| !call.answered) {
            out.add(
                self.unpaired,
                call.path,
                Rule::UnansweredToolCall,
                format!("the call {} has no result directly after it", shown(call.id.unwrap_or_default())),
                "add its result there, or one that says it was interrupted",
            );
        }
    }

    fn unmatched(&self, id: &str, at: &At, out: &mut Findings) {
        let (rule, what, fix) = if self.seen.contains(id) {
            (Rule::MisplacedToolResult, "does not directly follow its call", "move the result behind the message with its call")
        } else {
            (Rule::OrphanToolResult, "has no call before it", "drop the result, or keep the message with its call")
        };
        let message = format!("the result for {} {what}", shown(id));
        out.add(self.unpaired, at.to_string(), rule, message, fix);
    }

    fn check_order(&mut self, index: usize, at: &At, out: &mut Findings) {
        if index >= self.newest {
            self.newest = index;
            return;
        }
        let severity = match self.order {
            Order::Advised => Severity::Warning,
            Order::Required => Severity::Error,
        };
        out.add(
            severity,
            at.to_string(),
            Rule::ResultsOutOfOrder,
            format!("the result for {} comes after that of a later call", shown(self.open[index].id.unwrap_or_default())),
            "put results in the order of their calls",
        );
    }
}
