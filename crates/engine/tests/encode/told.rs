//! What of a reply an API can tell: two replies are compared by this.

use weftwork::decode::{DecodeError, Delta, Reply, Stop, StreamDecoder, decode};
use weftwork::encode::{Api, Encoder, Heading, whole};
use weftwork::model::{Part, Reasoning, Text, Usage};

/// The part of a reply that an API can tell.
#[derive(Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) parts: Vec<Part>,
    pub(crate) stop: Stop,
    pub(crate) usage: Option<Usage>,
}

pub(crate) fn heading() -> Heading {
    Heading { id: "resp_1".into(), model: "asked".into(), created: 1_770_000_000, include_usage: true }
}

pub(crate) fn told(reply: &Reply, api: Api) -> Told {
    let stop = match (reply.stop, api) {
        (Stop::StopText | Stop::Paused, Api::Chat | Api::Responses) => Stop::End,
        (stop, _) => stop,
    };
    let usage = match api {
        Api::Messages => Some(reply.usage.unwrap_or_default()),
        Api::Chat | Api::Responses => reply.usage,
    };
    Told { parts: parts(&reply.parts, api), stop, usage }
}

fn parts(all: &[Part], api: Api) -> Vec<Part> {
    let mut told: Vec<Part> = Vec::new();
    for part in all {
        match part {
            Part::Text(text) => push_text(&mut told, &text.text),
            Part::Image(image) => push_text(&mut told, &format!("[image: {}]", image.media_type)),
            Part::File(file) => push_text(&mut told, &format!("[file: {}]", file.name)),
            Part::Reasoning(thought) => told.push(Part::Reasoning(match api {
                Api::Chat => Reasoning { text: thought.text.clone(), ..Reasoning::default() },
                Api::Responses => Reasoning { id: None, redacted: false, ..thought.clone() },
                Api::Messages => Reasoning { id: None, ..thought.clone() },
            })),
            Part::ToolCall(call) => match &call.native {
                Some(block) if !is_own(api, block.text()) => {}
                _ => {
                    let mut call = call.clone();
                    call.signature = call.signature.filter(|_| api == Api::Chat);
                    told.push(Part::ToolCall(call));
                }
            },
            Part::ToolResult(result) => {
                if result.native.as_ref().is_some_and(|block| is_own(api, block.text())) {
                    told.push(part.clone());
                }
            }
        }
    }
    if api == Api::Chat { gathered(told) } else { told }
}

fn is_own(api: Api, block: &str) -> bool {
    match api {
        Api::Chat => false,
        Api::Responses => block.contains("_call\""),
        Api::Messages => block.contains("tool_use\"") || block.contains("_tool_result\""),
    }
}

fn push_text(told: &mut Vec<Part>, piece: &str) {
    match told.last_mut() {
        Some(Part::Text(last)) => last.text.push_str(piece),
        _ if piece.is_empty() => {}
        _ => told.push(Part::text(piece)),
    }
}

/// Chat Completions has one thinking, one text and then calls.
fn gathered(parts: Vec<Part>) -> Vec<Part> {
    let (mut thought, mut text, mut calls) = (String::new(), String::new(), Vec::new());
    for part in parts {
        match part {
            Part::Reasoning(part) => thought.push_str(&part.text),
            Part::Text(part) => text.push_str(&part.text),
            other => calls.push(other),
        }
    }
    let mut all = Vec::new();
    all.extend((!thought.is_empty()).then(|| Part::Reasoning(Reasoning { text: thought, ..Reasoning::default() })));
    all.extend((!text.is_empty()).then_some(Part::Text(Text { text, signature: None })));
    all.extend(calls);
    all
}

/// Writes a stream out of deltas.
pub(crate) fn streamed(api: Api, deltas: &[Delta], reply: &Reply) -> Vec<u8> {
    let mut encoder = Encoder::new(api, heading());
    let mut bytes: Vec<u8> = deltas.iter().flat_map(|delta| encoder.push(delta)).collect();
    bytes.extend(encoder.finish(reply));
    bytes
}

/// What a stream in pieces gives.
pub(crate) fn read<'a>(api: Api, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Reply, DecodeError> {
    let mut decoder = StreamDecoder::new(api.dialect());
    for piece in pieces {
        decoder.push(piece)?;
    }
    decoder.finish()
}

pub(crate) fn read_whole(api: Api, reply: &Reply) -> Reply {
    decode(&whole(api, &heading(), reply), api.dialect()).expect("a body of its dialect")
}
