//! What an answer meant that was passed on, for whoever keeps a book of it. Its bytes have gone by then: nothing here changes
//! them, and what cannot be read is no fault of the answer.

use crate::attempt::classify;
use crate::error::{Failure, SendError};
use crate::estimate::{self, Known};
use crate::head::Head;
use crate::outcome::{Measured, Outcome, Raw, Timing};
use crate::retry_after::retry_after;
use bytes::Bytes;
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use std::time::Duration;
use weftwork::catalogue::Model;
use weftwork::count::Kind;
use weftwork::decode::{Reply, StreamDecoder, decode, provider_error};
use weftwork::dialect::Dialect;
use weftwork::model::Json;
use weftwork::usage::normalise;

/// How many bytes of an answer are looked at.
const LARGEST: usize = 32 << 20;

/// Shapes of usage that answers have which are no replies: those of OpenAI's older APIs and of its newer ones.
const SHAPES: [Dialect; 2] = [Dialect::OpenAi, Dialect::Responses];

/// An answer that was passed on, gathered beside its way.
#[derive(Debug)]
pub struct Heard {
    head: Head,
    raw: Raw,
    /// Why it did not come to its end.
    broke_off: Option<SendError>,
}

/// What an answer is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The reply of a model, in a dialect.
    Reply(Dialect),
    /// Anything; its usage is looked for in known shapes.
    Anything,
}

impl Heard {
    /// How the answer began.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// An answer that begins.
    pub fn new(head: Head) -> Heard {
        Heard { head, raw: Raw::default(), broke_off: None }
    }

    /// More of it came.
    pub fn add(&mut self, bytes: &[u8]) {
        self.raw.add(bytes, LARGEST);
    }

    /// It broke off.
    pub fn break_off(&mut self, why: SendError) {
        self.broke_off = Some(why);
    }

    /// What it meant, `took` after it was asked for.
    pub async fn understood(
        self,
        expected: Expected,
        request: &Bytes,
        model: &Model,
        took: Duration,
    ) -> Result<Outcome, Box<Failure>> {
        let Heard { head, raw, broke_off } = self;
        let status = head.status;
        let refused = (!status.is_success())
            .then(|| classify(provider_error(status.as_u16(), &raw.bytes), retry_after(&head.headers, &raw.bytes)));
        let streamed = head.headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let read = move || (status.is_success().then(|| read(expected, &raw.bytes, streamed)).flatten(), raw);
        let read = tokio::task::spawn_blocking(read).await;
        let (reply, raw) = read.unwrap_or_else(|died| std::panic::resume_unwind(died.into_panic()));
        let usage = match (&reply, expected) {
            (Some(reply), Expected::Reply(_)) => {
                Some(estimate::measure(reply, Known { body: request, model, input: None }).await)
            }
            (Some(reply), Expected::Anything) => reply.usage.map(|usage| Measured { usage, kind: Kind::Reported }),
            (None, _) => None,
        };
        let timing = Timing { total: took, ..Timing::default() };
        let outcome =
            Outcome { reply: reply.unwrap_or_default(), head: Some(head), raw, usage, timing, attempts: 1, ..Outcome::default() };
        match refused.or(broke_off) {
            Some(error) => Err(Box::new(Failure { error, outcome })),
            None => Ok(outcome),
        }
    }
}

/// What an answer says; none if it is nothing that is known.
fn read(expected: Expected, bytes: &[u8], streamed: bool) -> Option<Reply> {
    match expected {
        Expected::Reply(dialect) if streamed => {
            let mut decoder = StreamDecoder::new(dialect);
            // What came before something unreadable counts.
            let _ = decoder.push(bytes);
            let so_far = decoder.so_far();
            Some(decoder.finish().unwrap_or(so_far))
        }
        Expected::Reply(dialect) => decode(bytes, dialect).ok(),
        Expected::Anything => told(bytes),
    }
}

/// The usage that stands in an answer of any kind.
fn told(bytes: &[u8]) -> Option<Reply> {
    #[derive(Deserialize)]
    struct Told {
        usage: Json,
    }
    let raw = serde_json::from_slice::<Told>(bytes).ok()?.usage;
    let usage = SHAPES.into_iter().find_map(|shape| normalise(&raw, shape))?;
    Some(Reply { usage: Some(usage), raw_usage: Some(raw), ..Reply::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::StatusCode;
    use reqwest::header::{HeaderMap, HeaderValue};

    /// How an answer is written down: its tokens in and out, whether they were reported, and why it failed.
    async fn written(expected: Expected, status: u16, kind: &'static str, body: &str) -> String {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]);
        let mut heard = Heard::new(Head { status: StatusCode::from_u16(status).expect("a status"), headers });
        heard.add(body.as_bytes());
        let request = Bytes::from_static(br#"{"messages":[{"role":"user","content":"Hello there"}]}"#);
        let ended = heard.understood(expected, &request, &Model::unlisted("up/big"), Duration::ZERO).await;
        let (outcome, why) = match ended {
            Ok(outcome) => (outcome, String::new()),
            Err(failure) => (failure.outcome, format!(", {}", failure.error)),
        };
        let used = outcome.usage.map_or("nothing".to_owned(), |measured| match measured.kind {
            Kind::Reported => format!("{} in, {} out", measured.usage.input, measured.usage.output),
            _ => "an estimate".to_owned(),
        });
        format!("{used}{why}")
    }

    #[tokio::test]
    async fn what_an_answer_used_is_read_where_it_stands() {
        const JSON: &str = "application/json";
        const CHAT: Expected = Expected::Reply(Dialect::OpenAi);
        let whole = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
        let silent = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}"#;
        let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n";
        for (expected, status, kind, body, written_down) in [
            (CHAT, 200, JSON, whole, "3 in, 1 out"),
            (CHAT, 200, JSON, silent, "an estimate"),
            (CHAT, 200, "text/event-stream; charset=utf-8", stream, "3 in, 1 out"),
            (CHAT, 200, JSON, "what is this?", "nothing"),
            (CHAT, 401, JSON, r#"{"error":{"message":"no"}}"#, "nothing, the provider refuses the key: no"),
            (Expected::Anything, 200, JSON, r#"{"data":[],"usage":{"prompt_tokens":8,"total_tokens":8}}"#, "8 in, 0 out"),
            (Expected::Anything, 200, JSON, r#"{"usage":{"input_tokens":5,"output_tokens":2}}"#, "5 in, 2 out"),
            (Expected::Anything, 200, JSON, r#"{"object":"list"}"#, "nothing"),
        ] {
            assert_eq!(written(expected, status, kind, body).await, written_down, "{body}");
        }
    }
}
