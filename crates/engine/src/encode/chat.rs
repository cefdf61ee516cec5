//! Chat Completions: `chat.completion`, and chunks of it.
//!
//! Thinking goes into `reasoning_content`, the field that most servers write and most clients look for.

use super::output::{Sink, own_calls, show, show_all};
use super::sse::Events;
use super::{Fault, Heading, fault, usage};
use crate::decode::{Delta, Reply, Stop};
use crate::dialect::Dialect;
use crate::dialect::json::Writer;
use crate::model::{Json, Reasoning, ToolCall};

/// A stream of chunks.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    heading: Heading,
    begun: bool,
    /// The calls that were begun, in order: their place here is their index there.
    calls: Vec<Begun>,
}

/// A call that was begun.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// Which call of the reply.
    index: usize,
    /// Whether any of its arguments were sent.
    said: bool,
}

/// The chunks of one delta.
struct Chunks<'s> {
    stream: &'s mut Stream,
    events: Events,
}

impl Stream {
    pub(super) fn new(heading: Heading) -> Self {
        Stream { heading, begun: false, calls: Vec::new() }
    }

    pub(super) fn push(&mut self, delta: &Delta) -> Vec<u8> {
        let mut chunks = Chunks { stream: self, events: Events::default() };
        show(delta, &mut chunks);
        chunks.events.into_bytes()
    }

    pub(super) fn finish(mut self, reply: &Reply) -> Vec<u8> {
        let mut chunks = Chunks { stream: &mut self, events: Events::default() };
        chunks.begin();
        chunks.rest_of_calls(reply);
        chunks.chunk(Some(finish_reason(reply)), |_| {});
        let mut events = chunks.events;
        if let Some(used) = reply.usage.filter(|_| self.heading.include_usage) {
            events.data(|w| {
                head(w, &self.heading, "chat.completion.chunk");
                w.key("choices").array(|_| {});
                usage::chat(w.key("usage"), used, reply);
            });
        }
        events.word("[DONE]");
        events.into_bytes()
    }

    pub(super) fn fail(self, fault: &Fault) -> Vec<u8> {
        let mut events = Events::default();
        events.data(|w| fault::openai(w, fault));
        events.into_bytes()
    }
}

impl Chunks<'_> {
    /// The role comes first, once.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.stream.begun, true) {
            self.chunk(None, |w| {
                w.key("role").word("assistant");
                w.key("content").word("");
            });
        }
    }

    fn delta(&mut self, members: impl FnOnce(&mut Writer)) {
        self.begin();
        self.chunk(None, members);
    }

    fn chunk(&mut self, finish: Option<&str>, members: impl FnOnce(&mut Writer)) {
        let heading = &self.stream.heading;
        self.events.data(|w| {
            head(w, heading, "chat.completion.chunk");
            w.key("choices").array(|w| {
                w.object(|w| {
                    w.integer("index", Some(0));
                    w.key("delta").object(members);
                    w.key("logprobs").raw("null");
                    w.key("finish_reason").string_or_null(finish);
                });
            });
        });
    }

    fn piece_of_call(&mut self, at: usize, members: impl FnOnce(&mut Writer)) {
        self.delta(|w| {
            w.key("tool_calls").array(|w| {
                w.object(|w| {
                    w.integer("index", Some(at));
                    members(w);
                });
            });
        });
    }

    /// What is known at the end only: that a call without arguments takes none, for which clients need an object, and
    /// signatures, without which Gemini refuses its own calls.
    fn rest_of_calls(&mut self, reply: &Reply) {
        let begun = std::mem::take(&mut self.stream.calls);
        for (at, (call, begun)) in own_calls(reply).zip(begun).enumerate() {
            if !begun.said && call.args.is_object() {
                self.piece_of_call(at, |w| w.key("function").object(|w| w.key("arguments").string(call.args.text())));
            }
            if let Some(signature) = &call.signature {
                self.piece_of_call(at, |w| sign(w, signature));
            }
        }
    }
}

