//! Anthropic Messages: a `message`, and the events of one.
//!
//! Blocks are begun and ended one after another. Only a call whose arguments are not whole when the next block begins stays
//! open, because a provider may go on with it: events name their block by index, so this is allowed.

use super::output::{Sink, show, show_all};
use super::sse::Events;
use super::{Fault, Heading, fault, usage};
use crate::decode::{Delta, Reply, Stop};
use crate::dialect::Dialect;
use crate::dialect::json::Writer;
use crate::model::{Json, Reasoning, Usage};

/// A stream of events.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    heading: Heading,
    begun: bool,
    /// How many blocks were begun.
    blocks: usize,
    /// The text or thinking that goes on.
    open: Option<(Kind, usize)>,
    calls: Vec<OpenCall>,
    usage: Usage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Thinking,
}

/// A call that may go on.
#[derive(Clone, Debug)]
struct OpenCall {
    index: usize,
    block: usize,
    args: String,
}

struct Blocks<'s> {
    stream: &'s mut Stream,
    events: Events,
}

impl Stream {
    pub(super) fn new(heading: Heading) -> Self {
        Stream { heading, begun: false, blocks: 0, open: None, calls: Vec::new(), usage: Usage::default() }
    }

    pub(super) fn push(&mut self, delta: &Delta) -> Vec<u8> {
        if let Delta::Usage(usage) = delta {
            self.usage = *usage;
        }
        let mut blocks = Blocks { stream: self, events: Events::default() };
        blocks.begin();
        show(delta, &mut blocks);
        blocks.events.into_bytes()
    }

    pub(super) fn finish(mut self, reply: &Reply) -> Vec<u8> {
        let used = reply.usage.unwrap_or(self.usage);
        let mut blocks = Blocks { stream: &mut self, events: Events::default() };
        blocks.begin();
        blocks.close();
        blocks.end_calls(|_| true);
        let mut events = blocks.events;
        events.named("message_delta", |w| {
            w.key("delta").object(|w| {
                w.key("stop_reason").string(stop_reason(reply));
                w.key("stop_sequence").raw("null");
            });
            usage::messages(w.key("usage"), used);
        });
        events.named("message_stop", |_| {});
        events.into_bytes()
    }

    pub(super) fn fail(self, fault: &Fault) -> Vec<u8> {
        let mut events = Events::default();
        events.named("error", |w| fault::anthropic(w, fault));
        events.into_bytes()
    }
}

impl Blocks<'_> {
    fn begin(&mut self) {
        if std::mem::replace(&mut self.stream.begun, true) {
            return;
        }
        let (heading, used) = (&self.stream.heading, self.stream.usage);
        self.events.named("message_start", |w| {
            w.key("message").object(|w| {
                head(w, heading);
                w.key("content").array(|_| {});
                w.key("stop_reason").raw("null");
                w.key("stop_sequence").raw("null");
                usage::messages(w.key("usage"), used);
            });
        });
    }

    /// The block of this kind that goes on, begun if there is none.
    fn open(&mut self, kind: Kind) -> usize {
        if let Some((_, block)) = self.stream.open.filter(|(open, _)| *open == kind) {
            return block;
        }
        let block = self.start(|w| {
            w.object(|w| match kind {
                Kind::Text => text(w, ""),
                Kind::Thinking => thinking(w, "", ""),
            });
        });
        self.stream.open = Some((kind, block));
        block
    }

    /// Begins a block and ends what may end before it.
    fn start(&mut self, content: impl FnOnce(&mut Writer)) -> usize {
        self.close();
        self.end_calls(|call| serde_json::from_str::<serde::de::IgnoredAny>(&call.args).is_ok());
        let block = self.stream.blocks;
        self.stream.blocks += 1;
        self.events.named("content_block_start", |w| {
            w.integer("index", Some(block));
            w.key("content_block");
            content(w);
        });
        block
    }

    fn delta(&mut self, block: usize, kind: &'static str, key: &'static str, piece: &str) {
        self.events.named("content_block_delta", |w| {
            w.integer("index", Some(block));
            w.key("delta").object(|w| {
                w.key("type").word(kind);
                w.key(key).string(piece);
            });
        });
    }

    /// Ends the text or thinking that goes on.
    fn close(&mut self) {
        if let Some((_, block)) = self.stream.open.take() {
            self.stop(block);
        }
    }

    fn end_calls(&mut self, ends: impl Fn(&OpenCall) -> bool) {
        let (ended, open): (Vec<_>, Vec<_>) = std::mem::take(&mut self.stream.calls).into_iter().partition(ends);
        self.stream.calls = open;
        ended.iter().for_each(|call| self.stop(call.block));
    }

    fn stop(&mut self, block: usize) {
        self.events.named("content_block_stop", |w| w.integer("index", Some(block)));
    }
}

