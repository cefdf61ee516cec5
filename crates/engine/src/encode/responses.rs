//! Responses: a `response`, and the numbered events of one.
//!
//! Items are begun and ended one after another; a call whose arguments are not whole when the next item begins stays open,
//! as the provider may go on with it. Ids of items are made from the response's id and their place.

use super::item::{self, Progress};
use super::output::{Sink, own_calls, show, show_all};
use super::sse::Events;
use super::{Fault, Heading, fault, usage};
use crate::decode::{Delta, Reply, Stop};
use crate::dialect::Dialect;
use crate::dialect::json::Writer;
use crate::model::{Json, Reasoning};

/// A stream of events.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    heading: Heading,
    /// The number of the next event.
    sequence: u64,
    /// The items so far; empty where one is still open.
    items: Vec<String>,
    open: Option<Open>,
    calls: Vec<OpenCall>,
}

/// The text or thinking that goes on.
#[derive(Clone, Debug)]
enum Open {
    Text { at: usize, text: String },
    Thinking { at: usize, text: String },
}

/// A call that may go on.
#[derive(Clone, Debug)]
struct OpenCall {
    index: usize,
    at: usize,
    id: String,
    name: String,
    args: String,
}

struct Items<'s> {
    stream: &'s mut Stream,
    events: Events,
}

impl Stream {
    pub(super) fn new(heading: Heading) -> Self {
        Stream { heading, sequence: 0, items: Vec::new(), open: None, calls: Vec::new() }
    }

    pub(super) fn push(&mut self, delta: &Delta) -> Vec<u8> {
        let mut items = Items { stream: self, events: Events::default() };
        items.begin();
        show(delta, &mut items);
        items.events.into_bytes()
    }

    pub(super) fn finish(mut self, reply: &Reply) -> Vec<u8> {
        let mut items = Items { stream: &mut self, events: Events::default() };
        items.begin();
        items.close();
        items.without_args(reply);
        let ended = if reply.stop.is_whole() { Progress::Completed } else { Progress::Incomplete };
        items.end_calls(|call| if is_whole(&call.args) { Some(Progress::Completed) } else { Some(ended) });
        let name = match end(reply).0 {
            Progress::Incomplete => "response.incomplete",
            Progress::Completed | Progress::Going => "response.completed",
        };
        let response = response(&items.stream.heading, &items.stream.items, &Standing::Ended(reply));
        items.event(name, |w| w.key("response").raw(&response));
        items.events.into_bytes()
    }

    pub(super) fn fail(mut self, fault: &Fault) -> Vec<u8> {
        let mut items = Items { stream: &mut self, events: Events::default() };
        items.begin();
        let done: Vec<String> = items.stream.items.iter().filter(|item| !item.is_empty()).cloned().collect();
        let response = response(&items.stream.heading, &done, &Standing::Failed(fault));
        items.event("response.failed", |w| w.key("response").raw(&response));
        items.events.into_bytes()
    }
}

