//! Replies and streams of replies, as JSON.

use crate::Fault;
use serde::Serialize;
use weftwork::decode::{CallState, Delta, Reply, Stop, StreamDecoder};
use weftwork::dialect::Dialect;
use weftwork::model::{Json, Part, ToolCall, Usage};

/// Decodes a whole reply.
pub fn decode(body: &[u8], dialect: &str) -> Result<String, Fault> {
    Ok(told(&weftwork::decode::decode(body, named(dialect)?)?))
}

fn named(dialect: &str) -> Result<Dialect, Fault> {
    dialect.parse().map_err(|what| Fault::InvalidOption { what })
}

/// A reply that is still arriving.
pub struct Stream {
    decoder: Option<StreamDecoder>,
}

impl Stream {
    /// A stream in a dialect.
    pub fn new(dialect: &str) -> Result<Stream, Fault> {
        Ok(Stream { decoder: Some(StreamDecoder::new(named(dialect)?)) })
    }

    /// Takes the next bytes; gives a JSON list of what they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Result<String, Fault> {
        let deltas = self.open()?.push(bytes)?;
        let steps: Vec<Step<'_>> = deltas.iter().map(Step::of).collect();
        Ok(serde_json::to_string(&steps).unwrap_or_default())
    }

    /// What has come so far, as a reply that was cut here.
    pub fn so_far(&mut self) -> Result<String, Fault> {
        Ok(told(&self.open()?.so_far()))
    }

    /// The reply; nothing may be pushed after it.
    pub fn finish(&mut self) -> Result<String, Fault> {
        let decoder = self.decoder.take().ok_or_else(ended)?;
        Ok(told(&decoder.finish()?))
    }

    fn open(&mut self) -> Result<&mut StreamDecoder, Fault> {
        self.decoder.as_mut().ok_or_else(ended)
    }
}

fn ended() -> Fault {
    Fault::InvalidReply { what: "the stream was finished already".to_owned() }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'r> {
    text: String,
    parts: &'r [Part],
    calls: Vec<Call<'r>>,
    stop: &'static str,
    stop_reason: Option<&'r str>,
    usage: Option<Usage>,
    raw_usage: Option<&'r Json>,
    model: Option<&'r str>,
    id: Option<&'r str>,
    ignored: &'r [String],
}

#[derive(Serialize)]
struct Call<'r> {
    id: &'r str,
    name: &'r str,
    args: &'r Json,
    state: &'static str,
}

impl<'r> Call<'r> {
    fn of(call: &'r ToolCall, state: CallState) -> Call<'r> {
        let state = match state {
            CallState::Complete => "complete",
            CallState::Unfinished => "unfinished",
            CallState::Provider => "provider",
        };
        Call { id: &call.id, name: &call.name, args: &call.args, state }
    }
}

fn told(reply: &Reply) -> String {
    let told = Told {
        text: reply.text(),
        parts: &reply.parts,
        calls: reply.calls().map(|(call, state)| Call::of(call, state)).collect(),
        stop: stop(reply.stop),
        stop_reason: reply.stop_reason.as_deref(),
        usage: reply.usage,
        raw_usage: reply.raw_usage.as_ref(),
        model: reply.model.as_deref(),
        id: reply.id.as_deref(),
        ignored: &reply.ignored,
    };
    serde_json::to_string(&told).unwrap_or_default()
}

fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Cut => "cut",
        Stop::End => "end",
        Stop::MaxTokens => "maxTokens",
        Stop::ToolCalls => "toolCalls",
        Stop::StopText => "stopText",
        Stop::Refused => "refused",
        Stop::Paused => "paused",
        Stop::Other => "other",
    }
}

/// One step of a stream.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Step<'d> {
    Text { text: &'d str },
    Reasoning { text: &'d str },
    ReasoningEnd { text: &'d str, signature: Option<&'d str> },
    CallStart { index: usize, id: &'d str, name: &'d str },
    CallArgs { index: usize, text: &'d str },
    Part { part: &'d Part },
    Usage { usage: Usage },
}

impl<'d> Step<'d> {
    fn of(delta: &'d Delta) -> Step<'d> {
        match delta {
            Delta::Text(text) => Step::Text { text },
            Delta::Reasoning(text) => Step::Reasoning { text },
            Delta::ReasoningEnd(whole) => Step::ReasoningEnd { text: &whole.text, signature: whole.signature.as_deref() },
            Delta::CallStart { index, id, name } => Step::CallStart { index: *index, id, name },
            Delta::CallArgs { index, text } => Step::CallArgs { index: *index, text },
            Delta::Part(part) => Step::Part { part },
            Delta::Usage(usage) => Step::Usage { usage: *usage },
        }
    }
}