impl Sink for Blocks<'_> {
    const DIALECT: Dialect = Dialect::Anthropic;

    fn text(&mut self, piece: &str) {
        let block = self.open(Kind::Text);
        self.delta(block, "text_delta", "text", piece);
    }

    fn reasoning(&mut self, piece: &str) {
        let block = self.open(Kind::Thinking);
        self.delta(block, "thinking_delta", "thinking", piece);
    }

    fn reasoning_end(&mut self, reasoning: &Reasoning) {
        if reasoning.redacted {
            let block = self.start(|w| w.object(|w| redacted(w, reasoning)));
            return self.stop(block);
        }
        let said = self.stream.open.is_some_and(|(kind, _)| kind == Kind::Thinking);
        let block = self.open(Kind::Thinking);
        if !said && !reasoning.text.is_empty() {
            self.delta(block, "thinking_delta", "thinking", &reasoning.text);
        }
        if let Some(signature) = &reasoning.signature {
            self.delta(block, "signature_delta", "signature", signature);
        }
        self.close();
    }

    fn call(&mut self, index: usize, id: &str, name: &str) {
        let block = self.start(|w| w.object(|w| tool_use(w, id, name, "{}")));
        self.stream.calls.push(OpenCall { index, block, args: String::new() });
    }

    fn args(&mut self, index: usize, piece: &str) {
        let Some(call) = self.stream.calls.iter_mut().find(|call| call.index == index) else { return };
        call.args.push_str(piece);
        let block = call.block;
        self.delta(block, "input_json_delta", "partial_json", piece);
    }

    fn native(&mut self, block: &Json) {
        let at = self.start(|w| w.raw(block.text()));
        self.stop(at);
    }
}

pub(super) fn whole(heading: &Heading, reply: &Reply) -> Vec<u8> {
    let mut content = Content::default();
    show_all(&reply.parts, &mut content);
    content.close();
    let mut w = Writer::with_capacity(1024);
    w.object(|w| {
        head(w, heading);
        w.key("content").array(|w| content.blocks.iter().for_each(|block| w.raw(block)));
        w.key("stop_reason").string(stop_reason(reply));
        w.key("stop_sequence").raw("null");
        usage::messages(w.key("usage"), reply.usage.unwrap_or_default());
    });
    w.finish()
}

/// Whole blocks.
#[derive(Default)]
struct Content {
    blocks: Vec<String>,
    call: Option<(String, String)>,
}

impl Content {
    fn push(&mut self, members: impl FnOnce(&mut Writer)) {
        self.close();
        self.blocks.push(super::item::written(|w| w.object(members)));
    }

    /// A call without arguments takes none.
    fn close(&mut self) {
        if self.call.is_some() {
            self.args(0, "");
        }
    }
}

impl Sink for Content {
    const DIALECT: Dialect = Dialect::Anthropic;

    fn text(&mut self, piece: &str) {
        self.push(|w| text(w, piece));
    }

    fn reasoning(&mut self, piece: &str) {
        self.push(|w| thinking(w, piece, ""));
    }

    fn reasoning_end(&mut self, reasoning: &Reasoning) {
        match reasoning.redacted {
            true => self.push(|w| redacted(w, reasoning)),
            false => self.push(|w| thinking(w, &reasoning.text, reasoning.signature.as_deref().unwrap_or_default())),
        }
    }

    fn call(&mut self, _: usize, id: &str, name: &str) {
        self.close();
        self.call = Some((id.to_owned(), name.to_owned()));
    }

    /// The input must be an object. Arguments that were cut off are none; the stop reason says that the call must not be run.
    fn args(&mut self, _: usize, piece: &str) {
        let Some((id, name)) = self.call.take() else { return };
        let input = Json::parse(piece.trim()).ok().filter(Json::is_object).unwrap_or_else(Json::empty_object);
        self.push(|w| tool_use(w, &id, &name, input.text()));
    }

    fn native(&mut self, block: &Json) {
        self.close();
        self.blocks.push(block.text().to_owned());
    }
}

fn head(w: &mut Writer, heading: &Heading) {
    w.key("id").string(&heading.id);
    w.key("type").word("message");
    w.key("role").word("assistant");
    w.key("model").string(&heading.model);
}

fn text(w: &mut Writer, text: &str) {
    w.key("type").word("text");
    w.key("text").string(text);
}

fn thinking(w: &mut Writer, text: &str, signature: &str) {
    w.key("type").word("thinking");
    w.key("thinking").string(text);
    w.key("signature").string(signature);
}

fn redacted(w: &mut Writer, reasoning: &Reasoning) {
    w.key("type").word("redacted_thinking");
    w.key("data").string(reasoning.signature.as_deref().unwrap_or_default());
}

fn tool_use(w: &mut Writer, id: &str, name: &str, input: &str) {
    w.key("type").word("tool_use");
    w.key("id").string(id);
    w.key("name").string(name);
    w.key("input").raw(input);
}

fn stop_reason(reply: &Reply) -> &str {
    match reply.stop {
        Stop::End | Stop::Cut => "end_turn",
        Stop::StopText => "stop_sequence",
        Stop::MaxTokens => "max_tokens",
        Stop::ToolCalls => "tool_use",
        Stop::Refused => "refusal",
        Stop::Paused => "pause_turn",
        Stop::Other => reply.stop_reason.as_deref().unwrap_or("other"),
    }
}