impl Items<'_> {
    fn event(&mut self, name: &'static str, members: impl FnOnce(&mut Writer)) {
        let number = self.stream.sequence;
        self.stream.sequence += 1;
        self.events.named(name, |w| {
            w.integer("sequence_number", Some(number));
            members(w);
        });
    }

    fn begin(&mut self) {
        if self.stream.sequence == 0 {
            let response = response(&self.stream.heading, &[], &Standing::Going);
            self.event("response.created", |w| w.key("response").raw(&response));
            self.event("response.in_progress", |w| w.key("response").raw(&response));
        }
    }

    /// Begins an item and ends what may end before it.
    fn start(&mut self, item: impl FnOnce(&str) -> String, prefix: &str) -> usize {
        self.close();
        self.end_calls(|call| is_whole(&call.args).then_some(Progress::Completed));
        let at = self.stream.items.len();
        let item = item(&self.id(prefix, at));
        self.stream.items.push(String::new());
        self.event("response.output_item.added", |w| {
            w.integer("output_index", Some(at));
            w.key("item").raw(&item);
        });
        at
    }

    fn id(&self, prefix: &str, at: usize) -> String {
        item_id(&self.stream.heading, prefix, at)
    }

    fn done(&mut self, at: usize, item: String) {
        self.event("response.output_item.done", |w| {
            w.integer("output_index", Some(at));
            w.key("item").raw(&item);
        });
        self.stream.items[at] = item;
    }

    /// An event about a piece of an item.
    fn of_item(
        &mut self,
        name: &'static str,
        (prefix, at): (&str, usize),
        index: &'static str,
        members: impl FnOnce(&mut Writer),
    ) {
        let id = self.id(prefix, at);
        self.event(name, |w| {
            w.key("item_id").string(&id);
            w.integer("output_index", Some(at));
            if !index.is_empty() {
                w.integer(index, Some(0));
            }
            members(w);
        });
    }

    fn close(&mut self) {
        match self.stream.open.take() {
            None => {}
            Some(Open::Text { at, text }) => {
                let of = ("msg", at);
                self.of_item("response.output_text.done", of, "content_index", |w| {
                    w.key("text").string(&text);
                    w.key("logprobs").array(|_| {});
                });
                self.of_item("response.content_part.done", of, "content_index", |w| {
                    w.key("part");
                    item::output_text(w, &text);
                });
                self.done(at, item::message(&self.id("msg", at), Progress::Completed, Some(&text)));
            }
            Some(Open::Thinking { at, text }) => self.end_thinking(at, &Reasoning { text, ..Reasoning::default() }),
        }
    }

    fn end_thinking(&mut self, at: usize, reasoning: &Reasoning) {
        let of = ("rs", at);
        if !reasoning.text.is_empty() {
            self.of_item("response.reasoning_summary_text.done", of, "summary_index", |w| w.key("text").string(&reasoning.text));
            self.of_item("response.reasoning_summary_part.done", of, "summary_index", |w| {
                w.key("part");
                item::summary_text(w, &reasoning.text);
            });
        }
        self.done(at, item::reasoning(&self.id("rs", at), reasoning));
    }

    /// That a call takes no arguments is known at the end only, and clients need an object.
    fn without_args(&mut self, reply: &Reply) {
        let silent: Vec<(usize, String)> =
            self.stream.calls.iter().filter(|call| call.args.is_empty()).map(|call| (call.index, call.id.clone())).collect();
        for (index, id) in silent {
            if let Some(call) = own_calls(reply).find(|call| call.id == id && call.args.is_object()) {
                self.args(index, call.args.text());
            }
        }
    }

    fn end_calls(&mut self, ends: impl Fn(&OpenCall) -> Option<Progress>) {
        for call in std::mem::take(&mut self.stream.calls) {
            let Some(progress) = ends(&call) else {
                self.stream.calls.push(call);
                continue;
            };
            let at = call.at;
            self.of_item("response.function_call_arguments.done", ("fc", at), "", |w| {
                w.key("name").string(&call.name);
                w.key("arguments").string(&call.args);
            });
            self.done(at, item::call(&self.id("fc", at), progress, &call.id, &call.name, &call.args));
        }
    }

    /// The thinking that goes on, begun if there is none.
    fn thinking(&mut self) -> usize {
        if let Some(Open::Thinking { at, .. }) = self.stream.open {
            return at;
        }
        let at = self.start(|id| item::reasoning(id, &Reasoning::default()), "rs");
        self.stream.open = Some(Open::Thinking { at, text: String::new() });
        at
    }
}

impl Sink for Items<'_> {
    const DIALECT: Dialect = Dialect::Responses;

    fn text(&mut self, piece: &str) {
        if !matches!(self.stream.open, Some(Open::Text { .. })) {
            let at = self.start(|id| item::message(id, Progress::Going, None), "msg");
            self.of_item("response.content_part.added", ("msg", at), "content_index", |w| {
                w.key("part");
                item::output_text(w, "");
            });
            self.stream.open = Some(Open::Text { at, text: String::new() });
        }
        if let Some(Open::Text { at, text }) = &mut self.stream.open {
            text.push_str(piece);
            let at = *at;
            self.of_item("response.output_text.delta", ("msg", at), "content_index", |w| {
                w.key("delta").string(piece);
                w.key("logprobs").array(|_| {});
            });
        }
    }

    fn reasoning(&mut self, piece: &str) {
        let at = self.thinking();
        let Some(Open::Thinking { text, .. }) = &mut self.stream.open else { return };
        let first = text.is_empty();
        text.push_str(piece);
        if first {
            self.of_item("response.reasoning_summary_part.added", ("rs", at), "summary_index", |w| {
                w.key("part");
                item::summary_text(w, "");
            });
        }
        self.of_item("response.reasoning_summary_text.delta", ("rs", at), "summary_index", |w| w.key("delta").string(piece));
    }

    fn reasoning_end(&mut self, reasoning: &Reasoning) {
        let at = self.thinking();
        if let Some(Open::Thinking { text, .. }) = &self.stream.open
            && text.is_empty()
            && !reasoning.text.is_empty()
        {
            self.reasoning(&reasoning.text);
        }
        self.stream.open = None;
        self.end_thinking(at, reasoning);
    }

    fn call(&mut self, index: usize, id: &str, name: &str) {
        let at = self.start(|item_id| item::call(item_id, Progress::Going, id, name, ""), "fc");
        self.stream.calls.push(OpenCall { index, at, id: id.to_owned(), name: name.to_owned(), args: String::new() });
    }

    fn args(&mut self, index: usize, piece: &str) {
        let Some(call) = self.stream.calls.iter_mut().find(|call| call.index == index) else { return };
        call.args.push_str(piece);
        let at = call.at;
        self.of_item("response.function_call_arguments.delta", ("fc", at), "", |w| w.key("delta").string(piece));
    }

    fn native(&mut self, block: &Json) {
        let at = self.start(|_| block.text().to_owned(), "");
        self.done(at, block.text().to_owned());
    }
}