impl Sink for Chunks<'_> {
    const DIALECT: Dialect = Dialect::OpenAi;

    fn text(&mut self, piece: &str) {
        self.delta(|w| w.key("content").string(piece));
    }

    fn reasoning(&mut self, piece: &str) {
        self.delta(|w| w.key("reasoning_content").string(piece));
    }

    fn reasoning_end(&mut self, _: &Reasoning) {}

    fn call(&mut self, index: usize, id: &str, name: &str) {
        let at = self.stream.calls.len();
        self.stream.calls.push(Begun { index, said: false });
        self.piece_of_call(at, |w| {
            w.key("id").string(id);
            w.key("type").word("function");
            w.key("function").object(|w| {
                w.key("name").string(name);
                w.key("arguments").word("");
            });
        });
    }

    fn args(&mut self, index: usize, piece: &str) {
        if let Some(at) = self.stream.calls.iter().position(|known| known.index == index) {
            self.stream.calls[at].said = true;
            self.piece_of_call(at, |w| w.key("function").object(|w| w.key("arguments").string(piece)));
        }
    }

    fn native(&mut self, _: &Json) {}
}

pub(super) fn whole(heading: &Heading, reply: &Reply) -> Vec<u8> {
    let mut w = Writer::with_capacity(1024);
    w.object(|w| {
        head(w, heading, "chat.completion");
        w.key("choices").array(|w| {
            w.object(|w| {
                w.integer("index", Some(0));
                w.key("message").object(|w| message(w, reply));
                w.key("logprobs").raw("null");
                w.key("finish_reason").string(finish_reason(reply));
            });
        });
        if let Some(used) = reply.usage {
            usage::chat(w.key("usage"), used, reply);
        }
    });
    w.finish()
}

fn head(w: &mut Writer, heading: &Heading, object: &'static str) {
    w.key("id").string(&heading.id);
    w.key("object").word(object);
    w.integer("created", Some(heading.created));
    w.key("model").string(&heading.model);
}

fn message(w: &mut Writer, reply: &Reply) {
    w.key("role").word("assistant");
    let said = Said::of(reply);
    w.key("content").string_or_null(Some(said.text.as_str()).filter(|text| !text.is_empty()));
    w.key("refusal").raw("null");
    if !said.reasoning.is_empty() {
        w.key("reasoning_content").string(&said.reasoning);
    }
    if own_calls(reply).next().is_some() {
        w.key("tool_calls").array(|w| own_calls(reply).for_each(|call| tool_call(w, call)));
    }
}

fn tool_call(w: &mut Writer, call: &ToolCall) {
    w.object(|w| {
        w.key("id").string(&call.id);
        w.key("type").word("function");
        w.key("function").object(|w| {
            w.key("name").string(&call.name);
            w.key("arguments").string(&call.args.as_string().unwrap_or_else(|| call.args.text().to_owned()));
        });
        call.signature.iter().for_each(|signature| sign(w, signature));
    });
}

/// Where Gemini's own Chat Completions keep the signature of a call.
fn sign(w: &mut Writer, signature: &str) {
    w.key("extra_content").object(|w| w.key("google").object(|w| w.key("thought_signature").string(signature)));
}

/// The one text and the one thinking of a message.
#[derive(Default)]
struct Said {
    text: String,
    reasoning: String,
}

impl Said {
    fn of(reply: &Reply) -> Said {
        let mut said = Said::default();
        show_all(&reply.parts, &mut said);
        said
    }
}

impl Sink for Said {
    const DIALECT: Dialect = Dialect::OpenAi;

    fn text(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    fn reasoning(&mut self, piece: &str) {
        self.reasoning.push_str(piece);
    }

    fn reasoning_end(&mut self, reasoning: &Reasoning) {
        self.reasoning.push_str(&reasoning.text);
    }

    fn call(&mut self, _: usize, _: &str, _: &str) {}
    fn args(&mut self, _: usize, _: &str) {}
    fn native(&mut self, _: &Json) {}
}

fn finish_reason(reply: &Reply) -> &str {
    match reply.stop {
        Stop::End | Stop::StopText | Stop::Paused | Stop::Cut => "stop",
        Stop::MaxTokens => "length",
        Stop::ToolCalls => "tool_calls",
        Stop::Refused => "content_filter",
        Stop::Other => reply.stop_reason.as_deref().unwrap_or("other"),
    }
}
