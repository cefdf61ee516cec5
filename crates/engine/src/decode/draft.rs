//! A reply while it is written: slots in the order they were begun, found again by the provider's own keys.
//!
//! Every change that a reader can see is also handed out as a [`Delta`], once.

use super::{Delta, Reply, Stop, args::Args, call::CallDraft};
use crate::model::{Json, Part, Reasoning, Text, Usage};
use std::collections::HashMap;

/// How many types of unknown content are worth naming.
const MOST_IGNORED: usize = 32;

/// How a provider names the piece that it goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The one text of a message.
    Text,
    /// The one reasoning of a message.
    Reasoning,
    /// A content block or output item.
    Block(u64),
    /// A piece of an output item.
    Piece(u64, u64),
    /// A tool call.
    Call(u64),
}

#[derive(Clone, Debug)]
enum Slot {
    Text(Text),
    Reasoning(Reasoning),
    Call(CallDraft),
    Whole(Part),
}

/// Where a slot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At(usize);

/// A reply while it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    slots: Vec<Slot>,
    keys: HashMap<Key, At>,
    calls: Vec<At>,
    calls_by_id: HashMap<String, At>,
    /// Reasoning whose end was handed out.
    thought: Vec<At>,
    deltas: Vec<Delta>,
    /// What made ids must differ by between replies: the response's id, or its time.
    pub(super) seed: Option<String>,
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) stop: Option<Stop>,
    pub(super) stop_reason: Option<String>,
    /// The model said no in a field of its own.
    pub(super) refused: bool,
    /// The provider said that nothing more comes.
    pub(super) done: bool,
    usage: Option<Usage>,
    raw_usage: Option<Json>,
    ignored: Vec<String>,
}