fn is_whole(args: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(args).is_ok()
}

fn item_id(heading: &Heading, prefix: &str, at: usize) -> String {
    let id = heading.id.strip_prefix("resp_").unwrap_or(&heading.id);
    format!("{prefix}_{id}_{at}")
}

pub(super) fn whole(heading: &Heading, reply: &Reply) -> Vec<u8> {
    let mut content = Content { heading, whole: reply.stop.is_whole(), items: Vec::new(), call: None };
    show_all(&reply.parts, &mut content);
    response(heading, &content.items, &Standing::Ended(reply)).into_bytes()
}

/// Whole items.
struct Content<'h> {
    heading: &'h Heading,
    whole: bool,
    items: Vec<String>,
    call: Option<(String, String)>,
}

impl Content<'_> {
    fn id(&self, prefix: &str) -> String {
        item_id(self.heading, prefix, self.items.len())
    }
}

impl Sink for Content<'_> {
    const DIALECT: Dialect = Dialect::Responses;

    fn text(&mut self, piece: &str) {
        self.items.push(item::message(&self.id("msg"), Progress::Completed, Some(piece)));
    }

    fn reasoning(&mut self, piece: &str) {
        self.reasoning_end(&Reasoning { text: piece.to_owned(), ..Reasoning::default() });
    }

    fn reasoning_end(&mut self, reasoning: &Reasoning) {
        let id = reasoning.id.clone().unwrap_or_else(|| self.id("rs"));
        self.items.push(item::reasoning(&id, reasoning));
    }

    fn call(&mut self, _: usize, id: &str, name: &str) {
        self.call = Some((id.to_owned(), name.to_owned()));
    }

    fn args(&mut self, _: usize, piece: &str) {
        let Some((id, name)) = self.call.take() else { return };
        let progress = if self.whole || is_whole(piece) { Progress::Completed } else { Progress::Incomplete };
        self.items.push(item::call(&self.id("fc"), progress, &id, &name, piece));
    }

    fn native(&mut self, block: &Json) {
        self.items.push(block.text().to_owned());
    }
}

/// Where a response stands.
enum Standing<'r> {
    Going,
    Ended(&'r Reply),
    Failed(&'r Fault),
}

/// How a reply ended, and if not by itself, why.
fn end(reply: &Reply) -> (Progress, Option<&str>) {
    match reply.stop {
        Stop::End | Stop::ToolCalls | Stop::StopText | Stop::Paused => (Progress::Completed, None),
        Stop::MaxTokens => (Progress::Incomplete, Some("max_output_tokens")),
        Stop::Refused => (Progress::Incomplete, Some("content_filter")),
        Stop::Other => (Progress::Incomplete, Some(reply.stop_reason.as_deref().unwrap_or("other"))),
        Stop::Cut => (Progress::Going, None),
    }
}

fn response(heading: &Heading, items: &[String], standing: &Standing<'_>) -> String {
    let (status, reason) = match standing {
        Standing::Going => ("in_progress", None),
        Standing::Ended(reply) => (end(reply).0.word(), end(reply).1),
        Standing::Failed(_) => ("failed", None),
    };
    item::written(|w| {
        w.object(|w| {
            w.key("id").string(&heading.id);
            w.key("object").word("response");
            w.integer("created_at", Some(heading.created));
            w.key("status").word(status);
            error(w.key("error"), standing);
            match reason {
                Some(reason) => w.key("incomplete_details").object(|w| w.key("reason").string(reason)),
                None => w.key("incomplete_details").raw("null"),
            }
            w.key("instructions").raw("null");
            w.key("metadata").object(|_| {});
            w.key("model").string(&heading.model);
            w.key("output").array(|w| items.iter().for_each(|item| w.raw(item)));
            w.key("parallel_tool_calls").boolean(true);
            w.key("temperature").raw("null");
            w.key("tool_choice").word("auto");
            w.key("tools").array(|_| {});
            w.key("top_p").raw("null");
            w.key("usage");
            match standing {
                Standing::Ended(reply) if reply.usage.is_some() => {
                    usage::responses(w, reply.usage.unwrap_or_default(), reply);
                }
                Standing::Going | Standing::Ended(_) | Standing::Failed(_) => w.raw("null"),
            }
        });
    })
}

fn error(w: &mut Writer, standing: &Standing<'_>) {
    match standing {
        Standing::Failed(fault) => w.object(|w| {
            w.key("code").string(fault::code(fault).unwrap_or("server_error"));
            w.key("message").string(&fault.message);
        }),
        Standing::Going | Standing::Ended(_) => w.raw("null"),
    }
}
