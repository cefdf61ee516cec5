//! The performance: acts become bytes in the dialect of the request, at the pace that was asked for.

use super::given::{Given, Matter};
use super::mind::{Act, act};
use crate::clock::Clock;
use crate::error::SendError;
use crate::send::Order;
use crate::wire::{Answer, Wire};
use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use weftwork::ask::Counter;
use weftwork::count::Meter;

/// One step of a performance.
#[derive(Clone, Debug, PartialEq)]
enum Beat {
    Bytes(Bytes),
    Rest(Duration),
}

/// An answer of the model on board.
pub(crate) struct Performance {
    beats: VecDeque<Beat>,
    clock: Arc<dyn Clock>,
}

impl Performance {
    /// Reads the request and begins the answer.
    pub(crate) fn begin(order: &Order, clock: &Arc<dyn Clock>) -> Result<Answer, SendError> {
        let (status, beats) = match Given::read(&order.body, order.dialect) {
            Ok(given) => beats(&given, act(&given, order.target.provider.obedience)),
            Err(why) => (400, vec![Beat::Bytes(line(&error(400, &why)))]),
        };
        let status = StatusCode::from_u16(status).map_err(|error| SendError::Malformed { what: error.to_string() })?;
        let wire = Wire::Offline(Performance { beats: beats.into(), clock: clock.clone() });
        Ok(Answer { status, headers: HeaderMap::new(), wire })
    }

    /// The next bytes; none at the end.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        loop {
            match self.beats.pop_front()? {
                Beat::Bytes(bytes) => return Some(bytes),
                Beat::Rest(time) => self.clock.sleep(time).await,
            }
        }
    }
}

/// The status of an answer and its beats.
fn beats(given: &Given, acts: Vec<Act>) -> (u16, Vec<Beat>) {
    let mut score = Score { given, beats: Vec::new(), pace: None, written: String::new(), calls: 0, said: false };
    let mut end = "end";
    for act in acts {
        match act {
            // Before anything was said it is the answer's status, later an error inside a success.
            Act::Fail(status) if score.beats.iter().all(|beat| matches!(beat, Beat::Rest(_))) => {
                score.beats.push(Beat::Bytes(line(&error(status, "asked to fail"))));
                return (status, score.beats);
            }
            Act::Fail(status) => {
                score.beats.push(Beat::Bytes(line(&error(status, "asked to fail"))));
                return (200, score.beats);
            }
            Act::Stall(time) => score.beats.push(Beat::Rest(time)),
            Act::Pace(rate) => score.pace = Some(Duration::from_secs_f64(1.0 / rate)),
            Act::Say(text) => end = score.say(&text).unwrap_or(end),
            Act::Call { tool, args } => score.call(&tool, &args),
        }
        if end != "end" {
            break;
        }
    }
    score.close(end);
    (200, score.beats)
}

struct Score<'g> {
    given: &'g Given,
    beats: Vec<Beat>,
    pace: Option<Duration>,
    written: String,
    calls: usize,
    said: bool,
}

impl Score<'_> {
    /// Says a text word by word; gives the reason if a limit ends it.
    fn say(&mut self, text: &str) -> Option<&'static str> {
        let text = if self.said { format!("\n{text}") } else { text.to_owned() };
        self.said = true;
        let (text, end) = self.limited(&text);
        for word in text.split_inclusive(' ') {
            let piece = match &self.given.matter {
                Matter::Talk { .. } => json!({"role": "assistant", "content": word}),
                Matter::Text(_) => json!({"choices": [{"index": 0, "text": word}]}),
            };
            self.beats.push(Beat::Bytes(line(&piece)));
            self.beats.extend(self.pace.map(Beat::Rest));
        }
        self.written.push_str(text);
        end
    }

    /// What the request's limits leave of a text.
    fn limited<'t>(&self, text: &'t str) -> (&'t str, Option<&'static str>) {
        let stop = self.given.stop.iter().filter(|stop| !stop.is_empty()).filter_map(|stop| text.find(stop.as_str())).min();
        let (text, end) = stop.map_or((text, None), |at| (&text[..at], Some("stopText")));
        let room = self.given.max_tokens.map(|most| most.saturating_sub(tokens(&self.written)));
        match room {
            Some(room) if tokens(text) > room => (cut(text, room), Some("maxTokens")),
            Some(_) | None => (text, end),
        }
    }

    fn call(&mut self, tool: &str, args: &str) {
        let id = format!("off_{:08x}_{}", self.given.fingerprint as u32, self.calls);
        let args_value = serde_json::value::RawValue::from_string(args.to_owned());
        let Ok(args_value) = args_value else { return };
        #[derive(serde::Serialize)]
        struct Part<'p> {
            r#type: &'static str,
            id: String,
            name: &'p str,
            args: Box<serde_json::value::RawValue>,
        }
        #[derive(serde::Serialize)]
        struct Message<'p> {
            role: &'static str,
            content: [Part<'p>; 1],
        }
        let part = Part { r#type: "toolCall", id, name: tool, args: args_value };
        self.beats.push(Beat::Bytes(line(&Message { role: "assistant", content: [part] })));
        self.calls += 1;
        self.written.push_str(tool);
        self.written.push_str(args);
    }

    /// The end mark and the counts, in the request's dialect.
    fn close(&mut self, end: &str) {
        let (input, output) = (self.given.tokens, tokens(&self.written));
        let last = match &self.given.matter {
            Matter::Talk { .. } => json!({"stop": end, "usage": {"input": input, "output": output}}),
            Matter::Text(_) => {
                let reason = if end == "maxTokens" { "length" } else { "stop" };
                let usage = json!({"prompt_tokens": input, "completion_tokens": output});
                json!({"choices": [{"index": 0, "text": "", "finish_reason": reason}], "usage": usage})
            }
        };
        self.beats.push(Beat::Bytes(line(&last)));
    }
}

/// The longest beginning of a text that has so many tokens.
fn cut(text: &str, most: u64) -> &str {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let fitting = ends.partition_point(|&end| tokens(&text[..end]) <= most);
    &text[..fitting.checked_sub(1).map_or(0, |at| ends[at])]
}

fn tokens(text: &str) -> u64 {
    Meter::new(Counter::O200k, None).raw(text)
}

fn error(status: u16, why: &str) -> Value {
    json!({"error": {"type": "offline", "code": status, "message": format!("the offline model answers {status}: {why}")}})
}

fn line<T: serde::Serialize>(value: &T) -> Bytes {
    let mut bytes = serde_json::to_vec(value).expect("plain data serialises");
    bytes.push(b'\n');
    bytes.into()
}