impl Draft {
    pub(super) fn take_deltas(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.deltas)
    }

    pub(super) fn find(&self, key: Key) -> Option<At> {
        self.keys.get(&key).copied()
    }

    fn add(&mut self, key: Option<Key>, slot: Slot) -> At {
        let at = At(self.slots.len());
        self.slots.push(slot);
        if let Some(key) = key {
            self.keys.insert(key, at);
        }
        at
    }

    /// Adds to the text under `key`.
    pub(super) fn text(&mut self, key: Key, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let at = self.find(key).unwrap_or_else(|| self.add(Some(key), Slot::Text(Text::default())));
        if let Slot::Text(text) = &mut self.slots[at.0] {
            text.text.push_str(piece);
            self.deltas.push(Delta::Text(piece.to_owned()));
        }
    }

    /// Takes the whole text under `key`, as the provider repeats it at the end.
    pub(super) fn whole_text(&mut self, key: Key, whole: &str) {
        match self.find(key).map(|at| &mut self.slots[at.0]) {
            Some(Slot::Text(text)) => match whole.strip_prefix(text.text.as_str()) {
                Some(rest) => self.text(key, rest),
                None => whole.clone_into(&mut text.text),
            },
            Some(_) => {}
            None => self.text(key, whole),
        }
    }

    /// Adds to the text at the end, or begins a new one: a signed part stays as it came, alone.
    pub(super) fn text_run(&mut self, piece: &str, signature: Option<String>) {
        if piece.is_empty() && signature.is_none() {
            return;
        }
        if !piece.is_empty() {
            self.deltas.push(Delta::Text(piece.to_owned()));
        }
        match self.slots.last_mut() {
            Some(Slot::Text(text)) if text.signature.is_none() && signature.is_none() => text.text.push_str(piece),
            _ => {
                self.add(None, Slot::Text(Text { text: piece.to_owned(), signature }));
            }
        }
    }

    /// Adds to the reasoning under `key`; begins it even with nothing.
    pub(super) fn reasoning(&mut self, key: Key, piece: &str) {
        let at = self.find(key).unwrap_or_else(|| self.add(Some(key), Slot::Reasoning(Reasoning::default())));
        if let Slot::Reasoning(reasoning) = &mut self.slots[at.0]
            && !piece.is_empty()
        {
            reasoning.text.push_str(piece);
            self.deltas.push(Delta::Reasoning(piece.to_owned()));
        }
    }

    /// The reasoning under `key`, to complete it.
    pub(super) fn reasoning_at(&mut self, key: Key) -> Option<&mut Reasoning> {
        let at = self.find(key)?;
        if let Slot::Reasoning(reasoning) = &mut self.slots[at.0] { Some(reasoning) } else { None }
    }

    /// No more comes for the reasoning under `key`, if that is what stands there. Saying it twice changes nothing.
    pub(super) fn end_reasoning(&mut self, key: Key) {
        let Some(at) = self.find(key).filter(|at| !self.thought.contains(at)) else { return };
        if let Slot::Reasoning(reasoning) = &self.slots[at.0] {
            self.deltas.push(Delta::ReasoningEnd(reasoning.clone()));
            self.thought.push(at);
        }
    }

    /// Adds to the reasoning at the end, or begins a new one: a signed part stays as it came, alone.
    pub(super) fn reasoning_run(&mut self, piece: &str, signature: Option<String>) {
        if piece.is_empty() && signature.is_none() {
            return;
        }
        let signed = signature.is_some();
        if signed && let Some(Slot::Reasoning(last)) = self.slots.last() {
            self.deltas.extend(last.signature.is_none().then(|| Delta::ReasoningEnd(last.clone())));
        }
        if !piece.is_empty() {
            self.deltas.push(Delta::Reasoning(piece.to_owned()));
        }
        match self.slots.last_mut() {
            Some(Slot::Reasoning(last)) if last.signature.is_none() && !signed => last.text.push_str(piece),
            _ => {
                let reasoning = Reasoning { text: piece.to_owned(), signature, id: None, redacted: false };
                self.deltas.extend(signed.then(|| Delta::ReasoningEnd(reasoning.clone())));
                self.add(None, Slot::Reasoning(reasoning));
            }
        }
    }

    /// Adds a part that came whole.
    pub(super) fn part(&mut self, part: Part) {
        self.deltas.push(Delta::Part(part.clone()));
        self.add(None, Slot::Whole(part));
    }

    /// Notes content that no part can hold.
    pub(super) fn ignore(&mut self, what: &str) {
        if self.ignored.len() < MOST_IGNORED && !self.ignored.iter().any(|known| known == what) {
            self.ignored.push(what.to_owned());
        }
    }

    /// Begins a call. It is announced when its name is known.
    pub(super) fn new_call(&mut self, key: Option<Key>) -> At {
        let call = CallDraft::new(self.calls.len());
        let at = self.add(key, Slot::Call(call));
        self.calls.push(at);
        at
    }

    /// Lets `key` mean another call from now on.
    pub(super) fn rebind(&mut self, key: Key, at: At) {
        self.keys.insert(key, at);
    }

    pub(super) fn last_call(&self) -> Option<At> {
        self.calls.last().copied()
    }

    pub(super) fn call_by_id(&self, id: &str) -> Option<At> {
        self.calls_by_id.get(id).copied()
    }

    pub(super) fn call_id(&self, at: At) -> &str {
        if let Slot::Call(call) = &self.slots[at.0] { &call.id } else { "" }
    }

    pub(super) fn call_is_named(&self, at: At) -> bool {
        matches!(&self.slots[at.0], Slot::Call(call) if !call.name.is_empty())
    }

    fn call(&mut self, at: At) -> Option<&mut CallDraft> {
        if let Slot::Call(call) = &mut self.slots[at.0] { Some(call) } else { None }
    }

    /// Gives a call its id and name; what it already has stays, because some servers repeat both with every piece.
    pub(super) fn name_call(&mut self, at: At, id: &str, name: &str) {
        let seed = self.seed.clone();
        let Some(call) = self.call(at) else { return };
        call.identify(id);
        if !call.announce(name, seed.as_deref()) {
            return;
        }
        let (index, id, text, native) = (call.index, call.id.clone(), call.args.text().to_owned(), call.native.is_some());
        self.calls_by_id.entry(id.clone()).or_insert(at);
        if native {
            return;
        }
        self.deltas.push(Delta::CallStart { index, id, name: name.to_owned() });
        self.args_delta(index, text);
    }

    /// Adds argument text.
    pub(super) fn args(&mut self, at: At, piece: &str) {
        self.change_args(at, |args| args.push(piece));
    }

    /// Takes the whole argument text, as the provider repeats it at the end or sends it at once.
    pub(super) fn whole_args(&mut self, at: At, text: &str) {
        self.change_args(at, |args| args.set(text));
    }

    fn change_args(&mut self, at: At, change: impl FnOnce(&mut Args) -> String) {
        let Some(call) = self.call(at) else { return };
        let (new, index, announced) = (change(&mut call.args), call.index, call.announced && call.native.is_none());
        if announced {
            self.args_delta(index, new);
        }
    }

    fn args_delta(&mut self, index: usize, text: String) {
        if !text.is_empty() {
            self.deltas.push(Delta::CallArgs { index, text });
        }
    }

    pub(super) fn sign_call(&mut self, at: At, signature: Option<String>) {
        if let (Some(call), Some(_)) = (self.call(at), &signature) {
            call.signature = signature;
        }
    }

    /// Marks a call as run by the provider, with the provider's own block.
    pub(super) fn native_call(&mut self, at: At, block: Option<Json>) {
        if let Some(call) = self.call(at) {
            call.native = block;
        }
    }

    /// No more argument text comes for this call. One that the provider runs itself is handed out now, and whole.
    pub(super) fn close_call(&mut self, at: At) {
        let seed = self.seed.clone();
        let Some(call) = self.call(at).filter(|call| !call.closed) else { return };
        call.closed = true;
        if call.native.is_some() {
            let whole = call.clone().finish(Stop::End, false, seed.as_deref());
            self.deltas.push(Delta::Part(Part::ToolCall(whole)));
        }
    }

    /// Takes the usage as reported; the last report counts.
    pub(super) fn usage(&mut self, raw: Json, usage: Option<Usage>) {
        self.raw_usage = Some(raw);
        if let Some(usage) = usage.filter(|usage| self.usage != Some(*usage)) {
            self.usage = Some(usage);
            self.deltas.push(Delta::Usage(usage));
        }
    }

    pub(super) fn raw_usage(&self) -> Option<&Json> {
        self.raw_usage.as_ref()
    }

    /// The reply, which ended with `unsaid` if the provider gave no reason.
    pub(super) fn into_reply(self, unsaid: Stop) -> Reply {
        let seed = self.seed;
        let last = self.slots.len().saturating_sub(1);
        let asks = self.slots.iter().any(|slot| matches!(slot, Slot::Call(call) if call.native.is_none()));
        let stop = match self.stop.unwrap_or(unsaid) {
            Stop::End if self.refused => Stop::Refused,
            // Servers differ in what they call an end with tool calls, and some announce calls that never come.
            Stop::End if asks => Stop::ToolCalls,
            Stop::ToolCalls if !asks => Stop::End,
            stop => stop,
        };
        let part = |(at, slot)| match slot {
            Slot::Text(text) => Part::Text(text),
            Slot::Reasoning(reasoning) => Part::Reasoning(reasoning),
            Slot::Call(call) => Part::ToolCall(call.finish(stop, at == last, seed.as_deref())),
            Slot::Whole(part) => part,
        };
        Reply {
            parts: self.slots.into_iter().enumerate().map(part).collect(),
            stop,
            stop_reason: self.stop_reason,
            usage: self.usage,
            raw_usage: self.raw_usage,
            model: self.model,
            id: self.id,
            ignored: self.ignored,
        }
    }
}
